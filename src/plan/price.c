/* A way in a place: money line by line, time, carbon. */
#include <math.h>

#include "base/num.h"
#include "estimate/money/energy.h"
#include "estimate/money/terms.h"
#include "estimate/step/goodput.h"
#include "plan/plan.h"
#include "plan/trials.h"

#define SECONDS_PER_HOUR 3600.0
#define MONTH_DAYS 30.0
#define MILLION 1e6

static struct usd_range at_hours(usd_per_hour price, struct hours_range h)
{
    return (struct usd_range){cost_of_hours(price, h.low), cost_of_hours(price, h.expected),
                              cost_of_hours(price, h.high)};
}

/* What is billed of so many hours of one set of machines. Who serves is taken to go on for the
 * term of a commitment. */
static double billed_set(const struct plan *plan, double hours)
{
    const struct plan_place *place = plan->place;
    double step = place->billing_s / SECONDS_PER_HOUR,
           least = place->minimum_s / SECONDS_PER_HOUR;

    if (step > 0)
        hours = ceil(hours / step - 1e-9) * step;
    if (least > 0)
        hours = fmax(hours, least);
    return plan->way.serves ? hours : fmax(hours, place->commit_hours);
}

/* Trials side by side are so many sets, each billed by itself: hours of all of them. */
static double billed(const struct plan *plan, double hours)
{
    double sets = (double)plan->way.trials_parallel;

    return sets * billed_set(plan, hours / sets);
}

static usd smaller_usd(usd a, usd b)
{
    return b.nano == MONEY_UNKNOWN ? b : usd_add(a, (usd){-b.nano});
}

/* What does not depend on how long machines are there. */
static usd fixed_part(const struct plan *plan)
{
    const struct cost_inputs *terms = plan->place->terms;
    const struct cost_line *storage = &plan->cost.at[COST_STORAGE];

    if (plan->way.serves)
        return (usd){0};
    return usd_add(usd_add(terms->ingress, terms->egress), storage->amount.expected);
}

/* So that the whole comes to what is billed, to the last nano-dollar. */
static usd topped_up(const struct plan *plan, usd_per_hour price, double hours, usd paid)
{
    usd more = smaller_usd(cost_of_hours(price, billed(plan, hours)), paid);

    return more.nano == MONEY_UNKNOWN || more.nano > 0 ? more : (usd){0};
}

/* What of it hours that are owned pay for: all that machines cost, where they suffice. */
static usd paid_already(const struct plan *plan, usd_per_hour price, double hours, usd paid)
{
    double most = plan->place->owned_hours / (double)plan->way.machines;

    if (billed(plan, hours) <= most)
        return smaller_usd((usd){0}, paid);
    return smaller_usd((usd){0}, cost_of_hours(price, most));
}

/* Lines that depend on how the provider bills. `price` is of all machines, `hours` how long
 * they are there. */
static void add_billing(struct plan *plan, usd_per_hour price, struct hours_range hours)
{
    static const struct hours_range none;
    const struct plan_place *place = plan->place;
    usd fixed = fixed_part(plan);
    struct usd_range all = cost_total(&plan->cost), more, paid;

    paid = (struct usd_range){smaller_usd(all.low, fixed), smaller_usd(all.expected, fixed),
                              smaller_usd(all.high, fixed)};
    more = (struct usd_range){topped_up(plan, price, hours.low, paid.low),
                              topped_up(plan, price, hours.expected, paid.expected),
                              topped_up(plan, price, hours.high, paid.high)};
    cost_write(&plan->cost, COST_BILLING, more, none);
    if (place->owned_hours > 0) {
        paid = (struct usd_range){usd_add(paid.low, more.low),
                                  usd_add(paid.expected, more.expected),
                                  usd_add(paid.high, more.high)};
        cost_write(&plan->cost, COST_OWNED,
                   (struct usd_range){paid_already(plan, price, hours.low, paid.low),
                                      paid_already(plan, price, hours.expected, paid.expected),
                                      paid_already(plan, price, hours.high, paid.high)},
                   none);
    }
    if (place->markup > 0) {
        struct hours_range share = {hours.low * place->markup, hours.expected * place->markup,
                                    hours.high * place->markup};

        cost_write(&plan->cost, COST_MARKUP, at_hours(price, share), none);
    }
}

