/* Evaluated budgets as records of results. */
#include "budget/budget.h"

#include <math.h>
#include <string.h>

#include "account/query/amount.h"
#include "base/num.h"
#include "budget/forecast.h"

#define BUDGET(label, kind, member, text) \
    FIELD_AS(label, kind, budget_view, budget.member, .help = (text))
#define STATE(label, kind, member, text) \
    FIELD_AS(label, kind, budget_view, is.member, .help = (text))

static const struct field fields[] = {
    BUDGET("name", TEXT, name, "name of the budget"),
    FIELD(TEXT, budget_view, period, .help = "current period: 2026-11, 2026-Q4, 2026, total"),
    FIELD(DAY, budget_view, first_day, .help = "first day of the period; null: open"),
    FIELD(DAY, budget_view, last_day, .help = "last day of the period; null: open"),
    BUDGET("amount", MONEY, amount, "budget per period"),
    FIELD(MONEY, budget_view, carried, .help = "amount rolled over from the period before"),
    FIELD(MONEY, budget_view, limit, .help = "limit: the amount and what was rolled over"),
    FIELD(MONEY, budget_view, spent,
          .help = "spent, from bills and from runs that no bill covers"),
    FIELD(MONEY, budget_view, metered, .help = "part that no bill covers yet"),
    FIELD(MONEY, budget_view, remaining, .help = "amount left; negative when overspent"),
    STATE("share", NUMBER, share, "spent share of the limit"),
    STATE("forecast", NUMBER, forecast, "forecast of the period, in its currency"),
    STATE("forecast_low", NUMBER, low, "low end of the 80 % range"),
    STATE("forecast_high", NUMBER, high, "high end of the 80 % range"),
    STATE("method", TEXT, method, "method of the forecast"),
    STATE("forecast_problem", TEXT, no_forecast, "reason why there is no forecast"),
    FIELD(TEXT, budget_view, state, .help = "state: ok, the threshold reached, spent, ..."),
    FIELD(TEXT, budget_view, problem, .help = "reason why it could not be evaluated"),
    STATE("unpriced", COUNT, unpriced, "runs without a known cost"),
    BUDGET("where", TEXTS, scope, "conditions on the costs that count"),
    BUDGET("channels", TEXTS, channels, "alert channels"),
    BUDGET("thresholds", NUMBERS, thresholds, "alert thresholds, as shares of the limit"),
    BUDGET("forecast_thresholds", NUMBERS, forecast, "alert thresholds of the forecast"),
    BUDGET("rollover", FLAG, rollover, "unspent budget is added to the next period"),
    BUDGET("stops", FLAG, stops, "runs that it covers are stopped when it is spent"),
    BUDGET("zone", TEXT, zone, "time zone of its periods"),
};

const struct field_set budget_view_fields = FIELD_SET(struct budget_view, fields);

static struct money money_in_currency(struct decimal amount, const struct ledger_budget *b)
{
    return (struct money){amount, b->amount.currency};
}

static bool write_state_text(const struct budget_state *s, struct arena *arena, struct str *out,
                             struct error *err)
{
    static const char *const words[] = {[BUDGET_OK] = "ok",
                                        [BUDGET_WARNING] = "",
                                        [BUDGET_SPENT] = "spent",
                                        [BUDGET_NOT_EVALUATED] = "not evaluated"};
    enum budget_level level = budget_level(s);
    struct buf text = buf_new(arena->alloc, 64);

    buf_adds(&text, words[level]);
    if (level == BUDGET_WARNING && s->reached > 0) {
        num_write(round(s->reached * 10000) / 100, &text);
        buf_adds(&text, " % reached");
    }
    if (level == BUDGET_WARNING && s->forecast_reached > 0) {
        buf_adds(&text, text.len > 0 ? ", will reach " : "will reach ");
        num_write(round(s->forecast_reached * 10000) / 100, &text);
        buf_adds(&text, " %");
    }
    return buf_keep(&text, arena, out, err);
}

