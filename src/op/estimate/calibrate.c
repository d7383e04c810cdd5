/* calibrate - corrections of the estimator, learned from runs. */
#include "op/estimate/calibrate.h"

#include <math.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/moment.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, calibrate_request, since, .value = "WHEN",
          .help = "learn from runs started since then: 90d, 2026-09-01"),
    FIELD(FLAG, calibrate_request, show, .help = "show corrections without learning"),
    FIELD(FLAG, calibrate_request, forget, .help = "remove all corrections"),
};

static const struct field row_fields[] = {
    FIELD(RECORD, calibrate_row, correction, .row = &correction_fields, .inlined = true),
    FIELD(NUMBER, calibrate_row, before, .help = "the factor until now"),
};

static const struct field_set row_set = FIELD_SET(struct calibrate_row, row_fields);

static const struct field result[] = {
    FIELD(LIST, calibrate_result, corrections, .row = &row_set, .help = "by GPU"),
    FIELD(COUNT, calibrate_result, runs, .help = "it was learned from"),
    FIELD(COUNT, calibrate_result, far, .help = "left out: more than 4 times off"),
    FIELD(COUNT, calibrate_result, other, .help = "left out: predicted by other constants"),
    FIELD(TEXT, calibrate_result, constants,
          .help = "version of the constants that are corrected"),
    FIELD(FLAG, calibrate_result, shown, .help = "nothing was changed"),
    FIELD(FLAG, calibrate_result, forgotten, .help = "all corrections were removed"),
};

static double factor_before(const struct ledger_correction *known, size_t count,
                            const struct correction *c)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(known[i].gpu, c->gpu) && str_eq(known[i].framework, c->framework))
            return known[i].factor;
    return NAN;
}

/* Runs that were predicted by the constants as they are now. */
static struct correction_run *usable_runs(struct op_context *ctx, struct ledger *ledger,
                                          stamp since, struct calibrate_result *res,
                                          size_t *count, struct error *err)
{
    const struct ledger_outcome *outcomes;
    struct correction_run *runs;
    size_t all;

    *count = 0;
    if (!ledger_outcomes(ledger, since, ctx->arena, &outcomes, &all, err))
        return NULL;
    runs = arena_array(ctx->arena, struct correction_run, all, err);
    for (size_t i = 0; runs != NULL && i < all; i++) {
        span predicted = outcomes[i].predicted;

        if (!str_eq(outcomes[i].constants, res->constants))
            res->other++;
        else if (outcome_features(outcomes[i].features, outcomes[i].actual, ctx->arena,
                                  &runs[*count], &predicted))
            ++*count;
    }
    return runs;
}

static bool list_corrections(struct op_context *ctx, const struct correction *learned,
                             size_t count, const struct ledger_correction *known,
                             size_t known_count, struct calibrate_result *res,
                             struct error *err)
{
    struct calibrate_row *rows = arena_array(ctx->arena, struct calibrate_row, count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] =
            (struct calibrate_row){learned[i], factor_before(known, known_count, &learned[i])};
    res->corrections = (struct rows){rows, count};
    return true;
}

static bool store_corrections(struct op_context *ctx, struct ledger *ledger,
                              const struct correction *learned, size_t count,
                              const struct calibrate_result *res, struct error *err)
{
    struct ledger_correction *rows =
        arena_array(ctx->arena, struct ledger_correction, count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct ledger_correction){.gpu = learned[i].gpu,
                                             .framework = learned[i].framework,
                                             .factor = learned[i].factor,
                                             .low = learned[i].low,
                                             .high = learned[i].high,
                                             .runs = learned[i].runs,
                                             .constants = res->constants,
                                             .made = ctx->clock->today(ctx->clock->ctx)};
    return ledger_corrections_put(ledger, rows, count, err);
}

static bool calibrate(struct op_context *ctx, const struct calibrate_request *req,
                      struct ledger *ledger, struct calibrate_result *res, struct error *err)
{
    const struct ledger_correction *known;
    const struct correction *learned;
    struct correction_run *runs;
    size_t known_count, count, learned_count, far;
    stamp since;

    if (!op_moment(ctx, "since", req->since, &since, err) ||
        !ledger_corrections(ledger, ctx->arena, &known, &known_count, err))
        return false;
    if (req->forget) {
        res->forgotten = true;
        return ledger_corrections_put(ledger, NULL, 0, err);
    }
    runs = usable_runs(ctx, ledger, since, res, &count, err);
    if (runs == NULL ||
        !correction_learn(runs, count, ctx->arena, &learned, &learned_count, &far, err))
        return false;
    res->far = (int64_t)far;
    res->runs = (int64_t)(count - far);
    res->shown = req->show;
    /* A period without runs does not remove the corrections that exist. */
    return list_corrections(ctx, learned, learned_count, known, known_count, res, err) &&
           (req->show || learned_count == 0 ||
            store_corrections(ctx, ledger, learned, learned_count, res, err));
}

/* A ledger that does not exist has nothing to learn from: it is not created. */
static struct ledger *open_ledger(struct op_context *ctx, bool write, struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);

    if (ledger == NULL || !write)
        return ledger;
    ledger_close(ledger);
    return op_ledger(ctx, LEDGER_WRITE, err);
}

static bool calibrate_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct calibrate_request *req = in;
    struct calibrate_result *res = out;
    char version[CONSTANTS_VERSION];
    struct constants constants;
    struct ledger *ledger;
    bool ok;

    *res = (struct calibrate_result){0};
    if (req->show && req->forget)
        return error_fail(err, ERROR_USAGE,
                          "--show changes nothing, --forget does: choose one");
    if (!op_catalog(ctx, TABLE_BIT(TABLE_CONSTANTS), err) ||
        !constants_load(&ctx->catalog, &constants, err))
        return false;
    constants_version(&constants, version);
    ledger = str_keep(str_from(version), ctx->arena, &res->constants, err)
                 ? open_ledger(ctx, !req->show, err)
                 : NULL;
    if (ledger == NULL)
        return false;
    ok = calibrate(ctx, req, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_calibrate = {
    .name = "calibrate",
    .schema = "stint.calibrate/1",
    .changes = true,
    .summary = "improve estimates with what your runs measured",
    .request = &(const struct field_set)FIELD_SET(struct calibrate_request, request),
    .result = &(const struct field_set)FIELD_SET(struct calibrate_result, result),
    .run = calibrate_run,
};
