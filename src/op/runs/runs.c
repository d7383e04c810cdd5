/* runs.list - what was run, and what it cost. */
#include "op/runs/runs.h"

#include <math.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/moment.h"
#include "op/op.h"
#include "report/csv_rows.h"

static const char *const states[] = {"running",   "done", "failed", "stopped",
                                     "preempted", "lost", NULL};

static const struct field request[] = {
    FIELD(TEXT, runs_request, name, .value = "NAME", .operand = true,
          .help = "only runs of this name; 'bert*' matches"),
    FIELD(TEXT, runs_request, since, .value = "WHEN",
          .help = "begun no longer ago than 7d, or since 2026-11-01"),
    FIELD(TEXT, runs_request, until, .value = "WHEN",
          .help = "begun by then, likewise: of a date, that day counts"),
    FIELD_AS("tag", TEXTS, runs_request, tags, .value = "LIST",
             .help = "only with these tags; team=nlp, 'team=*'"),
    FIELD(CHOICE, runs_request, state, .value = "STATE", .choices = states,
          .help = "running, done, failed, stopped, preempted or lost"),
    FIELD(COUNT, runs_request, limit, .value = "N", .fallback = "20",
          .help = "the newest N; 0: all"),
    FIELD(TEXT, runs_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

static const struct field result[] = {
    FIELD(LIST, runs_result, runs, .row = &run_view_fields, .help = "the newest first"),
    FIELD(COUNT, runs_result, count, .help = "of them"),
    FIELD(FLAG, runs_result, more, .help = "there are older ones"),
    FIELD(USD, runs_result, cost, .help = "of all; null when that of one is not known"),
    FIELD(COUNT, runs_result, cost_unknown, .help = "runs whose cost is not known"),
    FIELD(USD, runs_result, cost_known, .help = "of the others"),
    FIELD(NUMBER, runs_result, energy_kwh, .help = "of all; likewise"),
    FIELD(COUNT, runs_result, energy_unknown, .help = "runs whose energy is not known"),
    FIELD(NUMBER, runs_result, energy_known_kwh, .help = "of the others"),
    FIELD(SPAN, runs_result, took, .help = "seconds, of all"),
    FIELD(TEXT, runs_result, ledger, .help = "the file they are in"),
    FIELD(TEXT, runs_result, csv, .help = "the file they were written to"),
    FIELD(FLAG, runs_result, filtered, .help = "only some were asked for"),
    FIELD(FLAG, runs_result, none_yet, .help = "there is no ledger yet"),
};

/* The columns of the file: names carry the units. */
#define COLUMN(label, kind, member) FIELD_AS(label, kind, run_view, member, .help = "")

static const struct field columns[] = {
    COLUMN("id", TEXT, id),
    COLUMN("name", TEXT, name),
    COLUMN("state", TEXT, state),
    COLUMN("started_utc", TEXT, started),
    COLUMN("ended_utc", TEXT, ended),
    COLUMN("took_s", SPAN, took),
    COLUMN("cost_usd", USD, cost),
    COLUMN("budget_usd", USD, budget),
    COLUMN("energy_kwh", NUMBER, energy_kwh),
    COLUMN("energy_method", TEXT, energy_method),
    COLUMN("energy_error_share", NUMBER, energy_error),
    COLUMN("carbon_g", NUMBER, carbon_g),
    COLUMN("gpu", TEXT, gpu),
    COLUMN("gpus", COUNT, gpus),
    COLUMN("gpu_busy_share", SHARE, gpu_busy),
    COLUMN("score", NUMBER, score),
    COLUMN("status", COUNT, status),
    COLUMN("reason", TEXT, reason),
    COLUMN("attempts", COUNT, attempts),
    COLUMN("preemptions", COUNT, preemptions),
    COLUMN("lost_s", NUMBER, lost_s),
    COLUMN("step", NUMBER, step),
    COLUMN("loss", NUMBER, loss),
    COLUMN("best", NUMBER, best),
    COLUMN("user", TEXT, user),
    COLUMN("host", TEXT, host),
    COLUMN("folder", TEXT, folder),
    COLUMN("command", TEXT, command),
    COLUMN("commit", TEXT, commit),
    COLUMN("tags", TEXTS, tags),
    COLUMN("offer", TEXT, offer),
    COLUMN("market", TEXT, market),
    COLUMN("price_usd_h", RATE, price),
    COLUMN("price_source", TEXT, price_source),
    COLUMN("estimated_usd", USD, estimated_cost),
    COLUMN("estimated_s", SPAN, estimated_time),
    COLUMN("origin", TEXT, origin),
};

static const struct field_set column_set = FIELD_SET(struct run_view, columns);

static void sum_up(struct runs_result *res)
{
    const struct run_view *views = res->runs.at;
    double energy = 0;

    res->cost_known = (usd){0};
    res->took = (span){0};
    res->cost_unknown = res->energy_unknown = 0;
    for (size_t i = 0; views != NULL && i < res->runs.len; i++) {
        const struct run_view *v = &views[i];

        if (v->cost.nano == MONEY_UNKNOWN)
            res->cost_unknown++;
        else
            res->cost_known = usd_add(res->cost_known, v->cost);
        if (isnan(v->energy_kwh))
            res->energy_unknown++;
        else
            energy += v->energy_kwh;
        res->took.ns = v->took.ns < 0 || res->took.ns < 0 ? -1 : res->took.ns + v->took.ns;
    }
    res->cost = res->cost_unknown == 0 ? res->cost_known : USD_UNKNOWN;
    res->energy_known_kwh = energy;
    res->energy_kwh = res->energy_unknown == 0 ? energy : NAN;
    res->count = (int64_t)res->runs.len;
}

static bool write_csv(const struct op_context *ctx, const struct runs_request *req,
                      struct runs_result *res, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *path = str_dup(req->csv, ctx->arena, err);
    bool ok;

    csv_rows_write(&column_set, &res->runs, &text);
    ok = path != NULL && buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    res->csv = req->csv;
    return ok;
}

static bool read_runs(struct op_context *ctx, const struct runs_request *req,
                      struct ledger *ledger, struct runs_result *res, struct error *err)
{
    struct ledger_query query = {.name = req->name,
                                 .tags = req->tags,
                                 .state = req->state,
                                 .limit = req->limit > 0 ? req->limit + 1 : 0};
    const struct ledger_run *runs;
    struct run_view *views;
    size_t count;

    if (!op_moment(ctx, "since", req->since, &query.since, err) ||
        !op_moment_end(ctx, "until", req->until, &query.until, err) ||
        !ledger_runs(ledger, &query, ctx->arena, &runs, &count, err))
        return false;
    res->more = req->limit > 0 && count > (size_t)req->limit;
    count -= res->more;
    views = arena_array(ctx->arena, struct run_view, count, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!run_view_make(&runs[i], ctx->arena, &views[i], err))
            return false;
    res->runs = (struct rows){views, count};
    sum_up(res);
    return req->csv.len == 0 || write_csv(ctx, req, res, err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct runs_request *req = in;
    struct runs_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok;

    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    res->filtered = req->name.len + req->since.len + req->until.len + req->state.len > 0 ||
                    req->tags.len > 0;
    if (ledger == NULL && err->kind == ERROR_ABSENT) { /* nothing was run: that is an answer */
        *err = (struct error){0};
        res->none_yet = true;
        sum_up(res);
        return req->csv.len == 0 || write_csv(ctx, req, res, err);
    }
    if (ledger == NULL)
        return false;
    ok = read_runs(ctx, req, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_runs = {
    .name = "runs",
    .schema = "stint.runs/1",
    .summary = "list past runs and what they cost",
    .request = &(const struct field_set)FIELD_SET(struct runs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct runs_result, result),
    .run = run,
};
