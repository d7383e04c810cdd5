/* No plan, and what would give one; what restrictions cost; what rules of thumb say. */
#include <math.h>

#include "base/num.h"
#include "plan/planning.h"
#include "plan/relax.h"
#include "plan/rules.h"
#include "plan/trials.h"

#define HINTS 4 /* ways out that are named */

/* To three digits, up: what is to be typed must be enough. */
static double round_up(double n)
{
    double unit = n > 0 ? pow(10, floor(log10(n)) - 2) : 1;

    return ceil(n / unit - 1e-9) * unit;
}

/* `up`: as a change, which must be enough. */
static void write_limit_hours(double hours, bool up, struct buf *out)
{
    double unit = hours >= 72 ? 24 : hours >= 1 ? 1 : 1 / 60.0;
    const char *name = hours >= 72 ? "days" : hours >= 1 ? "h" : "min";

    buf_addf(out, "%s %s", num_about(up ? round_up(hours / unit) : hours / unit).text, name);
}

/* What is in the way, as the user gave it. */
static void write_bar_text(const struct planning *w, enum machine_bar bar, struct buf *out)
{
    struct str market = w->request->market.len > 0 ? w->request->market : w->job->limits.market;

    switch (bar) {
    case BAR_ACCOUNT:
        buf_adds(out, "providers you have accounts with");
        break;
    case BAR_PROVIDER:
        buf_adds(out, w->request->platform.len > 0 ? "this platform" : "these providers");
        break;
    case BAR_REGION:
        buf_adds(out, "these regions");
        break;
    case BAR_GPU:
        buf_adds(out, "these GPUs");
        break;
    case BAR_MARKET:
        buf_addf(out, "%.*s only", STR_ARG(market.len > 0 ? market : STR("on-demand")));
        break;
    case BAR_RELIABILITY:
        buf_adds(out, "reliability");
        break;
    case BAR_COMMIT:
        buf_adds(out, "no commitment");
        break;
    case BAR_SOFTWARE:
        buf_adds(out, "the job's software");
        break;
    case BAR_OLD:
        buf_adds(out, "recent prices");
        break;
    }
}

static void write_restriction(const struct planning *w, const struct relax_step *step,
                              struct buf *out)
{
    const struct plan_limits *l = &w->problem.limits;

    switch (step->kind) {
    case RELAX_DEADLINE:
        buf_adds(out, "deadline ");
        write_limit_hours(l->deadline_h, false, out);
        break;
    case RELAX_BUDGET:
        buf_adds(out, "budget ");
        usd_write(l->budget, out);
        break;
    case RELAX_RISK:
        buf_addf(out, "risk %.3g %%", 100 * l->max_risk);
        break;
    case RELAX_CARBON:
        buf_addf(out, "%s kg CO2e", num_about(l->max_carbon_kg).text);
        break;
    case RELAX_MOST_GPUS:
        buf_addf(out, "at most %lld GPUs", (long long)l->most_gpus);
        break;
    case RELAX_LEAST_GPUS:
        buf_addf(out, "at least %lld GPUs", (long long)l->least_gpus);
        break;
    case RELAX_BAR:
        write_bar_text(w, step->bar, out);
        break;
    }
}

static void write_region_change(const struct plan_place *place, struct buf *out)
{
    if (str_eq(place->machine->region, STR("*"))) /* its place is not known */
        buf_addf(out, "%.*s without a region", STR_ARG(place->machine->provider));
    else
        buf_addf(out, "region %.*s", STR_ARG(place->machine->region));
}

/* What to change it to. */
static void write_bar_change(const struct plan_place *place, enum machine_bar bar,
                             struct buf *out)
{
    switch (bar) {
    case BAR_ACCOUNT:
        buf_addf(out, "an account with %.*s", STR_ARG(place->machine->provider));
        break;
    case BAR_PROVIDER:
        buf_addf(out, "provider %.*s", STR_ARG(place->machine->provider));
        break;
    case BAR_REGION:
        write_region_change(place, out);
        break;
    case BAR_GPU:
        buf_addf(out, "gpu %.*s", STR_ARG(place->machine->gpu->name));
        break;
    case BAR_MARKET:
        buf_addf(out, "allow %s", market_names[place->market]);
        break;
    case BAR_RELIABILITY:
        buf_addf(out, "allow %.*s, reliable to %.3g %%", STR_ARG(place->machine->provider),
                 100 * place->reliability);
        break;
    case BAR_COMMIT:
        buf_addf(out, "reserve for %.0f months", place->commit_hours / MONTH_HOURS);
        break;
    case BAR_SOFTWARE:
        buf_addf(out, "software for %.*s", STR_ARG(place->machine->gpu->name));
        break;
    case BAR_OLD:
        buf_adds(out, "a price from ");
        day_write(place->date, out);
        break;
    }
}

