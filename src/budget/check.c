/* A budget evaluated: its period, what was spent, what it will come to, which thresholds that
 * reaches. */
#include "budget/budget.h"

#include <math.h>

#include "account/query/amount.h"
#include "budget/forecast.h"
#include "unit/zone.h"

#define FINE 10000 /* thresholds are exact to hundredths of a percent */

/* ---- periods ---- */

static struct budget_period period_of_months(int year, int month, int count)
{
    struct budget_period p = {.first = day_make(year, month, 1),
                              .after = day_make(year, month + count, 1)};

    if (count == 1)
        (void)snprintf(p.name, sizeof p.name, "%04d-%02d", year, month);
    else if (count == 3)
        (void)snprintf(p.name, sizeof p.name, "%04d-Q%d", year, (month + 2) / 3);
    else
        (void)snprintf(p.name, sizeof p.name, "%04d", year);
    return p;
}

struct budget_period budget_period_of(const struct ledger_budget *b, day date)
{
    struct budget_period total = {.first = b->first_day, .after = DAY_UNKNOWN, .name = "total"};
    int year, month, d;

    day_split(date, &year, &month, &d);
    if (str_eq(b->period, STR("month")))
        return period_of_months(year, month, 1);
    if (str_eq(b->period, STR("quarter")))
        return period_of_months(year, (month - 1) / 3 * 3 + 1, 3);
    if (str_eq(b->period, STR("year")))
        return period_of_months(year, 1, 12);
    if (b->last_day.n != DAY_UNKNOWN.n)
        total.after.n = b->last_day.n + 1;
    return total;
}

/* ---- spending ---- */

/* The same account, whose answers live in `days`: they have a row for each day, and of a budget
 * only sums are kept. */
static struct account_source account_apart(const struct account_source *account,
                                           struct arena *days)
{
    struct account_source apart = *account;

    *days = (struct arena){.alloc = account->arena->alloc,
                           .block_size = account->arena->block_size};
    apart.arena = days;
    return apart;
}

static struct spending_query query_of(const struct ledger_budget *b, day since, day until)
{
    return (struct spending_query){.since = since,
                                   .until = until,
                                   .grain = GRAIN_DAY,
                                   .where = b->scope,
                                   .currency = currency_text(&b->amount.currency),
                                   .quiet = true}; /* it is evaluated hourly */
}

static bool spending_of(const struct account_source *account, const struct ledger_budget *b,
                        day since, day until, struct spending_answer *out, struct error *err)
{
    struct spending_query query = query_of(b, since, until);

    return account_spending(account, &query, out, err);
}

/* The amounts from `since` to before `until`, of which DAY_UNKNOWN is any. */
static bool sum_days(const struct spending_answer *answer, day since, day until,
                     struct decimal *amount, struct decimal *metered, struct error *err)
{
    *amount = *metered = (struct decimal){0};
    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        if ((since.n != DAY_UNKNOWN.n && s->from.n < since.n) ||
            (until.n != DAY_UNKNOWN.n && s->from.n >= until.n))
            continue;
        if (!costs_plus(amount, s->amount, err) || !costs_plus(metered, s->metered, err))
            return false;
    }
    return true;
}

/* ---- rollover ---- */

/* left = amount + left of the one before - spent, never less than nothing. */
static bool roll(struct decimal amount, struct decimal spent, struct decimal *left,
                 struct error *err)
{
    if (!costs_plus(left, amount, err) || !costs_minus(*left, spent, left, err))
        return false;
    if (left->coefficient < 0)
        *left = (struct decimal){0};
    return true;
}

static bool find_carried(const struct account_source *account, const struct ledger_budget *b,
                         const struct zone *zone, const struct budget_period *now,
                         struct decimal *out, struct error *err)
{
    struct budget_period p = budget_period_of(b, zone_day(zone, b->made));
    struct spending_answer answer;
    struct decimal spent, metered;

    *out = (struct decimal){0};
    if (!b->rollover || p.first.n == DAY_UNKNOWN.n || p.first.n >= now->first.n)
        return true;
    if (!spending_of(account, b, p.first, now->first, &answer, err))
        return false;
    for (; p.first.n < now->first.n; p = budget_period_of(b, p.after))
        if (!sum_days(&answer, p.first, p.after, &spent, &metered, err) ||
            !roll(b->amount.amount, spent, out, err))
            return false;
    return true;
}

/* ---- forecast ---- */

/* No data, or a missing rate of old days, is the reason that there is no forecast. A ledger
 * that cannot be read is an error. */