bool budget_view_make(const struct budget_state *s, struct arena *arena,
                      struct budget_view *out, struct error *err)
{
    const struct ledger_budget *b = s->budget;
    struct error ignored;
    struct decimal left;
    char *period = str_dup(str_from(s->period.name), arena, err);
    bool known = s->problem.kind == ERROR_NONE;

    if (!costs_minus(s->limit, s->spent, &left, &ignored))
        left = (struct decimal){0};
    *out = (struct budget_view){.budget = *b,
                                .is = *s,
                                .period = str_from(period),
                                .first_day = s->period.first,
                                .last_day = s->period.after};
    if (b->zone.len == 0)
        out->budget.zone = STR("UTC");
    if (out->last_day.n != DAY_UNKNOWN.n)
        out->last_day.n--;
    if (known) {
        out->carried = money_in_currency(s->carried, b);
        out->limit = money_in_currency(s->limit, b);
        out->spent = money_in_currency(s->spent, b);
        out->metered = money_in_currency(s->metered, b);
        out->remaining = money_in_currency(left, b);
    } else {
        char *problem = str_dup(str_from(s->problem.text), arena, err);

        out->problem = str_from(problem);
        out->first_day = out->last_day = DAY_UNKNOWN;
        if (problem == NULL)
            return false;
    }
    return period != NULL && write_state_text(s, arena, &out->state, err);
}

/* ---- days ---- */

static const struct field day_fields[] = {
    FIELD(DAY, budget_day, date, .help = "day in UTC, as clouds bill"),
    FIELD(MONEY, budget_day, spent,
          .help = "amount spent on that day; null: no bill covers it yet and no run was on it"),
    FIELD(MONEY, budget_day, metered, .help = "part that no bill covers yet"),
};

const struct field_set budget_day_fields = FIELD_SET(struct budget_day, day_fields);

/* The days of the period that are over, or of which something is known: none when nothing was
 * ever spent of an open one. */
static void find_spent_days(const struct budget_state *s, const struct spending_answer *answer,
                            day today, day *first, day *after)
{
    *first = s->period.first;
    *after = (day){today.n + 1};
    if (first->n == DAY_UNKNOWN.n)
        *first = answer->count > 0 ? answer->at[0].from : *after;
    for (size_t i = 0; i < answer->count; i++)
        if (answer->at[i].from.n >= after->n)
            *after = (day){answer->at[i].from.n + 1};
    if (s->period.after.n != DAY_UNKNOWN.n && s->period.after.n < after->n)
        *after = s->period.after;
}

bool budget_days_make(const struct budget_state *s, const struct spending_answer *answer,
                      day today, struct arena *arena, struct rows *out, struct error *err)
{
    struct currency currency = s->budget->amount.currency;
    struct budget_day *days;
    day first, after;
    size_t count, at = 0;

    find_spent_days(s, answer, today, &first, &after);
    count = after.n > first.n ? (size_t)(after.n - first.n) : 0;
    if (answer->count == 0) /* nothing was spent: no table of nothing */
        count = 0;
    days = arena_array(arena, struct budget_day, count, err);
    if (days == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool known = answer->billed_until.n == DAY_UNKNOWN.n ||
                     first.n + (int32_t)i <= answer->billed_until.n;
        /* An amount without a currency is unknown. */
        struct money none = {.currency = known ? currency : currency_none};

        days[i] =
            (struct budget_day){.date = {first.n + (int32_t)i}, .spent = none, .metered = none};
        while (at < answer->count && answer->at[at].from.n < days[i].date.n)
            at++;
        if (at < answer->count && answer->at[at].from.n == days[i].date.n) {
            days[i].spent = (struct money){answer->at[at].amount, currency};
            days[i].metered = (struct money){answer->at[at].metered, currency};
        }
    }
    *out = (struct rows){days, count};
    return true;
}

/* ---- forecasts compared with limits ---- */

