/* The policies of "Can't Be Late" (Wu et al., NSDI'24). Times are compared in whole ticks, as
 * its simulator does. In several zones: the cheapest that is up, kept until it is lost. */
#include <math.h>

#include "spot/policy.h"
#include "spot/work.h"

#define PRODUCTIVE 1e-3 /* seconds of a start that count as none */
#define DEFAULT_SLICES 8

struct paper {
    const struct sim_market *market; /* for the oracle only */
    double delay;                    /* the d of the rules: the longest start, and work lost */
    double work, deadline;
    /* Of time-sliced: the slice that it is in. */
    int32_t slices, slice;
    double end;           /* seconds: the slices so far */
    double owes, surplus; /* seconds of work: its share, and what was done before it too much */
    double done;          /* when it began */
};

static double longest(const double *carry, size_t regions)
{
    double most = 0;

    for (size_t i = 0; carry != NULL && i < regions * regions; i++)
        most = fmax(most, carry[i]);
    return most;
}

static void *paper_begin(const struct policy *self, const struct sim_market *market,
                         const struct sim_job *job, struct arena *arena, struct error *err)
{
    struct paper *paper = arena_array(arena, struct paper, 1, err);

    if (paper == NULL)
        return NULL;
    *paper = (struct paper){
        .market = market,
        .delay = job->delay + longest(market->carry, market->regions),
        .work = job->work,
        .deadline = job->deadline,
        .slices = self->number > 0 ? self->number : 1,
    };
    /* In the paper the delay has the lost work; so it has here, where that is modeled. */
    if (job->save_every > 0)
        paper->delay += job->save_every + job->save_takes;
    return paper;
}

/* Zones. */

static bool any_spot(const struct sim_view *view, size_t *zone)
{
    bool found = false;

    for (size_t z = 0; z < view->zone_count; z++)
        if (view->up[z] && (!found || view->spot[z] < view->spot[*zone])) {
            *zone = z;
            found = true;
        }
    if (view->mode == SIM_SPOT)
        *zone = view->zone;
    return found;
}

static size_t on_demand_zone(const struct sim_view *view)
{
    double hours = view->left / 3600 * view->job->gang, least = INFINITY;
    size_t best = view->zone;

    if (view->mode == SIM_ON_DEMAND)
        return view->zone;
    for (size_t z = 0; z < view->zone_count; z++) {
        double usd = view->on_demand[z] * hours + view->move_usd[z];

        if (usd < least) {
            least = usd;
            best = z;
        }
    }
    return best;
}

/* Times. */

/* Seconds that the work takes with so many starts before it, in whole ticks. */
static double paper_seconds_needed(const struct sim_view *view, double seconds)
{
    struct work work = {.left = view->left, .unsaved = view->unsaved};

    seconds += view->left + work_saves(view->job, &work) * view->job->save_takes;
    return ceil(seconds / view->gap) * view->gap;
}

static double paper_time_left(const struct sim_view *view)
{
    return (double)view->ticks_left * view->gap;
}

/* How far the work is ahead of an even pace, `later` seconds from now. */
static double paper_ahead(const struct paper *paper, const struct sim_view *view, double later)
{
    double now = (double)view->tick * view->gap;

    return view->done - (now + later) * paper->work / paper->deadline;
}

/* What a policy wants, but on-demand when time runs out: `soon` when there is no time left for
 * two starts, `now` when there is none for one; and the zone for it. */
static struct sim_choice settle_with(const struct paper *paper, const struct sim_view *view,
                                     enum sim_mode want, bool soon, bool now)
{
    size_t zone = view->zone;
    bool spot = any_spot(view, &zone);
    bool productive = view->mode == SIM_SPOT && (view->pending < PRODUCTIVE || view->saving);

    if (view->mode != SIM_SPOT && soon)
        want = SIM_ON_DEMAND;
    if (now)
        want = productive ? SIM_SPOT : SIM_ON_DEMAND;
    if (paper->delay <= 0 && spot)
        want = SIM_SPOT;
    if (want == SIM_ON_DEMAND)
        zone = on_demand_zone(view);
    return (struct sim_choice){want, zone};
}

static struct sim_choice keep_deadline(const struct paper *paper, const struct sim_view *view,
                                       enum sim_mode want)
{
    return settle_with(paper, view, want,
                       paper_seconds_needed(view, 2 * paper->delay) >= paper_time_left(view),
                       paper_seconds_needed(view, paper->delay) >= paper_time_left(view));
}

static struct sim_choice pick_on_demand(void *state, const struct sim_view *view)
{
    (void)state;
    return (struct sim_choice){SIM_ON_DEMAND, on_demand_zone(view)};
}

static struct sim_choice pick_greedy(void *state, const struct sim_view *view)
{
    size_t zone;

    return keep_deadline(state, view, any_spot(view, &zone) ? SIM_SPOT : SIM_IDLE);
}

/* No spot: on-demand when behind, or to go on with it. */
static enum sim_mode without_spot(const struct paper *paper, const struct sim_view *view)
{
    return view->mode == SIM_ON_DEMAND || paper_ahead(paper, view, 0) < 0 ? SIM_ON_DEMAND
                                                                          : SIM_IDLE;
}

