/* costs - where the money went: by dimension and period, by month, what changed, GPUs, spot,
 * repeated runs. */
#include "op/account/costs.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

#define DAYS 30 /* by default */
#define REPEATS_DAYS 90
#define MONTHS_MOST 120

/* ---- costs ---- */

static const char *const sorts[] = {"cost", "name", "change", NULL};

static const struct field costs_request_list[] = {
    FIELD(TEXTS, costs_request, by, .value = "LIST",
          .help = "dimensions, and day, week, month, quarter or year (default: provider; of "
                  "storage tier,provider)"),
    COSTS_ASK(costs_request, "30d"),
    FIELD(CHOICE, costs_request, sort, .value = "ORDER", .choices = sorts, .fallback = "cost",
          .help = "order: cost, name, or change (from as many days, or the month, before)"),
    FIELD(COUNT, costs_request, limit, .value = "N", .fallback = "20",
          .help = "show N groups and sum up the others; 0: all"),
    OP_CSV(costs_request),
};

static const struct field costs_result_list[] = {
    FIELD(TEXTS, costs_result, by, .help = "dimensions"),
    FIELD(TEXT, costs_result, grain, .help = "day, week, month, quarter or year"),
    FIELD_AS("rows", TABLE, costs_result, costs.rows,
             .help = "rows, one for each group and period, with all digits"),
    FIELD_AS("totals", LIST, costs_result, costs.totals, .row = &costs_total_fields,
             .help = "totals, one for each currency"),
    FIELD_AS("compared", FLAG, costs_result, costs.compared,
             .help = "comparison with the days before is included"),
    FIELD_AS("before", RECORD, costs_result, costs.before, .row = &costs_compared_fields,
             .help = "comparison period"),
    FIELD(RECORD, costs_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(costs_result),
};

static const struct field_set costs_request_set =
    FIELD_SET(struct costs_request, costs_request_list);
static const struct field_set costs_result_set =
    FIELD_SET(struct costs_result, costs_result_list);

static bool costs_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    static const struct str provider = {"provider", 8};
    const struct costs_request *req = in;
    struct costs_result *res = out;
    struct strs by = req->by.len > 0 ? req->by : (struct strs){&provider, 1};
    struct costs_question question = {.sort = str_eq(req->sort, STR("name"))     ? SORT_NAME
                                              : str_eq(req->sort, STR("change")) ? SORT_CHANGE
                                                                                 : SORT_COST,
                                      .month = req->ask.days.month.len > 0,
                                      .limit = req->limit};
    struct account_source account;
    struct ledger *ledger = NULL;
    bool ok;

    if (!costs_by(by, &question.by, err) ||
        !costs_by_names(&question.by, ctx->arena, &res->by, err) ||
        !costs_query(&req->ask, op_today(ctx), DAYS, &question.query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    if (question.by.grain != COSTS_WHOLE)
        res->grain = str_from(costs_grain_name(question.by.grain));
    account = op_account(ctx, ledger);
    ok = account_breakdown(&account, &question, &res->costs, err);
    costs_basis_of(ctx, ledger, &question.query, &req->ask, &res->costs.spent, &res->basis);
    ledger_close(ledger);
    res->csv = req->csv;
    return ok && op_csv(ctx, req->csv, NULL, &res->costs.rows, err);
}

const struct op op_costs = {
    .name = "costs",
    .schema = "stint.costs/1",
    .summary = "show where the money went, by any dimension and period",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &costs_request_set,
    .result = &costs_result_set,
    .run = costs_run,
};

/* The conditions and one more. */
static bool add_condition(struct strs where, struct str also, struct arena *arena,
                          struct strs *out, struct error *err)
{
    struct str *all = arena_array(arena, struct str, where.len + 1, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < where.len; i++)
        all[i] = where.at[i];
    all[where.len] = also;
    *out = (struct strs){all, where.len + 1};
    return true;
}

/* The same question, about storage. */
static bool costs_storage_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    static const struct str names[] = {{"tier", 4}, {"provider", 8}};
    struct costs_request asked = *(const struct costs_request *)in;

    if (asked.by.len == 0)
        asked.by = (struct strs){names, ARRAY_LEN(names)};
    return add_condition(asked.ask.where, STR("category=Storage"), ctx->arena, &asked.ask.where,
                         err) &&
           costs_run(ctx, &asked, out, err);
}

const struct op op_costs_storage = {
    .name = "costs.storage",
    .schema = "stint.costs.storage/1",
    .summary = "show storage costs by tier",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &costs_request_set,
    .result = &costs_result_set,
    .run = costs_storage_run,
};

/* ---- costs.trend ---- */

static const struct field trend_request[] = {
    FIELD(TEXTS, costs_trend_request, by, .value = "LIST",
          .help = "dimensions; a trend for each of their values"),
    FIELD(COUNT, costs_trend_request, months, .value = "N", .fallback = "6", .positive = true,
          .help = "number of months, including the running one"),
    COSTS_ASK_WHAT(costs_trend_request),
    FIELD(COUNT, costs_trend_request, limit, .value = "N", .fallback = "10",
          .help = "show N groups and sum up the others; 0: all"),
    OP_CSV(costs_trend_request),
};

static const struct field trend_result[] = {
    FIELD(TEXTS, costs_trend_result, by, .help = "dimensions"),
    FIELD_AS("rows", TABLE, costs_trend_result, trend.rows,
             .help = "rows, one for each group and month, oldest first"),
    FIELD_AS("running", DAY, costs_trend_result, trend.running,
             .help = "first day of the running month"),
    FIELD_AS("running_days", COUNT, costs_trend_result, trend.running_days,
             .help = "days of it that count, compared with as many of the month before"),
    FIELD_AS("before", RECORD, costs_trend_result, trend.before, .row = &costs_compared_fields,
             .help = "days that the running month is compared with"),
    FIELD(RECORD, costs_trend_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(costs_trend_result),
};

static bool costs_trend_run(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    const struct costs_trend_request *req = in;
    struct costs_trend_result *res = out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct spending_query query;
    struct costs_by by;
    bool ok;

    if (req->months > MONTHS_MOST)
        return error_fail(err, ERROR_USAGE, "--months: at most %d", MONTHS_MOST);
    if (!costs_by(req->by, &by, err))
        return false;
    if (by.grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE,
                          "--by: a trend is by month; 'stint costs' takes "
                          "other lengths of time");
    if (!costs_by_names(&by, ctx->arena, &res->by, err) ||
        !costs_query(&req->ask, op_today(ctx), 1, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    ok = account_trend(&account, &by, req->months, req->limit, &query, &res->trend, err);
    costs_basis_of(ctx, ledger, &query, &req->ask, &res->trend.spent, &res->basis);
    ledger_close(ledger);
    res->csv = req->csv;
    return ok && op_csv(ctx, req->csv, NULL, &res->trend.rows, err);
}

const struct op op_costs_trend = {
    .name = "costs.trend",
    .schema = "stint.costs.trend/1",
    .summary = "show costs month by month",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct costs_trend_request, trend_request),
    .result = &(const struct field_set)FIELD_SET(struct costs_trend_result, trend_result),
    .run = costs_trend_run,
};

/* ---- costs.movers ---- */

static const struct field movers_request[] = {
    FIELD(TEXTS, costs_movers_request, by, .value = "LIST",
          .help = "dimensions, each by itself (default: those that show where money went)"),
    COSTS_ASK(costs_movers_request, "30d"),
    FIELD(COUNT, costs_movers_request, limit, .value = "N", .fallback = "10",
          .help = "show the largest N of each currency; 0: all"),
    OP_CSV(costs_movers_request),
};

static const struct field movers_result[] = {
    FIELD_AS("movers", LIST, costs_movers_result, found.movers, .row = &costs_mover_fields,
             .help = "changes, largest first"),
    FIELD_AS("totals", LIST, costs_movers_result, found.totals, .row = &costs_mover_fields,
             .help = "totals of everything"),
    FIELD_AS("credits", LIST, costs_movers_result, found.credits, .row = &costs_apart_fields,
             .help = "credits in these days: not included"),
    FIELD_AS("credits_before", LIST, costs_movers_result, found.credits_before,
             .row = &costs_apart_fields, .help = "credits in the days before"),
    FIELD_AS("before", RECORD, costs_movers_result, found.before, .row = &costs_compared_fields,
             .help = "days before"),
    FIELD(RECORD, costs_movers_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(costs_movers_result),
};

static bool costs_movers_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct costs_movers_request *req = in;
    struct costs_movers_result *res = out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct table_rows rows;
    struct spending_query query;
    struct costs_by by;
    bool ok;

    if (!costs_by(req->by, &by, err) ||
        !costs_query(&req->ask, op_today(ctx), DAYS, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    query.by = by.bits;
    ok = account_movers(&account, &query, req->ask.days.month.len > 0, req->limit, &res->found,
                        err);
    costs_basis_of(ctx, ledger, &query, &req->ask, &res->found.spent, &res->basis);
    ledger_close(ledger);
    if (!ok)
        return false;
    res->csv = req->csv;
    rows =
        (struct table_rows){&costs_mover_fields, res->found.movers.at, res->found.movers.len};
    return op_csv(ctx, req->csv, NULL, &rows, err);
}

const struct op op_costs_movers = {
    .name = "costs.movers",
    .schema = "stint.costs.movers/1",
    .summary = "show the largest changes between two periods",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct costs_movers_request, movers_request),
    .result = &(const struct field_set)FIELD_SET(struct costs_movers_result, movers_result),
    .run = costs_movers_run,
};

/* ---- costs.gpus ---- */

static const struct field gpus_request[] = {
    FIELD(TEXTS, costs_gpus_request, by, .value = "LIST", .help = "dimensions (default: team)"),
    OP_PERIOD(costs_gpus_request, ask.days, "30d"),
    OP_WHERE(costs_gpus_request, ask.where),
    OP_CSV(costs_gpus_request),
};

static const struct field gpus_result[] = {
    FIELD(TEXTS, costs_gpus_result, by, .help = "dimensions"),
    FIELD_AS("rows", TABLE, costs_gpus_result, gpus.rows,
             .help = "rows, the largest idle cost first"),
    FIELD_AS("total", RECORD, costs_gpus_result, gpus.total, .row = &costs_gpus_row_fields,
             .help = "total"),
    FIELD_AS("without", COUNT, costs_gpus_result, gpus.without,
             .help = "runs without a GPU: not included"),
    FIELD(RECORD, costs_gpus_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(costs_gpus_result),
};

static bool costs_gpus_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    static const struct spending_answer no_bills = {
        .billed_until = {INT32_MIN}, .rates = {.from = {INT32_MIN}, .to = {INT32_MIN}}};
    const struct costs_gpus_request *req = in;
    struct costs_gpus_result *res = out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct spending_query query;
    struct costs_by by;
    bool ok;

    if (!costs_by_dimensions(req->by, "team", ctx->arena, &by, &res->by, err) ||
        !costs_query(&req->ask, op_today(ctx), DAYS, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    ok = account_gpus(&account, &by, &query, &res->gpus, err);
    costs_basis_of(ctx, ledger, &query, &req->ask, &no_bills, &res->basis);
    ledger_close(ledger);
    res->csv = req->csv;
    return ok && op_csv(ctx, req->csv, NULL, &res->gpus.rows, err);
}

const struct op op_costs_gpus = {
    .name = "costs.gpus",
    .schema = "stint.costs.gpus/1",
    .summary = "show GPU utilization and the cost of idle GPUs",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct costs_gpus_request, gpus_request),
    .result = &(const struct field_set)FIELD_SET(struct costs_gpus_result, gpus_result),
    .run = costs_gpus_run,
};

/* ---- costs.spot ---- */

static const struct field spot_request[] = {
    FIELD(TEXTS, costs_spot_request, by, .value = "LIST",
          .help = "dimensions; the shares of each of their values"),
    COSTS_ASK(costs_spot_request, "30d"),
    OP_CSV(costs_spot_request),
};

static const struct field spot_result[] = {
    FIELD(TEXTS, costs_spot_result, by, .help = "dimensions"),
    FIELD_AS("rows", TABLE, costs_spot_result, spot.rows,
             .help = "rows, the largest cost first"),
    FIELD_AS("totals", LIST, costs_spot_result, spot.totals, .row = &costs_spot_row_fields,
             .help = "totals, one for each currency"),
    FIELD_AS("credits", LIST, costs_spot_result, spot.credits, .row = &costs_apart_fields,
             .help = "credits for machines: not included"),
    FIELD(RECORD, costs_spot_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(costs_spot_result),
};

static bool costs_spot_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct costs_spot_request *req = in;
    struct costs_spot_result *res = out;
    struct costs_ask ask = req->ask;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct spending_query query;
    struct costs_by by;
    bool ok;

    if (!costs_by_dimensions(req->by, NULL, ctx->arena, &by, &res->by, err) ||
        !add_condition(ask.where, STR("category=Compute"), ctx->arena, &ask.where, err) ||
        !costs_query(&ask, op_today(ctx), DAYS, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    ok = account_spot(&account, &by, &query, &res->spot, err);
    costs_basis_of(ctx, ledger, &query, &ask, &res->spot.spent, &res->basis);
    ledger_close(ledger);
    res->csv = req->csv;
    return ok && op_csv(ctx, req->csv, NULL, &res->spot.rows, err);
}

const struct op op_costs_spot = {
    .name = "costs.spot",
    .schema = "stint.costs.spot/1",
    .summary = "show the shares of spot, committed and on-demand use",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct costs_spot_request, spot_request),
    .result = &(const struct field_set)FIELD_SET(struct costs_spot_result, spot_result),
    .run = costs_spot_run,
};

/* ---- costs.repeats ---- */

static const struct field repeats_request[] = {
    OP_SINCE_UNTIL(costs_repeats_request, days, "90d"),
    FIELD(COUNT, costs_repeats_request, limit, .value = "N", .fallback = "20",
          .help = "show the most expensive N; 0: all"),
    OP_CSV(costs_repeats_request),
};

static const struct field repeats_result[] = {
    FIELD_AS("repeats", LIST, costs_repeats_result, found.repeats, .row = &costs_repeat_fields,
             .help = "repeated configurations, the most expensive first"),
    FIELD_AS("configurations", COUNT, costs_repeats_result, found.configurations,
             .help = "configurations that were run again"),
    FIELD_AS("again", COUNT, costs_repeats_result, found.again,
             .help = "runs that repeated an earlier one"),
    FIELD_AS("repeated", USD, costs_repeats_result, found.repeated,
             .help = "known cost of the repeated runs"),
    FIELD_AS("unpriced", COUNT, costs_repeats_result, found.unpriced,
             .help = "repeated runs without a known cost"),
    FIELD(TEXT, costs_repeats_result, ledger, .help = "ledger file"),
    FIELD(FLAG, costs_repeats_result, no_ledger, .help = "no ledger exists yet"),
    OP_CSV_WRITTEN(costs_repeats_result),
};

static bool costs_repeats_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    const struct costs_repeats_request *req = in;
    struct costs_repeats_result *res = out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct table_rows rows;
    day since, until;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, REPEATS_DAYS, &since, &until, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    res->ledger = op_ledger_shown(ctx);
    res->no_ledger = ledger == NULL;
    account = op_account(ctx, ledger);
    ok = account_repeats(&account, since, until, req->limit, &res->found, err);
    ledger_close(ledger);
    res->csv = req->csv;
    rows = (struct table_rows){&costs_repeat_fields, res->found.repeats.at,
                               res->found.repeats.len};
    return ok && op_csv(ctx, req->csv, NULL, &rows, err);
}

const struct op op_costs_repeats = {
    .name = "costs.repeats",
    .schema = "stint.costs.repeats/1",
    .summary = "list runs that repeat an earlier configuration",
    .remote = OP_READ,
    .request =
        &(const struct field_set)FIELD_SET(struct costs_repeats_request, repeats_request),
    .result = &(const struct field_set)FIELD_SET(struct costs_repeats_result, repeats_result),
    .run = costs_repeats_run,
};
