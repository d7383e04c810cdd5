/* plan - where, on what, how and when to run a job. */
#include "op/plan/plan.h"
#include "op/estimate/learning.h"

#include <math.h>
#include <string.h>

#include "op/plan/plan_slots.h"
#include "op/plan/plan_work.h"
#include "plan/trials.h"

#define NS_PER_MS 1e6

#define LOOKS 4 /* offers whose own price history is read for the best start */

/* What the offer's own history says of its week, in place of what is said of its provider. */
static bool look_at_week(struct plan_work *w, const struct plan_place *at, struct str *why,
                         struct error *err)
{
    struct plan_place *place = &w->places[at - w->places];
    struct offer_week *week = arena_array(w->ctx->arena, struct offer_week, 1, err);
    struct week_offer offer = {place->provider, place->region, place->instance,
                               str_from(plan_market_names[place->market])};

    if (week == NULL || !plan_week_of_offer(w->ctx, &offer, true, week, err))
        return false;
    place->prices = week->price_varies ? &week->prices : NULL;
    place->carbon = week->carbon_varies ? &week->carbon : NULL;
    *why = week->price_varies ? week->price_why : (struct str){0};
    return true;
}

bool plan_best(struct plan_work *w, struct plan *out, struct error *err)
{
    const struct plan_place *looked[LOOKS];
    struct str whys[LOOKS];

    for (size_t n = 0;; n++) {
        bool found, known = !(w->problem.limits.within_h > 0) || n == LOOKS;

        if (!search_best(w->search, &w->problem, NULL, out, &found, err))
            return false;
        if (!found)
            return plan_unfit(w, err);
        w->start_why = (struct str){0};
        for (size_t i = 0; i < n; i++)
            if (looked[i] == out->place) {
                known = true;
                w->start_why = whys[i];
            }
        if (known || out->place->market == PLAN_OWN || out->place->market == PLAN_RESERVED)
            return true;
        looked[n] = out->place;
        if (!look_at_week(w, out->place, &whys[n], err))
            return false;
    }
}

/* "76.8 M" */
static struct str amount_words(struct plan_work *w, double n, const char *unit,
                               struct error *err)
{
    static const struct {
        double unit;
        const char *suffix;
    } scales[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}};

    for (size_t i = 0; i < ARRAY_LEN(scales); i++)
        if (n >= scales[i].unit)
            return plan_words(w, err, "%.3g %s %s", n / scales[i].unit, scales[i].suffix, unit);
    return plan_words(w, err, "%.0f %s", n, unit);
}

/* What a training job goes over; the amount is the same on every card. */
static struct str work_of_training(struct plan_work *w, const struct plan *best,
                                   struct error *err)
{
    const struct job *job = &w->job.job;
    bool samples =
        job->arch_known ? arch_counts_samples(&job->arch) : job->train.measured.samples_s > 0;
    double total = !job->arch_known ? (samples ? job_samples(job) : job_tokens(job))
                                    : choose_total(job, &best->way.setup);

    return amount_words(w, total, samples ? "samples" : "tokens", err);
}

static struct str work_of_serving(struct plan_work *w, const struct plan *best,
                                  struct error *err)
{
    const struct job_infer *t = &w->job.job.infer;
    bool tokens = model_writes(best->way.serving.arch) && best->way.serving.output > 0;

    if (!(t->rate > 0))
        return tokens ? STR("a million output tokens") : STR("a million requests");
    if (t->hours_per_day > 0 && t->hours_per_day < 24)
        return plan_words(w, err, "%.4g requests/s, %.3g hours a day, for a month of 30 days",
                          t->rate, t->hours_per_day);
    return plan_words(w, err, "%.4g requests/s for a month of 30 days", t->rate);
}

static struct str aim_words(const struct plan_work *w)
{
    const struct plan_aim *a = &w->problem.aim;

    if (w->weighted)
        return w->request->aim;
    return a->hour_worth > 0 ? STR("value")
           : a->time > 0     ? STR("time")
           : a->carbon > 0   ? STR("carbon")
                             : STR("cost");
}

bool plan_describe(struct plan_work *w, const struct plan *best, struct plan_result *res,
                   struct error *err)
{
    const struct job *job = &w->job.job;
    bool serves = job->kind == JOB_INFER;

    res->kind = serves ? STR("infer") : STR("train");
    res->model = job->arch_known ? job->arch.name : (struct str){0};
    res->name = job->name.len > 0 ? job->name : res->model;
    res->work = serves && job->arch_known ? work_of_serving(w, best, err)
                                          : work_of_training(w, best, err);
    res->unit = !serves               ? STR("job")
                : job->infer.rate > 0 ? STR("month")
                                      : STR("million tokens");
    res->aim = aim_words(w);
    if (best->start_h > 0)
        res->start_why = w->start_why;
    res->experiment = job->experiment.improvement > 0;
    res->explain = w->request->explain;
    if (plan_has_deadline(w))
        res->deadline_h = w->problem.limits.deadline_h;
    res->prices_from = w->facts.age.oldest;
    res->prices_to = w->facts.age.newest;
    if (w->problem.aim.hour_worth > 0)
        res->hour_worth = w->request->hour_worth;
    return res->work.at != NULL;
}