static bool set_no_forecast(struct budget_state *s, const struct error *problem,
                            struct arena *arena, struct error *err)
{
    if (error_is_of_machine(problem->kind) || problem->kind == ERROR_FAILED) {
        *err = *problem;
        return false;
    }
    return str_keep(str_from(problem->text), arena, &s->no_forecast, err);
}

/* Can such a period be forecast at all? */
static bool ends_later(day today, struct budget_state *s)
{
    if (s->period.after.n == DAY_UNKNOWN.n)
        s->no_forecast = STR("it has no last day ('--last-day' sets it)");
    else if (today.n >= s->period.after.n)
        s->no_forecast = STR("its last day is over");
    return s->no_forecast.len == 0;
}

static bool forecast_days(const struct account_source *account, struct budget_state *s,
                          struct error *err)
{
    const struct budget_period *b = &s->period;
    day from = b->first, today = account->today;
    struct daily_costs days = {.query = query_of(s->budget, DAY_UNKNOWN, b->after)};
    struct error problem = {0};
    struct forecast_scope of;
    struct period_forecast p;

    if (!ends_later(today, s))
        return true;
    if (from.n != DAY_UNKNOWN.n)
        days.query.since.n = (from.n < today.n ? from.n : today.n) - FORECAST_HISTORY;
    if (!daily_costs_read(account, &days, &problem))
        return set_no_forecast(s, &problem, account->arena, err);
    if (days.groups.count == 0) {
        s->no_forecast = STR("nothing that it covers is recorded yet");
        return true;
    }
    if (from.n == DAY_UNKNOWN.n)
        from = costs_group_first(&days.groups.at[0]);
    of = (struct forecast_scope){days.groups.at, days.groups.count, from, b->after};
    if (!forecast_period(account, &days, &of, &p, err))
        return false;
    s->forecast = p.forecast;
    s->low = p.low;
    s->high = p.high;
    s->method = p.method;
    s->no_forecast = p.problem;
    return true;
}

static bool keep_budget_text(struct str *text, struct arena *arena, struct error *err)
{
    return text->len == 0 || str_keep(*text, arena, text, err);
}

static bool forecast_budget(const struct account_source *account, struct budget_state *s,
                            struct error *err)
{
    struct arena days;
    struct account_source apart = account_apart(account, &days);
    bool ok = forecast_days(&apart, s, err) &&
              keep_budget_text(&s->method, account->arena, err) &&
              keep_budget_text(&s->no_forecast, account->arena, err);

    arena_free(&days);
    return ok;
}

/* ---- thresholds ---- */

bool budget_reached(struct decimal part, struct decimal limit, double share)
{
    struct decimal fine = {(wide)llround(share * FINE), 4}, at;

    if (limit.coefficient <= 0)
        return false;
    if (decimal_multiply(limit, fine, &at))
        return decimal_cmp(part, at) >= 0;
    return decimal_double(part) >= decimal_double(limit) * share;
}

void budget_compare(struct budget_state *s)
{
    const struct ledger_budget *b = s->budget;
    double limit = decimal_double(s->limit);
    bool spent = budget_reached(s->spent, s->limit, 1); /* exactly, which doubles are not */

    s->share = limit > 0 ? decimal_double(s->spent) / limit : NAN;
    if (spent || s->share >= 1)
        s->share = spent ? fmax(s->share, 1) : nextafter(1, 0);
    /* That all of it is spent is reported whatever the thresholds are. */
    s->reached = spent;
    for (size_t i = 0; i < b->thresholds.len; i++)
        if (b->thresholds.at[i] > s->reached &&
            budget_reached(s->spent, s->limit, b->thresholds.at[i]))
            s->reached = b->thresholds.at[i];
    for (size_t i = 0; i < b->forecast.len; i++)
        if (b->forecast.at[i] > s->forecast_reached && s->forecast >= limit * b->forecast.at[i])
            s->forecast_reached = b->forecast.at[i];
}

static bool sum_budget_spent(const struct account_source *account, stamp now,
                             struct budget_state *s, struct error *err)
{
    const struct ledger_budget *b = s->budget;
    struct spending_answer answer;
    struct zone zone;

    if (!zone_named(b->zone, account->arena, &zone, err))
        return false;
    s->period = budget_period_of(b, zone_day(&zone, now));
    if (!spending_of(account, b, s->period.first, s->period.after, &answer, err) ||
        !sum_days(&answer, DAY_UNKNOWN, DAY_UNKNOWN, &s->spent, &s->metered, err) ||
        !find_carried(account, b, &zone, &s->period, &s->carried, err))
        return false;
    s->unpriced = answer.unpriced;
    s->limit = b->amount.amount;
    return costs_plus(&s->limit, s->carried, err);
}

