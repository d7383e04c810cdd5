/* calibrate - corrections of the estimator, learned from runs. */
#include "op/estimate/calibrate.h"

#include <math.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "report/work_inference.h"
#include "truth/served.h"
#include "truth/share_row.h"
#include "unit/moment.h"

#define SERVED_MAX ((size_t)16 << 20) /* bytes of rows */
#define SERVED_TABLES (OUTCOME_TABLES | TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS))

static const struct field request[] = {
    FIELD(TEXT, calibrate_request, since, .value = "WHEN",
          .help = "learn from runs started since then: 90d, 2026-09-01"),
    FIELD(FLAG, calibrate_request, show, .help = "show corrections without learning"),
    FIELD(FLAG, calibrate_request, forget, .help = "remove all corrections"),
};

static const struct field row_fields[] = {
    FIELD(RECORD, calibrate_row, correction, .row = &correction_fields, .inlined = true),
    FIELD(NUMBER, calibrate_row, before, .help = "previous factor"),
};

static const struct field_set row_set = FIELD_SET(struct calibrate_row, row_fields);

static const struct field result[] = {
    FIELD(LIST, calibrate_result, corrections, .row = &row_set,
          .help = "corrections that were learned"),
    FIELD(COUNT, calibrate_result, runs, .help = "runs they were learned from"),
    FIELD_AS("outliers", COUNT, calibrate_result, far,
             .help =
                 "runs left out: steps more than 2 times off, and no three of a setting agree"),
    FIELD(COUNT, calibrate_result, other,
          .help = "runs left out: predicted by other constants"),
    FIELD(COUNT, calibrate_result, without_steps,
          .help = "runs left out: no step time recorded"),
    FIELD(COUNT, calibrate_result, other_gpu,
          .help = "runs left out: on another GPU than estimated"),
    FIELD(COUNT, calibrate_result, rejected,
          .help = "corrections rejected because they do not lower the error of left-out runs"),
    FIELD(COUNT, calibrate_result, single, .help = "GPUs with one run: too few to learn from"),
    FIELD_AS("servers", COUNT, calibrate_result, served,
             .help = "measurements of servers (stint bench) they were learned from"),
    FIELD_AS("servers_left_out", COUNT, calibrate_result, unpredicted,
             .help = "measurements of servers that nothing is predicted for"),
    FIELD(TEXT, calibrate_result, constants,
          .help = "version of the constants that are corrected"),
    FIELD_AS("dry_run", FLAG, calibrate_result, shown, .help = "nothing was changed"),
    FIELD(FLAG, calibrate_result, forgotten, .help = "all corrections were removed"),
};

static double factor_before(const struct ledger_correction *known, size_t count,
                            const struct correction *c)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(known[i].what, str_from(correction_names[c->of])) &&
            str_eq(known[i].gpu, c->gpu) && str_eq(known[i].framework, c->framework) &&
            str_eq(known[i].model, c->model) && str_eq(known[i].setting, c->setting))
            return known[i].factor;
    return NAN;
}

bool op_outcome(const struct ledger_outcome *run, struct arena *arena, struct outcome *out)
{
    const struct outcome_measured measured = {.step_s = run->step_s,
                                              .startup_s = run->startup_s,
                                              .memory = run->memory,
                                              .watts = run->watts};

    return outcome_read(run->features, &measured, arena, out);
}

bool op_outcome_as_planned(const struct op_context *ctx, const struct ledger_outcome *run,
                           const struct outcome *outcome)
{
    return outcome_has_planned_gpu(outcome, run->gpu, &ctx->catalog) &&
           outcome_has_planned_gpu(outcome, run->other_gpu, &ctx->catalog);
}

/* Runs on the planned GPU that were predicted by the constants as they are now, and made enough
 * steps: a time that contains the start of the program is not learned from. */
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
        struct outcome outcome;

        if (!op_outcome(&outcomes[i], ctx->arena, &outcome))
            continue;
        if (!op_outcome_as_planned(ctx, &outcomes[i], &outcome))
            res->other_gpu++;
        else if (!outcome.has_step)
            res->without_steps++;
        else if (!str_eq(outcomes[i].constants, res->constants))
            res->other++;
        else
            runs[(*count)++] = outcome_uncorrected(&outcome);
    }
    return runs;
}

/* The rows that `stint bench` has recorded, as one file; empty: there are none. */
static bool join_served_rows(struct op_context *ctx, const struct strs *rows, struct str *out,
                             struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, SERVED_MAX);

    for (size_t i = 0; i < rows->len; i++) {
        buf_adds(&text, i == 0 ? share_row_header : "\n");
        buf_add(&text, rows->at[i]);
    }
    return buf_keep(&text, ctx->arena, out, err);
}

/* What measured servers teach. */
static bool learn_served(struct op_context *ctx, struct ledger *ledger, stamp since,
                         const struct constants *constants, struct calibrate_result *res,
                         struct correction_result *out, struct error *err)
{
    struct str tag = STR(BENCH_ACTIVITY), rows;
    const struct ledger_query query = {.tags = {&tag, 1}, .since = since, .until = {-1}};
    struct served_runs runs;
    struct strs measured;