/* Until the last trial ends, with what waiting for spot and losses add. */
static double search_hours(const struct plan *plan)
{
    return plan->cost.at[COST_SEARCH].hours.expected * plan->hours /
           cost_hours(&plan->cost).expected;
}

/* A hyper-parameter search: what it takes so, and one trial after the other. */
static void add_trials(struct plan_work *w, const struct plan *best, struct plan_result *res)
{
    struct trials trials = trials_of(&w->job.job);
    struct trials_need need;
    struct plan serial;
    struct way way = best->way;

    if (w->job.job.kind != JOB_TRAIN || trials.count < 1)
        return;
    need = trials_need(&trials, way.trials_parallel);
    way.trials_parallel = 1;
    res->trials.trials = trials.count;
    res->trials.parallel = best->way.trials_parallel;
    res->trials.rungs = need.rungs;
    res->trials.scheme = str_from(trials_scheme_names[trials.scheme]);
    res->trials.stopped = need.stopped;
    res->trials.cost = best->cost.at[COST_SEARCH].amount.expected;
    res->trials.each = cost_each(res->trials.cost, (double)trials.count);
    res->trials.hours = search_hours(best);
    if (plan_price(&w->problem, best->place, &way, &serial)) {
        res->trials.serial_hours = search_hours(&serial);
        res->trials.serial_cost = serial.cost.at[COST_SEARCH].amount.expected;
    }
}

static bool add_simulation(struct plan_work *w, const struct plan *best,
                           struct plan_result *res, struct error *err)
{
    struct outlook o;
    bool done;

    if (!plan_simulate(w, best, &o, &done, err))
        return false;
    if (!done)
        return true;
    res->simulated = usd_about(o.usd);
    res->simulated_low = usd_about(o.usd_p10);
    res->simulated_high = usd_about(o.usd_p90);
    res->simulated_hours = o.hours_p50;
    if (plan_has_deadline(w))
        res->simulated_on_time = o.on_time;
    res->simulated_runs = (int64_t)o.runs;
    return true;
}

/* By which a run of this plan is known to have been predicted. */
static bool keep_version(struct plan_work *w, struct plan_result *res, struct error *err)
{
    char version[CONSTANTS_VERSION];
    const char *kept;

    constants_version(&w->job.constants, version);
    kept = str_dup(str_from(version), w->ctx->arena, err);
    res->constants = str_from(kept);
    return kept != NULL;
}

static bool keep_notes(struct plan_work *w, struct plan_result *res, struct error *err)
{
    struct str *kept = arena_array(w->ctx->arena, struct str, w->note_count + 1, err);

    if (kept == NULL)
        return false;
    memcpy(kept, w->notes, w->note_count * sizeof *kept);
    res->notes = (struct strs){kept, w->note_count};
    return true;
}

static bool plan_one(struct op_context *ctx, const struct plan_request *request,
                     struct plan_result *res, struct error *err)
{
    instant began = ctx->clock->now(ctx->clock->ctx);
    struct plan_work w;
    struct plan best;
    struct search_counts counts;

    if (!plan_prepare(ctx, request, request->jobs.at[0], &w, err) ||
        !plan_best(&w, &best, err) || !plan_describe(&w, &best, res, err) ||
        !plan_alternatives(&w, &best, res, err) || !plan_explain(&w, &best, res, err))
        return false;
    add_trials(&w, &best, res);
    if (!add_simulation(&w, &best, res, err) ||
        !plan_add_notes(&w, &best, res->plans.at, err) || !keep_notes(&w, res, err))
        return false;
    if (!keep_version(&w, res, err))
        return false;
    counts = search_count(w.search);
    res->places = (int64_t)counts.places;
    res->offers = (int64_t)w.facts.offers;
    res->settings = (int64_t)counts.settings;
    res->pruned = (int64_t)counts.pruned;
    res->search_ms =
        (double)span_between(began, ctx->clock->now(ctx->clock->ctx)).ns / NS_PER_MS;
    if (!plan_write(&w, &best, res, err))
        return false;
    price_age_warn(&w.facts.age, ctx);
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct plan_request request = *(const struct plan_request *)in;
    struct plan_result *res = out;

    /* "stint plan JOB --write-config deepspeed BASE" */
    if (request.write_config.len > 0 && request.base.len == 0 && request.jobs.len == 2)
        request.base = request.jobs.at[--request.jobs.len];
    res->asked = request;
    /* Nothing is written again; but it is planned for the software of a configuration. */
    res->asked.save = res->asked.csv = res->asked.base = (struct str){0};
    if (request.jobs.len > 1 || request.queue)
        return plan_many(ctx, &request, res, err);
    return plan_one(ctx, &request, res, err);
}

const struct op op_plan = {
    .name = "plan",
    .schema = PLAN_SCHEMA,
    .summary = "find the cheapest way to run a job, and explain it",
    .request = &plan_request_fields,
    .result = &plan_result_fields,
    .run = run,
};
