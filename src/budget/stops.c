/* Budgets that stop runs: which of them apply to one. */

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "budget/budget.h"

/* Does it apply to the run? As it will when the run is recorded. */
static bool applies_to_run(const struct account_source *account, const struct ledger_budget *b,
                           const struct ledger_charge *run, bool *out, struct error *err)
{
    struct coverage coverage = {0};
    struct run_dimensions dims;
    struct condition *where;
    const struct allocation_policy *policy;
    struct dimensions of;
    bool ok;

    if (!ledger_policy_read(account->ledger, account->arena, &policy, err) ||
        !conditions_parse(b->scope, account->arena, &where, err))
        return false;
    run_dimensions_open(&dims, account, &coverage, policy, UINT64_MAX);
    ok = run_dimensions_of(&dims, run, &of, err);
    if (ok)
        *out = conditions_hold(where, b->scope.len, &of);
    run_dimensions_close(&dims);
    return ok;
}

static bool refuse_run(const struct budget_state *s, struct error *err)
{
    struct buf text = buf_new(&alloc_system, 200);

    budget_money(s->spent, s->budget->amount.currency, &text);
    buf_adds(&text, " of ");
    budget_money(s->limit, s->budget->amount.currency, &text);
    error_set(err, ERROR_GUARD, "the budget '%.*s' is spent: %.*s in %s",
              STR_ARG(s->budget->name), (int)text.len, text.len > 0 ? text.at : "",
              s->period.name);
    error_hint(err,
               "'stint budget show %.*s' shows on what; 'stint budget set %.*s AMOUNT' "
               "raises it",
               STR_ARG(s->budget->name), STR_ARG(s->budget->name));
    buf_free(&text);
    return false;
}

usd budget_limit(const struct budget_state *s, usd left)
{
    double share = decimal_double(s->spent) / decimal_double(s->limit);
    usd limit;

    if (currency_is(s->budget->amount.currency, currency_usd) &&
        decimal_fixed(s->limit, 9, &limit.nano))
        return limit;
    return share != 1 ? usd_from(usd_double(left) / (1 - share)) : (usd){0};
}

/* The search for those that apply to a run. */
struct stops_search {
    const struct account_source *account;
    stamp now;
    const struct ledger_charge *run;
    usd least; /* left of any of them */
    struct budget_stops *out;
};

/* One that stops runs: is added when it applies, or false with ERROR_GUARD when it is spent. */
static bool add_stopped_budget(struct stops_search *s, const struct ledger_budget *b,
                               struct error *err)
{
    struct budget_state state = {.budget = b};
    struct error problem = {0};
    bool wanted = false;
    usd left;

    if (!applies_to_run(s->account, b, s->run, &wanted, &problem) ||
        (wanted && (!budget_spent(s->account, s->now, &state, &problem) ||
                    !budget_left(s->account, &state, &left, &problem)))) {
        if (problem.kind == ERROR_MEMORY)
            return error_memory(err);
        message_warn(&s->account->messages, "the budget '%.*s' cannot be enforced: %s",
                     STR_ARG(b->name), problem.text);
        return true;
    }
    if (!wanted)
        return true;
    if (budget_reached(state.spent, state.limit, 1))
        return refuse_run(&state, err);
    s->out->at[s->out->count++] = *b;
    if (left.nano >= s->least.nano)
        return true;
    s->least = left;
    s->out->limit = budget_limit(&state, left);
    return true;
}

static bool name_budgets(struct budget_stops *stops, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    bool ok;

    buf_adds(&text, stops->count > 1 ? "one of the budgets " : "the budget ");
    for (size_t i = 0; i < stops->count; i++) {
        buf_adds(&text, i > 0 ? ", '" : "'");
        buf_add(&text, stops->at[i].name);
        buf_char(&text, '\'');
    }
    ok = buf_ok(&text, err) && (stops->name = str_dup(buf_text(&text), arena, err)) != NULL;
    buf_free(&text);
    return ok;
}

/* All budgets, and room in `out` for as many. */
static bool read_stop_budgets(const struct account_source *account,
                              const struct ledger_budget **budgets, size_t *count,
                              struct budget_stops *out, struct error *err)
{
    *out = (struct budget_stops){.limit = USD_UNKNOWN};
    if (!ledger_budgets(account->ledger, account->arena, budgets, count, err))
        return false;
    out->at = arena_array(account->arena, struct ledger_budget, *count, err);
    return out->at != NULL;
}

bool budget_stops_find(const struct account_source *account, stamp now,
                       const struct ledger_charge *run, struct budget_stops *out,
                       struct error *err)
{
    struct stops_search s = {account, now, run, {INT64_MAX}, out};
    const struct ledger_budget *budgets;
    size_t count;

    if (!read_stop_budgets(account, &budgets, &count, out, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (budgets[i].stops && !add_stopped_budget(&s, &budgets[i], err))
            return false;
    return out->count == 0 || name_budgets(out, account->arena, err);
}

bool budget_stops_apply(const struct account_source *account, const struct ledger_charge *run,
                        struct budget_stops *out, struct error *err)
{
    const struct ledger_budget *budgets;
    size_t count;

    if (!read_stop_budgets(account, &budgets, &count, out, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool applies = false;

        if (budgets[i].stops && !applies_to_run(account, &budgets[i], run, &applies, err)) {
            error_context(err, "the budget '%.*s'", STR_ARG(budgets[i].name));
            return false;
        }
        if (applies)
            out->at[out->count++] = budgets[i];
    }
    return true;
}
