/* One side of a comparison: a file, a job or a run. */
#include "op/ci/side.h"

#include <math.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "estimate/constants.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "plan/file.h"

#define FILE_MAX PLAN_FILE_MAX
#define REPORT_FOLDER "cost_analysis"
#define REPORT_FILE "cost_analysis.json"

/* ---- a job ---- */

static bool estimate_file(struct op_context *ctx, const struct side_request *request,
                          struct change_side *out, struct error *err)
{
    struct job_source source = {.job = request->what};
    struct job_input *job = arena_array(ctx->arena, struct job_input, 1, err);
    struct estimate *estimate = arena_array(ctx->arena, struct estimate, 1, err);
    struct job_place place;
    struct estimate_input in = {
        .place = &place.place, .catalog = &ctx->catalog, .messages = &ctx->messages};

    if (job == NULL || estimate == NULL || !op_job_read(ctx, &source, job, err) ||
        !op_place(ctx, job, request->place, 0, &place, err))
        return false;
    in.job = &job->job;
    in.constants = &job->constants;
    if (!estimate_job(&in, ctx->arena, estimate, err) ||
        !estimate_check_fit(&in, estimate, request->what, err))
        return false;
    place_warn(&place.place, &ctx->messages);
    job_note_unused(&job->job.tool_unused, &ctx->messages);
    return change_from_estimate(estimate, ctx->arena, out, err);
}

static bool plan_file(struct op_context *ctx, const struct side_request *request,
                      struct change_side *out, struct error *err)
{
    const struct op *op = op_find(STR("plan"));
    struct plan_request *ask = arena_array(ctx->arena, struct plan_request, 1, err);
    struct plan_result *plan = arena_array(ctx->arena, struct plan_result, 1, err);
    struct str *jobs = arena_array(ctx->arena, struct str, 1, err);

    if (ask == NULL || plan == NULL || jobs == NULL ||
        !fields_reset(op->request, ask, ctx->arena, err))
        return false;
    jobs[0] = request->what;
    ask->jobs = (struct strs){jobs, 1};
    if (request->place->market.len > 0)
        ask->market = request->place->market;
    if (request->place->supply.len > 0)
        ask->supply = request->place->supply;
    if (!op_run(ctx, op, ask, plan, err))
        return false;
    job_note_unused(&plan->not_used, &ctx->messages);
    return change_from_plan(plan, ctx->arena, out, err);
}

static bool job_side(struct op_context *ctx, const struct side_request *request,
                     struct change_side *out, struct error *err)
{
    const struct place_request *place = request->place;
    bool named = place->on.len > 0 || place->offer.len > 0;

    if (!named && place->price.nano != MONEY_UNKNOWN) {
        error_set(err, ERROR_USAGE, "--price needs --on or --offer");
        error_hint(err, "which machine has that price? --offer aws/p5.48xlarge");
        return false;
    }
    return named ? estimate_file(ctx, request, out, err) : plan_file(ctx, request, out, err);
}

/* ---- a run ---- */

static bool from_run(struct op_context *ctx, struct ledger *ledger,
                     const struct side_request *request, struct change_side *out,
                     struct str *id, struct error *err)
{
    struct ledger_query query = {
        .state = STR("done"), .since = {-1}, .until = {-1}, .limit = CHANGE_REPEATS_MAX};
    const struct ledger_run *repeats = NULL;
    struct ledger_run run;
    size_t count = 0;

    if (!ledger_find(ledger, request->what.len > 0 ? request->what : STR("last"), ctx->arena,
                     &run, err)) {
        if (err->kind == ERROR_ABSENT && err->hint[0] == '\0')
            error_hint(err, "there is no such file either; 'stint runs' lists the runs");
        return false;
    }
    if (run.state != RUN_DONE)
        message_warn(&ctx->messages,
                     "run %.*s is not complete (%s): its cost does not cover the complete work",
                     STR_ARG(ledger_short(run.start.id)),
                     ledger_state_word(run.state, run.reason));
    query.digest = run.start.digest;
    return str_keep(str_from(run.start.id), ctx->arena, id, err) &&
           (query.digest.len == 0 ||
            ledger_runs(ledger, &query, ctx->arena, &repeats, &count, err)) &&
           change_from_run(&run, repeats, count, request->except, ctx->arena, out, err);
}

