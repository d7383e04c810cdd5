/* What restrictions cost, and the least that must be given up. Each question is another search
 * over what the search has worked out before. */
#include "plan/relax.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "estimate/model/settings.h"
#include "estimate/serving/infer.h"
#include "plan/search_internal.h"

#define NO_GPU_LIMIT 16384
#define CENT 0.01

struct relaxer {
    struct search *search;
    const struct plan_problem *p;
    struct relax_step force[RELAX_BAR + BAR_COUNT]; /* the restrictions that are in force */
    size_t count;
    struct error *err;
};

/* ---- limits as numbers, and those that contradict each other ---- */

static double relax_limit_of(const struct plan_limits *l, enum relax_kind kind)
{
    switch (kind) {
    case RELAX_DEADLINE:
        return l->deadline_h;
    case RELAX_BUDGET:
        return usd_double(l->budget);
    case RELAX_RISK:
        return l->max_risk;
    case RELAX_CARBON:
        return l->max_carbon_kg;
    case RELAX_MOST_GPUS:
        return (double)l->most_gpus;
    case RELAX_LEAST_GPUS:
        return -(double)l->least_gpus;
    case RELAX_BAR:
        break;
    }
    return NAN;
}

/* The time within which a plan is done with the confidence that is asked for. On spot that
 * follows from the deadline. */
static double sure_hours(const struct plan_problem *p, const struct plan *plan)
{
    struct guess hours = plan_hours(plan);

    if (plan->place->market == MARKET_SPOT)
        return plan->hours;
    return fmax(plan->hours,
                guess_most(hours, num_known_or(p->limits.confidence, PLAN_CONFIDENT)));
}

static double relax_needed_by(const struct plan_problem *p, const struct plan *plan,
                              enum relax_kind kind)
{
    double gpus = (double)(plan->way.gpus * plan->way.trials_parallel);

    switch (kind) {
    case RELAX_DEADLINE:
        return plan->start_h + sure_hours(p, plan);
    case RELAX_BUDGET:
        return ceil(usd_double(plan->total.expected) / CENT - 1e-9) * CENT;
    case RELAX_RISK:
        return plan->risk;
    case RELAX_CARBON:
        return plan->carbon_kg;
    case RELAX_MOST_GPUS:
        return gpus;
    case RELAX_LEAST_GPUS:
        return -gpus;
    case RELAX_BAR:
        break;
    }
    return NAN;
}

/* Set a limit to a number that allows more the larger it is; INFINITY lifts it. */
static void relax_set(struct plan_limits *l, const struct relax_step *step, double to)
{
    switch (step->kind) {
    case RELAX_DEADLINE:
        l->deadline_h = isinf(to) ? NAN : to;
        break;
    case RELAX_BUDGET:
        l->budget = isinf(to) ? USD_UNKNOWN : usd_from(to);
        break;
    case RELAX_RISK:
        l->max_risk = isinf(to) ? NAN : to;
        break;
    case RELAX_CARBON:
        l->max_carbon_kg = isinf(to) ? NAN : to;
        break;
    case RELAX_MOST_GPUS:
        l->most_gpus = to < NO_GPU_LIMIT ? (int64_t)to : NO_GPU_LIMIT;
        break;
    case RELAX_LEAST_GPUS:
        l->least_gpus = isinf(to) ? 0 : (int64_t)-to;
        break;
    case RELAX_BAR:
        l->lifted |= (unsigned)step->bar;
        break;
    }
}

/* From such a number to the limit as the user gives it. */
static double relax_shown(const struct relax_step *step, double to)
{
    return step->kind == RELAX_LEAST_GPUS ? -to : to;
}

static struct plan_limits relax_lifted(struct plan_limits limits, const struct relax_step *step)
{
    relax_set(&limits, step, INFINITY);
    return limits;
}