/* `busy` and `waiting` are hours of one set of machines. Boards idle while machines wait. */
static void add_plan_carbon(const struct plan_problem *p, struct plan *plan, double busy,
                            double waiting)
{
    const struct way *way = &plan->way;
    const struct plan_place *place = plan->place;
    const struct constants *c = p->constants;
    double idle = board_idle_watts(place->machine->gpu, c);
    /* Boards that are rented and not used draw power too. */
    double spare = idle * (double)(way->machines * place->machine->count - way->gpus);
    double at_work =
        cluster_watts(place->machine->gpu, way->gpus, place->machine->count, way->board_w, c)
            .w +
        spare;
    double set_up =
        cluster_watts(place->machine->gpu, way->gpus, place->machine->count, idle, c).w + spare;

    plan->kwh = (at_work * busy + set_up * waiting) / 1000 * place->pue;
    plan->carbon_kg = plan->kwh * place->carbon_g_kwh / 1000;
    if (p->limits.within_h > 0)
        plan->carbon_kg *=
            week_mean(place->carbon, p->hour_of_week + plan->start_h, plan->hours);
}

/* The price on average over the hours that are billed, where it changes over the week. `hours`
 * are those of all sets of machines: each is taken to work as long as the others. */
static usd_per_hour price_at_start(const struct plan_problem *p, struct plan *plan,
                                   double hours)
{
    const struct plan_place *place = plan->place;

    plan->billed_h = billed_set(plan, hours / (double)plan->way.trials_parallel);
    if (p->limits.within_h > 0)
        plan->multiplier =
            week_mean(place->prices, p->hour_of_week + plan->start_h, plan->billed_h);
    return plan->multiplier == 1 ? place->price
                                 : usd_per_hour_scaled(place->price, plan->multiplier);
}

/* How far the price may be off, by its age. */
static void add_price_age(struct plan *plan)
{
    usd fixed = fixed_part(plan);

    if (plan->place->owned_hours > 0 || fixed.nano == MONEY_UNKNOWN)
        return; /* what is paid for does not change */
    plan->total = cost_widen(plan->total, fixed, plan->place->trust.width);
}

static void add_score(const struct plan_problem *p, struct plan *plan)
{
    const struct plan_aim *a = &p->aim;
    double usd_total = usd_double(plan->total.expected);

    plan->score = 0;
    if (a->cost > 0)
        plan->score += a->cost * usd_total / a->cost_unit;
    if (a->time > 0)
        plan->score += a->time * plan->time / a->time_unit;
    if (a->carbon > 0)
        plan->score += a->carbon * plan->carbon_kg / a->carbon_unit;
    if (a->value_of_time > 0 && !plan->way.serves)
        plan->score += a->value_of_time * plan->hours;
}

#define USUAL_SAVE_S 60.0 /* of a checkpoint whose size is not given */
#define SAVE_BYTES_S 1e9  /* to a disk in the same place */
#define TOGETHER 0.7 /* of the machines of a gang, that are lost at once: seen in few traces */

/* The chance to lose one of so many machines within some hours. */
static double price_risk(const struct plan_risk *risk, int64_t machines, double hours)
{
    double more = 1 + (1 - TOGETHER) * (double)(machines - 1);

    return -expm1(-more * (risk->first_hour * pow(hours, risk->shape) + risk->gone * hours));
}

static double save_seconds(const struct job_checkpoint *c)
{
    if (c->save.ns > 0)
        return span_in_seconds(c->save);
    return c->size.n != UINT64_MAX ? (double)c->size.n / SAVE_BYTES_S : USUAL_SAVE_S;
}

/* Losing one of several machines is losing all; but most are lost together. */
static struct lifetimes lifetimes_of(const struct plan_risk *risk, int64_t machines)
{
    double more = 1 + (1 - TOGETHER) * (double)(machines - 1);
    struct lifetimes life =
        lifetimes_from_hazard(risk->first_hour * more, risk->shape, risk->up);

    for (size_t i = 0; i < AGE_BINS; i++)
        life.lose[i] += risk->gone * more;
    return life;
}

