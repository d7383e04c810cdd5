#include "estimate/kernels/comm.h"

#include <math.h>

#include "base/characters.h"
#include "base/num.h"
#include "estimate/kernels/kernels.h"

#define FEW_NODES \
    3.5 /* models with many experts let a token go to four nodes, its own among them */

#define PCIE3_X16 15.75e9 /* bytes/s in one direction; each generation doubles it */

/* "4.0x16" is generation 4 with 16 lanes; what is not there is 4 and 16. */
double pcie_bytes(const struct accelerator *gpu)
{
    struct str left = gpu->pcie, number = str_cut(&left, 'x');
    double generation = number.len > 0 && is_digit(number.at[0]) ? number.at[0] - '0' : 4;
    int64_t lanes;

    if (!num_int(left, &lanes) || lanes < 1 || lanes > 16)
        lanes = 16;
    return PCIE3_X16 * pow(2, generation - 3) * (double)lanes / 16;
}

#define BUS_SHARE 0.8 /* of a bus, that copies from and to pinned memory reach */

double offload_bytes(const struct accelerator *gpu, const struct constants *c)
{
    bool on_bus = gpu->pcie.len > 0 && is_digit(gpu->pcie.at[0]);

    return on_bus ? fmin(c->at[C_offload_rate], BUS_SHARE * pcie_bytes(gpu))
                  : c->at[C_offload_rate];
}

double usual_network_gb_s(const struct accelerator *gpu)
{
    switch (device_class_of(gpu)) {
    case DEVICE_HOPPER:
    case DEVICE_AMD:
    case DEVICE_BLACKWELL:
        return str_eq(gpu->form, STR("PCIe")) ? 12.5 : 50;
    case DEVICE_AMPERE:
        return str_eq(gpu->form, STR("SXM")) ? 25 : 6;
    case DEVICE_TPU:
        return 50;
    case DEVICE_GAUDI:
        return 37.5;
    case DEVICE_TRAINIUM:
        return 12.5;
    case DEVICE_VOLTA:
        return 6.25;
    case DEVICE_TURING:
    case DEVICE_ADA:
    case DEVICE_OTHER:
        break;
    }
    return 3;
}

/* "NVLink5 (72-GPU domain)", "NVLink3 bridge (2 cards)"; otherwise the node. */
static double domain_of(const struct setup *s)
{
    const struct accelerator *gpu = s->gpu;

    if (device_class_of(gpu) == DEVICE_TPU)
        return 1e6; /* the complete slice is one mesh */
    if (str_has_nocase(gpu->link, STR("(72")))
        return 72;
    return (double)s->per_node;
}

static bool bridged(const struct accelerator *gpu)
{
    return str_has_nocase(gpu->link, STR("bridge"));
}

/* Cards whose driver does not let them reach each other: what they exchange is written to the
 * host's memory and read from there. */
static bool through_host(const struct accelerator *gpu)
{
    return str_has_nocase(gpu->link, STR("no P2P"));
}

struct wires wires_of(const struct setup *s, const struct constants *c)
{
    struct wires w = {.domain = domain_of(s),
                      .link_latency = c->at[C_link_latency],
                      .network_latency = c->at[C_network_latency]};
    double pcie = pcie_bytes(s->gpu) * c->at[C_pcie_rate];

    if (through_host(s->gpu))
        pcie *= c->at[C_host_path];

    w.link = s->gpu->link_gb_s > 0 && (!bridged(s->gpu) || s->per_node <= 2)
                 ? s->gpu->link_gb_s * 1e9 * c->at[C_link_rate]
                 : pcie;
    w.network = isnan(s->network_gb_s) ? usual_network_gb_s(s->gpu) : s->network_gb_s;
    w.network *= 1e9 * c->at[s->sockets ? C_socket_rate : C_network_rate];
    return w;
}

/* How many of the ranks share a domain. */
static double inside(const struct wires *w, double ranks, double stride)
{
    return fmax(1, fmin(ranks, floor(w->domain / fmax(1, stride))));
}

double all_gather(const struct wires *w, double size, double ranks, double stride)
{
    double local = inside(w, ranks, stride), nodes = ranks / local;
    double time;

    if (ranks <= 1)
        return 0;
    time = size * (ranks - 1) / ranks / w->link + w->link_latency * log2(ranks);
    /* Rings over several nodes: each node's adapters together carry the bytes once. With a wide
     * stride fewer of the node's GPUs take part, but other rings use the other adapters. */
    if (nodes > 1)
        time = longer(time, size * (nodes - 1) / nodes / (w->network * local)) +
               w->network_latency * log2(nodes);
    return time;
}

double all_reduce(const struct wires *w, double size, double ranks, double stride)
{
    return 2 * all_gather(w, size, ranks, stride);
}

double all_to_all(const struct wires *w, double size, double ranks, double stride,
                  double copies)
{
    double local = inside(w, ranks, stride), nodes = ranks / local, away = 0;

    if (ranks <= 1)
        return 0;
    if (nodes >
        1) { /* the nodes other than one's own that a token reaches; routers keep it to a few */
        double reached = (nodes - 1) * (1 - pow(1 - 1 / nodes, copies));

        away = fmin(reached, FEW_NODES) / copies;
    }
    return longer(size * (local - 1) / local / w->link, size * away / w->network) +
           (nodes > 1 ? w->network_latency : w->link_latency) * log2(ranks);
}

double send_once(const struct wires *w, double size, double stride)
{
    bool near = stride < w->domain;

    return size / (near ? w->link : w->network) + (near ? w->link_latency : w->network_latency);
}
