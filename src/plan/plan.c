#include "plan/plan.h"

static int compare_plan_numbers(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

/* Of serving the hours are the same for all. */
static double machine_hours(const struct plan *p)
{
    return p->busy_h * (double)(p->way.machines * p->way.trials_parallel);
}

bool plan_better(const struct plan *a, const struct plan *b)
{
    int order = compare_plan_numbers(a->score, b->score);

    if (order == 0)
        order = usd_compare(a->total.expected, b->total.expected);
    if (order == 0) /* what is owned already is not to be wasted */
        order = compare_plan_numbers(machine_hours(a), machine_hours(b));
    if (order == 0)
        order = compare_plan_numbers(a->time, b->time);
    if (order == 0)
        order = compare_plan_numbers((double)a->way.gpus, (double)b->way.gpus);
    if (order == 0)
        order = compare_plan_numbers((double)a->way.machines, (double)b->way.machines);
    if (order == 0)
        order = str_cmp(a->place->machine->name, b->place->machine->name);
    if (order == 0)
        order = compare_plan_numbers(a->place->market, b->place->market);
    return order < 0;
}
