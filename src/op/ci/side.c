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
#define MAX_REPEATS 100 /* the newest: older ones say little about today */
#define MAX_PAST 300    /* runs of other work that are looked at for repeats */
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
        !op_place(ctx, &job->job, request->place, 0, &place, err))
        return false;
    in.job = &job->job;
    in.constants = &job->constants;
    if (!estimate_job(&in, ctx->arena, estimate, err) ||
        !estimate_check_fit(&in, estimate, request->what, err))
        return false;
    op_place_warn(&place.place, ctx);
    op_job_note_unused(ctx, &job->job.tool_unused);
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
    op_job_note_unused(ctx, &plan->not_used);
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

static double known_cost(const struct ledger_run *run)
{
    return usd_double(run->totals.cost);
}

static double known_seconds(const struct ledger_run *run)
{
    span elapsed = run->totals.elapsed;

    return elapsed.ns > 0 ? span_in_seconds(elapsed) : NAN;
}

static double known_kwh(const struct ledger_run *run)
{
    return run->totals.joules / JOULES_PER_KWH;
}

static double (*const measures[CHANGE_MEASURES])(const struct ledger_run *run) = {
    [CHANGE_COST] = known_cost,
    [CHANGE_TIME] = known_seconds,
    [CHANGE_ENERGY] = known_kwh,
};

/* Among runs of the same work: on the same machine. */
static bool is_repeat(const struct ledger_run *run, const struct ledger_run *of,
                      struct str except)
{
    return str_eq(run->start.offer, of->start.offer) &&
           !str_eq(str_from(run->start.id), except);
}

static bool name_variation(struct arena *arena, size_t count, const char *what, struct str *out,
                           struct error *err)
{
    struct buf text = buf_new(arena->alloc, 128);

    buf_addf(&text, "%zu %s", count, what);
    return buf_keep(&text, arena, out, err);
}

/* The ranges of the run's amounts, by how much its repeats differ. */
static bool add_spread(struct op_context *ctx, struct ledger *ledger,
                       const struct ledger_run *run, struct str except, struct change_side *out,
                       struct error *err)
{
    struct ledger_query query = {.digest = run->start.digest,
                                 .state = STR("done"),
                                 .since = {-1},
                                 .until = {-1},
                                 .limit = MAX_REPEATS};
    const struct ledger_run *runs = NULL;
    double values[MAX_REPEATS];
    size_t count = 0;

    if (run->start.digest.len > 0 &&
        !ledger_runs(ledger, &query, ctx->arena, &runs, &count, err))
        return false;
    for (int m = 0; m < CHANGE_MEASURES; m++) {
        size_t known = 0;
        double width;

        if (measures[m] == NULL)
            continue;
        for (size_t i = 0; i < count && known < MAX_REPEATS; i++)
            if (is_repeat(&runs[i], run, except) && measures[m](&runs[i]) > 0)
                values[known++] = measures[m](&runs[i]);
        width = change_spread(values, known);
        if (!isnan(width) && isnan(out->variation)) {
            out->variation = expm1(width);
            if (!name_variation(ctx->arena, known, "repeats", &out->variation_from, err))
                return false;
        }
        if (m == CHANGE_ENERGY && run->totals.energy_error > 0) /* of the meter itself */
            width = hypot(isnan(width) ? 0 : width, log1p(run->totals.energy_error));
        out->amount[m] = change_range(measures[m](run), width);
    }
    return true;
}

static bool run_name(const struct ledger_run *run, struct arena *arena, struct str *out,
                     struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&text, "run ");
    buf_add(&text, ledger_short(run->start.id));
    buf_adds(&text, " (");
    buf_add(&text, run->start.name);
    buf_char(&text, ')');
    return buf_keep(&text, arena, out, err);
}

static bool from_run(struct op_context *ctx, struct ledger *ledger,
                     const struct side_request *request, struct change_side *out,
                     struct str *id, struct error *err)
{
    struct ledger_run run;

    if (!ledger_find(ledger, request->what.len > 0 ? request->what : STR("last"), ctx->arena,
                     &run, err)) {
        if (err->kind == ERROR_ABSENT && err->hint[0] == '\0')
            error_hint(err, "there is no such file either; 'stint runs' lists the runs");
        return false;
    }
    *out = (struct change_side){.source = CHANGE_RUN,
                                .unit = STR("job"),
                                .cost = run.totals.cost,
                                .offer = run.start.offer,
                                .price = run.start.rate,
                                .price_width = NAN,
                                .price_date = DAY_UNKNOWN,
                                .variation = NAN};
    out->amount[CHANGE_THOUSAND] = (struct guess){NAN, NAN, NAN};
    if (run.state != RUN_DONE)
        message_warn(&ctx->messages,
                     "run %.*s is not complete (%s): its cost does not cover the complete work",
                     STR_ARG(ledger_short(run.start.id)),
                     ledger_state_word(run.state, run.reason));
    return run_name(&run, ctx->arena, &out->name, err) &&
           str_keep(str_from(run.start.id), ctx->arena, id, err) &&
           add_spread(ctx, ledger, &run, request->except, out, err);
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

/* Which work a run is of, by its first one in the list: the same configuration on the same
 * machine. */
static size_t work_of(const struct ledger_run *runs, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(runs[i].start.digest, runs[at].start.digest) &&
            str_eq(runs[i].start.offer, runs[at].start.offer))
            return i;
    return at;
}

static bool is_repeated(const size_t *works, size_t count, size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (i != at && works[i] == works[at])
            return true;
    return false;
}

/* How much the times of other work differ when it is repeated; NaN: not known. */
static bool find_past_spread(struct op_context *ctx, double *width, struct str *from,
                             struct error *err)
{
    struct ledger_query query = {
        .state = STR("done"), .since = {-1}, .until = {-1}, .limit = MAX_PAST};
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct ledger_run *runs = NULL;
    double values[MAX_PAST];
    size_t works[MAX_PAST], count = 0, known = 0, repeated = 0;
    bool ok = ledger != NULL && ledger_runs(ledger, &query, ctx->arena, &runs, &count, err);

    ledger_close(ledger);
    for (size_t i = 0; ok && i < count && known < MAX_PAST; i++)
        if (runs[i].start.digest.len > 0 && known_seconds(&runs[i]) > 0) {
            values[known] = known_seconds(&runs[i]);
            works[known++] = work_of(runs, i);
        }
    for (size_t i = 0; i < known; i++)
        repeated += is_repeated(works, known, i);
    *width = change_spread_pooled(values, works, known);
    return ok && name_variation(ctx->arena, repeated, "past runs of repeated work", from, err);
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