static bool run_side(struct op_context *ctx, const struct side_request *request,
                     struct change_side *out, struct str *id, struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok = ledger != NULL && from_run(ctx, ledger, request, out, id, err);

    ledger_close(ledger);
    return ok;
}

/* ---- how much a run varies that was not repeated ---- */

/* How much the times of other work differ when it is repeated; NaN: not known. */
static bool find_past_spread(struct op_context *ctx, double *width, struct str *from,
                             struct error *err)
{
    struct ledger_query query = {
        .state = STR("done"), .since = {-1}, .until = {-1}, .limit = CHANGE_PAST_MAX};
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct ledger_run *runs = NULL;
    size_t count = 0;
    bool ok = ledger != NULL && ledger_runs(ledger, &query, ctx->arena, &runs, &count, err);

    ledger_close(ledger);
    return ok && change_past_spread(runs, count, ctx->arena, width, from, err);
}

/* What the estimator's best predictions of a step are off by, which the difference between two
 * runs of it is part of. */
static bool find_usual_spread(struct op_context *ctx, double *width, struct error *err)
{
    struct constants constants;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_CONSTANTS), err) ||
        !constants_load(&ctx->catalog, &constants, err))
        return false;
    *width = change_spread_of(constants.at[C_spread_step]);
    return true;
}

bool side_add_variation(struct op_context *ctx, struct change_side *side, struct error *err)
{
    struct str from = {0};
    double width = NAN;

    if (!change_is_measured(side) || !isnan(side->variation))
        return true;
    if (side->source == CHANGE_RUN && !find_past_spread(ctx, &width, &from, err))
        return false;
    if (isnan(width)) {
        from = STR("no repeats: assumed");
        if (!find_usual_spread(ctx, &width, err))
            return false;
    }
    change_vary(side, width, from);
    return true;
}

/* ---- which of them ---- */

/* The file of a report in a folder: of the experiment, or of the report itself. */
static const char *report_file_in(const char *folder, struct arena *arena, struct error *err)
{
    const char *inner = fs_join(folder, REPORT_FOLDER, arena, err),
               *path = inner != NULL ? fs_join(inner, REPORT_FILE, arena, err) : NULL;

    if (path == NULL || fs_exists(path))
        return path;
    path = fs_join(folder, REPORT_FILE, arena, err);
    if (path == NULL || fs_exists(path))
        return path;
    error_set(err, ERROR_ABSENT, "'%s' has no " REPORT_FOLDER "/" REPORT_FILE, folder);
    error_hint(err, "'stint report --experiment %.80s' writes it", folder);
    return NULL;
}

static bool looks_like_json(struct str text)
{
    while (text.len > 0 && (text.at[0] == '\n' || text.at[0] == ' ' || text.at[0] == '\t' ||
                            text.at[0] == '\r'))
        text = (struct str){text.at + 1, text.len - 1};
    return text.len > 0 && text.at[0] == '{';
}

static bool file_side(struct op_context *ctx, const struct side_request *request,
                      const char *path, struct change_side *out, struct error *err)
{
    struct str text;

    if (job_is_text(request->what))
        return job_side(ctx, request, out, err);
    if (!op_file_read(ctx, path, FILE_MAX, &text, err))
        return false;
    if (looks_like_json(text))
        return change_side_parse(text, path, ctx->arena, out, err);
    return job_side(ctx, request, out, err);
}

bool side_find(struct op_context *ctx, const struct side_request *request,
               struct change_side *out, struct str *run, struct error *err)
{
    const char *path = str_dup(request->what, ctx->arena, err);
    struct stat there;

    *run = (struct str){0};
    if (path == NULL)
        return false;
    if (request->what.len == 0 || ctx->remote || stat(path, &there) != 0) {
        if (!job_is_text(request->what) &&
            str_after_last(request->what, '/').len == request->what.len &&
            !str_ends(request->what, STR(".json")) && !str_ends(request->what, STR(".yaml")) &&
            !str_ends(request->what, STR(".yml")))
            return run_side(ctx, request, out, run, err);
    } else if (S_ISDIR(there.st_mode)) {
        path = report_file_in(path, ctx->arena, err);
        if (path == NULL)
            return false;
    }
    if (!file_side(ctx, request, path, out, err))
        return false;
    out->name = job_shown(request->what);
    return true;
}
