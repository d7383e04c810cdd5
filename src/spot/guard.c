#include "spot/guard.h"

#include <math.h>

#include "spot/work.h"

/* The state of the work once the choice is made. */
static struct work work_under(const struct sim_view *view, struct sim_choice choice)
{
    if (sim_goes_on(view, choice))
        return (struct work){.left = view->left,
                             .unsaved = view->unsaved,
                             .pending = view->pending,
                             .saving = view->saving};
    return (struct work){.left = view->left, .pending = view->move_s[choice.zone]};
}

/* Ticks until on-demand, taken up after a tick of waiting, is done: where it starts soonest. */
static double ticks_after_waiting(const struct sim_view *view)
{
    struct work work = {.left = view->left, .pending = INFINITY};

    for (size_t z = 0; z < view->zone_count; z++)
        work.pending = fmin(work.pending, view->move_s[z] - view->stop_s);
    return 1 + work_ticks(view->job, &work, view->gap);
}

/* Likewise after a tick on spot, whether the machine is lost then or left. Where it ran, since
 * nothing has to be carried there. */
static double ticks_after_spot(const struct sim_view *view, struct sim_choice choice)
{
    struct work kept = work_under(view, choice), lost = kept;

    work_go_on(view->job, &kept, view->gap);
    if (kept.left <= WORK_TOLERANCE / 2)
        return 1;
    (void)work_lose(view->job, &lost, view->gap);
    lost.pending = view->again_s[choice.zone];
    kept = (struct work){.left = kept.left,
                         .pending =
                             work_stop_takes(view->job, &kept) + view->again_s[choice.zone]};
    return 1 + fmax(work_ticks(view->job, &lost, view->gap),
                    work_ticks(view->job, &kept, view->gap));
}

static double ticks_on_demand(const struct sim_view *view, struct sim_choice choice)
{
    struct work work = work_under(view, choice);

    return work_ticks(view->job, &work, view->gap);
}

bool guard_allows(const struct sim_view *view, struct sim_choice choice)
{
    double ticks_left = (double)view->ticks_left;

    switch (choice.mode) {
    case SIM_SPOT:
        return ticks_after_spot(view, choice) <= ticks_left;
    case SIM_ON_DEMAND:
        return ticks_on_demand(view, choice) <= ticks_left;
    case SIM_IDLE:
    default:
        return ticks_after_waiting(view) <= ticks_left;
    }
}

struct sim_choice guard_rescue(const struct sim_view *view)
{
    struct sim_choice best = {SIM_ON_DEMAND, view->zone};
    double least = INFINITY, soonest = INFINITY;

    for (size_t z = 0; z < view->zone_count; z++) {
        struct sim_choice choice = {SIM_ON_DEMAND, z};
        double ticks = ticks_on_demand(view, choice);
        bool makes_it = ticks <= (double)view->ticks_left;
        double usd = view->on_demand[z] * view->job->gang * ticks * view->gap / 3600 +
                     (sim_goes_on(view, choice) ? 0 : view->move_usd[z]);

        if (makes_it ? usd < least || (usd <= least && sim_goes_on(view, choice))
                     : isinf(least) && ticks < soonest) {
            best = choice;
            least = makes_it ? usd : least;
        }
        soonest = fmin(soonest, ticks);
    }
    return best;
}
