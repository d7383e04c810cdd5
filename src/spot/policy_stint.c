/* Stint's own policy: learn how long machines stay and outages last, look ahead with that, do
 * what is cheapest on average, and never what the guard forbids.
 *
 * The look-ahead weighs everything that rules of thumb are for: waiting is worth its slack
 * early and not late, a fresh machine may not be worth its start, on-demand is left only for
 * spot that will last, and none of it when spot costs nearly as much. With several zones it is
 * also what shows which of them are cheap enough to wait for (zones.h).
 */
#include "spot/policy_stint.h"

#include <math.h>

#include "spot/guard.h"
#include "spot/lookahead.h"
#include "spot/work.h"
#include "spot/zones.h"

#define HOUR 3600.0

/* Looked ahead again when so much has been learned: after two hours, and by this factor more
 * each time; or when a price has moved by a share that matters, but not all the time. */
#define ANEW_HOURS 2.0
#define ANEW_GROWTH 1.5
#define ANEW_GROWTH_ZONES 1.15 /* of several zones more is learned in the same time */
#define PRICE_MOVED 0.03
#define PRICE_HOURS 1.0

/* More slack than this is of no use to look at: twice the work, and fifteen hours. */
#define SLACK_TIMES 2.0
#define SLACK_HOURS 15.0

enum { LEVELS_MAX = 6 };

/* Zones are taken together when the most expensive costs no more than so many times what spot
 * of them costs on average: else waiting for the cheap ones would be reckoned at the price of
 * both. */
#define SAME_LEVEL 1.5

struct stint {
    struct zones zones;
    const struct lifetimes *known; /* of the one zone; NULL: they are learned */
    struct group group;            /* the zones that count as spot */
    struct lookahead look;
    double *price;             /* [zones] that it was made with */
    double solved_at, anew_at; /* hours from the start; at first infinitely long ago, and 0 */
};

/* The present, as the policy sees it. */
struct scene {
    const struct sim_view *view;
    struct stint *stint;
    double slack; /* seconds that may still be wasted, as far as that matters */
    double time;  /* seconds to the deadline, as far as that matters */
    double needs; /* seconds that the work left takes, pauses for saving included */
    bool up;      /* there is some in the group */
    size_t zone;  /* the best of it */
};

static struct stint *begin_with(const struct sim_market *market, const struct sim_job *job,
                                const struct lifetimes *known, struct arena *arena,
                                struct error *err)
{
    struct stint *stint = arena_array(arena, struct stint, 1, err);

    if (stint == NULL ||
        !lookahead_init(&stint->look, sim_deadline_ticks(job, market->gap), known != NULL,
                        arena, err) ||
        !zones_init(&stint->zones, market->zone_count, market->gap / HOUR, arena, err))
        return NULL;
    stint->known = known;
    stint->price = arena_array(arena, double, market->zone_count, err);
    stint->solved_at = -INFINITY;
    return stint->price != NULL ? stint : NULL;
}

static void *stint_begin(const struct policy *self, const struct sim_market *market,
                         const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    return begin_with(market, job, NULL, arena, err);
}

/* What is known of one zone is enough to look ahead exactly; how several go together is not. */
static void *informed_begin(const struct policy *self, const struct sim_market *market,
                            const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    if (market->zone_count > 1 || market->zones[0].life == NULL) {
        (void)error_fail(err, ERROR_USAGE,
                         "policy 'informed' is for one zone whose lifetimes are known");
        return NULL;
    }
    return begin_with(market, job, market->zones[0].life, arena, err);
}

static bool is_member(const struct stint *stint, size_t zone)
{
    return stint->group.members >> zone & 1;
}

static void stint_see(void *state, const bool *up)
{
    struct stint *stint = state;
    bool any = false;

    zones_see(&stint->zones, up);
    for (size_t z = 0; z < stint->zones.count; z++)
        any = any || (up[z] && is_member(stint, z));
    if (stint->group.members != 0)
        learner_see(&stint->group.any, any);
}

/* Seconds of work that a lost machine takes with it, on average. */
static double stint_lost_work(const struct sim_job *job)
{
    if (job->save_every <= 0 || work_notice_saves(job))
        return 0;
    return job->save_every / 2;
}