struct outlook_ask plan_outlook(const struct plan_problem *p, const struct plan *plan,
                                struct lifetimes *life)
{
    const struct plan_place *place = plan->place;
    const struct job_checkpoint *c = &p->job->train.checkpoint;
    double setup = place->terms->setup_s;
    double restart = c->restart.ns > 0 ? span_in_seconds(c->restart) : 0;
    bool again = str_eq(c->resume, STR("no")); /* after a loss it starts over */
    struct outlook_ask ask = {
        .job = {.work = plan->work_h * SECONDS_PER_HOUR,
                .deadline = p->limits.deadline_h > 0
                                ? (p->limits.deadline_h - plan->start_h) * SECONDS_PER_HOUR
                                : 0,
                .delay = fmax(setup, restart),
                .gang = (int32_t)plan->way.machines,
                .by_second = true,
                .save_takes = save_seconds(c),
                .notice = place->notice_s > 0 ? place->notice_s : 0},
        .spot = usd_per_hour_double(place->price) * plan->multiplier,
        .on_demand = usd_per_hour_double(place->machine->on_demand) * plan->multiplier,
        .life = life,
        .policy = &policy_stint,
        .seed = 1,
    };

    *life = lifetimes_of(&place->risk, plan->way.machines);
    if (again) {
        ask.job.save_every = ask.job.work;
        ask.job.notice = 0;
    }
    if (!(ask.job.deadline > 0) || !(ask.on_demand > 0))
        ask.policy = NULL;
    return ask;
}

/* Where spot alone is done in time, nothing falls back on demand. How often that is weighs
 * between the two closed forms: the exponent was fitted to simulations of 43 plans (Stint's
 * policy, 200 runs each), which the sum is off by 9 % of, root mean square, and none by more
 * than 24 %. */
#define ALONE_WEIGHT 5

static double expected_outlook_usd(const struct outlook_ask *ask, double with_fallback)
{
    struct outlook_ask waits = *ask;
    struct outlook_quick alone;
    double weight;

    if (ask->policy == NULL)
        return with_fallback;
    waits.policy = NULL;
    alone = outlook_quick(&waits);
    if (!isfinite(alone.usd))
        return with_fallback;
    weight = pow(alone.on_time, ALONE_WEIGHT);
    return fmin(with_fallback, weight * alone.usd + (1 - weight) * with_fallback);
}

/* What interruptions add to the cost, the hours and the risk; false when the risk is not known,
 * or it would never be done. `price` is of all machines. `sets` is what all sets of machines
 * work over what the clock shows: trials are lost side by side. */
static bool price_spot_plan(const struct plan_problem *p, struct plan *plan, usd_per_hour price,
                            double sets)
{
    const struct plan_place *place = plan->place;
    static const struct hours_range none;
    struct lifetimes life;
    struct outlook_ask ask;
    struct outlook_quick quick;
    double extra, plain;

    if (isnan(place->risk.first_hour) || place->risk.first_hour < 0)
        return false;
    ask = plan_outlook(p, plan, &life);
    if (ask.policy != NULL && ask.job.work + ask.job.delay > ask.job.deadline)
        return false; /* not even on demand */
    quick = outlook_quick(&ask);
    if (!isfinite(quick.usd) || !(quick.on_time > 0))
        return false;
    plain = usd_per_hour_double(price) * plan->work_h; /* the first start is set-up */
    extra = fmax(0, expected_outlook_usd(&ask, quick.usd) - plain) * sets;
    cost_write(&plan->cost, COST_INTERRUPTIONS,
               (struct usd_range){{0}, usd_from(extra), usd_from(2 * extra)}, none);
    plan->busy_h = plan->work_h * (1 + quick.overhead) + ask.job.delay / SECONDS_PER_HOUR;
    plan->hours = plan->busy_h / life.up;
    if (ask.policy != NULL)
        plan->hours = fmin(plan->hours, ask.job.deadline / SECONDS_PER_HOUR);
    plan->risk = price_risk(&place->risk, plan->way.machines, plan->work_h);
    plan->losses = quick.losses * sets;
    plan->save_every_s = quick.save_every;
    plan->overhead = quick.overhead;
    plan->on_time = quick.on_time;
    return true;
}

