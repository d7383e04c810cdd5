/* How a budget stands: what was spent, what it will come to, which thresholds that reaches. */
#include <math.h>
#include <string.h>

#include "op/budget/forecast.h"

#define FINE 10000 /* parts that thresholds are told in: hundredths of a percent */

static struct spending_query query_of(const struct ledger_budget *b, day since, day until)
{
    return (struct spending_query){.since = since,
                                   .until = until,
                                   .grain = GRAIN_DAY,
                                   .where = b->scope,
                                   .currency = str_from(b->amount.currency),
                                   .quiet = true}; /* it is asked hourly */
}

/* What the amounts of days come to. */
static bool ask(struct op_context *ctx, struct ledger *ledger, const struct ledger_budget *b,
                day since, day until, struct spending_answer *out, struct error *err)
{
    struct spending_query query = query_of(b, since, until);

    return op_spending(ctx, ledger, &query, out, err);
}

static bool too_large(struct error *err)
{
    return error_fail(err, ERROR_INPUT, "its amounts are too large to be added up");
}

/* The amounts from `since` to before `until`, of which DAY_UNKNOWN is any. */
static bool sum(const struct spending_answer *answer, day since, day until,
                struct decimal *amount, struct decimal *metered, struct error *err)
{
    *amount = *metered = (struct decimal){0};
    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        if ((since.n != DAY_UNKNOWN.n && s->from.n < since.n) ||
            (until.n != DAY_UNKNOWN.n && s->from.n >= until.n))
            continue;
        if (!decimal_add(*amount, s->amount, amount) ||
            !decimal_add(*metered, s->metered, metered))
            return too_large(err);
    }
    return true;
}

/* ---- rollover ---- */

/* left = amount + left of the one before - spent, never less than nothing. */
static bool roll(struct decimal amount, struct decimal spent, struct decimal *left,
                 struct error *err)
{
    spent.coefficient = -spent.coefficient;
    if (!decimal_add(*left, amount, left) || !decimal_add(*left, spent, left))
        return too_large(err);
    if (left->coefficient < 0)
        *left = (struct decimal){0};
    return true;
}

static bool carried(struct op_context *ctx, struct ledger *ledger,
                    const struct ledger_budget *b, const struct zone *zone,
                    const struct budget_period *now, struct decimal *out, struct error *err)
{
    struct budget_period p = budget_period_of(b, zone_day(zone, b->made));
    struct spending_answer answer;
    struct decimal spent, metered;

    *out = (struct decimal){0};
    if (!b->rollover || p.first.n == DAY_UNKNOWN.n || p.first.n >= now->first.n)
        return true;
    if (!ask(ctx, ledger, b, p.first, now->first, &answer, err))
        return false;
    for (; p.first.n < now->first.n; p = budget_period_of(b, p.after))
        if (!sum(&answer, p.first, p.after, &spent, &metered, err) ||
            !roll(b->amount.amount, spent, out, err))
            return false;
    return true;
}

/* ---- forecast ---- */

/* Why there is no forecast: nothing to go by, or a rate of old days that is missing, is no
 * error. A ledger that cannot be read is. */
static bool no_forecast(struct op_context *ctx, struct budget_state *s,
                        const struct error *problem, struct error *err)
{
    if (problem->kind == ERROR_MEMORY || problem->kind == ERROR_SYSTEM ||
        problem->kind == ERROR_FAILED) {
        *err = *problem;
        return false;
    }
    s->unforeseen.len = strlen(problem->text);
    s->unforeseen.at = str_dup(str_from(problem->text), ctx->arena, err);
    return s->unforeseen.at != NULL;
}

/* Is there a forecast of such a period at all? */
static bool ends_later(struct op_context *ctx, struct budget_state *s)
{
    if (s->period.after.n == DAY_UNKNOWN.n)
        s->unforeseen = STR("it has no last day ('--last-day' says it)");
    else if (op_today(ctx).n >= s->period.after.n)
        s->unforeseen = STR("its last day is over");
    return s->unforeseen.len == 0;
}

/* As `stint forecast` does it, so that both say the same. */
static bool foresee(struct op_context *ctx, struct ledger *ledger, struct budget_state *s,
                    struct error *err)
{
    const struct budget_period *b = &s->period;
    day from = b->first, today = op_today(ctx);
    struct spend_days days = {.query = query_of(s->budget, DAY_UNKNOWN, b->after)};
    struct error problem = {0};
    struct spend_whose of;
    struct spend_period p;

