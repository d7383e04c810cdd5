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
    FIELD_AS("running", COUNT, top_result, sum.running, .help = "number of running runs"),
    FIELD_AS("machines", COUNT, top_result, sum.machines, .help = "machines with running runs"),
    FIELD_AS("rate", RATE, top_result, sum.rate,
             .help = "cost per hour of all runs whose rate is known"),
    FIELD_AS("rate_unknown", COUNT, top_result, sum.rate_unknown,
             .help = "runs without a known rate"),
    FIELD_AS("today", USD, top_result, spent.today,
             .help = "cost of all runs since midnight UTC"),
    FIELD_AS("month", USD, top_result, spent.month,
             .help = "cost of all runs since the first of the month"),
    FIELD_AS("month_unknown", COUNT, top_result, spent.month_unknown,
             .help = "attempts whose cost is not included"),
    FIELD_AS("budget", MONEY, top_result, spent.budget, .help = "monthly budget"),
    FIELD_AS("budget_share", NUMBER, top_result, spent.share,
             .help = "month's spending divided by the budget"),
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
        (ctx->team.len == 0 && !live_spent_read(ledger, res->at, &res->spent, err)))
        return false;
    if (req->all)
        count = leave_out_ended(rows, count);
    live_runs_sort(rows, count, req->sort);
    res->runs = (struct rows){rows, count};
    res->sum = live_runs_sum(rows, count);
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
        res->spent.budget = ctx->settings->budget;
    res->spent.share = NAN;
    res->at = op_now(ctx);
    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    if (ledger == NULL && err->kind == ERROR_ABSENT && req->run.len == 0) {
        *err = (struct error){0};
        res->no_ledger = true; /* so nothing was spent */
        res->spent.today = res->spent.month = (usd){0};
        res->spent.month_unknown = 0;
        res->sum = (struct live_sum){0};
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
