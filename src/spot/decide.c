#include "spot/decide.h"

#include <math.h>

#include "spot/guard.h"
#include "spot/work.h"

/* Everything a view points to. */
struct present {
    bool up[SIM_ZONES_MAX];
    double spot[SIM_ZONES_MAX], on_demand[SIM_ZONES_MAX], move_usd[SIM_ZONES_MAX],
        move_s[SIM_ZONES_MAX], again_s[SIM_ZONES_MAX];
};

static bool is_there(const struct sim_market *seen, const struct sim_job *job, size_t zone,
                     size_t tick)
{
    return !isnan(sim_spot_usd(seen, job, zone, tick));
}

static double between(const double *table, const struct sim_market *seen, size_t from,
                      size_t to)
{
    if (table == NULL)
        return 0;
    return table[seen->zones[from].region * seen->regions + seen->zones[to].region];
}

static void look_around(const struct sim_market *seen, const struct sim_job *job,
                        const struct decide_job *now, double stop_s, struct present *out)
{
    size_t tick = seen->ticks - 1;

    for (size_t z = 0; z < seen->zone_count; z++) {
        const struct sim_zone *zone = &seen->zones[z];

        out->up[z] = is_there(seen, job, z, tick);
        out->spot[z] = zone->price != NULL ? zone->price[tick] : zone->spot;
        out->on_demand[z] = zone->on_demand;
        out->again_s[z] = job->delay + between(seen->carry, seen, z, z);
        out->move_usd[z] = now->began ? between(seen->egress, seen, now->zone, z) : 0;
        out->move_s[z] =
            stop_s + job->delay + (now->began ? between(seen->carry, seen, now->zone, z) : 0);
    }
}

/* Seconds after the deadline at which on-demand, from now on, is done. */
static double lateness(const struct sim_view *view)
{
    struct sim_choice rescue = guard_rescue(view);
    bool runs = view->mode == SIM_ON_DEMAND && view->zone == rescue.zone;
    struct work work = {.left = view->left,
                        .unsaved = runs ? view->unsaved : 0,
                        .pending = runs ? view->pending : view->move_s[rescue.zone]};

    return work.pending + work.left + work_saves(view->job, &work) * view->job->save_takes -
           view->job->deadline;
}

/* Seconds until on-demand must start, wherever that takes the fewest. */
static double latest_start(const struct sim_view *view)
{
    struct work work = {.left = view->left, .pending = INFINITY};

    for (size_t z = 0; z < view->zone_count; z++)
        work.pending = fmin(work.pending, view->move_s[z] - view->stop_s);
    return ((double)view->ticks_left - work_ticks(view->job, &work, view->gap)) * view->gap;
}

bool decide(const struct sim_market *seen, const struct sim_job *job,
            const struct decide_job *now, struct arena *arena, struct decision *out,
            struct error *err)
{
    struct sim_job rest = *job;
    struct work work = {.left = now->left, .unsaved = now->unsaved, .pending = now->pending};
    double stop_s = now->mode == SIM_IDLE ? 0 : work_stop_takes(job, &work);
    struct present present;
    struct sim_view view;
    void *state;

    rest.deadline = now->time_left;
    look_around(seen, job, now, stop_s, &present);
    view = (struct sim_view){
        .job = &rest,
        .gap = seen->gap,
        .tick = seen->ticks - 1,
        .ticks_left = sim_deadline_ticks(&rest, seen->gap),
        .done = job->work - now->left,
        .left = now->left,
        .unsaved = now->unsaved,
        .mode = now->mode,
        .zone = now->zone,
        .pending = now->mode == SIM_IDLE ? 0 : now->pending,
        .stop_s = stop_s,
        .zone_count = seen->zone_count,
        .up = present.up,
        .spot = present.spot,
        .on_demand = present.on_demand,
        .move_usd = present.move_usd,
        .move_s = present.move_s,
        .again_s = present.again_s,
    };
    if (view.mode == SIM_SPOT && !present.up[view.zone]) { /* it was just taken away */
        view.mode = SIM_IDLE;
        view.left += view.unsaved;
        view.lost = true;
        view.unsaved = view.pending = view.stop_s = 0;
        look_around(seen, job, now, 0, &present);
    }
    state = policy_stint.begin(&policy_stint, seen, &rest, arena, err);
    if (state == NULL)
        return false;
    for (size_t i = 0; i + 1 < seen->ticks; i++) {
        bool up[SIM_ZONES_MAX];

        for (size_t z = 0; z < seen->zone_count; z++)
            up[z] = is_there(seen, job, z, i);
        policy_stint.see(state, up);
    }
    *out = (struct decision){.choice = policy_stint.pick(state, &view),
                             .latest_s = latest_start(&view)};
    if (!guard_allows(&view, guard_rescue(&view)))
        out->late_s = lateness(&view);
    out->count = stint_weigh(state, &view, out->options, out->all_usd);
    return true;
}