    if (!ends_later(ctx, s))
        return true;
    if (from.n != DAY_UNKNOWN.n)
        days.query.since.n = (from.n < today.n ? from.n : today.n) - FORECAST_HISTORY;
    if (!spend_days(ctx, ledger, &days, &problem))
        return no_forecast(ctx, s, &problem, err);
    if (days.groups.count == 0) {
        s->unforeseen = STR("nothing that it covers is recorded yet");
        return true;
    }
    if (from.n == DAY_UNKNOWN.n)
        from = days.groups.at[0].cells[0].from;
    of = (struct spend_whose){days.groups.at, days.groups.count, from, b->after};
    if (!spend_period(ctx, &days, &of, &p, err))
        return false;
    s->forecast = p.forecast;
    s->low = p.low;
    s->high = p.high;
    s->method = p.method;
    s->unforeseen = p.problem;
    return true;
}

/* ---- thresholds ---- */

bool budget_reached(struct decimal part, struct decimal whole, double share)
{
    struct decimal fine = {(wide)llround(share * FINE), 4}, at;

    if (whole.coefficient <= 0)
        return false;
    if (decimal_multiply(whole, fine, &at))
        return decimal_cmp(part, at) >= 0;
    return decimal_double(part) >= decimal_double(whole) * share;
}

static void find_reached(struct budget_state *s)
{
    const struct ledger_budget *b = s->budget;
    double limit = decimal_double(s->limit);

    for (size_t i = 0; i < b->thresholds.len; i++)
        if (b->thresholds.at[i] > s->reached &&
            budget_reached(s->spent, s->limit, b->thresholds.at[i]))
            s->reached = b->thresholds.at[i];
    for (size_t i = 0; i < b->forecast.len; i++)
        if (b->forecast.at[i] > s->foreseen && s->forecast >= limit * b->forecast.at[i])
            s->foreseen = b->forecast.at[i];
}

bool budget_spent(struct op_context *ctx, struct ledger *ledger, struct budget_state *s,
                  struct error *err)
{
    const struct ledger_budget *b = s->budget;
    struct spending_answer answer;
    struct zone zone;

    if (!zone_named(b->zone, ctx->arena, &zone, err))
        return false;
    s->period = budget_period_of(b, zone_day(&zone, ctx->clock->today(ctx->clock->ctx)));
    if (!ask(ctx, ledger, b, s->period.first, s->period.after, &answer, err) ||
        !sum(&answer, DAY_UNKNOWN, DAY_UNKNOWN, &s->spent, &s->metered, err) ||
        !carried(ctx, ledger, b, &zone, &s->period, &s->carried, err))
        return false;
    s->unpriced = answer.unpriced;
    if (!decimal_add(b->amount.amount, s->carried, &s->limit))
        return too_large(err);
    return true;
}

static bool evaluate(struct op_context *ctx, struct ledger *ledger, struct budget_state *s,
                     struct error *err)
{
    if (!budget_spent(ctx, ledger, s, err) || !foresee(ctx, ledger, s, err))
        return false;
    if (s->limit.coefficient > 0)
        s->share = decimal_double(s->spent) / decimal_double(s->limit);
    find_reached(s);
    return true;
}

bool budget_look(struct op_context *ctx, struct ledger *ledger, const struct ledger_budget *b,
                 struct budget_state *out, struct error *err)
{
    *out = (struct budget_state){.budget = b,
                                 .limit = b->amount.amount,
                                 .share = NAN,
                                 .forecast = NAN,
                                 .low = NAN,
                                 .high = NAN};
    if (evaluate(ctx, ledger, out, &out->problem))
        return true;
    if (out->problem.kind != ERROR_MEMORY && out->problem.kind != ERROR_SYSTEM)
        return true;
    *err = out->problem;
    return false;
}

bool budgets_look(struct op_context *ctx, struct ledger *ledger, struct budget_state **out,
                  size_t *count, struct error *err)
{
    const struct ledger_budget *budgets = NULL;

    *count = 0;
    if (ledger != NULL && !ledger_budgets(ledger, ctx->arena, &budgets, count, err))
        return false;
    *out = arena_array(ctx->arena, struct budget_state, *count, err);
    for (size_t i = 0; *out != NULL && i < *count; i++)
        if (!budget_look(ctx, ledger, &budgets[i], &(*out)[i], err))
            return false;
    return *out != NULL;
}

bool budget_absent(const struct ledger_budget *budgets, size_t count, struct str name,
                   struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, budgets[i].name);
    error_set(err, ERROR_ABSENT, "there is no budget '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err,
                   "'stint budget list' shows them; 'stint budget set %.*s 500usd' makes it",
                   STR_ARG(name));
    return false;
}