static bool price_training(const struct plan_problem *p, struct plan *plan)
{
    const struct plan_place *place = plan->place;
    struct cost_inputs in = *place->terms;
    struct guess hours = guess_time(plan->way.hours, plan->way.doubt);
    struct trials trials = trials_of(p->job);
    struct trials_need need = {0};
    struct goodput goodput = goodput_of(
        p->job, plan->way.gpus, plan->way.hours,
        place->market == MARKET_SPOT ? GOODPUT_BUT_SAVES : GOODPUT_ALL, p->constants);
    double run = plan->way.hours * (1 / goodput.share + in.evaluation + in.checkpoints);
    struct machine_hours all;
    struct hours_range worked;
    usd_per_hour price;
    double beside, set_up; /* runs of the other sets of machines; and their set-ups */

    in.training = (struct hours_range){hours.low, hours.value, hours.high};
    in.lost = goodput_lost(&goodput, plan->way.hours, plan->way.doubt);
    in.machines = plan->way.machines;
    if (place->market == MARKET_SPOT)
        in.checkpoints = 0; /* how often to save, spot decides */
    in.price = place->price;
    if (trials.count > 0) {
        need = trials_need(&trials, plan->way.trials_parallel);
        in.parallel = plan->way.trials_parallel;
        in.trial_fraction = need.work / (double)trials.count;
    }
    beside = need.work - need.span;
    set_up = (double)(plan->way.trials_parallel - 1) * in.setup_s / SECONDS_PER_HOUR;
    plan->cost = estimate_cost(&in);
    if (trials.count > 0)
        plan->cost.at[COST_SEARCH].hours = (struct hours_range){
            need.span * hours.low, need.span * run, need.span * hours.high};
    plan->hours = cost_hours(&plan->cost).expected;
    price = price_at_start(p, plan, plan->hours + beside * run + set_up);
    if (price.nano != place->price.nano) {
        struct hours_range search = plan->cost.at[COST_SEARCH].hours;

        in.price = price;
        plan->cost = estimate_cost(&in);
        plan->cost.at[COST_SEARCH].hours = search;
    }
    worked = cost_hours(&plan->cost);
    plan->busy_h = plan->hours;
    plan->work_h = worked.expected - in.setup_s / SECONDS_PER_HOUR;
    price = usd_per_hour_times(price, plan->way.machines);
    if (place->market == MARKET_SPOT &&
        !price_spot_plan(p, plan, price, 1 + beside * run / plan->work_h))
        return false;
    add_billing(plan, price,
                (struct hours_range){worked.low + beside * hours.low + set_up,
                                     worked.expected + beside * run + set_up,
                                     worked.high + beside * hours.high + set_up});
    plan->time = plan->hours; /* with a window for the start, waiting does not count */
    all = cost_machine_hours(&in);
    add_plan_carbon(p, plan, all.busy.expected * (1 + plan->overhead), all.waiting.expected);
    return true;
}

double plan_serving_hours(const struct job *job, const struct way *way)
{
    double each_day = job->infer.hours_per_day > 0 ? job->infer.hours_per_day : 24;

    return job->infer.rate > 0 ? MONTH_DAYS * each_day : MILLION / way->rate / SECONDS_PER_HOUR;
}

static bool price_serving(const struct plan_problem *p, struct plan *plan)
{
    const struct job_infer *t = &p->job->infer;
    double hours = plan_serving_hours(p->job, &plan->way);
    struct guess guess =
        guess_time(hours, !(t->rate > 0) ? plan->way.doubt : (struct doubt){0});
    struct hours_range range = {guess.low, guess.value, guess.high};
    usd_per_hour price = usd_per_hour_times(plan->place->price, plan->way.machines);

    if (plan->place->market == MARKET_SPOT && isnan(plan->place->risk.first_hour))
        return false;
    cost_write(&plan->cost, COST_COMPUTE, at_hours(price, range), range);
    if (t->rate > 0)
        add_billing(plan, price, range);
    plan->hours = NAN;
    plan->busy_h = plan->work_h = hours;
    plan->time = plan->way.latency_s;
    if (plan->place->market == MARKET_SPOT)
        plan->risk = price_risk(&plan->place->risk, 1, 24); /* of one machine, in a day */
    add_plan_carbon(p, plan, hours, 0);
    return true;
}

/* What a machine must have to load its part of a model. */
static double least_host(const struct job *job, const struct way *way)
{
    double each = way->serves ? weights_bytes(way->serving.weights) : 2;
    double machines = way->serves ? fmax(1, (double)way->machines / (double)way->copies)
                                  : (double)way->machines;

    return job->arch_known ? loading_host_bytes(&job->arch, each, machines) : 0;
}

