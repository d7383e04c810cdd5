#include "plan/plan.h"

const char *const plan_market_names[] = {"on-demand", "spot", "reserved", "own", NULL};

const char *const plan_bar_names[BAR_COUNT] = {
    "account", "providers", "regions", "gpus", "market", "reliability", "commitment",
};

/* By the first number that differs by more than the noise of adding in another order. */
static int compare(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

bool plan_better(const struct plan *a, const struct plan *b)
{
    int order = compare(a->score, b->score);

    if (order == 0)
        order = usd_compare(a->total.expected, b->total.expected);
    if (order == 0)
        order = compare(a->time, b->time);
    if (order == 0)
        order = compare((double)a->way.gpus, (double)b->way.gpus);
    if (order == 0)
        order = compare((double)a->way.machines, (double)b->way.machines);
    if (order == 0)
        order = str_cmp(a->place->offer, b->place->offer);
    if (order == 0)
        order = compare(a->place->market, b->place->market);
    return order < 0;
}