bool plan_check_limits(const struct plan_limits *l, struct error *err)
{
    if (l->budget.nano != MONEY_UNKNOWN && l->budget.nano <= 0) {
        error_set(err, ERROR_INPUT, "the budget must be above zero");
        error_hint(err, "give an amount above zero, --budget 100usd, or none at all");
    } else if (l->deadline_h <= 0) {
        error_set(err, ERROR_INPUT, "the deadline has passed");
        error_hint(err, "give the time from now: --deadline 24h");
    } else if (l->most_gpus < 1) {
        error_set(err, ERROR_INPUT, "a plan needs at least one GPU, not %lld",
                  (long long)l->most_gpus);
        error_hint(err, "allow one at least: --max-gpus 1");
    } else if (l->least_gpus > l->most_gpus) {
        error_set(err, ERROR_INPUT, "at least %lld GPUs are requested, and at most %lld",
                  (long long)l->least_gpus, (long long)l->most_gpus);
        error_hint(err, "raise --max-gpus to %lld, or leave one of them out",
                   (long long)l->least_gpus);
    } else if (l->max_risk < 0 || l->max_risk > 1) {
        error_set(err, ERROR_INPUT, "a risk of %g is not between 0 and 1", l->max_risk);
        error_hint(err, "give it as a share: --max-risk 20%%");
    } else if (!isnan(l->confidence) && !(l->confidence > 0 && l->confidence < 1)) {
        error_set(err, ERROR_INPUT, "a confidence of %.3g %% is not between 0 and 100 %%",
                  100 * l->confidence);
        error_hint(err, "nothing is certain: --confidence 95%%");
    } else if (l->max_carbon_kg < 0) {
        error_set(err, ERROR_INPUT, "the maximum of %g kg of carbon is below zero",
                  l->max_carbon_kg);
        error_hint(err, "give the maximum: --max-carbon-kg 10");
    } else if (l->within_h < 0) {
        error_set(err, ERROR_INPUT, "--within is in the past");
        error_hint(err, "give the time from now: --within 48h");
    } else {
        return true;
    }
    return false;
}

/* ---- what comes nearest, when nothing holds the job ---- */

#define MOST_PIPELINE 4 /* machines that share one copy of a model that serves */
#define NEARLY 1.01

/* The most memory of any machine of a kind; NaN: of none it is known. */
static double most_host(const struct search *s, const struct entry *e)
{
    double most = NAN;

    for (size_t i = 0; i < e->place_count; i++)
        most = fmax(most, machine_host_bytes(s->places[e->places[i]].machine));
    return most;
}

static bool nearer(const struct nearest_fit *a, const struct nearest_fit *b)
{
    return a->need != b->need ? a->need < b->need : a->gpus < b->gpus;
}

static void offer(const struct nearest_fit *one, struct nearest_fit *best, bool *found)
{
    if (one->need > 0 && (!*found || nearer(one, best))) {
        *best = *one;
        *found = true;
    }
}

static struct nearest_fit fit_on(const struct search *s, const struct entry *e)
{
    return (struct nearest_fit){
        .place = &s->places[e->places[0]], .gpus = e->key.gpus, .machines = e->key.machines};
}

/* The smallest setting there is on so many, as a share of what GPU and machine may give. False
 * when there is none at all. */
static bool try_relaxed_training(const struct search *s, const struct entry *e,
                                 struct nearest_fit *best, bool *found)
{
    double host = most_host(s, e);
    struct hardware hw = {.gpu = e->key.gpu,
                          .gpus = e->key.gpus,
                          .per_node = e->key.count,
                          .host_bytes = host > 0 ? host : 1}; /* not known: none */
    struct nearest_fit one = fit_on(s, e);
    struct error ignored = {0};
    struct setting_need need;
    struct space space;

    if (!space_open(s->job, s->constants, &hw, false, &space, &ignored))
        return false;
    space.sure = true; /* as ways_train() has it */
    if (!settings_smallest(&space, &hw, &one.setup))
        return false;
    need = setup_need(&one.setup, &hw, s->constants);
    need.device /= space_share(&space, &one.setup);
    one.need = fmax(need.device, need.host);
    one.host = need.host > need.device;
    offer(&one, best, found);
    return true;
}

/* One copy over as many GPUs as it may have, one request at a time. */
static void try_relaxed_serving(const struct search *s, const struct entry *e,
                                struct nearest_fit *best, bool *found)
{
    const struct job_infer *t = &s->job->infer;
    struct job asked = *s->job;
    struct error ignored = {0};

