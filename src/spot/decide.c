#include "spot/decide.h"

#include <math.h>

#include "spot/guard.h"
#include "spot/work.h"

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

/* A machine that can no longer be had was just taken away, with what it had not saved. */
static struct sim_view look(const struct sim_market *seen, const struct sim_job *job,
                            const struct decide_job *now, struct sim_around *around)
{
    struct work work = {.left = now->left, .unsaved = now->unsaved, .pending = now->pending};
    size_t tick = seen->ticks - 1;
    bool lost = now->mode == SIM_SPOT && isnan(sim_spot_usd(seen, job, now->zone, tick));
    bool idle = lost || now->mode == SIM_IDLE;
    struct sim_view view = sim_look(seen, job, tick, now->zone, now->began,
                                    idle ? 0 : work_stop_takes(job, &work), around);

    view.ticks_left = sim_deadline_ticks(job, seen->gap);
    view.left = now->left + (lost ? now->unsaved : 0);
    view.done = job->work - view.left;
    view.mode = idle ? SIM_IDLE : now->mode;
    view.unsaved = idle ? 0 : now->unsaved;
    view.pending = idle ? 0 : now->pending;
    return view;
}

bool decide(const struct sim_market *seen, const struct sim_job *job,
            const struct decide_job *now, struct arena *arena, struct decision *out,
            struct error *err)
{
    struct sim_job rest = *job;
    struct sim_around around;
    struct sim_view view;
    void *state;

    rest.deadline = now->time_left;
    view = look(seen, &rest, now, &around);
    state = policy_stint.begin(&policy_stint, seen, &rest, arena, err);
    if (state == NULL)
        return false;
    for (size_t i = 0; i + 1 < seen->ticks; i++) {
        bool up[SIM_ZONES_MAX];

        for (size_t z = 0; z < seen->zone_count; z++)
            up[z] = !isnan(sim_spot_usd(seen, job, z, i));
        policy_stint.see(state, up);
    }
    *out = (struct decision){.choice = policy_stint.pick(state, &view),
                             .latest_s = latest_start(&view)};
    out->count = stint_weigh(state, &view, out->options, out->all_usd);
    out->late_s = lateness(&view);
    if (out->count == 1) /* nothing to weigh: what it costs is plain, also after the deadline */
        out->all_usd[0] = view.on_demand[out->choice.zone] * rest.gang *
                          (view.job->deadline + out->late_s) / 3600;
    if (guard_allows(&view, guard_rescue(&view)))
        out->late_s = 0;
    return true;
}