static struct sim_choice pick_up_plain(void *state, const struct sim_view *view)
{
    size_t zone;

    return keep_deadline(state, view,
                         any_spot(view, &zone) ? SIM_SPOT : without_spot(state, view));
}

static struct sim_choice pick_up(void *state, const struct sim_view *view)
{
    const struct paper *paper = state;
    size_t zone;

    if (!any_spot(view, &zone))
        return keep_deadline(paper, view, without_spot(paper, view));
    if (view->mode == SIM_ON_DEMAND && paper_ahead(paper, view, 2 * paper->delay) <= 0)
        return keep_deadline(paper, view, SIM_ON_DEMAND);
    return keep_deadline(paper, view, SIM_SPOT);
}

/* Seconds that spot in this zone lasts from now on. */
static double paper_spot_lasts(const struct sim_market *market, const struct sim_job *job,
                               size_t zone, size_t tick)
{
    size_t end = tick;

    while (end < market->ticks && !isnan(sim_spot_usd(market, job, zone, end)))
        end++;
    return (double)(end - tick) * market->gap;
}

static struct sim_choice pick_up_oracle(void *state, const struct sim_view *view)
{
    const struct paper *paper = state;
    size_t zone = 0;
    double share, life, worth;

    if (!any_spot(view, &zone))
        return keep_deadline(paper, view, without_spot(paper, view));
    if (view->mode == SIM_SPOT)
        return keep_deadline(paper, view, SIM_SPOT);
    share = view->spot[zone] / view->on_demand[on_demand_zone(view)];
    life = paper_spot_lasts(paper->market, view->job, zone, view->tick);
    worth = share < 1 ? paper->delay / (1 - share) : INFINITY;
    if (view->mode == SIM_ON_DEMAND)
        worth *= 2;
    return keep_deadline(paper, view, life > worth ? SIM_SPOT : without_spot(paper, view));
}

/* The next slice: as long as it takes to its share of the time, in whole ticks; the last has
 * what remains. */
static void next_slice(struct paper *paper, const struct sim_view *view)
{
    double length, gap = view->gap;

    if (paper->slice > 0)
        paper->surplus += view->done - paper->done - paper->owes;
    paper->slice++;
    length = paper->slice * (paper->deadline / paper->slices) - paper->end;
    length =
        paper->slice < paper->slices ? floor(length / gap) * gap : paper->deadline - paper->end;
    paper->end += length;
    paper->owes = paper->work * length / paper->deadline;
    paper->done = view->done;
}

/* The two sides are rounded to ticks apart from each other, as the published code does. */
static struct sim_choice pick_time_sliced(void *state, const struct sim_view *view)
{
    struct paper *paper = state;
    double gap = view->gap, now = (double)view->tick * gap, owes, remains;
    bool soon = paper_seconds_needed(view, 2 * paper->delay) >= paper_time_left(view);
    bool at_once = paper_seconds_needed(view, paper->delay) >= paper_time_left(view);
    enum sim_mode want;
    size_t zone;

    while (paper->slice < paper->slices && now >= floor(paper->end / gap) * gap)
        next_slice(paper, view);
    want = any_spot(view, &zone) ? SIM_SPOT : SIM_IDLE;
    owes = paper->owes - (view->done - paper->done);
    if (owes - paper->surplus > PRODUCTIVE || soon) {
        remains = floor(paper->end / gap) * gap - now + paper->surplus;
        remains = floor(remains / gap) * gap;
        soon = soon || ceil((owes + 2 * paper->delay) / gap) * gap >= remains;
        at_once = at_once || ceil((owes + paper->delay) / gap) * gap >= remains;
    }
    return settle_with(paper, view, want, soon, at_once);
}

const struct policy policy_on_demand = {
    .name = "on-demand",
    .about = "on-demand from start to end",
    .begin = paper_begin,
    .pick = pick_on_demand,
};

const struct policy policy_greedy = {
    .name = "greedy",
    .about = "spot when available, otherwise wait until only on-demand meets the deadline",
    .begin = paper_begin,
    .pick = pick_greedy,
};

const struct policy policy_time_sliced = {
    .name = "time-sliced",
    .about = "greedy in each of N equal time slices (time-sliced:N)",
    .number = DEFAULT_SLICES,
    .begin = paper_begin,
    .pick = pick_time_sliced,
};

const struct policy policy_up_plain = {
    .name = "up-plain",
    .about = "uniform progress: on-demand without spot when behind an even pace",
    .begin = paper_begin,
    .pick = pick_up_plain,
};

const struct policy policy_up = {
    .name = "up",
    .about = "uniform progress with hysteresis, the policy of \"Can't Be Late\"",
    .begin = paper_begin,
    .pick = pick_up,
};

const struct policy policy_up_oracle = {
    .name = "up-oracle",
    .about = "uniform progress that knows how long spot will last",
    .uses_future = true,
    .begin = paper_begin,
    .pick = pick_up_oracle,
};
