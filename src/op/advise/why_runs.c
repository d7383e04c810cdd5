#include "op/advise/why_runs.h"

#include <math.h>

#include "advise/explain/stall.h"
#include "base/num.h"
#include "doc/node.h"
#include "ledger/runs/metrics.h"
#include "truth/accuracy.h"

static double why_span_seconds(span s)
{
    return s.ns >= 0 ? (double)s.ns / 1e9 : NAN;
}

/* ---- runs ---- */

static struct why_attempt attempt_of(const struct ledger_run *run,
                                     const struct ledger_attempt *a)
{
    static const enum why_cause causes[LEDGER_PHASES] = {
        [PHASE_SETUP] = WHY_STARTUP,     [PHASE_DATA] = WHY_DATA,
        [PHASE_TRAIN] = WHY_TRAINING,    [PHASE_EVALUATE] = WHY_EVALUATION,
        [PHASE_CHECKPOINT] = WHY_SAVING, [PHASE_IDLE] = WHY_IDLE,
    };
    const struct ledger_totals *t = &a->totals;
    bool by_time = run->start.electricity.nano == MONEY_UNKNOWN;
    struct why_attempt out = {.cost = t->cost,
                              .compute = t->compute,
                              .setup = t->setup,
                              .storage = t->storage,
                              .transfer = t->transfer,
                              .extra = t->extra,
                              .elapsed_s = why_span_seconds(t->elapsed),
                              .paid_s = why_span_seconds(t->paid),
                              .rate = by_time ? usd_per_hour_double(a->rate) : (double)NAN,
                              .lost_s = t->lost_s};

    if (ledger_origin_given(run->start.origin)) /* its price may be of several machines */
        out.rate = NAN;
    if (t->compute.nano == MONEY_UNKNOWN)
        out.compute = t->cost;
    for (int i = 0; i < WHY_TIMES; i++)
        out.time[i] = USD_UNKNOWN;
    for (int i = 0; i < LEDGER_PHASES; i++)
        out.time[causes[i]] = t->phase[i];
    return out;
}

/* Steps as the plan counts them: some programs count micro-batches. */
static void count_steps(const struct ledger_run *run, struct str features, struct arena *arena,
                        double *steps, double *step_s)
{
    const struct outcome_measured measured = {
        .step_s = run->totals.step_s, .startup_s = NAN, .memory = NAN, .watts = NAN};
    struct outcome outcome;

    *steps = run->totals.step;
    *step_s = run->totals.step_s;
    if (features.len == 0 || !outcome_read(features, &measured, arena, &outcome) ||
        !outcome.has_step)
        return;
    *steps *= *step_s / outcome.run.measured[CORRECTION_STEP];
    *step_s = outcome.run.measured[CORRECTION_STEP];
}

/* ---- waiting inside steps ---- */

static double mean_of_numbers(const struct numbers *values)
{
    double sum = 0;

    for (size_t i = 0; i < values->len; i++)
        sum += values->at[i];
    return sum / (double)values->len;
}

/* The program says itself how long a step waits for its data. */
static bool wait_by_metric(struct ledger *ledger, const struct ledger_run *run,
                           struct arena *arena, struct why_wait *out, struct error *err)
{
    const struct ledger_metric *metrics;
    struct buf known = buf_new(arena->alloc, 4096);
    size_t count;
    double unit;

    if (!ledger_metrics(ledger, run->start.id, arena, &metrics, &count, err)) {
        buf_free(&known);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        double wait_s;

        if (!stall_is_metric(metrics[i].name, &unit) || metrics[i].values.len == 0)
            continue;
        wait_s = mean_of_numbers(&metrics[i].values) * unit;
        if (!(wait_s >= 0 && wait_s < run->totals.step_s)) /* of something else */
            continue;
        out->step_s = wait_s;
        buf_clear(&known);
        buf_adds(&known, "the metric ");
        buf_add(&known, metrics[i].name);
    }
    return buf_keep(&known, arena, &out->known, err);
}

/* Moments in which a step was reached. */
static size_t take_moments(const struct ledger_sample *samples, size_t count,
                           struct stall_moment *out)
{
    size_t taken = 0;

    for (size_t i = 1; i < count; i++)
        if (samples[i].step > samples[i - 1].step)
            out[taken++] = (struct stall_moment){samples[i].at_s - samples[i - 1].at_s,
                                                 samples[i].gpu_busy, samples[i].cpu_cores};
    return taken;
}

static bool wait_by_samples(struct ledger *ledger, const struct ledger_run *run,
                            struct arena *arena, struct why_wait *out, struct error *err)
{
    const struct ledger_sample *samples;
    struct stall_moment *moments;
    double share;
    size_t count;