static const char *const verdicts[] = {
    [BUDGET_UNKNOWN] = "?",
    [BUDGET_KEPT] = "within the limit",
    [BUDGET_MAY_PASS] = "may exceed it",
    [BUDGET_WILL_PASS] = "will exceed it",
    [BUDGET_PASSED] = "exceeded",
};

#define OUTLOOK(kind, member, text) FIELD(kind, budget_outlook, member, .help = (text))

static const struct field outlook_list[] = {
    OUTLOOK(TEXT, name, "name of the budget"),
    OUTLOOK(CHARS, period, "current period: 2026-11, 2026-Q4, 2026, total"),
    OUTLOOK(TEXTS, where, "conditions on the costs it covers"),
    OUTLOOK(MONEY, limit, "limit of the period, with what was rolled over"),
    OUTLOOK(MONEY, spent, "amount spent in the period, today included"),
    OUTLOOK(MONEY, forecast, "forecast of the period"),
    OUTLOOK(MONEY, low, "low end of the 80 % range"),
    OUTLOOK(MONEY, high, "high end of the 80 % range"),
    OUTLOOK(NUMBER, share, "forecast share of the limit"),
    FIELD_AS(
        "verdict", ENUM, budget_outlook, says, FIELD_NAMES(verdicts),
        .help =
            "outlook: within the limit, may exceed it, will exceed it or exceeded; else '?'"),
    OUTLOOK(TEXT, problem, "reason why there is no forecast"),
};

const struct field_set budget_outlook_fields = FIELD_SET(struct budget_outlook, outlook_list);

static enum budget_verdict verdict_of(const struct budget_state *s)
{
    double limit = decimal_double(s->limit);

    return decimal_cmp(s->spent, s->limit) > 0 ? BUDGET_PASSED
           : isnan(s->forecast)                ? BUDGET_UNKNOWN
           : s->low > limit                    ? BUDGET_WILL_PASS
           : s->high > limit                   ? BUDGET_MAY_PASS
                                               : BUDGET_KEPT;
}

static struct budget_outlook outlook_of(const struct budget_state *s)
{
    const struct ledger_budget *b = s->budget;
    struct currency currency = b->amount.currency;
    struct budget_outlook out = {.name = b->name, .where = b->scope, .share = NAN};

    if (s->problem.kind != ERROR_NONE) {
        out.limit = b->amount;
        out.problem = str_from(s->problem.text);
        return out;
    }
    memcpy(out.period, s->period.name, sizeof out.period);
    out.problem = s->no_forecast;
    out.limit = costs_money(s->limit, currency);
    out.spent = costs_money(s->spent, currency);
    out.forecast = forecast_money(s->forecast, currency);
    out.low = forecast_money(s->low, currency);
    out.high = forecast_money(s->high, currency);
    if (s->limit.coefficient > 0)
        out.share = s->forecast / decimal_double(s->limit);
    out.says = verdict_of(s);
    return out;
}

bool budgets_outlook(const struct account_source *account, stamp now, struct rows *out,
                     struct error *err)
{
    struct budget_state *states;
    struct budget_outlook *rows;
    size_t count;

    if (!budgets_evaluate(account, now, &states, &count, err) ||
        (rows = arena_array(account->arena, struct budget_outlook, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = outlook_of(&states[i]);
    *out = (struct rows){rows, count};
    return true;
}

bool budget_days(const struct account_source *account, const struct budget_state *s,
                 struct rows *out, struct error *err)
{
    struct spending_query query = {.since = s->period.first,
                                   .until = s->period.after,
                                   .grain = GRAIN_DAY,
                                   .where = s->budget->scope,
                                   .currency = currency_text(&s->budget->amount.currency)};
    struct spending_answer answer;

    return s->problem.kind != ERROR_NONE ||
           (account_spending(account, &query, &answer, err) &&
            budget_days_make(s, &answer, account->today, account->arena, out, err));
}
