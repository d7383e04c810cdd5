#include "estimate/comm.h"

#include <math.h>

#include "estimate/kernels.h"

#define FEW_NODES \
    3.5 /* models with many experts let a token go to four nodes, its own among them */

/* Bytes/s of the bus, from "4.0x16". */
static double pcie_bytes(const struct accelerator *gpu)
{
    double generation = gpu->pcie.len > 0 ? gpu->pcie.at[0] - '0' : 3;

    if (!(generation >= 1 && generation <= 7))
        generation = 4;
    return 16e9 * pow(2, generation - 3);
}

/* What machines with this card usually have for each GPU. */
static double usual_network(const struct accelerator *gpu)
{
    switch (device_class_of(gpu)) {
    case DEVICE_HOPPER:
    case DEVICE_AMD:
    case DEVICE_BLACKWELL:
        return str_eq(gpu->form, STR("PCIe")) ? 12.5e9 : 50e9;
    case DEVICE_AMPERE:
        return str_eq(gpu->form, STR("SXM")) ? 25e9 : 6e9;
    case DEVICE_TPU:
        return 50e9;
    case DEVICE_GAUDI:
        return 37.5e9;
    case DEVICE_TRAINIUM:
        return 12.5e9;
    case DEVICE_VOLTA:
        return 6.25e9;
    case DEVICE_TURING:
    case DEVICE_ADA:
    case DEVICE_OTHER:
        break;
    }
    return 3e9;
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

struct wires wires_of(const struct setup *s, const struct constants *c)
{
    struct wires w = {.domain = domain_of(s),
                      .link_latency = c->at[C_link_latency],
                      .network_latency = c->at[C_network_latency]};
    double pcie = pcie_bytes(s->gpu) * c->at[C_pcie_rate];

    w.link = s->gpu->link_gb_s > 0 && (!bridged(s->gpu) || s->per_node <= 2)
                 ? s->gpu->link_gb_s * 1e9 * c->at[C_link_rate]
                 : pcie;
    w.network = isnan(s->network_gb_s) ? usual_network(s->gpu) : s->network_gb_s * 1e9;
    w.network *= c->at[C_network_rate];
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