    *out = (struct correction_result){0};
    if (!ledger_fact_values(ledger, &query, BENCH_ROW_FACT, ctx->arena, &measured, err) ||
        !join_served_rows(ctx, &measured, &rows, err))
        return false;
    if (rows.len == 0)
        return true;
    if (!op_catalog(ctx, SERVED_TABLES, err) ||
        !served_runs_read(rows, &ctx->catalog, constants, ctx->arena, &runs, err) ||
        !correction_learn_tokens(runs.at, runs.count, ctx->arena, out, err))
        return false;
    res->unpredicted = runs.left_out;
    res->served = (int64_t)(runs.count - out->far);
    return true;
}

/* What a run of this time says nothing about stays as it is. */
static bool correction_stays(const struct ledger_correction *known,
                             const struct calibrate_result *res)
{
    int of = choice_of(correction_names, known->what);

    return of >= 0 && (of == CORRECTION_TOKEN ? res->served : res->runs) == 0 &&
           str_eq(known->constants, res->constants);
}

/* Those of training and of serving, then those that stay. */
static bool join_learned(struct op_context *ctx, const struct correction_result *parts,
                         const struct ledger_correction *known, size_t known_count,
                         const struct calibrate_result *res, struct correction_result *out,
                         struct error *err)
{
    size_t most = parts[0].len + parts[1].len + known_count + 1;
    struct correction *all = arena_array(ctx->arena, struct correction, most, err);

    *out = (struct correction_result){.at = all};
    for (int part = 0; all != NULL && part < 2; part++)
        for (size_t i = 0; i < parts[part].len; i++)
            all[out->len++] = parts[part].at[i];
    for (size_t i = 0; all != NULL && i < known_count; i++)
        if (correction_stays(&known[i], res))
            all[out->len++] = (struct correction){
                .of = (enum correction_of)choice_of(correction_names, known[i].what),
                .gpu = known[i].gpu,
                .framework = known[i].framework,
                .model = known[i].model,
                .setting = known[i].setting,
                .factor = known[i].factor,
                .low = known[i].low,
                .high = known[i].high,
                .runs = known[i].runs,
                .error_before = NAN,
                .error_after = NAN};
    return all != NULL;
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
        rows[i] = (struct ledger_correction){.what = str_from(correction_names[learned[i].of]),
                                             .gpu = learned[i].gpu,
                                             .framework = learned[i].framework,
                                             .model = learned[i].model,
                                             .setting = learned[i].setting,
                                             .factor = learned[i].factor,
                                             .low = learned[i].low,
                                             .high = learned[i].high,
                                             .runs = learned[i].runs,
                                             .constants = res->constants,
                                             .made = op_now(ctx)};
    return ledger_corrections_put(ledger, rows, count, err);
}

static bool calibrate(struct op_context *ctx, const struct calibrate_request *req,
                      const struct constants *constants, struct ledger *ledger,
                      struct calibrate_result *res, struct error *err)
{
    const struct ledger_correction *known;
    struct correction_result parts[2], *learned = &parts[0], *serving = &parts[1], all;
    struct correction_run *runs;
    size_t known_count, count;
    stamp since;

    if (!moment_parse(op_now(ctx), "since", req->since, &since, err) ||
        !ledger_corrections(ledger, ctx->arena, &known, &known_count, err))
        return false;
    if (req->forget) {
        res->forgotten = true;
        return ledger_corrections_put(ledger, NULL, 0, err);
    }
    runs = usable_runs(ctx, ledger, since, res, &count, err);
    if (runs == NULL || !correction_learn(runs, count, ctx->arena, learned, err) ||
        !learn_served(ctx, ledger, since, constants, res, serving, err))
        return false;
    res->far = (int64_t)(learned->far + serving->far);
    res->runs = (int64_t)(count - learned->far);
    res->rejected = (int64_t)(learned->rejected + serving->rejected);
    res->single = (int64_t)(learned->single + serving->single);
    res->shown = req->show;
    /* A period without runs does not remove the corrections that exist; runs that show them to
     * be wrong do. */
    return join_learned(ctx, parts, known, known_count, res, &all, err) &&
           list_corrections(ctx, all.at, learned->len + serving->len, known, known_count, res,
                            err) &&
           (req->show || (res->runs == 0 && res->served == 0) ||
            store_corrections(ctx, ledger, all.at, all.len, res, err));
}

/* A ledger that does not exist has nothing to learn from: it is not created. */
static struct ledger *open_calibrate_ledger(struct op_context *ctx, bool write,
                                            struct error *err)
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
    if (!op_catalog(ctx, TABLE_BIT(TABLE_CONSTANTS) | OUTCOME_TABLES, err) ||
        !constants_load(&ctx->catalog, &constants, err))
        return false;
    constants_version(&constants, version);
    ledger = str_keep(str_from(version), ctx->arena, &res->constants, err)
                 ? open_calibrate_ledger(ctx, !req->show, err)
                 : NULL;
    if (ledger == NULL)
        return false;
    ok = calibrate(ctx, req, &constants, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_calibrate = {
    .name = "calibrate",
    .schema = "stint.calibrate/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "improve estimates with what your runs measured",
    .request = &(const struct field_set)FIELD_SET(struct calibrate_request, request),
    .result = &(const struct field_set)FIELD_SET(struct calibrate_result, result),
    .run = calibrate_run,
};
