#include <math.h>

#include "estimate/energy.h"
#include "estimate/step.h"
#include "truth/truth.h"

static double predict_memory(const struct point *p, const struct constants *c)
{
    double size;

    if (p->serving) {
        struct serving_memory m = estimate_serving_memory(&p->serve, c);

        size = p->view == VIEW_ALLOCATED ? m.allocated : m.device;
    } else {
        struct memory m = estimate_memory(&p->setup, c);

        size = p->view == VIEW_ALLOCATED  ? m.allocated
               : p->view == VIEW_RESERVED ? m.reserved
                                          : m.device;
    }
    return size / 1e9;
}

static double predict_serving(const struct point *p, const struct constants *c)
{
    struct serving_time t = estimate_serving(&p->serve, c);

    if (p->metric == METRIC_PREFILL)
        return t.first_token * 1e3;
    if (p->metric == METRIC_DECODE)
        return t.decode * 1e3;
    if (p->metric == METRIC_LATENCY)
        return t.request * 1e3;
    return p->tokens_per_request * p->serve.batch / t.request;
}

static double predict_rate(const struct point *p, const struct constants *c)
{
    struct step step = estimate_step(&p->setup, c);

    return step_rate(&step, &p->setup);
}

static double predict_board(const struct point *p, const struct constants *c)
{
    struct step step;

    if (p->serving) {
        struct serving_time t = estimate_serving(&p->serve, c);

        return serving_watts(&p->serve, &t, c);
    }
    step = estimate_step(&p->setup, c);
    return step_watts(&step, p->setup.gpu, c);
}

struct guess point_predict(const struct point *p, const struct constants *c)
{
    switch (p->metric) {
    case METRIC_TRAINING:
        return guess_of(predict_rate(p, c), step_spread(&p->setup, c));
    case METRIC_MEMORY:
        return guess_of(predict_memory(p, c), c->at[C_spread_memory]);
    case METRIC_NODE_POWER:
        return guess_of(energy_row_node_watts(&p->energy, c), c->at[C_spread_power]);
    case METRIC_BOARD_POWER:
        return guess_of(predict_board(p, c), c->at[C_spread_board]);
    case METRIC_PREFILL:
        return guess_of(predict_serving(p, c), c->at[C_spread_prefill]);
    case METRIC_DECODE:
        return guess_of(predict_serving(p, c), c->at[C_spread_decode]);
    case METRIC_THROUGHPUT:
    case METRIC_LATENCY:
    case METRIC_COUNT:
        break;
    }
    return guess_of(predict_serving(p, c), c->at[C_spread_serving]);
}

bool point_fits(const struct point *p, const struct constants *c)
{
    struct memory m = estimate_memory(&p->setup, c);

    return m.device <= usable_memory(p->setup.gpu);
}
