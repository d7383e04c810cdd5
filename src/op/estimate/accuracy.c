/* accuracy - estimates compared with the runs that followed. */
#include <math.h>

#include "op/context.h"
#include "op/estimate/calibrate.h"
#include "op/ledger_open.h"
#include "op/moment.h"
#include "op/op.h"

static const char *const kinds[] = {"month", "gpu", "framework", NULL};

static const struct field request[] = {
    FIELD(TEXT, accuracy_request, since, .value = "WHEN",
          .help = "only runs started since then: 90d, 2026-09-01"),
    FIELD(CHOICE, accuracy_request, by, .value = "KIND", .choices = kinds, .fallback = "month",
          .help = "month, gpu or framework"),
};

/* False: the features of the run name no GPU. */
static bool accuracy_run_from(const struct ledger_outcome *o, struct arena *arena,
                              struct accuracy_run *out)
{
    struct correction_run features;
    span predicted = o->predicted;

    if (!outcome_features(o->features, o->actual, arena, &features, &predicted))
        return false;
    *out = (struct accuracy_run){
        .id = o->id,
        .name = o->name,
        .gpu = features.gpu,
        .framework = features.framework,
        .started = o->started,
        .predicted = predicted,
        .actual = o->actual,
        .error = (double)o->actual.ns / (double)predicted.ns - 1,
        .predicted_cost = o->predicted_cost,
        .actual_cost = o->actual_cost,
        .cost_error = o->predicted_cost.nano > 0 && o->actual_cost.nano != MONEY_UNKNOWN
                          ? usd_double(o->actual_cost) / usd_double(o->predicted_cost) - 1
                          : NAN};
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
    for (size_t i = all; i-- > 0;)
        count += accuracy_run_from(&outcomes[i], ctx->arena, &runs[count]);
    return accuracy_group(runs, count, req->by, ctx->arena, res, err);
}

static bool accuracy_run_op(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
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
    .result = &accuracy_result_fields,
    .run = accuracy_run_op,
};