    asked.infer.batch = 1;
    asked.infer.rate = NAN;
    for (int64_t tensor = t->tensor > 0 ? t->tensor : 1;
         tensor <= (t->tensor > 0 ? t->tensor : e->key.count); tensor *= 2)
        for (int64_t pipeline = t->pipeline > 0 ? t->pipeline : 1;
             pipeline <= (t->pipeline > 0 ? t->pipeline : MOST_PIPELINE); pipeline *= 2) {
            struct nearest_fit one = fit_on(s, e);
            struct hardware hw = {.gpu = e->key.gpu,
                                  .gpus = tensor * pipeline,
                                  .per_node = e->key.count,
                                  .host_bytes = (double)NAN};

            if (hw.gpus > e->key.count && !e->key.join.joins)
                continue;
            asked.infer.tensor = tensor;
            asked.infer.pipeline = pipeline;
            if (!choose_serving(&asked, &hw, s->constants, &one.serving, NULL, &ignored))
                continue;
            one.gpus = hw.gpus;
            one.machines = (hw.gpus + e->key.count - 1) / e->key.count;
            one.need = estimate_serving_memory(&one.serving, s->constants).device /
                       usable_memory(e->key.gpu);
            if (serving_holds(&one.serving, s->constants) < 1) /* servers leave some free */
                one.need = fmax(one.need, NEARLY);
            offer(&one, best, found);
        }
}

static void try_measured(const struct search *s, const struct entry *e,
                         struct nearest_fit *best, bool *found)
{
    const struct job_measured *m =
        s->job->kind == JOB_TRAIN ? &s->job->train.measured : &s->job->infer.measured;
    struct nearest_fit one = fit_on(s, e);

    if (m->memory.n == UINT64_MAX || e->key.machines > 1)
        return;
    one.need = (double)m->memory.n / usable_memory(e->key.gpu);
    offer(&one, best, found);
}

/* False when there is no setting at all on so many. */
static bool try_entry(const struct search *s, const struct entry *e, struct nearest_fit *best,
                      bool *found)
{
    if (s->job->arch_known && s->job->kind == JOB_TRAIN)
        return try_relaxed_training(s, e, best, found);
    if (s->job->arch_known)
        try_relaxed_serving(s, e, best, found);
    else
        try_measured(s, e, best, found);
    return true;
}

/* As many GPUs as can be take least, but often by very little. */
static void fewer_gpus(const struct search *s, struct nearest_fit *best)
{
    for (size_t i = 0; i < s->entry_count; i++) {
        const struct entry *e = &s->entries[i];
        struct nearest_fit one;
        bool found = false;

        if (e->key.gpu != best->place->machine->gpu || e->key.gpus >= best->gpus)
            continue;
        (void)try_entry(s, e, &one, &found);
        if (found && one.need <= NEARLY * best->need && one.gpus < best->gpus)
            *best = one;
    }
}

/* Of a class the entry with the most GPUs below so many; NULL: none is left. */
static const struct entry *largest_below(const struct search *s, const struct class *c,
                                         int64_t below)
{
    const struct entry *largest = NULL;

    for (size_t i = 0; i < s->entry_count; i++) {
        const struct entry *e = &s->entries[i];

        if (e->class == c && e->key.gpus < below &&
            (largest == NULL || e->key.gpus > largest->key.gpus))
            largest = e;
    }
    return largest;
}

bool plan_nearest_fit(struct search *s, struct nearest_fit *out)
{
    bool most = s->job->kind == JOB_TRAIN && s->job->arch_known, found = false;

    for (size_t i = s->entry_count; !most && i-- > 0;)
        (void)try_entry(s, &s->entries[i], out, &found);
    /* Of training, the most GPUs that it can be spread over take least of each. */
    for (size_t c = 0; most && c < s->class_count; c++) {
        const struct entry *e = largest_below(s, &s->classes[c], INT64_MAX);

        while (e != NULL && !try_entry(s, e, out, &found))
            e = largest_below(s, &s->classes[c], e->key.gpus);
    }
    if (found)
        fewer_gpus(s, out);
    return found;
}

/* ---- the least change of a limit that gives a plan ---- */

#define NEAR 0.005 /* how near to the least change is near enough, as a share */
#define GROWS 1.25 /* a limit that a plan with another aim keeps, and none with this one */
#define MOST_GROWS 16
#define MOST_HALVINGS 40

/* The aim that makes a limit's number least. Nothing aims at risk or GPUs. */
static struct plan_aim aim_at(const struct plan_aim *aim, enum relax_kind kind)
{
    struct plan_aim a = {.cost_unit = 1, .time_unit = 1, .carbon_unit = 1};

    if (kind == RELAX_DEADLINE)
        a.time = 1;
    else if (kind == RELAX_BUDGET)
        a.cost = 1;
    else if (kind == RELAX_CARBON)
        a.carbon = 1;
    else
        return *aim;
    return a;
}

/* One limit, or two that grow together, by one number that is looked for. */
struct dial {
    const struct relax_step *steps[2];
    size_t count;
    double old[2]; /* of two: what the number multiplies */
    struct plan_limits limits;
    bool exact; /* what another aim finds without the limit is the least */
};

