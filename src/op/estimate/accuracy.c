/* accuracy - estimates compared with the runs that followed. */
#include "op/context.h"
#include "op/estimate/calibrate.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "unit/moment.h"

static const char *const kinds[] = {"month", "gpu", "framework", NULL};

static const struct field request[] = {
    FIELD(TEXT, accuracy_request, since, .value = "WHEN",
          .help = "show only runs started since then: 90d, 2026-09-01"),
    FIELD(CHOICE, accuracy_request, by, .value = "KIND", .choices = kinds, .fallback = "month",
          .help = "group by month, gpu or framework"),
};

static struct accuracy_run compare_run(const struct ledger_outcome *o, const struct outcome *of)
{
    struct accuracy_run run = {.id = o->id,
                               .name = o->name,
                               .started = o->started,
                               .run = of->run,
                               .predicted_cost = o->predicted_cost,
                               .actual_cost = o->actual_cost};

    accuracy_compare(&run);
    return run;
}

static bool accuracy(struct op_context *ctx, const struct accuracy_request *req,
                     struct ledger *ledger, struct accuracy_result *res, struct error *err)
{
    const struct ledger_outcome *outcomes;
    struct accuracy_run *runs;
    struct outcome outcome;
    size_t all, count = 0;
    stamp since;

    if (!op_catalog(ctx, OUTCOME_TABLES, err) ||
        !moment_parse(op_now(ctx), "since", req->since, &since, err) ||
        !ledger_outcomes(ledger, since, ctx->arena, &outcomes, &all, err))
        return false;
    runs = arena_array(ctx->arena, struct accuracy_run, all, err);
    if (runs == NULL)
        return false;
    for (size_t i = all; i-- > 0;) {
        if (!op_outcome(&outcomes[i], ctx->arena, &outcome))
            continue;
        if (!op_outcome_as_planned(ctx, &outcomes[i], &outcome))
            res->other_gpu++;
        else if (outcome.has_step)
            runs[count++] = compare_run(&outcomes[i], &outcome);
        else
            res->without_steps++;
    }
    return accuracy_group(runs, count, req->by, ctx->arena, res, err);
}

static bool accuracy_run_op(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    struct accuracy_result *res = out;
    bool ok;

    *res = (struct accuracy_result){0};
    if (ledger == NULL)
        return false;
    ok = accuracy(ctx, in, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_accuracy = {
    .name = "accuracy",
    .schema = "stint.accuracy/1",
    .summary = "compare estimates with the runs that followed",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct accuracy_request, request),
    .result = &accuracy_result_fields,
    .run = accuracy_run_op,
};