    if (run->attempt_count == 0 || !(run->totals.gpus > 0))
        return true;
    if (!ledger_samples(ledger, run->start.id, run->attempt_count, arena, &samples, &count,
                        err) ||
        (moments = arena_array(arena, struct stall_moment, count, err)) == NULL)
        return false;
    share = stall_share(moments, take_moments(samples, count, moments));
    if (share > 0) {
        out->step_s = share * run->totals.step_s;
        out->known = STR("its samples: GPUs idle inside steps while loaders work or the "
                         "program sleeps");
    }
    return true;
}

bool why_read_run(struct ledger *ledger, const struct ledger_run *run, struct str features,
                  struct arena *arena, struct why_side *out, struct why_wait *wait,
                  struct error *err)
{
    size_t count = 0;
    struct why_attempt *attempts =
        arena_array(arena, struct why_attempt, (size_t)run->attempt_count, err);
    double steps, step_s;

    if (attempts == NULL)
        return false;
    for (int i = 0; i < run->attempt_count; i++)
        if (run->attempts[i].totals.elapsed.ns >= 0) /* something was heard of it */
            attempts[count++] = attempt_of(run, &run->attempts[i]);
    for (size_t i = 0; i < count; i++)
        if (attempts[i].cost.nano == MONEY_UNKNOWN)
            count = 0;
    if (count == 0) {
        error_set(err, ERROR_INPUT, "the cost of run %.*s is not known: it has no price",
                  STR_ARG(ledger_short(run->start.id)));
        error_hint(err,
                   "run with --price '$2.49/hr' or --offer OFFER; 'stint show %.*s' has "
                   "what is known",
                   STR_ARG(ledger_short(run->start.id)));
        return false;
    }
    count_steps(run, features, arena, &steps, &step_s);
    why_side_of_run(attempts, count, steps, step_s, out);
    *wait = (struct why_wait){.step_s = NAN};
    if (!wait_by_metric(ledger, run, arena, wait, err) ||
        (isnan(wait->step_s) && !wait_by_samples(ledger, run, arena, wait, err)))
        return false;
    wait->share = wait->step_s / run->totals.step_s;
    wait->step_s = wait->share * step_s; /* as the plan counts steps */
    if (!why_side_wait(wait, out))
        wait->step_s = NAN;
    return true;
}

/* ---- estimates ---- */

static bool number_under(const struct node *map, const char *key, double *out)
{
    const struct node *value = map != NULL ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR && num_read(value->text, out);
}

static bool money_under(const struct node *map, const char *key, int64_t *nano)
{
    const struct node *value = map != NULL ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR && num_fixed(value->text, 9, nano);
}

/* What op/run_price.c wrote. */
static void read_plan_lines(const struct node *root, struct why_plan *plan)
{
    const struct node *lines = node_get(root, STR("lines"));
    double machines;
    int64_t rate;

    (void)number_under(root, "step_s", &plan->step_s);
    if (number_under(root, "machines", &machines) && machines >= 1 && machines < 1e9)
        plan->machines = (int64_t)machines;
    if (money_under(root, "price", &rate))
        plan->rate = usd_per_hour_double((usd_per_hour){rate});
    for (int i = 0; lines != NULL && i < COST_LINE_COUNT; i++) {
        const struct node *line = node_get(lines, str_from(cost_line_names[i]));

        if (line == NULL || !money_under(line, "amount", &plan->line[i].nano))
            continue;
        if (i == COST_COMPUTE)
            (void)number_under(line, "hours", &plan->compute_hours);
    }
}

bool why_read_estimate(const struct ledger_run *run, struct str features, struct arena *arena,
                       struct why_side *out, bool *parts)
{
    const struct ledger_start *s = &run->start;
    struct why_plan plan = {.cost = s->estimated_cost,
                            .compute_hours = NAN,
                            .hours = s->estimated_time.ns > 0 ? span_in_hours(s->estimated_time)
                                                              : (double)NAN,
                            .rate = NAN,
                            .step_s = NAN,
                            .machines = 1};
    struct error ignored = {0};
    const struct node *root;

    if (s->estimated_cost.nano == MONEY_UNKNOWN)
        return false;
    for (int i = 0; i < COST_LINE_COUNT; i++)
        plan.line[i] = USD_UNKNOWN;
    root = features.len > 0 ? json_read(features, "features", arena, &ignored) : NULL;
    if (root != NULL)
        read_plan_lines(root, &plan);
    *parts = plan.line[COST_COMPUTE].nano != MONEY_UNKNOWN;
    if (!*parts && isnan(plan.rate)) /* what was known of the price then */
        plan.rate = usd_per_hour_double(s->rate);
    why_side_of_plan(&plan, out);
    return true;
}