/* Hours that a machine of this zone will still be there, up to the end of the job. */
static double zone_rest(const struct scene *scene, size_t zone)
{
    const struct learner *learner = &scene->stint->zones.each[zone];
    double chance[AGE_BINS], rest[AGE_BINS];

    spells_chances(&learner->up, learner->gap, chance);
    spells_rest(chance, learner->gap, rest);
    return fmax(fmin(rest[age_bin(learner->age)] * learner->gap, scene->needs / HOUR),
                learner->gap);
}

/* The cost of an hour on this zone's spot: its start and its end spread over its life. */
static double zone_usd(const struct scene *scene, size_t zone)
{
    const struct sim_view *view = scene->view;
    const struct stint *stint = scene->stint;
    double price = view->spot[zone] * view->job->gang, around = 0;

    if (stint->look.steps > 0)
        around = fmax(lookahead_loss(&stint->look, scene->time, scene->slack,
                                     stint->zones.each[zone].age),
                      0);
    if (!sim_goes_on(view, (struct sim_choice){SIM_SPOT, zone}))
        around += view->move_usd[zone] + price * view->move_s[zone] / HOUR;
    return price + around / zone_rest(scene, zone);
}

/* The best zone to take spot in, of the group or of the others; false when there is none. */
static bool best_zone(const struct scene *scene, bool member, size_t *out)
{
    const struct sim_view *view = scene->view;
    double least = INFINITY;

    *out = 0;
    if (view->zone_count == 1)
        return member && view->up[0];
    for (size_t z = 0; z < view->zone_count; z++) {
        double hour_usd = INFINITY;

        if (view->up[z] && is_member(scene->stint, z) == member)
            hour_usd = zone_usd(scene, z);
        if (hour_usd < least) {
            least = hour_usd;
            *out = z;
        }
    }
    return least < INFINITY;
}

static double scene_age(const struct scene *scene)
{
    const struct stint *stint = scene->stint;

    return scene->up ? stint->zones.each[scene->zone].age : stint->group.any.age;
}

/* What a choice is to the look-ahead: expensive spot elsewhere is a way out, as on-demand
 * is. */
static enum sim_mode look_mode(const struct stint *stint, enum sim_mode mode, size_t zone)
{
    return mode == SIM_SPOT && !is_member(stint, zone) ? SIM_ON_DEMAND : mode;
}

/* What a start on spot costs and wastes when it is not where the checkpoint is: as later ones
 * will, so that putting one off does not look cheaper than it is. */
static void expect_moves(const struct scene *scene, struct look_model *model)
{
    const struct sim_view *view = scene->view;
    double n = 0, sum_usd = 0, seconds = 0;

    for (size_t z = 0; z < view->zone_count; z++) {
        if (z == view->zone || !is_member(scene->stint, z))
            continue;
        sum_usd += view->move_usd[z];
        seconds += view->move_s[z] - view->stop_s;
        n++;
    }
    model->start_usd = n > 0 ? sum_usd / n : 0;
    model->spot_start = (n > 0 ? seconds / n : view->job->delay) + stint_lost_work(view->job);
}

/* How soon spells end: by what is known of them, or by what was learned. */
static void find_stint_chances(const struct stint *stint, struct look_model *model)
{
    double hours = stint->zones.gap;

    for (size_t b = 0; stint->known != NULL && b < AGE_BINS; b++) {
        model->lose[b] = -expm1(-stint->known->lose[b] * hours);
        model->gain[b] = -expm1(-stint->known->gain[b] * hours);
    }
    if (stint->known != NULL)
        return;
    spells_chances(&stint->group.up, hours, model->lose);
    spells_chances(&stint->group.any.down, hours, model->gain);
}

/* Look ahead with these zones as spot; what the job is then expected to cost from now on. */
static double solve_with(struct scene *scene, uint64_t members, double on_demand)
{
    struct stint *stint = scene->stint;
    const struct sim_view *view = scene->view;
    const struct sim_job *job = view->job;
    struct look_model model = {
        .gap = view->gap,
        .on_demand_start = job->delay,
    };

    zones_group(&stint->zones, members, view->spot, on_demand, &stint->group);
    scene->up = best_zone(scene, true, &scene->zone);
    model.spot = stint->group.spot * job->gang;
    model.on_demand = stint->group.way_out * job->gang;
    model.other = stint->group.other;
    model.other_age = stint->group.other_age;
    expect_moves(scene, &model);
    find_stint_chances(stint, &model);
    lookahead_solve(&stint->look, &model, scene->time, scene->slack + view->pending);
    return lookahead_now(&stint->look,
                         &(struct look_at){.time_left = scene->time,
                                           .slack = scene->slack,
                                           .mode = look_mode(stint, view->mode, view->zone),
                                           .up = scene->up,
                                           .age = scene_age(scene)});
}

