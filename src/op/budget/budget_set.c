/* budget.set, budget.remove. */
#include <math.h>

#include "account/query/condition.h"
#include "base/num.h"
#include "op/budget/budget.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"
#include "unit/zone.h"

#define MOST_THRESHOLDS 20

static const char *const periods[] = {"month", "quarter", "year", "total", NULL};

static const struct field request[] = {
    FIELD(TEXT, budget_set_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the budget"),
    FIELD(MONEY, budget_set_request, amount, .value = "AMOUNT", .operand = true,
          .help = "amount per period: 5000usd; may be omitted to change an existing budget"),
    FIELD(CHOICE, budget_set_request, period, .value = "PERIOD", .choices = periods,
          .help = "month, quarter, year or total (default: month)"),
    FIELD(TEXTS, budget_set_request, where, .value = "CONDITION", .whole = true,
          .help = "conditions on costs: team=nlp, 'gpu=H100*'; may be repeated, all must "
                  "match; none: all costs"),
    FIELD(TEXTS, budget_set_request, thresholds, .value = "LIST",
          .help = "alert at these percentages spent: 50,75,90,100; none"),
    FIELD(TEXTS, budget_set_request, forecast, .value = "LIST",
          .help = "alert when the forecast reaches these percentages: 100; none"),
    FIELD(TEXTS, budget_set_request, alert, .value = "LIST",
          .help = "channels to alert, or none"),
    FIELD(FLAG, budget_set_request, rollover, .help = "add unspent budget to the next period"),
    FIELD(FLAG, budget_set_request, no_rollover, .help = "stop adding unspent budget"),
    FIELD(FLAG, budget_set_request, stop,
          .help = "stop runs that it covers when the budget is spent"),
    FIELD(FLAG, budget_set_request, no_stop, .help = "no longer stop runs"),
    FIELD(TEXT, budget_set_request, zone, .value = "ZONE",
          .help = "time zone of its periods: Europe/Berlin (default: UTC)"),
    FIELD(DAY, budget_set_request, first_day, .value = "DAY",
          .help = "first day of a total budget"),
    FIELD(DAY, budget_set_request, last_day, .value = "DAY",
          .help = "last day of a total budget"),
};
static const struct field_set request_set = FIELD_SET(struct budget_set_request, request);

#define BUDGET(label, kind, member, text) \
    FIELD_AS(label, kind, budget_set_result, budget.member, .help = (text))

static const struct field result[] = {
    BUDGET("name", TEXT, name, "name of the budget"),
    FIELD(FLAG, budget_set_result, changed, .help = "existing budget was changed"),
    BUDGET("amount", MONEY, amount, "amount per period"),
    BUDGET("period", TEXT, period, "month, quarter, year or total"),
    BUDGET("where", TEXTS, scope, "conditions on the costs that count"),
    BUDGET("channels", TEXTS, channels, "alert channels"),
    BUDGET("thresholds", NUMBERS, thresholds, "alert thresholds, as shares"),
    BUDGET("forecast", NUMBERS, forecast, "alert thresholds of the forecast"),
    BUDGET("rollover", FLAG, rollover, "unspent budget is added to the next period"),
    BUDGET("stops", FLAG, stops, "runs that it covers are stopped when it is spent"),
    BUDGET("zone", TEXT, zone, "time zone of its periods"),
};
static const struct field_set result_set = FIELD_SET(struct budget_set_result, result);

static const struct field remove_request[] = {
    FIELD(TEXT, budget_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the budget"),
};
static const struct field_set remove_request_set =
    FIELD_SET(struct budget_request, remove_request);

static const struct field remove_result[] = {
    FIELD(TEXT, budget_remove_result, name, .help = "name of the budget"),
    FIELD(RECORD, budget_remove_result, delivered, .row = &alert_sent_fields,
          .help = "messages sent"),
};
static const struct field_set remove_result_set =
    FIELD_SET(struct budget_remove_result, remove_result);

/* ---- values ---- */

static bool is_none_list(struct strs list)
{
    return list.len == 1 && str_eq(list.at[0], STR("none"));
}

/* Each threshold once, sorted. */
static void put_sorted(double *list, size_t *count, double value)
{
    size_t at = *count;

    for (size_t i = 0; i < *count; i++)
        if (list[i] == value)
            return;
    for (; at > 0 && list[at - 1] > value; at--)
        list[at] = list[at - 1];
    list[at] = value;
    ++*count;
}

static bool take_percents(struct op_context *ctx, struct strs texts, const char *option,
                          struct numbers *out, struct error *err)
{
    double *list;

    if (texts.len == 0) /* not given: keep the old ones */
        return true;
    if (texts.len > MOST_THRESHOLDS)
        return error_fail(err, ERROR_USAGE, "%s: more than %d", option, MOST_THRESHOLDS);
    list = arena_array(ctx->arena, double, texts.len, err);
    if (list == NULL)
        return false;
    *out = (struct numbers){list, 0};
    for (size_t i = 0; i < texts.len && !is_none_list(texts); i++) {
        double value;

        if (!num_percent(texts.at[i], &value)) {
            error_set(err, ERROR_USAGE, "%s: '%.*s' is not a percentage", option,
                      STR_ARG(texts.at[i]));
            error_hint(err, "write it as %s 50,75,90,100 or %s none", option, option);
            return false;
        }
        put_sorted(list, &out->len, value);
    }
    return true;
}

static bool take_budget_amount(const struct budget_set_request *req, bool there,
                               struct ledger_budget *b, struct error *err)
{
    if (!currency_unset(req->amount.currency))
        b->amount = req->amount;
    else if (!there) {
        error_set(err, ERROR_USAGE, "a new budget needs an amount");
        error_hint(err, "stint budget set %.*s 500usd", STR_ARG(req->name));
        return false;
    }
    return b->amount.amount.coefficient > 0 ||
           error_fail(err, ERROR_USAGE, "the amount must be above 0");
}

static bool take_scope(const struct budget_set_request *req, struct ledger_budget *b,
                       struct error *err)
{
    if (req->where.len == 0)
        return true;
    b->scope = !is_none_list(req->where) ? req->where : (struct strs){0};
    for (size_t i = 0; i < b->scope.len; i++) {
        struct condition scope;

        if (!condition_parse(b->scope.at[i], &scope, err))
            return false;
    }
    return true;
}

static bool take_switches(const struct budget_set_request *req, struct ledger_budget *b,
                          struct error *err)
{
    if ((req->rollover && req->no_rollover) || (req->stop && req->no_stop))
        return error_fail(err, ERROR_USAGE, "one or the other: --%s or --no-%s",
                          req->stop && req->no_stop ? "stop" : "rollover",
                          req->stop && req->no_stop ? "stop" : "rollover");
    b->rollover = (b->rollover || req->rollover) && !req->no_rollover;
    b->stops = (b->stops || req->stop) && !req->no_stop;
    return true;
}

static bool take_budget_period(const struct budget_set_request *req, struct ledger_budget *b,
                               struct error *err)
{
    if (req->period.len > 0)
        b->period = req->period;
    if (req->first_day.n != DAY_UNKNOWN.n)
        b->first_day = req->first_day;
    if (req->last_day.n != DAY_UNKNOWN.n)
        b->last_day = req->last_day;
    if (!str_eq(b->period, STR("total"))) {
        if (req->first_day.n != DAY_UNKNOWN.n || req->last_day.n != DAY_UNKNOWN.n)
            return error_fail(err, ERROR_USAGE,
                              "--first-day and --last-day need --period total");
        b->first_day = b->last_day = DAY_UNKNOWN;
        return true;
    }
    if (b->rollover)
        return error_fail(err, ERROR_USAGE, "a total has no next period to roll over to");
    if (b->first_day.n != DAY_UNKNOWN.n && b->last_day.n != DAY_UNKNOWN.n &&
        b->last_day.n < b->first_day.n)
        return error_fail(err, ERROR_USAGE, "--last-day is before --first-day");
    return true;
}

/* ---- set ---- */

static const double usual[] = {0.5, 0.75, 0.9, 1}, usual_forecast[] = {1};

static bool fill_budget(struct op_context *ctx, struct ledger *ledger,
                        const struct budget_set_request *req, bool there,
                        struct ledger_budget *b, struct error *err)
{
    struct zone zone;

    if (req->alert.len > 0)
        b->channels = !is_none_list(req->alert) ? req->alert : (struct strs){0};
    if (req->zone.len > 0)
        b->zone = req->zone;
    return take_budget_amount(req, there, b, err) && take_scope(req, b, err) &&
           take_switches(req, b, err) && take_budget_period(req, b, err) &&
           take_percents(ctx, req->thresholds, "--thresholds", &b->thresholds, err) &&
           take_percents(ctx, req->forecast, "--forecast", &b->forecast, err) &&
           zone_named(b->zone, ctx->arena, &zone, err) &&
           channels_check(ledger, b->channels, ctx->arena, err);
}

static bool store_budget(struct op_context *ctx, struct ledger *ledger,
                         const struct budget_set_request *req, struct ledger_budget *b,
                         bool *replaced, struct error *err)
{
    const struct ledger_budget *budgets;
    size_t count;
    bool there = false;

    if (!ledger_budgets(ledger, ctx->arena, &budgets, &count, err))
        return false;
    *b = (struct ledger_budget){.name = req->name,
                                .period = STR("month"),
                                .thresholds = {usual, ARRAY_LEN(usual)},
                                .forecast = {usual_forecast, ARRAY_LEN(usual_forecast)},
                                .first_day = DAY_UNKNOWN,
                                .last_day = DAY_UNKNOWN,
                                .made = op_now(ctx)};
    for (size_t i = 0; i < count; i++)
        if (str_eq(budgets[i].name, req->name)) {
            *b = budgets[i];
            there = true;
        }
    b->changed = op_now(ctx);
    b->owner = op_user(ctx);
    return fill_budget(ctx, ledger, req, there, b, err) &&
           ledger_budget_put(ledger, b, replaced, err);
}

/* A value that nothing has so far may be of a team to come, or a typing mistake: asking shows
 * which is near. What else keeps the question from being answered is no matter here. */
static bool try_scope(struct op_context *ctx, struct ledger *ledger, struct strs scope,
                      struct error *err)
{
    struct spending_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .grain = GRAIN_ALL, .where = scope};
    struct spending_answer ignored;
    struct error problem = {0};

    return op_spending(ctx, ledger, &query, &ignored, &problem) ||
           problem.kind != ERROR_MEMORY || error_memory(err);
}

static bool budget_set_run(struct op_context *ctx, const void *request_in, void *result_out,
                           struct error *err)
{
    const struct budget_set_request *req = request_in;
    struct budget_set_result *res = result_out;
    struct ledger_budget *b = &res->budget;
    struct ledger *ledger;
    bool ok;

    if (!ledger_plain_name(req->name, "budget", err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    if (ledger == NULL)
        return false;
    ok = store_budget(ctx, ledger, req, b, &res->changed, err) &&
         (req->where.len == 0 || try_scope(ctx, ledger, b->scope, err));
    ledger_close(ledger);
    if (!ok)
        return false;
    if (b->zone.len == 0)
        b->zone = STR("UTC");
    return true;
}

/* ---- remove ---- */

static bool take_away(struct op_context *ctx, struct ledger *ledger, struct str name,
                      struct alert_sent *delivered, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    const struct ledger_budget *budgets;
    size_t count;
    bool found;

    if (!ledger_budget_remove(ledger, name, &found, err))
        return false;
    if (!found)
        return ledger_budgets(ledger, ctx->arena, &budgets, &count, err) &&
               budget_absent(budgets, count, name, err);
    return budget_alerts_end(&account, op_now(ctx), name, err) &&
           op_deliver(ctx, ledger, delivered, err);
}

static bool remove_budget(struct op_context *ctx, const void *request_in, void *result_out,
                          struct error *err)
{
    const struct budget_request *req = request_in;
    struct budget_remove_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    bool ok;

    if (ledger == NULL)
        return false;
    *res = (struct budget_remove_result){.name = req->name};
    ok = take_away(ctx, ledger, req->name, &res->delivered, err);
    ledger_close(ledger);
    ctx->partly = res->delivered.waiting > 0 || res->delivered.given_up > 0;
    return ok;
}

const struct op op_budget_set = {
    .name = "budget.set",
    .schema = "stint.budget.set/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "set a budget that alerts and can stop runs",
    .request = &request_set,
    .result = &result_set,
    .run = budget_set_run,
};

const struct op op_budget_remove = {
    .name = "budget.remove",
    .schema = "stint.budget.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove a budget",
    .request = &remove_request_set,
    .result = &remove_result_set,
    .run = remove_budget,
};
