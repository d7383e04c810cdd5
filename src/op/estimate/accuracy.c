/* accuracy - estimates against what came of them, over time. */
#include <math.h>
#include <stdlib.h>

#include "op/estimate/calibrate.h"
#include "op/ledger_open.h"
#include "op/moment.h"
#include "series/values.h"

static const char *const kinds[] = {"month", "gpu", "framework", NULL};

static const struct field request[] = {
    FIELD(TEXT, accuracy_request, since, .value = "WHEN",
          .help = "only runs begun since then: 90d, 2026-09-01"),
    FIELD(CHOICE, accuracy_request, by, .value = "KIND", .choices = kinds, .fallback = "month",
          .help = "month, gpu or framework"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, accuracy_row, of, .help = "month, GPU or framework"),
    FIELD(COUNT, accuracy_row, runs, .help = "that were predicted and ended well"),
    FIELD(NUMBER, accuracy_row, bias, .help = "median of actual over predicted time, less 1"),
    FIELD(NUMBER, accuracy_row, error, .help = "mean of the size of that"),
    FIELD(NUMBER, accuracy_row, worst, .help = "the largest"),
    FIELD(NUMBER, accuracy_row, cost_bias, .help = "of cost, likewise"),
    FIELD(NUMBER, accuracy_row, cost_error, .help = "likewise"),
};

static const struct field_set row_set = FIELD_SET(struct accuracy_row, row_fields);

static const struct field run_fields[] = {
    FIELD(TEXT, accuracy_run, id, .help = "of the run"),
    FIELD(TEXT, accuracy_run, name, .help = "of the run"),
    FIELD(TEXT, accuracy_run, started, .help = "in UTC"),
    FIELD(TEXT, accuracy_run, gpu, .help = "of the plan"),
    FIELD(TEXT, accuracy_run, framework, .help = "of the plan"),
    FIELD(SPAN, accuracy_run, predicted, .help = "seconds"),
    FIELD(SPAN, accuracy_run, actual, .help = "seconds"),
    FIELD(NUMBER, accuracy_run, error, .help = "actual over predicted, less 1"),
    FIELD(USD, accuracy_run, predicted_cost, .help = "of the plan"),
    FIELD(USD, accuracy_run, actual_cost, .help = "as metered"),
    FIELD(NUMBER, accuracy_run, cost_error, .help = "likewise"),
};

static const struct field_set run_set = FIELD_SET(struct accuracy_run, run_fields);

static const struct field result[] = {
    FIELD(LIST, accuracy_result, rows, .row = &row_set, .help = "in their order"),
    FIELD(LIST, accuracy_result, runs, .row = &run_set, .help = "the newest first"),
    FIELD(COUNT, accuracy_result, count, .help = "of runs"),
    FIELD(RECORD, accuracy_result, all, .row = &row_set, .help = "all of them together"),
};

static bool take_run(struct op_context *ctx, const struct ledger_outcome *o,
                     struct accuracy_run *out, bool *usable, struct error *err)
{
    struct correction_run features;
    span predicted;

    *usable = outcome_features(o, ctx->arena, &features, &predicted);
    if (!*usable)
        return true;
    *out = (struct accuracy_run){
        .id = o->id,
        .name = o->name,
        .gpu = features.gpu,
        .framework = ledger_known(features.framework),
        .predicted = predicted,
        .actual = o->actual,
        .error = (double)o->actual.ns / (double)predicted.ns - 1,
        .predicted_cost = o->predicted_cost,
        .actual_cost = o->actual_cost,
        .cost_error = o->predicted_cost.nano > 0 && o->actual_cost.nano != MONEY_UNKNOWN
                          ? usd_double(o->actual_cost) / usd_double(o->predicted_cost) - 1
                          : NAN};
    return ledger_when(o->started, ctx->arena, &out->started, err);
}

static double median(double *values, size_t count)
{
    values_sort(values, count);
    return count > 0 ? values_quantile(values, count, 0.5) : NAN;
}

