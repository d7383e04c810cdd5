/* Stint's own policy: learn how long machines stay and outages last, look ahead with that, do
 * what is cheapest on average, and never what the guard forbids.
 *
 * The look-ahead weighs everything that rules of thumb stand for: waiting is worth its slack
 * early and not late, a fresh machine may not be worth its start, on-demand is left only for
 * spot that will last, and none of it when spot costs nearly as much. Several zones: the best
 * one that can be had stands for spot, and the chance to find another after a loss is learnt.
 */
#include <math.h>

#include "spot/guard.h"
#include "spot/learn.h"
#include "spot/lookahead.h"
#include "spot/policy.h"

#define HOUR 3600.0

/* Looked ahead anew when so much has been learnt: after two hours, and by half more each time;
 * or when the price has moved by a share that matters, but not all the time. */
#define ANEW_HOURS 2.0
#define ANEW_GROWTH 1.5
#define PRICE_MOVED 0.03
#define PRICE_HOURS 1.0

struct stint {
    size_t zone_count;
    struct learner *zones; /* [zone_count] */
    struct learner any;    /* whether there is some anywhere */
    double losses, found;  /* zones that were lost, and when there was another then */
    struct lookahead look;
    double solved_at, anew_at; /* hours from the start; before the first: infinite, 0 */
};

static void *begin(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err)
{
    struct stint *stint = arena_array(arena, struct stint, 1, err);
    double gap = market->gap / HOUR;

    (void)self;
    (void)job;
    if (stint == NULL || !lookahead_init(&stint->look, arena, err))
        return NULL;
    stint->zone_count = market->zone_count;
    stint->zones = arena_array(arena, struct learner, market->zone_count, err);
    if (stint->zones == NULL)
        return NULL;
    for (size_t z = 0; z < market->zone_count; z++)
        learner_start(&stint->zones[z], &lifetimes_typical, gap);
    learner_start(&stint->any, &lifetimes_typical, gap);
    stint->solved_at = -INFINITY;
    return stint;
}

static void see(void *state, const bool *up)
{
    struct stint *stint = state;
    size_t there = 0, lost = 0;

    for (size_t z = 0; z < stint->zone_count; z++) {
        there += up[z];
        lost += stint->zones[z].seen && stint->zones[z].is_up && !up[z];
        learner_see(&stint->zones[z], up[z]);
    }
    learner_see(&stint->any, there > 0);
    stint->losses += (double)lost;
    stint->found += there > 0 ? (double)lost : 0;
}

/* Seconds of work that a lost machine takes with it, on average. */
static double lost_work(const struct sim_job *job)
{
    if (job->save_every <= 0 || job->notice >= job->save_takes)
        return 0;
    return job->save_every / 2;
}

/* Seconds that the work left takes, pauses for saving included. */
static double time_needed(const struct sim_view *view)
{
    double every = view->job->save_every;

    return view->left * (every > 0 ? 1 + view->job->save_takes / every : 1);
}

/* Seconds that may still be wasted, as things stand. */
static double slack_now(const struct sim_view *view)
{
    double pending = view->mode == SIM_IDLE ? 0 : view->pending;

    return (double)view->ticks_left * view->gap - time_needed(view) - pending;
}

/* How dear an hour on this zone's spot is: its start and its end spread over its life. */
static double zone_usd(const struct stint *stint, const struct sim_view *view, size_t zone)
{
    const struct learner *learner = &stint->zones[zone];
    size_t bin = age_bin(learner->age);
    double chance[AGE_BINS], rest[AGE_BINS], hours, price = view->spot[zone] * view->job->gang;
    double around = 0; /* what its start and end cost */

    spells_chances(&learner->up, learner->gap, chance);
    spells_rest(chance, learner->gap, rest);
    hours = fmin(rest[bin] * learner->gap, time_needed(view) / HOUR);
    if (stint->look.steps > 0)
        around = fmax(lookahead_loss(&stint->look, (double)view->ticks_left * view->gap,
                                     slack_now(view), bin),
                      0);
    if (view->mode != SIM_SPOT || view->zone != zone)
        around += view->move_usd[zone] + price * view->move_s[zone] / HOUR;
    return price + around / fmax(hours, learner->gap);
}

/* The zone to take spot in; false when there is none. */
static bool best_zone(const struct stint *stint, const struct sim_view *view, size_t *out)
{
    double least = INFINITY;

    *out = 0;
    if (view->zone_count == 1)
        return view->up[0];
    for (size_t z = 0; z < view->zone_count; z++) {
        double usd_hour = view->up[z] ? zone_usd(stint, view, z) : INFINITY;

        if (usd_hour < least) {
            least = usd_hour;
            *out = z;
        }
    }
    return least < INFINITY;
}