static void write_relax_change(const struct plan *plan, const struct relax_step *step,
                               struct buf *out)
{
    if (step->kind == RELAX_BAR) {
        write_bar_change(plan->place, step->bar, out);
        return;
    }
    if (isnan(step->to)) {
        buf_adds(out, "none");
        return;
    }
    switch (step->kind) {
    case RELAX_DEADLINE:
        buf_adds(out, "deadline ");
        write_limit_hours(step->to, true, out);
        break;
    case RELAX_BUDGET:
        buf_adds(out, "budget ");
        usd_write(usd_from(step->to), out);
        break;
    case RELAX_RISK:
        buf_addf(out, "risk %.3g %%", round_up(100 * step->to));
        break;
    case RELAX_CARBON:
        buf_addf(out, "%s kg CO2e", num_about(round_up(step->to)).text);
        break;
    case RELAX_MOST_GPUS:
    case RELAX_LEAST_GPUS:
        buf_addf(out, "%.0f GPUs", step->to);
        break;
    case RELAX_BAR:
        break;
    }
}

static void write_changes(const struct relaxation *r, struct buf *out)
{
    for (size_t i = 0; i < r->step_count; i++) {
        buf_adds(out, i > 0 ? " with " : "");
        write_relax_change(&r->plan, &r->steps[i], out);
    }
}

/* "deadline 31 h ($140), or allow spot ($96)". */
static void write_ways_out(const struct relax_result *ways, struct buf *out)
{
    for (size_t i = 0; i < ways->len && i < HINTS; i++) {
        const struct relaxation *r = &ways->at[i];

        buf_adds(out, i > 0 ? ", or " : "");
        write_changes(r, out);
        if (r->step_count > 1 || r->steps[0].kind != RELAX_BUDGET) {
            buf_adds(out, " (");
            usd_write_estimate(r->plan.total.expected, out);
            buf_char(out, ')');
        }
    }
}

static bool cannot_be_shared(struct error *err)
{
    error_set(err, ERROR_UNFIT, "no machines can split the work as the job requires");
    error_hint(err, "leave open what it fixes: parallel, batch sizes, trials at once");
    return false;
}

/* It fits, but no copy meets the latency: report what can be met. */
static bool too_slow(struct planning *w, struct error *err)
{
    struct plan_problem p = w->problem;
    struct job *job = arena_array(w->arena, struct job, 1, err);
    struct search *search;
    struct plan soonest;
    bool found;

    if (job == NULL)
        return false;
    *job = *w->job;
    job->infer.slo = (struct job_slo){SPAN_UNKNOWN, SPAN_UNKNOWN, SPAN_UNKNOWN, SPAN_UNKNOWN};
    p.job = job;
    p.aim = (struct plan_aim){.time = 1, .cost_unit = 1, .time_unit = 1, .carbon_unit = 1};
    search = search_new(&p, NULL, w->arena, err);
    if (search == NULL || !search_best(search, &p, NULL, &soonest, &found, err))
        return false;
    error_set(err, ERROR_UNFIT, "no number of machines meets the latency in slo:");
    if (found)
        error_hint(err,
                   "the lowest possible p95 is %s s ($%.0f a month): allow more in "
                   "slo:",
                   num_about(soonest.way.latency_s).text, usd_double(soonest.total.expected));
    else
        error_hint(err, "allow more in slo: (p50, p95, p99, first_token), or shorter requests");
    return false;
}

