/* top - everything that runs on this ledger now. */
#include "op/run/top.h"

#include <math.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"

#define SILENT_MOST SECONDS_PER_DAY

static const char *const sorts[] = {"cost", "rate", "time", "name", NULL};

static const struct field request[] = {
    FIELD(TEXT, top_request, run, .value = "RUN",
          .help = "show the details of this run: events, curves"),
    FIELD(CHOICE, top_request, sort, .value = "ORDER", .choices = sorts, .fallback = "cost",
          .help = "sort by cost, rate, time or name"),
    FIELD(FLAG, top_request, all,
          .help = "include runs on other machines that were last seen within a day"),
    FIELD(FLAG, top_request, once, .help = "print the table once and exit"),
};

static const struct field result[] = {
    FIELD(TIME, top_result, at, .help = "current time, in UTC"),
    FIELD(COUNT, top_result, running, .help = "number of running runs"),
    FIELD(COUNT, top_result, machines, .help = "machines with running runs"),
    FIELD(RATE, top_result, rate, .help = "cost per hour of all runs whose rate is known"),
    FIELD(COUNT, top_result, rate_unknown, .help = "runs without a known rate"),
    FIELD(USD, top_result, today, .help = "cost of all runs since midnight UTC"),
    FIELD(USD, top_result, month, .help = "cost of all runs since the first of the month"),
    FIELD(COUNT, top_result, month_unknown, .help = "attempts whose cost is not included"),
    FIELD(MONEY, top_result, budget, .help = "monthly budget"),
    FIELD(NUMBER, top_result, budget_share, .help = "month's spending divided by the budget"),
    FIELD(LIST, top_result, runs, .row = &live_run_fields,
          .help = "runs in the requested order"),
    FIELD_AS("events", LIST, top_result, details.events, .row = &live_event_fields,
             .help = "events of the run given with --run, newest first"),
    FIELD_AS("busy", NUMBERS, top_result, details.busy,
             .help = "busy share of its GPUs, evenly over its time"),
    FIELD_AS("device_busy", NUMBERS, top_result, details.devices,
             .help = "busy share of each of its GPUs now"),
    FIELD_AS("watts", NUMBERS, top_result, details.watts, .help = "power over time"),
    FIELD_AS("loss", NUMBERS, top_result, details.loss, .help = "loss over time"),
    FIELD(TEXT, top_result, ledger, .help = "ledger that the runs are recorded in"),
    FIELD(FLAG, top_result, no_ledger, .help = "no ledger exists yet"),
};

static bool read_spent(struct ledger *ledger, struct top_result *res, struct error *err)
{
    stamp now = res->at;
    stamp today = {now.s - now.s % SECONDS_PER_DAY};
    int64_t unknown;
    double budget;

    if (!ledger_spent(ledger, today, &res->today, &unknown, err) ||
        !ledger_spent(ledger, stamp_month(now), &res->month, &res->month_unknown, err))
        return false;
    budget = currency_is(res->budget.currency, currency_usd)
                 ? decimal_double(res->budget.amount)
                 : 0;
    res->budget_share = budget > 0 ? usd_double(res->month) / budget : NAN;
    return true;
}

static void sum_top_runs(struct top_result *res)
{
    const struct live_run *runs = res->runs.at;

    res->rate = (usd_per_hour){0};
    res->rate_unknown = res->machines = 0;
    res->running = (int64_t)res->runs.len;
    for (size_t i = 0; i < res->runs.len; i++) {
        bool seen = false;

        if (runs[i].rate.nano == MONEY_UNKNOWN)
            res->rate_unknown++;
        else
            res->rate.nano = usd_add((usd){res->rate.nano}, (usd){runs[i].rate.nano}).nano;
        for (size_t j = 0; j < i && !seen; j++)
            seen = str_eq(runs[i].host, runs[j].host);
        res->machines += !seen;
    }
}

/* A run on another machine that was heard of lately may only be cut off: its end is not on
 * record, and it may still cost money. One on this machine is known to be gone. */
static bool may_be_running(const struct live_run *run)
{
    return run->run.state == RUN_RUNNING || (run->pid < 0 && run->silent_s < SILENT_MOST);
}

static size_t leave_out_ended(struct live_run *rows, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (may_be_running(&rows[i]))
            rows[kept++] = rows[i];
    return kept;
}

static bool read_top_ledger(struct op_context *ctx, const struct top_request *req,
                            struct ledger *ledger, struct top_result *res, struct error *err)
{
    struct ledger_query query = {.state = req->all ? STR("") : STR("running"),
                                 .unfinished = req->all,
                                 .since = {-1},
                                 .until = {-1}};
    const struct ledger_run *runs;
    struct ledger_run one;
    struct live_run *rows;
    const char *id;
    size_t count;

    if (!op_team_condition(ctx, &query.tags, err) ||
        !ledger_runs(ledger, &query, ctx->arena, &runs, &count, err) ||
        (rows = live_runs_read(ledger, runs, count, res->at, ctx->arena, err)) == NULL ||
        (ctx->team.len == 0 && !read_spent(ledger, res, err)))
        return false;
    if (req->all)
        count = leave_out_ended(rows, count);
    live_runs_sort(rows, count, req->sort);
    res->runs = (struct rows){rows, count};
    sum_top_runs(res);
    if (req->run.len == 0)
        return true;
    if (!op_find_run(ctx, ledger, req->run, ctx->arena, &one, err) ||
        (id = str_dup(str_from(one.start.id), ctx->arena, err)) == NULL)
        return false;
    res->run = str_from(id);
    return live_details_read(ledger, &one, ctx->arena, &res->details, err);
}

static bool top_read(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct top_request *req = in;
    struct top_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok;

    if (ctx->team.len == 0)
        res->budget = ctx->settings->budget;
    res->budget_share = NAN;
    res->at = op_now(ctx);
    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    if (ledger == NULL && err->kind == ERROR_ABSENT && req->run.len == 0) {
        *err = (struct error){0};
        res->no_ledger = true; /* so nothing was spent */
        res->today = res->month = (usd){0};
        res->month_unknown = 0;
        sum_top_runs(res);
        return true;
    }
    if (ledger == NULL)
        return false;
    ok = read_top_ledger(ctx, req, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_top = {
    .name = "top",
    .schema = "stint.top/1",
    .summary = "show what is running and what it costs",
    .remote = OP_READ,
    .team = OP_TEAM_OWN,
    .request = &(const struct field_set)FIELD_SET(struct top_request, request),
    .result = &(const struct field_set)FIELD_SET(struct top_result, result),
    .run = top_read,
};