static double dial_of(const struct relaxer *r, const struct dial *d, const struct plan *plan)
{
    if (d->count == 1)
        return relax_needed_by(r->p, plan, d->steps[0]->kind);
    return fmax(relax_needed_by(r->p, plan, d->steps[0]->kind) / d->old[0],
                relax_needed_by(r->p, plan, d->steps[1]->kind) / d->old[1]);
}

static void turn(struct dial *d, double to)
{
    if (d->count == 1)
        relax_set(&d->limits, d->steps[0], to);
    else
        for (size_t i = 0; i < 2; i++)
            relax_set(&d->limits, d->steps[i], to * d->old[i]);
}

/* On spot, and where the start is chosen, the deadline itself decides on time and money: a plan
 * that ends before it need not be there when the deadline is earlier. */
static bool stays_at_limit(const struct relaxer *r, const struct dial *d,
                           const struct plan *plan)
{
    bool timed = d->steps[0]->kind == RELAX_DEADLINE ||
                 (d->count == 2 && d->steps[1]->kind == RELAX_DEADLINE);

    return !timed || (plan->place->market != MARKET_SPOT && !(r->p->limits.within_h > 0));
}

static bool relax_best_within(struct relaxer *r, const struct plan_limits *limits,
                              struct plan *plan, bool *found)
{
    struct plan_problem q = *r->p;

    q.limits = *limits;
    return search_best(r->search, &q, NULL, plan, found, r->err);
}

/* Is there a plan at this number? If so, it may do with an even smaller one. */
static bool try_dial(struct relaxer *r, struct dial *d, double *to, struct plan *plan,
                     bool *found)
{
    struct plan trial;

    turn(d, *to);
    if (!relax_best_within(r, &d->limits, &trial, found))
        return false;
    if (*found) {
        *plan = trial;
        if (stays_at_limit(r, d, plan))
            *to = fmin(*to, dial_of(r, d, plan));
    }
    return true;
}

static bool counts_gpus(const struct dial *d)
{
    enum relax_kind kind = d->steps[0]->kind;

    return d->count == 1 && (kind == RELAX_MOST_GPUS || kind == RELAX_LEAST_GPUS);
}

/* The largest number that is less by as much as matters. */
static double just_below(const struct dial *d, double to)
{
    if (counts_gpus(d))
        return to - 1;
    if (d->count == 1 && d->steps[0]->kind == RELAX_BUDGET)
        return to - CENT;
    if (d->count == 1 && d->steps[0]->kind == RELAX_RISK)
        return to - NEAR;
    return to * (1 - NEAR);
}

/* Between a number without a plan and one with. */
static double between_on_dial(const struct dial *d, double low, double high)
{
    if (counts_gpus(d))
        return floor((low + high) / 2);
    return low > 0 && high > 2 * low ? sqrt(low * high) : (low + high) / 2;
}

/* From `*to`, where another aim or no limit has a plan, down to the least number with one;
 * `low` has none. Start and price may depend on limit and aim (within, spot), so that what was
 * found without the limit need not be the least. */
static bool least_dial(struct relaxer *r, struct dial *d, double low, double *to,
                       struct plan *plan, bool *found)
{
    double first = *to, high = first, next;
    bool there = false;

    for (int i = 0; i < MOST_GROWS && !there; i++) {
        if (!try_dial(r, d, &high, plan, &there))
            return false;
        if (!there) {
            low = fmax(low, high);
            high += (GROWS - 1) * fabs(high) + CENT;
        }
    }
    *found = there;
    *to = high;
    if (!there || (d->exact && high <= first))
        return true;
    next = just_below(d, high);
    for (int i = 0; i < MOST_HALVINGS && next > low; i++) {
        double trial = next;

        if (!try_dial(r, d, &trial, plan, &there))
            return false;
        if (there)
            high = trial;
        else
            low = next;
        next = fmin(between_on_dial(d, low, high), just_below(d, high));
    }
    *to = high;
    return true;
}

static bool is_exact(const struct relaxer *r, enum relax_kind kind,
                     const struct plan_limits *limits)
{
    if (limits->within_h > 0)
        return false;
    if (kind == RELAX_BUDGET) /* as long as the same settings are looked at */
        return !(r->p->aim.carbon > 0) || !isnan(limits->max_carbon_kg);
    return kind == RELAX_CARBON; /* the soonest plan may not be the first that is surely done */
}