bool budget_spent(const struct account_source *account, stamp now, struct budget_state *s,
                  struct error *err)
{
    struct arena days;
    struct account_source apart = account_apart(account, &days);
    bool ok = sum_budget_spent(&apart, now, s, err);

    arena_free(&days);
    return ok;
}

bool budget_left(const struct account_source *account, const struct budget_state *s, usd *out,
                 struct error *err)
{
    struct decimal left;
    day today = account->today;
    struct converter rates;

    if (!costs_minus(s->limit, s->spent, &left, err))
        return false;
    if (!currency_is(s->budget->amount.currency, currency_usd) &&
        (!converter_open(account, STR("USD"), today, (day){today.n + 1}, &rates, err) ||
         !converter_apply(&rates, today, s->budget->amount.currency, &left, err)))
        return false;
    if (!decimal_divide(left, (struct decimal){1, 0}, 9, &left) ||
        !decimal_fixed(left, 9, &out->nano))
        out->nano = INT64_MAX / 2; /* more than any run can spend */
    return true;
}

static bool evaluate(const struct account_source *account, stamp now, struct budget_state *s,
                     struct error *err)
{
    if (!budget_spent(account, now, s, err) || !forecast_budget(account, s, err))
        return false;
    budget_compare(s);
    return true;
}

enum budget_level budget_level(const struct budget_state *s)
{
    return s->problem.kind != ERROR_NONE               ? BUDGET_NOT_EVALUATED
           : s->reached >= 1                           ? BUDGET_SPENT
           : s->reached > 0 || s->forecast_reached > 0 ? BUDGET_WARNING
                                                       : BUDGET_OK;
}

bool budget_evaluate(const struct account_source *account, stamp now,
                     const struct ledger_budget *b, struct budget_state *out, struct error *err)
{
    *out = (struct budget_state){.budget = b,
                                 .limit = b->amount.amount,
                                 .share = NAN,
                                 .forecast = NAN,
                                 .low = NAN,
                                 .high = NAN};
    if (evaluate(account, now, out, &out->problem))
        return true;
    if (!error_is_of_machine(out->problem.kind))
        return true;
    *err = out->problem;
    return false;
}

bool budgets_evaluate(const struct account_source *account, stamp now,
                      struct budget_state **out, size_t *count, struct error *err)
{
    const struct ledger_budget *budgets = NULL;

    *count = 0;
    if (account->ledger != NULL &&
        !ledger_budgets(account->ledger, account->arena, &budgets, count, err))
        return false;
    *out = arena_array(account->arena, struct budget_state, *count, err);
    for (size_t i = 0; *out != NULL && i < *count; i++)
        if (!budget_evaluate(account, now, &budgets[i], &(*out)[i], err))
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
                   "'stint budget list' lists them; 'stint budget set %.*s 500usd' adds it",
                   STR_ARG(name));
    return false;
}

/* ---- how it was kept ---- */

#define HISTORY_PERIODS 36 /* looked at, from the newest */

bool budget_alerts_in_time(const struct ledger_budget *b)
{
    bool before = false, spent = false;

    for (size_t i = 0; i < b->thresholds.len; i++) {
        before = before || (b->thresholds.at[i] > 0 && b->thresholds.at[i] < 1);
        spent = spent || b->thresholds.at[i] >= 1;
    }
    return before && spent && b->channels.len > 0;
}

bool budget_history_add(const struct account_source *account,
                        const struct ledger_budget *budget, day since, day until,
                        struct budget_history *out, struct error *err)
{
    day at = {until.n - 1};

    for (int i = 0; i < HISTORY_PERIODS; i++) {
        struct budget_state state = {.budget = budget};
        double spent, limit;
        bool over, ended;

        if (!budget_spent(account, (stamp){(int64_t)at.n * SECONDS_PER_DAY + 43200}, &state,
                          err))
            return false;
        if (state.period.after.n == DAY_UNKNOWN.n || state.period.first.n == DAY_UNKNOWN.n)
            return true;
        if (at.n < state.period.first.n) /* a total has one period, whatever the day */
            return true;
        ended = state.period.after.n <= until.n && state.period.after.n <= account->today.n;
        if (state.period.after.n <= since.n || state.period.after.n <= day_of(budget->made).n)
            return true;
        spent = decimal_double(state.spent);
        limit = decimal_double(state.limit);
        over = spent > limit;
        if ((ended || over) && limit > 0) {
            out->periods++;
            out->kept += !over;
            out->used += spent / limit;
        }
        at.n = state.period.first.n - 1;
    }
    return true;
}
