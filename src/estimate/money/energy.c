#include "estimate/money/energy.h"

#include <math.h>

#include "estimate/kernels/kernels.h"

#define SECONDS_PER_HOUR 3600.0

/* Watts at `activity`: 0 idle, 1 at the board's limit, which it does not pass. */
static double watts_at(const struct accelerator *gpu, double activity,
                       const struct constants *c)
{
    double idle = c->at[C_energy_idle];

    if (!(gpu->tdp_w > 0) || isnan(activity))
        return NAN;
    return gpu->tdp_w * (idle + (1 - idle) * fmin(1, fmax(0, activity)));
}

double board_idle_watts(const struct accelerator *gpu, const struct constants *c)
{
    return watts_at(gpu, 0, c);
}

double board_watts(const struct accelerator *gpu, double arithmetic, double memory,
                   const struct constants *c)
{
    double activity;

    /* A NaN must not get lost in fmin: it means that the utilization is unknown. */
    if (isnan(arithmetic) || isnan(memory))
        return NAN;
    activity = c->at[C_energy_arithmetic] * sqrt(fmax(0, arithmetic)) +
               c->at[C_energy_memory] * fmax(0, memory);
    return watts_at(gpu, activity, c);
}

double step_watts(const struct step *step, const struct accelerator *gpu,
                  const struct constants *c)
{
    /* The head is a product, the loss behind it reads and writes logits: about half each. */
    double products = step->products * sqrt(step->effort) + step->attention + step->recompute +
                      0.5 * step->loss + 0.5 * step->encoders;
    double stream = step->elementwise + step->dequantise + step->optimizer + 0.5 * step->loss +
                    0.5 * step->encoders;
    double wait = step->tensor + step->context + step->expert + step->pipeline + step->data +
                  step->offload;
    double watts;

    if (!(step->total > 0))
        return NAN;
    watts =
        watts_at(gpu,
                 (products + c->at[C_energy_stream] * stream + c->at[C_energy_wait] * wait) /
                     step->total,
                 c);
    /* What was learned does not lift the board's limit. */
    return step->power_more > 0 ? fmax(watts, fmin(gpu->tdp_w, watts * (1 + step->power_more)))
                                : watts * (1 + step->power_more);
}

/* Cards in slots are in desktops and small servers; modules on a carrier board are in large
 * servers with a network card for each. */
static bool is_card(const struct accelerator *gpu)
{
    return str_eq(gpu->form, STR("PCIe")) || str_eq(gpu->form, STR("NVL"));
}

/* What a decode step reads and computes, over what the board could in that time. */
static double decode_watts(const struct serving *s, double seconds, const struct constants *c)
{
    const struct arch *a = s->arch;
    struct arch_params p = arch_count(a);
    struct serving_memory m = estimate_serving_memory(s, c);
    double experts = p.experts / fmax(1, p.total), hit = 1;
    struct rates r = rates_of(s->gpu, PRECISION_BF16, c);
    double bytes_read, flop;

    if (a->experts > 0) /* of all experts, those that some sequence chose */
        hit = 1 - pow(1 - (double)a->active_experts / (double)a->experts, s->batch);
    bytes_read = m.weights * (1 - experts + experts * hit) + m.cache;
    flop = 2 * p.active * s->batch / (double)s->gpus;
    return board_watts(s->gpu, fmin(1, flop / seconds / r.products),
                       fmin(1, bytes_read / seconds / r.memory), c);
}

double serving_watts(const struct serving *s, const struct serving_time *t,
                     const struct constants *c)
{
    if (s->output > 0 && t->decode > 0)
        return decode_watts(s, t->decode, c);
    return board_watts(s->gpu, t->prefill_bound, 1 - t->prefill_bound, c);
}

double node_watts(const struct accelerator *gpu, int64_t boards, double board_w, bool dc,
                  const struct constants *c)
{
    bool card = is_card(gpu);
    double share = c->at[card ? C_energy_host_pcie : C_energy_host_sxm];
    double host = c->at[C_energy_host_base] + share * (double)boards;
    double behind_supply = host + board_w * (double)boards;

    if (boards < 1)
        return NAN;
    return dc ? behind_supply
              : behind_supply / c->at[card ? C_energy_psu_desktop : C_energy_psu_server];
}

watt cluster_watts(const struct accelerator *gpu, int64_t gpus, int64_t per_node,
                   double board_w, const struct constants *c)
{
    int64_t full = gpus / per_node, rest = gpus % per_node;
    double sum = 0;

    if (full > 0)
        sum += (double)full * node_watts(gpu, per_node, board_w, false, c);
    if (rest > 0)
        sum += node_watts(gpu, rest, board_w, false, c);
    return (watt){sum};
}

struct energy_use estimate_energy(const struct accelerator *gpu, int64_t boards, int64_t nodes,
                                  double board_w, double hours, double pue,
                                  const struct constants *c)
{
    double node_w = node_watts(gpu, boards, board_w, false, c);
    double all = nodes < 1 ? NAN : node_w * (double)nodes;
    double j = hours >= 0 ? all * hours * SECONDS_PER_HOUR : NAN;

    return (struct energy_use){
        .board_w = board_w,
        .node_w = node_w,
        .machines = {all},
        .at_wall = {j},
        .facility = {pue >= 1 ? j * pue : NAN}, /* below 1 a building would make power */
    };
}