/* Runs of one kind; `room` holds a number for each. */
static struct accuracy_row sum_up(struct str of, const struct accuracy_run *const *runs,
                                  size_t count, double *room)
{
    double start = count > 0 ? 0 : NAN;
    struct accuracy_row row = {
        .of = of, .runs = (int64_t)count, .error = start, .worst = start};
    double cost_error = 0;
    size_t costs = 0;

    for (size_t i = 0; i < count; i++) {
        room[i] = runs[i]->error;
        row.error += fabs(room[i]) / (double)count;
        if (fabs(room[i]) > fabs(row.worst))
            row.worst = room[i];
    }
    row.bias = median(room, count);
    for (size_t i = 0; i < count; i++)
        if (!isnan(runs[i]->cost_error)) {
            room[costs++] = runs[i]->cost_error;
            cost_error += fabs(runs[i]->cost_error);
        }
    row.cost_bias = median(room, costs);
    row.cost_error = costs > 0 ? cost_error / (double)costs : NAN;
    return row;
}

/* What the run is counted under. */
static struct str key_of(const struct accuracy_run *run, struct str by)
{
    struct str month = {run->started.at, run->started.len < 7 ? run->started.len : 7};

    if (str_eq(by, STR("gpu")))
        return run->gpu;
    if (str_eq(by, STR("framework")))
        return run->framework.len > 0 ? run->framework : STR("(none)");
    return month;
}

static int by_key(const void *a, const void *b)
{
    const struct accuracy_row *x = a, *y = b;

    return str_cmp(x->of, y->of);
}

static bool group(struct op_context *ctx, const struct accuracy_run *runs, size_t count,
                  struct str by, struct accuracy_result *res, struct error *err)
{
    struct accuracy_row *rows = arena_array(ctx->arena, struct accuracy_row, count, err);
    const struct accuracy_run **of =
        arena_array(ctx->arena, const struct accuracy_run *, count, err);
    double *room = arena_array(ctx->arena, double, count, err);
    size_t made = 0;

    if (rows == NULL || of == NULL || room == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str key = key_of(&runs[i], by);
        size_t held = 0, known = 0;

        while (known < made && !str_eq(rows[known].of, key))
            known++;
        if (known < made)
            continue;
        for (size_t j = i; j < count; j++)
            if (str_eq(key_of(&runs[j], by), key))
                of[held++] = &runs[j];
        rows[made++] = sum_up(key, of, held, room);
    }
    qsort(rows, made, sizeof *rows, by_key);
    res->rows = (struct rows){rows, made};
    for (size_t i = 0; i < count; i++)
        of[i] = &runs[i];
    res->all = sum_up(STR("all"), of, count, room);
    return true;
}

static bool accuracy(struct op_context *ctx, const struct accuracy_request *req,
                     struct ledger *ledger, struct accuracy_result *res, struct error *err)
{
    const struct ledger_outcome *outcomes;
    struct accuracy_run *runs;
    size_t all, count = 0;
    stamp since;

    if (!op_moment(ctx, "since", req->since, &since, err) ||
        !ledger_outcomes(ledger, since, ctx->arena, &outcomes, &all, err))
        return false;
    runs = arena_array(ctx->arena, struct accuracy_run, all, err);
    if (runs == NULL)
        return false;
    for (size_t i = all; i-- > 0;) {
        bool usable;

        if (!take_run(ctx, &outcomes[i], &runs[count], &usable, err))
            return false;
        count += usable;
    }
    res->runs = (struct rows){runs, count};
    res->count = (int64_t)count;
    return group(ctx, runs, count, req->by, res, err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok;

    if (ledger == NULL)
        return false;
    ok = accuracy(ctx, in, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_accuracy = {
    .name = "accuracy",
    .schema = "stint.accuracy/1",
    .summary = "compare estimates with the runs that followed",
    .request = &(const struct field_set)FIELD_SET(struct accuracy_request, request),
    .result = &(const struct field_set)FIELD_SET(struct accuracy_result, result),
    .run = run,
};
