/* budget.set, budget.remove. */
#include "op/budget/budget.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

static const char *const periods[] = {"month", "quarter", "year", "total", NULL};

static const struct field request[] = {
    FIELD(TEXT, budget_change, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the budget"),
    FIELD(MONEY, budget_change, amount, .value = "AMOUNT", .operand = true,
          .help = "amount per period: 5000usd; may be omitted to change an existing budget"),
    FIELD(CHOICE, budget_change, period, .value = "PERIOD", .choices = periods,
          .help = "month, quarter, year or total (default: month)"),
    FIELD(TEXTS, budget_change, where, .value = "CONDITION", .whole = true,
          .help = "conditions on costs: team=nlp, 'gpu=H100*'; may be repeated, all must "
                  "match; none: all costs"),
    FIELD(TEXTS, budget_change, thresholds, .value = "LIST",
          .help = "alert at these percentages spent: 50,75,90,100; none"),
    FIELD(TEXTS, budget_change, forecast, .value = "LIST",
          .help = "alert when the forecast reaches these percentages: 100; none"),
    FIELD(TEXTS, budget_change, alert, .value = "LIST", .help = "channels to alert, or none"),
    FIELD(FLAG, budget_change, rollover, .help = "add unspent budget to the next period"),
    FIELD(FLAG, budget_change, no_rollover, .help = "stop adding unspent budget"),
    FIELD(FLAG, budget_change, stop,
          .help = "stop runs that it covers when the budget is spent"),
    FIELD(FLAG, budget_change, no_stop, .help = "no longer stop runs"),
    FIELD(TEXT, budget_change, zone, .value = "ZONE",
          .help = "time zone of its periods: Europe/Berlin (default: UTC)"),
    FIELD(DAY, budget_change, first_day, .value = "DAY", .help = "first day of a total budget"),
    FIELD(DAY, budget_change, last_day, .value = "DAY", .help = "last day of a total budget"),
};
static const struct field_set request_set = FIELD_SET(struct budget_change, request);

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

/* ---- set ---- */

static bool budget_set_run(struct op_context *ctx, const void *request_in, void *result_out,
                           struct error *err)
{
    const struct budget_change *req = request_in;
    struct budget_set_result *res = result_out;
    struct ledger_budget *b = &res->budget;
    struct account_source account;
    struct ledger *ledger;
    bool ok;

    if (!ledger_plain_name(req->name, "budget", err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    if (ledger == NULL)
        return false;
    account = op_account(ctx, ledger);
    ok = budget_changed(&account, req, op_user(ctx), op_now(ctx), b, err) &&
         channels_check(ledger, b->channels, ctx->arena, err) &&
         ledger_budget_put(ledger, b, &res->changed, err) &&
         (req->where.len == 0 || budget_try_scope(&account, b->scope, err));
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