/* The job fits nowhere: say what comes nearest. */
static bool fits_nowhere(struct planning *w, struct error *err)
{
    struct nearest_fit near;
    char times[24];

    if (!plan_nearest_fit(w->search, &near))
        return error_fail(err, ERROR_UNFIT, "no accelerator in the catalog can run this job");
    if (near.need <= 1)
        return w->job->kind == JOB_INFER ? too_slow(w, err) : cannot_be_shared(err);
    (void)snprintf(times, sizeof times, near.need < 99.5 ? "%.2g" : "%.0f", near.need);
    error_set(err, ERROR_UNFIT,
              "the job does not fit anywhere: it needs %s times the %s of %lld x %.*s", times,
              near.host ? "machine's memory" : "memory", (long long)near.gpus,
              STR_ARG(near.place->machine->gpu->name));
    if (w->job->kind == JOB_INFER)
        error_hint(err, "try --set weights=int4, or shorter requests");
    else
        error_hint(err, "leave open what the job fixes (batch, recompute, parallel), or try "
                        "--method lora or qlora, shorter sequences, more --max-gpus");
    return false;
}

/* Trials that the money would be enough for. */
static void add_trials_hint(const struct planning *w, const struct relax_result *ways,
                            struct buf *out)
{
    struct trials trials = trials_of(w->job);
    double budget = usd_double(w->problem.limits.budget);

    if (trials.count < 2 || isnan(budget) || w->job->kind != JOB_TRAIN)
        return;
    for (size_t i = 0; i < ways->len; i++) {
        const struct plan *plan = &ways->at[i].plan;
        double search = usd_double(plan->cost.at[COST_SEARCH].amount.expected);
        double run = search / trials_need(&trials, 1).work;
        double left = (budget - usd_double(plan->total.expected) + search) / run;
        int64_t enough = left > 0 ? trials_within(&trials, left) : 0;

        if (ways->at[i].steps[0].kind != RELAX_BUDGET || enough < 1 || enough >= trials.count)
            continue;
        buf_addf(out, ", or %lld trials", (long long)enough);
        return;
    }
}

/* Would a longer time or more GPUs give a plan? */
static bool time_binds(const struct relax_result *ways)
{
    for (size_t i = 0; i < ways->len; i++)
        for (size_t k = 0; k < ways->at[i].step_count; k++)
            if (ways->at[i].steps[k].kind == RELAX_DEADLINE ||
                ways->at[i].steps[k].kind == RELAX_MOST_GPUS)
                return true;
    return false;
}

/* Limits that the user did not set, where they matter. */
static void write_default_limits(const struct planning *w, const struct relax_result *ways,
                                 struct buf *out)
{
    const struct plan_limits *l = &w->problem.limits;
    bool days = w->job->kind == JOB_TRAIN && !plan_has_deadline(w);
    bool gpus = plan_has_usual_gpus(w);

    if (!time_binds(ways))
        return;
    if (days || gpus)
        buf_adds(out, "; by default at most ");
    if (days)
        buf_addf(out, "%.0f days (--deadline)", (l->deadline_h - l->within_h) / 24);
    if (gpus)
        buf_addf(out, "%s%lld GPUs (--max-gpus)", days ? " and " : "", (long long)l->most_gpus);
}

/* A plan that takes longer than it may because no more of its machines are taken to be there:
 * that binds, not the deadline. NULL: none. */
static const struct plan *find_short_supply(const struct planning *w,
                                            const struct relax_result *ways)
{
    for (size_t i = 0; i < ways->len; i++) {
        const struct plan *plan = &ways->at[i].plan;
        const struct joining *j = &plan->place->join;
        int64_t more = plan->way.machines + plan->way.machines / 3 + 1; /* the next number */

        if (ways->at[i].steps[0].kind == RELAX_DEADLINE && plan->way.machines > 1 &&
            more * plan->place->machine->count <= w->problem.limits.most_gpus &&
            more > j->supply)
            return plan;
    }
    return NULL;
}

static void write_short_supply(const struct planning *w, const struct relax_result *ways,
                               struct buf *out)
{
    const struct plan *plan = find_short_supply(w, ways);

    if (plan != NULL)
        buf_addf(out, "; at most %lld machines of %.*s are %s to be available (--supply)",
                 (long long)plan->place->join.supply, STR_ARG(plan->place->machine->name),
                 plan->place->join.assumed ? "assumed" : "known");
    else if (w->lacking)
        buf_adds(out, "; some offers have too few machines (--supply)");
}

