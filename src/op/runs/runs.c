/* runs.list - what was run, and what it cost. */
#include "op/runs/runs.h"

#include "op/context.h"
#include "op/op.h"
#include "op/options.h"
#include "op/remote.h"
#include "report/records.h"

static const char *const states[] = {"running", "done",     "failed", "stopped", "preempted",
                                     "lost",    "detached", "ended",  NULL};

static const char *const sorts[] = {[LEDGER_NEWEST] = "newest",
                                    [LEDGER_COST] = "cost",
                                    [LEDGER_TIME] = "time",
                                    [LEDGER_ENERGY] = "energy",
                                    [LEDGER_ORDERS] = NULL};

static const struct field request[] = {
    FIELD(TEXT, runs_request, name, .value = "NAME", .operand = true,
          .help = "run name; 'bert*' is a pattern"),
    FIELD(TEXT, runs_request, since, .value = "WHEN",
          .help = "show runs started in the last 7d, or since 2026-11-01"),
    FIELD(TEXT, runs_request, until, .value = "WHEN",
          .help = "show runs started until then; a day is included"),
    FIELD(TEXT, runs_request, before, .value = "RUN",
          .help = "show runs that follow this run in the list: older ones"),
    FIELD_AS("tag", TEXTS, runs_request, tags, .value = "LIST",
             .help = "show runs with these tags: team=nlp, 'team=*'"),
    FIELD(CHOICE, runs_request, state, .value = "STATE", .choices = states,
          .help =
              "show runs in this state: running, done, failed, stopped, preempted or lost; "
              "for attached processes also detached (it continued) or ended (status unknown)"),
    FIELD(COUNT, runs_request, limit, .value = "N", .fallback = "20",
          .help = "show the first N; 0: all"),
    FIELD(CHOICE, runs_request, sort, .value = "ORDER", .choices = sorts, .fallback = "newest",
          .help = "order: newest first, or the highest cost, time or energy first"),
    FIELD(FLAG, runs_request, reverse,
          .help = "reverse the order of --sort cost, time or energy: lowest first"),
    OP_CSV(runs_request),
};

static const struct field result[] = {
    FIELD(LIST, runs_result, runs, .row = &ledger_run_fields,
          .help = "runs, newest first unless requested otherwise"),
    FIELD(COUNT, runs_result, count, .help = "number of runs"),
    FIELD(FLAG, runs_result, more, .help = "more runs follow"),
    FIELD(TEXT, runs_result, next,
          .help = "ID to give as `before` to list the runs that follow"),
    FIELD_AS("cost", USD, runs_result, sum.cost,
             .help = "cost of all runs; null if one is unknown"),
    FIELD_AS("cost_unknown", COUNT, runs_result, sum.cost_unknown,
             .help = "runs without a known cost"),
    FIELD_AS("cost_known", USD, runs_result, sum.cost_known,
             .help = "cost of the runs whose cost is known"),
    FIELD_AS("energy_kwh", NUMBER, runs_result, sum.energy_kwh,
             .help = "energy of all runs; null if one is unknown"),
    FIELD_AS("energy_unknown", COUNT, runs_result, sum.energy_unknown,
             .help = "runs without a known energy"),
    FIELD_AS("energy_known_kwh", NUMBER, runs_result, sum.energy_known_kwh,
             .help = "energy of the runs whose energy is known"),
    FIELD_AS("duration", SPAN, runs_result, sum.took, .help = "duration of all runs, s"),
    FIELD(TEXT, runs_result, ledger, .help = "ledger that holds them"),
    OP_CSV_WRITTEN(runs_result),
    FIELD(FLAG, runs_result, filtered, .help = "filters were applied"),
    FIELD(FLAG, runs_result, no_ledger, .help = "no ledger exists yet"),
};

static void count_listed_runs(struct runs_result *res)
{
    res->sum = ledger_run_sum(res->runs.at, res->runs.len);
    res->count = (int64_t)res->runs.len;
}

static bool write_runs_csv(const struct op_context *ctx, const struct runs_request *req,
                           struct runs_result *res, struct error *err)
{
    const struct table_rows rows = {&ledger_run_fields, res->runs.at, res->runs.len};

    res->csv = req->csv;
    return op_csv(ctx, req->csv, &run_columns[PLACE_FILE], &rows, err);
}

/* A cursor goes through runs by their start. */
static bool read_order(const struct runs_request *req, struct ledger_query *query,
                       struct error *err)
{
    for (int i = LEDGER_NEWEST; i < LEDGER_ORDERS; i++)
        if (str_eq(req->sort, str_from(sorts[i])))
            query->order = (enum ledger_order)i;
    query->reverse = req->reverse;
    if (query->order != LEDGER_NEWEST && req->before.len > 0) {
        error_set(err, ERROR_USAGE, "--before goes back in time: it does not fit --sort %.*s",
                  STR_ARG(req->sort));
        error_hint(err, "leave one of them out, or list more of them with --limit");
        return false;
    }
    if (query->order == LEDGER_NEWEST && req->reverse) {
        error_set(err, ERROR_USAGE, "--reverse is for runs by cost, time or energy");
        error_hint(err, "add --sort cost");
        return false;
    }
    return true;
}

static bool read_listed_runs(struct op_context *ctx, const struct runs_request *req,
                             struct ledger *ledger, struct runs_result *res, struct error *err)
{
    struct ledger_query query = {.name = req->name,
                                 .tags = req->tags,
                                 .state = req->state,
                                 .limit = req->limit > 0 ? req->limit + 1 : 0};
    const struct ledger_run *runs;
    struct ledger_run before;
    size_t count;

    if (!read_order(req, &query, err))
        return false;
    if (req->before.len > 0) {
        if (!op_find_run(ctx, ledger, req->before, ctx->arena, &before, err))
            return false;
        query.before = str_from(before.start.id);
    }
    if (!moment_parse(op_now(ctx), "since", req->since, &query.since, err) ||
        !moment_end_parse(op_now(ctx), "until", req->until, &query.until, err) ||
        !ledger_runs(ledger, &query, ctx->arena, &runs, &count, err))
        return false;
    res->more = req->limit > 0 && count > (size_t)req->limit;
    res->runs = (struct rows){runs, count - res->more};
    if (res->more && query.order == LEDGER_NEWEST)
        res->next = str_from(runs[res->runs.len - 1].start.id);
    count_listed_runs(res);
    return write_runs_csv(ctx, req, res, err);
}

static bool list_runs(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct runs_request *req = in;
    struct runs_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok;

    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    res->filtered =
        req->name.len + req->since.len + req->until.len + req->before.len + req->state.len >
            0 ||
        req->tags.len > 0;
    if (ledger == NULL && err->kind == ERROR_ABSENT) { /* nothing was run: no error */
        *err = (struct error){0};
        res->no_ledger = true;
        count_listed_runs(res);
        return write_runs_csv(ctx, req, res, err);
    }
    if (ledger == NULL)
        return false;
    ok = read_listed_runs(ctx, req, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_runs = {
    .name = "runs",
    .schema = "stint.runs/1",
    .summary = "list past runs and what they cost",
    .remote = OP_READ,
    .team = OP_TEAM_TAG,
    .request = &(const struct field_set)FIELD_SET(struct runs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct runs_result, result),
    .run = list_runs,
};