/* Is it the way for a machine with this memory? */
static bool is_simplest(const struct plan_place *place, const struct way *way)
{
    double host = machine_host_bytes(place->machine), gives = host > 0 ? HOST_SHARE * host : 0;

    return way->host_below == 0 || (gives >= way->host_from && gives < way->host_below);
}

int64_t plan_joined(const struct way *way)
{
    return way->serves ? (way->machines + way->copies - 1) / way->copies : way->machines;
}

double plan_network_gbit_s(const struct plan *plan)
{
    const struct plan_place *place = plan->place;
    struct hardware hw = {.gpu = place->machine->gpu,
                          .gpus = plan_joined(&plan->way) * place->machine->count,
                          .per_node = place->machine->count,
                          .network_gb_s = place->join.gb_s};

    return choose_network_gbit_s(&hw);
}

/* All that are rented at a time. */
static int64_t rented_machines(const struct plan_place *place, const struct way *way)
{
    return joining_rented(&place->join, way->machines) * way->trials_parallel;
}

bool plan_lacks_supply(const struct plan_place *place, const struct way *way)
{
    return (plan_joined(way) == 1 || place->join.joins) &&
           rented_machines(place, way) > place->join.supply;
}

/* Do its disks hold the job? Yes where they are not known. */
static bool disk_holds(const struct plan_problem *p, const struct plan_place *place)
{
    const struct network *row = place->join.row;

    return row == NULL || !(row->disk_gb > 0) ||
           job_disk_bytes(p->job) <= row->disk_gb * BYTES_PER_GB;
}

static bool can_be_rented(const struct plan_place *place, const struct way *way)
{
    return (plan_joined(way) == 1 || place->join.joins) &&
           rented_machines(place, way) <= place->join.supply;
}

bool plan_price_at(const struct plan_problem *p, const struct plan_place *place,
                   const struct way *way, double start_h, struct plan *out)
{
    *out = (struct plan){
        .place = place, .way = *way, .start_h = start_h, .multiplier = 1, .on_time = 1};
    if (place->price.nano == MONEY_UNKNOWN ||
        way->host_bytes > HOST_SHARE * machine_host_bytes(place->machine) ||
        (way->host_bytes > 0 && isnan(machine_host_bytes(place->machine))) ||
        machine_host_bytes(place->machine) < least_host(p->job, way) ||
        !can_be_rented(place, way) || !disk_holds(p, place) || !is_simplest(place, way))
        return false;
    out->way.machines = joining_rented(&place->join, way->machines);
    if (!(way->serves ? price_serving(p, out) : price_training(p, out)))
        return false;
    out->total = cost_total(&out->cost);
    if (out->total.expected.nano == MONEY_UNKNOWN)
        return false;
    if (out->total.low.nano == MONEY_UNKNOWN || out->total.high.nano == MONEY_UNKNOWN)
        out->total.low = out->total.high = out->total.expected;
    add_price_age(out);
    if (p->limits.promised && place->market != MARKET_SPOT && !way->serves)
        out->on_time = guess_chance_below(plan_hours(out), p->limits.deadline_h - out->start_h);
    add_score(p, out);
    return !isnan(out->score);
}

/* The range of time is that of the training; waiting for spot is spread with it. */
struct guess plan_hours(const struct plan *plan)
{
    struct hours_range h = cost_hours(&plan->cost);

    if (plan->way.serves)
        return (struct guess){NAN, NAN, NAN};
    return (struct guess){plan->hours, plan->hours * h.low / h.expected,
                          plan->hours * h.high / h.expected};
}

double plan_confidence(const struct plan_problem *p, const struct plan *plan)
{
    if (plan->place->market == MARKET_SPOT)
        return num_known_or(p->limits.confidence, PLAN_SURE);
    return p->limits.promised ? num_known_or(p->limits.confidence, PLAN_CONFIDENT) : 0;
}

