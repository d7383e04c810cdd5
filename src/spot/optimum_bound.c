/* The bound on what is still to be paid: the same paths with a price on waste instead of a
 * limit, found backwards, at the price that makes the bound the highest. */
#include <math.h>

#include "spot/optimum_internal.h"

#define STEPS_MAX 100

/* What a path costs, and what it wastes. */
struct path {
    double sum; /* usd + price x waste: what is least */
    double usd, waste;
};

static struct path better(struct path a, struct path b)
{
    return b.sum < a.sum ? b : a;
}

static struct path then(struct path rest, double price, double usd, double waste)
{
    return (struct path){rest.sum + usd + price * waste, rest.usd + usd, rest.waste + waste};
}

/* The best ways on from each state before this tick, given those after it. `start` is room for
 * one path a region. */
static void step_back(const struct net *net, double price, size_t tick,
                      const struct path *after, struct path *before, struct path *start)
{
    const double *spot = net->spot + tick * net->market->zone_count;
    double gap = net->market->gap;
    struct path wait;

    for (size_t r = 0; r < net->regions; r++)
        start[r] = then(after[on_demand_in(r)], price, net->on_demand[r], 0);
    for (size_t z = 0; z < net->market->zone_count; z++)
        start[net->region[z]] =
            better(start[net->region[z]], then(after[spot_in(net, z)], price, spot[z], 0));
    wait = then(after[NOWHERE], price, 0, gap);
    for (size_t r = 0; r < net->regions; r++)
        wait = better(wait, then(start[r], price, 0, net->job->delay));
    before[NOWHERE] = wait;
    for (size_t r = 0; r < net->regions; r++) {
        wait = then(after[waits_in(r)], price, 0, gap);
        for (size_t to = 0; to < net->regions; to++)
            wait = better(wait, then(start[to], price, net->egress[r * net->regions + to],
                                     net->wait[r * net->regions + to]));
        before[waits_in(r)] = wait;
        before[on_demand_in(r)] =
            better(wait, then(after[on_demand_in(r)], price, net->on_demand[r], 0));
    }
    for (size_t z = 0; z < net->market->zone_count; z++)
        before[spot_in(net, z)] = better(before[waits_in(net->region[z])],
                                         then(after[spot_in(net, z)], price, spot[z], 0));
}

struct rows {
    struct path *row[2], *start;
};

/* The best path at this price on waste, and with `rest` the sums of all ways on. */
static struct path path_at(const struct net *net, const struct rows *rows, double price,
                           double *rest)
{
    size_t which = net->ticks % 2;

    for (size_t s = 0; s < net->states; s++)
        rows->row[which][s] = (struct path){0};
    for (size_t tick = net->ticks; tick-- > 0;) {
        step_back(net, price, tick, rows->row[which], rows->row[!which], rows->start);
        which = !which;
        for (size_t s = 0; rest != NULL && s < net->states; s++)
            rest[tick * net->states + s] = rows->row[which][s].sum;
    }
    return rows->row[which][NOWHERE];
}

/* A price so high that the limit is kept: all that could be paid, for the least time that
 * could be saved. */
static double dear(const struct net *net)
{
    double most = 0;

    for (size_t r = 0; r < net->regions; r++)
        most = fmax(most, net->on_demand[r]);
    return fmax(most, 1e-6) / net->market->gap;
}

bool bound_find(const struct net *net, struct arena *arena, struct bound *out,
                struct error *err)
{
    struct rows rows = {.row = {arena_array(arena, struct path, net->states, err),
                                arena_array(arena, struct path, net->states, err)},
                        .start = arena_array(arena, struct path, net->regions, err)};
    struct path over, within;
    double price = 0;

    out->rest = arena_array(arena, double, (net->ticks + 1) * net->states, err);
    if (rows.row[0] == NULL || rows.row[1] == NULL || rows.start == NULL || out->rest == NULL)
        return false;
    over = within = path_at(net, &rows, 0, NULL);
    for (int i = 0; i < STEPS_MAX && within.waste > net->slack; i++) {
        price = price > 0 ? price * 2 : dear(net);
        within = path_at(net, &rows, price, NULL);
    }
    out->at_most = within.waste > net->slack ? INFINITY : within.usd;
    /* Between a path that wastes too much and one that does not: the price at which both are
     * as good. When no path is better there, it is the one. */
    for (int i = 0; i < STEPS_MAX && over.waste > net->slack; i++) {
        struct path found;

        price = (within.usd - over.usd) / (over.waste - within.waste);
        found = path_at(net, &rows, price, NULL);
        if (found.waste <= net->slack)
            out->at_most = fmin(out->at_most, found.usd);
        if (found.sum >= within.usd + price * within.waste - 1e-9)
            break;
        *(found.waste > net->slack ? &over : &within) = found;
    }
    out->price = price;
    (void)path_at(net, &rows, price, out->rest);
    return true;
}
