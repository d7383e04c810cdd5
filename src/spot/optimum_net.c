/* The market as the search for the optimum sees it: in dollars a tick and seconds wasted. */
#include <math.h>

#include "spot/optimum_internal.h"
#include "spot/work.h"

#define CELLS_MAX ((size_t)1 << 25)

static bool allocate(struct net *net, struct arena *arena, struct error *err)
{
    size_t zones = net->market->zone_count, squared = zones * zones;

    net->region = arena_array(arena, size_t, zones, err);
    net->zone = arena_array(arena, size_t, zones, err);
    net->on_demand = arena_array(arena, double, zones, err);
    net->egress = arena_array(arena, double, squared, err);
    net->wait = arena_array(arena, double, squared, err);
    net->spot = arena_array(arena, double, net->ticks *zones, err);
    return net->region != NULL && net->zone != NULL && net->on_demand != NULL &&
           net->egress != NULL && net->wait != NULL && net->spot != NULL;
}

/* Regions that have zones, and the cheapest on-demand of each. */
static void number_regions(struct net *net)
{
    const struct sim_zone *zones = net->market->zones;

    for (size_t z = 0; z < net->market->zone_count; z++) {
        double usd = zones[z].on_demand * net->job->gang * net->market->gap / 3600;
        size_t r = 0;

        while (r < net->regions && zones[net->zone[r]].region != zones[z].region)
            r++;
        net->region[z] = r;
        if (r < net->regions && usd >= net->on_demand[r])
            continue;
        net->regions = r < net->regions ? net->regions : r + 1;
        net->zone[r] = z;
        net->on_demand[r] = usd;
    }
}

static void fill_moves(struct net *net)
{
    const struct sim_market *market = net->market;

    for (size_t from = 0; from < net->regions; from++)
        for (size_t to = 0; to < net->regions; to++) {
            size_t there = market->zones[net->zone[from]].region * market->regions +
                           market->zones[net->zone[to]].region;
            size_t here = from * net->regions + to;

            net->egress[here] = market->egress != NULL ? market->egress[there] : 0;
            net->wait[here] =
                net->job->delay + (market->carry != NULL ? market->carry[there] : 0);
        }
}

bool net_make(const struct sim_market *market, const struct sim_job *job, struct arena *arena,
              struct net *out, struct error *err)
{
    size_t zones = market->zone_count;

    *out = (struct net){
        .market = market, .job = job, .ticks = sim_deadline_ticks(job, market->gap)};
    if (out->ticks + 1 > CELLS_MAX / (PLACES + 3 * zones)) {
        error_set(err, ERROR_INPUT, "%zu ticks in %zu zones are too many for the optimum",
                  out->ticks, zones);
        error_hint(err, "give fewer zones, or a trace of longer ticks");
        return false;
    }
    /* As in the guard, only half of the simulator's tolerance, so that the plan holds there. */
    out->slack = (double)out->ticks * market->gap - job->work + WORK_TOLERANCE / 2;
    if (!allocate(out, arena, err))
        return false;
    number_regions(out);
    out->states = PLACES + 2 * out->regions + zones;
    fill_moves(out);
    for (size_t tick = 0; tick < out->ticks; tick++)
        for (size_t z = 0; z < zones; z++) {
            double usd = sim_spot_usd(market, job, z, tick);

            out->spot[tick * zones + z] = isnan(usd) ? INFINITY : usd;
        }
    return true;
}

struct sim_choice net_choice(const struct net *net, size_t state)
{
    if (state >= spot_in(net, 0))
        return (struct sim_choice){SIM_SPOT, state - spot_in(net, 0)};
    if (state != NOWHERE && (state - PLACES) % 2 == 1)
        return (struct sim_choice){SIM_ON_DEMAND, net->zone[(state - PLACES) / 2]};
    return (struct sim_choice){SIM_IDLE, 0};
}
