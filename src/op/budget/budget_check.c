/* budget.list, budget.check, budget.show. */

#include "op/budget/budget.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"
#include "op/spending.h"

static const struct field_set no_set = {.size = 1};

static const struct field list_result[] = {
    FIELD(LIST, budget_list_result, budgets, .row = &budget_view_fields,
          .help = "budgets, by name"),
};
static const struct field_set list_set = FIELD_SET(struct budget_list_result, list_result);

static const struct field check_request[] = {
    FIELD(FLAG, budget_check_request, quiet, .help = "print only problems"),
};
static const struct field_set check_request_set =
    FIELD_SET(struct budget_check_request, check_request);

static const struct field check_result[] = {
    FIELD(LIST, budget_check_result, budgets, .row = &budget_view_fields,
          .help = "budgets, by name"),
    FIELD(RECORD, budget_check_result, delivered, .row = &alert_sent_fields,
          .help = "messages sent"),
};
static const struct field_set check_set = FIELD_SET(struct budget_check_result, check_result);

static const struct field show_request[] = {
    FIELD(TEXT, budget_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the budget"),
};
static const struct field_set show_request_set = FIELD_SET(struct budget_request, show_request);

static const struct field show_result[] = {
    FIELD(RECORD, budget_show_result, budget, .row = &budget_view_fields,
          .help = "state of the budget"),
    FIELD(LIST, budget_show_result, days, .row = &budget_day_fields,
          .help = "days of the period"),
    FIELD(LIST, budget_show_result, alerts, .row = &ledger_alert_fields,
          .help = "alerts of the budget, newest first"),
};
static const struct field_set show_set = FIELD_SET(struct budget_show_result, show_result);

static bool make_views(struct op_context *ctx, const struct budget_state *states, size_t count,
                       struct rows *out, struct error *err)
{
    struct budget_view *views = arena_array(ctx->arena, struct budget_view, count, err);

    for (size_t i = 0; views != NULL && i < count; i++) {
        const struct error *problem = &states[i].problem;

        if (!budget_view_make(&states[i], ctx->arena, &views[i], err))
            return false;
        if (problem->kind == ERROR_NONE)
            continue;
        ctx->partly = true;
        message_warn(&ctx->messages, "the budget '%.*s' was not evaluated: %s",
                     STR_ARG(states[i].budget->name), problem->text);
        if (problem->hint[0] != '\0')
            message_note(&ctx->messages, "%s", problem->hint);
    }
    *out = (struct rows){views, count};
    return views != NULL;
}

/* Only those of the team, where no more may be seen. */
static size_t keep_own(const struct op_context *ctx, struct budget_state *states, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (op_is_of_team(ctx, states[i].budget->scope))
            states[kept++] = states[i];
    return kept;
}

static bool budget_list_run(struct op_context *ctx, const void *request, void *result_out,
                            struct error *err)
{
    struct budget_list_result *res = result_out;
    struct account_source account;
    struct budget_state *states;
    struct ledger *ledger;
    size_t count;
    bool ok;

    (void)request;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    ok = budgets_evaluate(&account, op_now(ctx), &states, &count, err);
    ledger_close(ledger);
    return ok && make_views(ctx, states, keep_own(ctx, states, count), &res->budgets, err);
}

static bool budget_check_run(struct op_context *ctx, const void *request_in, void *result_out,
                             struct error *err)
{
    const struct budget_check_request *req = request_in;
    struct budget_check_result *res = result_out;
    struct account_source account;
    struct budget_state *states;
    struct ledger *ledger;
    size_t count;
    bool ok;

    *res = (struct budget_check_result){.quiet = req->quiet};
    if (!op_ledger_change(ctx, &ledger, err))
        return false;
    if (ledger == NULL)
        return true; /* there is no budget */
    account = op_account(ctx, ledger);
    ok = budgets_evaluate(&account, op_now(ctx), &states, &count, err) &&
         make_views(ctx, states, count, &res->budgets, err) &&
         budget_alert(&account, op_now(ctx), states, count, err) &&
         op_deliver(ctx, ledger, &res->delivered, err);
    ledger_close(ledger);
    if (res->delivered.waiting > 0 || res->delivered.given_up > 0)
        ctx->partly = true;
    return ok;
}

/* ---- show ---- */

static bool show_budget(struct op_context *ctx, struct ledger *ledger, struct str name,
                        struct budget_show_result *res, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    const struct ledger_budget *budgets = NULL;
    struct budget_state state;
    struct rows views;
    size_t count = 0;

    if (ledger != NULL && !ledger_budgets(ledger, ctx->arena, &budgets, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!str_eq(budgets[i].name, name) || !op_is_of_team(ctx, budgets[i].scope))
            continue;
        if (!budget_evaluate(&account, op_now(ctx), &budgets[i], &state, err) ||
            !make_views(ctx, &state, 1, &views, err))
            return false;
        res->budget = *(const struct budget_view *)views.at;
        return budget_days(&account, &state, &res->days, err) &&
               budget_alerts_of(ledger, name, ctx->arena, &res->alerts, err);
    }
    return budget_absent(budgets, ctx->team.len > 0 ? 0 : count, name, err);
}

static bool budget_show_run(struct op_context *ctx, const void *request_in, void *result_out,
                            struct error *err)
{
    const struct budget_request *req = request_in;
    struct ledger *ledger;
    bool ok;

    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = show_budget(ctx, ledger, req->name, result_out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_budget_list = {
    .name = "budget.list",
    .schema = "stint.budget.list/1",
    .summary = "list budgets and how much of each is spent",
    .remote = OP_READ,
    .team = OP_TEAM_OWN,
    .request = &no_set,
    .result = &list_set,
    .run = budget_list_run,
};

const struct op op_budget_check = {
    .name = "budget.check",
    .schema = "stint.budget.check/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "check all budgets and send alerts",
    .request = &check_request_set,
    .result = &check_set,
    .run = budget_check_run,
};

const struct op op_budget_show = {
    .name = "budget.show",
    .schema = "stint.budget.show/1",
    .summary = "show one budget day by day",
    .remote = OP_READ,
    .team = OP_TEAM_OWN,
    .request = &show_request_set,
    .result = &show_set,
    .run = budget_show_run,
};