/* The least change of one limit, when the others are `limits`. */
static bool relax_least_change(struct relaxer *r, const struct plan_limits *limits,
                               struct relax_step *step, struct plan *plan, bool *found)
{
    struct dial d = {.steps = {step}, .count = 1, .limits = *limits};
    struct plan_problem q = *r->p;
    double to;

    d.exact = is_exact(r, step->kind, limits);
    q.limits = relax_lifted(*limits, step);
    q.aim = aim_at(&q.aim, step->kind);
    if (!search_best(r->search, &q, NULL, plan, found, r->err))
        return false;
    if (!*found || step->kind == RELAX_BAR)
        return true;
    to = relax_needed_by(r->p, plan, step->kind);
    if (!least_dial(r, &d, relax_limit_of(limits, step->kind), &to, plan, found))
        return false;
    step->to = relax_shown(step, to);
    return true;
}

/* The least number that two limits, which grow together, are multiplied by. */
static bool relax_scale_both(struct relaxer *r, struct relaxation *two, bool *found)
{
    const struct plan_limits *now = &r->p->limits;
    struct dial d = {.steps = {&two->steps[0], &two->steps[1]}, .count = 2, .limits = *now};
    struct plan_limits free = relax_lifted(relax_lifted(*now, d.steps[0]), d.steps[1]);
    double to;

    for (size_t i = 0; i < 2; i++)
        d.old[i] = relax_limit_of(now, d.steps[i]->kind);
    if (!relax_best_within(r, &free, &two->plan, found))
        return false;
    if (!*found)
        return true;
    to = dial_of(r, &d, &two->plan);
    if (!least_dial(r, &d, 1, &to, &two->plan, found))
        return false;
    for (size_t i = 0; i < 2; i++) {
        two->steps[i].to = to * d.old[i];
        if (*found && stays_at_limit(r, &d, &two->plan)) /* one of them may need less */
            two->steps[i].to =
                fmax(d.old[i], relax_needed_by(r->p, &two->plan, d.steps[i]->kind));
    }
    return true;
}

/* ---- all restrictions in turn ---- */

/* Is there a place that these bars, and no others, keep out? */
static bool bars_alone(const struct plan_problem *p, unsigned bars)
{
    for (size_t i = 0; i < p->place_count; i++)
        if ((p->places[i].bars & ~p->limits.lifted) == bars &&
            p->places[i].price.nano != MONEY_UNKNOWN)
            return true;
    return false;
}

static unsigned all_bars(const struct plan_problem *p)
{
    unsigned bars = 0;

    for (size_t i = 0; i < p->place_count; i++)
        bars |= p->places[i].bars & ~p->limits.lifted;
    return bars;
}

static bool in_force(const struct plan_problem *p, enum relax_kind kind)
{
    if (kind == RELAX_DEADLINE)
        return p->job->kind == JOB_TRAIN && p->limits.deadline_h > 0;
    if (kind == RELAX_MOST_GPUS)
        return p->limits.most_gpus < RELAX_USUAL_GPUS;
    if (kind == RELAX_LEAST_GPUS)
        return p->limits.least_gpus > 0;
    return !isnan(relax_limit_of(&p->limits, kind));
}

static void find_force(struct relaxer *r)
{
    unsigned bars = all_bars(r->p);

    for (int kind = 0; kind < RELAX_BAR; kind++)
        if (in_force(r->p, (enum relax_kind)kind))
            r->force[r->count++] = (struct relax_step){.kind = (enum relax_kind)kind};
    for (unsigned i = 0; i < BAR_COUNT; i++)
        if ((bars & 1u << i) != 0)
            r->force[r->count++] =
                (struct relax_step){RELAX_BAR, (enum machine_bar)(1u << i), NAN};
}

static int by_dial_score(const void *a, const void *b)
{
    const struct relaxation *x = a, *y = b;

    return plan_better(&x->plan, &y->plan) ? -1 : plan_better(&y->plan, &x->plan);
}

/* Keep the best, in order. */
static void relax_add(struct relax_result *out, const struct relaxation *one)
{
    if (out->len < RELAX_MOST)
        out->at[out->len++] = *one;
    else if (by_dial_score(one, &out->at[RELAX_MOST - 1]) < 0)
        out->at[RELAX_MOST - 1] = *one;
    qsort(out->at, out->len, sizeof *out->at, by_dial_score);
}