bool plan_allowed(const struct plan_problem *p, const struct plan *plan)
{
    const struct plan_limits *l = &p->limits;
    double gpus = (double)(plan->way.gpus * plan->way.trials_parallel);

    if (l->budget.nano != MONEY_UNKNOWN && plan->total.expected.nano > l->budget.nano)
        return false;
    if (l->deadline_h > 0 && !plan->way.serves && /* who serves is never done */
        (!(plan->start_h + plan->hours <= l->deadline_h * (1 + 1e-12)) ||
         plan->on_time < plan_confidence(p, plan)))
        return false;
    if (!isnan(l->max_risk) && plan->risk > l->max_risk)
        return false;
    if (!isnan(l->max_carbon_kg) && !(plan->carbon_kg <= l->max_carbon_kg))
        return false;
    return gpus <= (double)l->most_gpus && gpus >= (double)l->least_gpus;
}

/* Costs and emissions of a start are scaled from those of now. They are rounded otherwise than
 * those of its plan, and on spot they are only near to them: a limit that is exactly what its
 * plan needs must not rule it out. */
#define START_ROUNDING 1e-9

/* What one hour of starting is: the score of a start, INFINITY where it breaks a limit by more
 * than the share `slack`. Machine time costs a multiple of what it costs now, and so do
 * emissions; the rest stays. */
static double score_at(const struct plan_problem *p, const struct plan *now, double fixed,
                       double start, double slack)
{
    const struct plan_limits *l = &p->limits;
    double hour = p->hour_of_week + start, kg = now->carbon_kg, score = 0;
    double usd_total = fixed + (usd_double(now->total.expected) - fixed) / now->multiplier *
                                   week_mean(now->place->prices, hour, now->billed_h);

    kg *= week_mean(now->place->carbon, hour, now->hours) /
          week_mean(now->place->carbon, p->hour_of_week, now->hours);
    if (start + now->hours > l->deadline_h * (1 + 1e-12) ||
        usd_total > usd_double(l->budget) * (1 + slack) || kg > l->max_carbon_kg * (1 + slack))
        return INFINITY; /* limits that are not there are NaN, and break nothing */
    if (p->aim.cost > 0)
        score += p->aim.cost * usd_total / p->aim.cost_unit;
    if (p->aim.carbon > 0)
        score += p->aim.carbon * kg / p->aim.carbon_unit;
    return score;
}

/* The best whole hour of the clock to start at, in hours from now; 0: now. `now` is the plan
 * that starts now, `fixed` what of it does not depend on the machines' hours. A week has all
 * there is to choose from. On spot the chance to be in time is taken to be that of now. */
static double price_best_start(const struct plan_problem *p, const struct plan *now,
                               double fixed, double slack)
{
    double first = ceil(p->hour_of_week) - p->hour_of_week, best = 0, least;

    if (!(p->limits.within_h > 0) || now->way.serves || !(now->multiplier > 0) ||
        (now->place->prices == NULL && now->place->carbon == NULL))
        return 0;
    least = score_at(p, now, fixed, 0, slack);
    for (size_t hour = 0; hour < WEEK_HOURS; hour++) {
        double start = (first > 0 ? first : 1) + (double)hour, score;

        if (start > p->limits.within_h)
            break;
        score = score_at(p, now, fixed, start, slack);
        if (score < least * (1 - 1e-12)) {
            least = score;
            best = start;
        }
    }
    return best;
}

/* Start then, if that is allowed, and better than `out`. False: it is not allowed. */
static bool take_start(const struct plan_problem *p, const struct plan_place *place,
                       const struct way *way, double start, struct plan *out)
{
    struct plan later;

    if (!plan_price_at(p, place, way, start, &later) || !plan_allowed(p, &later))
        return false;
    if (!plan_allowed(p, out) || plan_better(&later, out))
        *out = later;
    return true;
}

bool plan_price(const struct plan_problem *p, const struct plan_place *place,
                const struct way *way, struct plan *out)
{
    /* The best of all starts, of those near the limits, of those well within them. */
    static const double slacks[] = {INFINITY, START_ROUNDING, -START_ROUNDING};
    struct plan now;
    double fixed;

    if (!plan_price_at(p, place, way, 0, out))
        return false;
    now = *out;
    fixed = usd_double(fixed_part(&now));
    for (size_t i = 0; i < ARRAY_LEN(slacks); i++) {
        double start = price_best_start(p, &now, fixed, slacks[i]);

        if (start > 0 ? take_start(p, place, way, start, out) : plan_allowed(p, &now))
            return true;
    }
    return true;
}

/* ---- what a plan costs on spot: interruptions, by a closed form ---- */

/* ---- when to start, where prices or power change over the week ---- */