static bool hint_relaxations(struct planning *w, const struct relax_result *ways,
                             struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, 512);

    write_default_limits(w, ways, &text);
    write_short_supply(w, ways, &text);
    error_set(err, ERROR_UNFIT, "no plan meets these limits%.*s", (int)text.len,
              text.len > 0 ? text.at : "");
    buf_clear(&text);
    write_ways_out(ways, &text);
    add_trials_hint(w, ways, &text);
    if (text.len > 0)
        error_hint(err, "%.*s would allow one", (int)text.len, text.at);
    else
        error_hint(err, "without any of them it costs $%.2f and takes %s h",
                   usd_double(ways->free.total.expected), num_about(ways->free.hours).text);
    buf_free(&text);
    return false;
}

/* It would fit, on more machines than any offer has. */
static bool lacks_machines(struct error *err)
{
    error_set(err, ERROR_UNFIT, "no offer is known to have enough machines for this job");
    error_hint(err, "set how many you can get: --supply OFFER=N, such as vast=4");
    return false;
}

bool plan_unfit(struct planning *w, struct error *err)
{
    struct relax_result *ways = arena_array(w->arena, struct relax_result, 1, err);

    if (ways == NULL || !plan_relax(w->search, &w->problem, NULL, ways, err))
        return false;
    if (ways->len == 0 && !ways->anywhere)
        return w->lacking ? lacks_machines(err) : fits_nowhere(w, err);
    return hint_relaxations(w, ways, err);
}

static struct str keep_restriction_text(struct planning *w, struct buf *text, struct error *err)
{
    struct str words = plan_text(w, text, err);

    buf_clear(text);
    return words;
}

static bool add_restrictions(struct planning *w, const struct plan *best,
                             struct plan_result *res, struct buf *text, struct error *err)
{
    struct relax_result *ways = arena_array(w->arena, struct relax_result, 1, err);
    struct plan_restriction *rows =
        arena_array(w->arena, struct plan_restriction, RELAX_MOST, err);

    if (ways == NULL || rows == NULL || !plan_relax(w->search, &w->problem, best, ways, err))
        return false;
    for (size_t i = 0; i < ways->len; i++) {
        const struct relaxation *r = &ways->at[i];

        write_restriction(w, &r->steps[0], text);
        rows[i].name = keep_restriction_text(w, text, err);
        write_changes(r, text);
        rows[i].change = keep_restriction_text(w, text, err);
        rows[i].cost = r->plan.total.expected;
        rows[i].saves = usd_about(r->saves);
        rows[i].offer = r->plan.place->machine->name;
        if (rows[i].name.at == NULL || rows[i].change.at == NULL)
            return false;
    }
    res->restrictions = (struct rows){rows, ways->len};
    return true;
}

static bool add_rules(struct planning *w, const struct plan *best, struct plan_result *res,
                      struct buf *text, struct error *err)
{
    struct rule *rules = arena_array(w->arena, struct rule, RULE_COUNT, err);
    struct plan_thumb *rows = arena_array(w->arena, struct plan_thumb, RULE_COUNT, err);

    if (w->job->kind == JOB_INFER)
        return true; /* they are all about training */
    if (rules == NULL || rows == NULL ||
        !plan_rules(w->search, &w->problem, best, w->arena, rules, err))
        return false;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const struct rule *r = &rules[i];

        rows[i].rule = str_from(r->says);
        rows[i].verdict = !r->applies ? STR("does not apply")
                          : r->agrees ? STR("agrees")
                                      : STR("disagrees");
        if (r->applies)
            rule_effect(r, text);
        else
            buf_adds(text, r->why_not);
        rows[i].effect = keep_restriction_text(w, text, err);
        if (rows[i].effect.at == NULL)
            return false;
    }
    res->rules = (struct rows){rows, RULE_COUNT};
    return true;
}

bool plan_restrictions(struct planning *w, const struct plan *best, struct plan_result *res,
                       struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, 4096);
    bool ok = add_restrictions(w, best, res, &text, err) && add_rules(w, best, res, &text, err);

    buf_free(&text);
    return ok;
}