/* What a limit that was lifted would have to be; NaN when it is kept as it is. */
static double least_limit(const struct relaxer *r, const struct relax_step *step,
                          const struct plan *plan)
{
    double needed = relax_needed_by(r->p, plan, step->kind);

    return needed > relax_limit_of(&r->p->limits, step->kind) ? relax_shown(step, needed) : NAN;
}

static bool worth_of_each(struct relaxer *r, const struct plan *best, struct relax_result *out)
{
    for (size_t i = 0; i < r->count; i++) {
        struct relaxation one = {.steps = {r->force[i]}, .step_count = 1};
        struct relax_step *step = &one.steps[0];
        struct plan_limits limits = relax_lifted(r->p->limits, step);
        bool found;

        if (step->kind == RELAX_BAR && !bars_alone(r->p, (unsigned)step->bar))
            continue;
        if (!relax_best_within(r, &limits, &one.plan, &found))
            return false;
        if (!found || !(one.plan.score < best->score))
            continue;
        step->to = least_limit(r, step, &one.plan);
        one.saves = usd_double(best->total.expected) - usd_double(one.plan.total.expected);
        relax_add(out, &one);
    }
    return true;
}

static bool try_single(struct relaxer *r, size_t i, struct relax_result *out)
{
    struct relaxation one = {.steps = {r->force[i]}, .step_count = 1, .saves = NAN};
    bool found;

    if (one.steps[0].kind == RELAX_BAR && !bars_alone(r->p, (unsigned)one.steps[0].bar))
        return true;
    if (!relax_least_change(r, &r->p->limits, &one.steps[0], &one.plan, &found))
        return false;
    if (found)
        relax_add(out, &one);
    return true;
}

/* Those that mean as much when they are doubled. */
static bool scales(const struct relax_step *step, const struct plan_limits *l)
{
    return (step->kind == RELAX_DEADLINE || step->kind == RELAX_BUDGET ||
            step->kind == RELAX_CARBON) &&
           relax_limit_of(l, step->kind) > 0;
}

/* One is lifted; of the other, as little as will do. */
static bool lift_one(struct relaxer *r, struct relaxation *two, bool *found)
{
    struct plan_limits limits = relax_lifted(r->p->limits, &two->steps[0]);
    enum relax_kind kind = two->steps[0].kind;

    if (!relax_least_change(r, &limits, &two->steps[1], &two->plan, found))
        return false;
    if (*found && kind != RELAX_BAR)
        two->steps[0].to = least_limit(r, &two->steps[0], &two->plan);
    return true;
}

static bool try_pair(struct relaxer *r, size_t i, size_t k, struct relax_result *out)
{
    struct relaxation two = {
        .steps = {r->force[k], r->force[i]}, .step_count = 2, .saves = NAN};
    const struct relax_step *a = &two.steps[0], *b = &two.steps[1];
    unsigned bars = (a->kind == RELAX_BAR ? (unsigned)a->bar : 0) |
                    (b->kind == RELAX_BAR ? (unsigned)b->bar : 0);
    bool found;

    if (bars != 0 && !bars_alone(r->p, bars))
        return true;
    if (scales(a, &r->p->limits) && scales(b, &r->p->limits)
            ? !relax_scale_both(r, &two, &found)
            : !lift_one(r, &two, &found))
        return false;
    if (found)
        relax_add(out, &two);
    return true;
}

static bool lift_all(struct relaxer *r, struct relax_result *out)
{
    struct plan_limits limits = r->p->limits;

    for (size_t i = 0; i < r->count; i++)
        relax_set(&limits, &r->force[i], INFINITY);
    return relax_best_within(r, &limits, &out->free, &out->anywhere);
}

static bool try_all(struct relaxer *r, struct relax_result *out)
{
    if (!lift_all(r, out))
        return false;
    if (!out->anywhere && r->p->limits.most_gpus >= RELAX_USUAL_GPUS) {
        r->force[r->count++] = (struct relax_step){.kind = RELAX_MOST_GPUS};
        if (!lift_all(r, out))
            return false;
    }
    for (size_t i = 0; i < r->count && out->anywhere; i++)
        if (!try_single(r, i, out))
            return false;
    if (!out->anywhere || out->len > 0)
        return true;
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = i + 1; k < r->count; k++)
            if (!try_pair(r, i, k, out))
                return false;
    return true;
}

bool plan_relax(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct relax_result *out, struct error *err)
{
    struct relaxer r = {.search = s, .p = p, .err = err};

    out->len = 0;
    out->anywhere = best != NULL;
    find_force(&r);
    return best != NULL ? worth_of_each(&r, best, out) : try_all(&r, out);
}