/* The price that spot is reckoned with: of the zone at hand, else the least that is known. */
static double spot_price(const struct sim_view *view, bool up, size_t zone)
{
    double least = INFINITY;

    if (up)
        return view->spot[zone];
    for (size_t z = 0; z < view->zone_count; z++)
        least = fmin(least, view->spot[z]); /* of NaN and a number, the number */
    return least < INFINITY ? least : view->on_demand[view->zone];
}

static void solve(struct stint *stint, const struct sim_view *view, double spot)
{
    const struct sim_job *job = view->job;
    struct learner all = stint->zones[0];
    struct look_model model = {
        .gap = view->gap,
        .spot = spot * job->gang,
        .on_demand = view->on_demand[guard_rescue(view).zone] * job->gang,
        .spot_start = job->delay + lost_work(job),
        .on_demand_start = job->delay,
    };

    for (size_t z = 1; z < view->zone_count; z++)
        learner_add(&all, &stint->zones[z]);
    spells_chances(&all.up, all.gap, model.lose);
    spells_chances(&stint->any.down, all.gap, model.gain);
    if (view->zone_count > 1)
        model.other = (1 + stint->found) / (2 + stint->losses);
    lookahead_solve(&stint->look, &model, (double)view->ticks_left * view->gap,
                    slack_now(view) + view->pending);
}

/* Look ahead anew when that may change something. */
static void keep_up(struct stint *stint, const struct sim_view *view, double spot)
{
    double now = (double)view->tick * view->gap / HOUR;
    double solved = stint->look.model.spot / view->job->gang;
    bool moved =
        fabs(spot - solved) > PRICE_MOVED * solved && now >= stint->solved_at + PRICE_HOURS;

    if (now < stint->anew_at && !moved)
        return;
    solve(stint, view, spot);
    stint->solved_at = now;
    stint->anew_at = fmax(now + ANEW_HOURS, now * ANEW_GROWTH);
}

static bool same_choice(const struct sim_view *view, struct sim_choice choice)
{
    return choice.mode == view->mode && (choice.mode == SIM_IDLE || choice.zone == view->zone);
}

/* What a choice is expected to cost, to the end. */
static double choice_usd(const struct stint *stint, const struct sim_view *view,
                         struct sim_choice choice, bool up, size_t zone)
{
    double gap = view->gap, slack = slack_now(view), lost = lost_work(view->job), usd_hour = 0;
    size_t bin = age_bin(up ? stint->zones[zone].age : stint->any.age);
    struct look_at at = {.time_left = (double)(view->ticks_left - 1) * gap,
                         .mode = choice.mode,
                         .up = up,
                         .bin = bin};
    double usd_start = 0;

    if (choice.mode == SIM_SPOT) {
        at.bin = age_bin(stint->zones[choice.zone].age);
        usd_hour = view->spot[choice.zone];
        slack -= lost;
    } else if (choice.mode == SIM_ON_DEMAND) {
        usd_hour = view->on_demand[choice.zone];
    }
    at.slack = at.lost_slack = slack;
    if (!same_choice(view, choice)) {
        double free = slack + (view->mode == SIM_IDLE ? 0 : view->pending);
        double wasted =
            choice.mode == SIM_IDLE ? gap + view->stop_s : view->move_s[choice.zone];

        at.slack = free - wasted;
        at.lost_slack = free - fmin(wasted, fmax(gap, view->stop_s));
        usd_start = choice.mode == SIM_IDLE ? 0 : view->move_usd[choice.zone];
    } else if (choice.mode == SIM_IDLE) {
        at.slack = at.lost_slack = slack - gap;
    }
    if (choice.mode != SIM_SPOT)
        at.lost_slack = at.slack;
    return usd_start + usd_hour * view->job->gang * gap / HOUR +
           lookahead_usd(&stint->look, &at);
}

static struct sim_choice pick(void *state, const struct sim_view *view)
{
    struct stint *stint = state;
    struct sim_choice options[3] = {guard_rescue(view)}, best = options[0];
    size_t count = 1, zone;
    bool up;
    double least = INFINITY, spot;

    see(stint, view->up);
    up = best_zone(stint, view, &zone);
    spot = spot_price(view, up, zone);
    options[1] = (struct sim_choice){SIM_SPOT, zone};
    if (up && guard_allows(view, options[1])) {
        /* The last one cannot do better than to stay where it is cheaper. */
        if (same_choice(view, options[1]) && spot < view->on_demand[best.zone])
            return options[1];
        count++;
    }
    options[count] = (struct sim_choice){SIM_IDLE, view->zone};
    count += guard_allows(view, options[count]);
    if (count == 1)
        return best;
    keep_up(stint, view, spot);
    for (size_t i = 0; i < count; i++) {
        double usd_all = choice_usd(stint, view, options[i], up, zone);

        if (usd_all < least || (usd_all <= least && same_choice(view, options[i]))) {
            least = usd_all;
            best = options[i];
        }
    }
    return best;
}

const struct policy policy_stint = {
    .name = "stint",
    .about = "learns lifetimes, looks ahead, never late",
    .begin = begin,
    .see = see,
    .pick = pick,
};