static void solve_scene(struct scene *scene)
{
    struct stint *stint = scene->stint;
    const struct sim_view *view = scene->view;
    double on_demand = view->on_demand[guard_rescue(view).zone], least = INFINITY;
    uint64_t levels[LEVELS_MAX], best = 1;
    size_t count = 1;

    levels[0] = 1;
    if (view->zone_count > 1)
        count = zones_levels(&stint->zones, view->spot, LEVELS_MAX, levels);
    for (size_t i = 0; i < count; i++) {
        double all_usd = solve_with(scene, levels[i], on_demand);

        if (i > 0 && stint->group.highest > SAME_LEVEL * stint->group.spot)
            continue;
        if (all_usd <= least) { /* the more zones, when it makes no difference */
            least = all_usd;
            best = levels[i];
        }
    }
    if (best != stint->group.members)
        (void)solve_with(scene, best, on_demand);
    for (size_t z = 0; z < view->zone_count; z++)
        stint->price[z] = view->spot[z];
}

/* Look ahead again when that may change something. */
static void keep_up(struct scene *scene)
{
    struct stint *stint = scene->stint;
    const struct sim_view *view = scene->view;
    double now = (double)view->tick * view->gap / HOUR;
    double growth = view->zone_count > 1 ? ANEW_GROWTH_ZONES : ANEW_GROWTH;
    bool moved = false, last = !stint->look.dense && scene->slack >= scene->needs &&
                               scene->time <= LOOK_DENSE * view->gap;

    for (size_t z = 0; z < view->zone_count; z++)
        moved = moved || fabs(view->spot[z] - stint->price[z]) > PRICE_MOVED * stint->price[z];
    if (now < stint->anew_at && !last && !(moved && now >= stint->solved_at + PRICE_HOURS))
        return;
    solve_scene(scene);
    stint->solved_at = now;
    stint->anew_at =
        stint->known != NULL ? (double)INFINITY : fmax(now + ANEW_HOURS, now * growth);
}

/* To the look-ahead all zones of the group have one price. What this one costs more than the
 * best, for as long as both are expected to last: else a job would never leave an expensive
 * zone for a cheaper one, which saves little in one tick. */
static double premium_usd(const struct scene *scene, size_t zone)
{
    const struct sim_view *view = scene->view;
    double hours;

    if (!scene->up || zone == scene->zone)
        return 0;
    hours = fmin(zone_rest(scene, zone), zone_rest(scene, scene->zone)) - view->gap / HOUR;
    return (view->spot[zone] - view->spot[scene->zone]) * view->job->gang * fmax(hours, 0);
}

/* What a choice is expected to cost, to the end. */
static double choice_usd(const struct scene *scene, struct sim_choice choice)
{
    const struct stint *stint = scene->stint;
    const struct sim_view *view = scene->view;
    enum sim_mode as = look_mode(stint, choice.mode, choice.zone);
    double gap = view->gap, wasted = 0, more_usd = 0, tick_usd = 0;
    struct look_at at = {.time_left = fmax(scene->time - gap, 0),
                         .slack = scene->slack,
                         .mode = as,
                         .up = scene->up,
                         .age = scene_age(scene)};

    if (choice.mode != SIM_IDLE)
        tick_usd = (choice.mode == SIM_SPOT ? view->spot : view->on_demand)[choice.zone] *
                   view->job->gang * gap / HOUR;
    if (as == SIM_SPOT) {
        at.age = stint->zones.each[choice.zone].age;
        at.slack -= stint_lost_work(view->job);
        more_usd = premium_usd(scene, choice.zone);
    }
    if (choice.mode == SIM_IDLE) {
        wasted = gap + view->stop_s;
    } else if (!sim_goes_on(view, choice)) {
        wasted = view->move_s[choice.zone];
        more_usd += view->move_usd[choice.zone];
    }
    if (!sim_goes_on(view, choice) && view->mode != SIM_IDLE)
        at.slack += view->pending; /* a start that is broken off */
    /* A machine that is lost at once has not wasted a full start. */
    at.lost_slack = at.slack - (as == SIM_SPOT ? fmin(wasted, gap) : wasted);
    at.slack -= wasted;
    return more_usd + tick_usd + lookahead_usd(&stint->look, &at);
}

