#include "budget/change.h"

#include "account/query/condition.h"
#include "base/num.h"
#include "unit/zone.h"

#define MOST_THRESHOLDS 20

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

static bool take_percents(struct strs texts, const char *option, struct arena *arena,
                          struct numbers *out, struct error *err)
{
    double *list;

    if (texts.len == 0) /* not given: keep the old ones */
        return true;
    if (texts.len > MOST_THRESHOLDS)
        return error_fail(err, ERROR_USAGE, "%s: more than %d", option, MOST_THRESHOLDS);
    list = arena_array(arena, double, texts.len, err);
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

static bool take_budget_amount(const struct budget_change *req, bool there,
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

static bool take_scope(const struct budget_change *req, struct ledger_budget *b,
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

static bool take_switches(const struct budget_change *req, struct ledger_budget *b,
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

static bool take_budget_period(const struct budget_change *req, struct ledger_budget *b,
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

/* ---- together ---- */

static const double usual[] = {0.5, 0.75, 0.9, 1}, usual_forecast[] = {1};

struct ledger_budget budget_blank(struct str name, stamp now)
{
    return (struct ledger_budget){.name = name,
                                  .period = STR("month"),
                                  .thresholds = {usual, ARRAY_LEN(usual)},
                                  .forecast = {usual_forecast, ARRAY_LEN(usual_forecast)},
                                  .first_day = DAY_UNKNOWN,
                                  .last_day = DAY_UNKNOWN,
                                  .made = now};
}

bool budget_change(const struct budget_change *req, bool there, struct arena *arena,
                   struct ledger_budget *b, struct error *err)
{
    struct zone zone;

    if (req->alert.len > 0)
        b->channels = !is_none_list(req->alert) ? req->alert : (struct strs){0};
    if (req->zone.len > 0)
        b->zone = req->zone;
    return take_budget_amount(req, there, b, err) && take_scope(req, b, err) &&
           take_switches(req, b, err) && take_budget_period(req, b, err) &&
           take_percents(req->thresholds, "--thresholds", arena, &b->thresholds, err) &&
           take_percents(req->forecast, "--forecast", arena, &b->forecast, err) &&
           zone_named(b->zone, arena, &zone, err);
}

bool budget_changed(const struct account_source *account, const struct budget_change *change,
                    struct str owner, stamp now, struct ledger_budget *b, struct error *err)
{
    const struct ledger_budget *budgets;
    size_t count;
    bool there = false;

    if (!ledger_budgets(account->ledger, account->arena, &budgets, &count, err))
        return false;
    *b = budget_blank(change->name, now);
    for (size_t i = 0; i < count; i++)
        if (str_eq(budgets[i].name, change->name)) {
            *b = budgets[i];
            there = true;
        }
    b->changed = now;
    b->owner = owner;
    return budget_change(change, there, account->arena, b, err);
}

bool budget_try_scope(const struct account_source *account, struct strs scope,
                      struct error *err)
{
    struct spending_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .grain = GRAIN_ALL, .where = scope};
    struct spending_answer ignored;
    struct error problem = {0};

    return account_spending(account, &query, &ignored, &problem) ||
           problem.kind != ERROR_MEMORY || error_memory(err);
}