/* What may be done: on-demand always, and what the guard allows. */
static size_t find_options(const struct scene *scene, struct sim_choice options[STINT_OPTIONS])
{
    const struct sim_view *view = scene->view;
    struct sim_choice wanted[4];
    size_t count = 0, n = 0, zone;

    options[count++] = guard_rescue(view);
    if (scene->up)
        wanted[n++] = (struct sim_choice){SIM_SPOT, scene->zone};
    if (view->mode == SIM_SPOT && !(scene->up && scene->zone == view->zone))
        wanted[n++] = (struct sim_choice){SIM_SPOT, view->zone};
    if (view->zone_count > 1 && best_zone(scene, false, &zone) &&
        !(view->mode == SIM_SPOT && zone == view->zone))
        wanted[n++] = (struct sim_choice){SIM_SPOT, zone};
    wanted[n++] = (struct sim_choice){SIM_IDLE, view->zone};
    for (size_t i = 0; i < n; i++) {
        if (guard_allows(view, wanted[i]))
            options[count++] = wanted[i];
    }
    return count;
}

static struct scene set_scene(struct stint *stint, const struct sim_view *view)
{
    double every = view->job->save_every, excess;
    struct scene scene = {.view = view, .stint = stint};

    if (stint->group.members == 0) /* the first tick */
        zones_group(&stint->zones, zones_all(&stint->zones), view->spot, view->on_demand[0],
                    &stint->group);
    scene.needs = view->left * (every > 0 ? 1 + view->job->save_takes / every : 1);
    scene.slack = (double)view->ticks_left * view->gap - scene.needs -
                  (view->mode == SIM_IDLE ? 0 : view->pending);
    scene.time = (double)view->ticks_left * view->gap;
    excess = scene.slack - fmax(SLACK_TIMES * scene.needs, SLACK_HOURS * HOUR);
    if (excess > 0) {
        scene.slack -= excess;
        scene.time -= excess;
    }
    scene.up = best_zone(&scene, true, &scene.zone);
    return scene;
}

/* What each option is expected to cost, by what is known by now. */
static size_t weigh_options(struct scene *scene, struct sim_choice options[STINT_OPTIONS],
                            double all_usd[STINT_OPTIONS])
{
    size_t count;

    keep_up(scene); /* which may choose another group, and so other options */
    count = find_options(scene, options);
    for (size_t i = 0; i < count; i++)
        all_usd[i] = choice_usd(scene, options[i]);
    return count;
}

static struct sim_choice stint_pick(void *state, const struct sim_view *view)
{
    struct stint *stint = state;
    struct scene scene;
    struct sim_choice options[STINT_OPTIONS], best;
    double all_usd[STINT_OPTIONS], least = INFINITY;
    size_t count;

    stint_see(stint, view->up);
    scene = set_scene(stint, view);
    count = find_options(&scene, options);
    best = options[0];
    if (count == 1)
        return best;
    /* On the best spot there is, and cheaper than on-demand: nothing is better than to stay. */
    if (scene.up && view->mode == SIM_SPOT && sim_goes_on(view, options[1]) &&
        view->spot[view->zone] < view->on_demand[best.zone])
        return options[1];
    count = weigh_options(&scene, options, all_usd);
    for (size_t i = 0; i < count; i++) {
        if (all_usd[i] < least || (all_usd[i] <= least && sim_goes_on(view, options[i]))) {
            least = all_usd[i];
            best = options[i];
        }
    }
    return best;
}

size_t stint_weigh(void *state, const struct sim_view *view,
                   struct sim_choice options[STINT_OPTIONS], double all_usd[STINT_OPTIONS])
{
    struct scene scene = set_scene(state, view);

    return weigh_options(&scene, options, all_usd);
}

const struct policy policy_informed = {
    .name = "informed",
    .about = "knows the lifetimes of machines and outages, not their times; looks ahead",
    .uses_future = true,
    .begin = informed_begin,
    .see = stint_see,
    .pick = stint_pick,
};

const struct policy policy_stint = {
    .name = "stint",
    .about = "learns lifetimes, looks ahead, never late",
    .begin = stint_begin,
    .see = stint_see,
    .pick = stint_pick,
};
