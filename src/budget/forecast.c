/* What a period will cost: daily series, recurring costs, the period. */
#include "budget/forecast.h"

#include <math.h>

#include "account/policy/ledger_policy.h"
#include "account/query/condition.h"
#include "account/query/sums.h"

#define LATE 7     /* days that a bill may be late before none is expected, ... */
#define MONTHLY 40 /* ... or, when most of the cost is billed: bills may be monthly */
#define WEEKS 28   /* days over which bills are compared with runs */

/* ---- recurring costs ---- */

struct ahead {
    const struct account_source *account;
    const struct allocation_policy *policy;
    const struct spending_query *query;
    struct condition *where;
    uint64_t needed; /* dimensions */
    struct converter converter;
    struct spending_sums sums;  /* from `end` on */
    struct spending_sums later; /* after today */
    struct share_list use;      /* who uses what, for costs that are shared, of this month: */
    day use_of;
    day end;
};

static day earlier_day(day a, day b)
{
    return a.n < b.n ? a : b;
}

/* The days of a row, without what the policy calls them. */
static bool add_forecast_days(struct spending_sums *sums, const struct spending *row,
                              struct error *err)
{
    struct day_cursor at = day_amounts_from(row->days, DAY_UNKNOWN);
    struct day_amount d;

    while (day_amounts_next(&at, &d)) {
        struct spending_entry e = {.from = d.on,
                                   .of = &row->of,
                                   .amount = d.amount,
                                   .currency = row->currency,
                                   .run = -1};

        if (!spending_sums_add(sums, &e, err))
            return false;
    }
    return true;
}

/* `from`: none of the days is before it. So rows of the same group have an order. */
static struct spending_answer sums_answer(struct spending_sums *sums, day from)
{
    spending_sums_sort(sums);
    for (size_t i = 0; i < sums->count; i++)
        sums->at[i].from = from;
    return (struct spending_answer){.at = sums->at, .count = sums->count};
}

/* As the account has them: each amount is marked by the policy. */
static bool recurring_before(const struct account_source *account,
                             const struct spending_query *query, day end,
                             struct spending_answer *out, struct error *err)
{
    struct spending_query past = *query;
    struct spending_sums sums = {
        .arena = account->arena, .by = query->by, .grain = GRAIN_ALL, .days = true};
    struct spending_answer answer;

    past.until = query->until.n != DAY_UNKNOWN.n ? earlier_day(query->until, end) : end;
    past.how = past.quiet = past.recurring = true;
    if (!account_spending(account, &past, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (!add_forecast_days(&sums, &answer.at[i], err))
            return false;
    *out = sums_answer(&sums, DAY_UNKNOWN);
    return true;
}

/* What was recorded in a month, by all dimensions that the policy uses. */
static bool read_use(struct ahead *a, day month, struct error *err)
{
    struct spending_query query = {.since = month,
                                   .until = day_month_add(month, 1),
                                   .grain = GRAIN_ALL,
                                   .by = a->needed,
                                   .cost = a->query->cost,
                                   .raw = true,
                                   .quiet = true};
    struct spending_answer answer;
    struct share *in;

    if (!account_spending(a->account, &query, &answer, err) ||
        (in = arena_array(a->account->arena, struct share, answer.count, err)) == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        in[i] = (struct share){.of = answer.at[i].of,
                               .on = month,
                               .amount = answer.at[i].amount,
                               .currency = answer.at[i].currency};
    }
    a->use = (struct share_list){in, answer.count};
    a->use_of = month;
    return true;
}

/* A month without records uses the one before it. */
static bool find_use(struct ahead *a, day month, struct error *err)
{
    day of = earlier_day(month, day_month_start(a->account->today));

    if (a->policy->shared_count == 0)
        return true;
    if (a->use_of.n != of.n && !read_use(a, of, err))
        return false;
    if (a->use.count > 0)
        return true;
    if (!read_use(a, day_month_add(of, -1), err))
        return false;
    a->use_of = of;
    return true;
}

static bool add_ahead_share(struct ahead *a, const struct share *share, struct error *err)
{
    struct spending_entry e = {.from = share->on,
                               .of = &share->of,
                               .amount = share->amount,
                               .currency = share->currency,
                               .run = -1};

    if (share->recurring.len == 0 || share->on.n < a->end.n ||
        !conditions_hold(a->where, a->query->where.len, &share->of))
        return true;
    if (a->query->currency.len > 0) {
        if (!converter_apply(&a->converter, earlier_day(share->on, a->account->today),
                             e.currency, &e.amount, err))
            return false;
        e.currency = a->converter.to;
    }
    return spending_sums_add(&a->sums, &e, err) &&
           (share->on.n <= a->account->today.n || spending_sums_add(&a->later, &e, err));
}

/* Complete months, without the days before `end`: shares are computed by month. */
static bool add_ahead_month(struct ahead *a, day month, struct error *err)
{
    struct split_days days = {.since = month,
                              .until = earlier_day(day_month_add(month, 1), a->query->until),
                              .each = true};
    struct share_list shares;

    if (!find_use(a, month, err) ||
        !policy_split(a->policy, a->use, &days, a->account->arena, &shares, err))
        return false;
    for (size_t i = 0; i < shares.count; i++)
        if (!add_ahead_share(a, &shares.at[i], err))
            return false;
    return true;
}

static bool recurring_ahead(struct ahead *a, struct error *err)
{
    const struct spending_query *q = a->query;

    if (!conditions_parse(q->where, a->account->arena, &a->where, err) ||
        !converter_open(a->account, q->currency, q->since, q->until, &a->converter, err))
        return false;
    a->needed = q->by | policy_split_by(a->policy);
    for (size_t i = 0; i < q->where.len; i++)
        a->needed |= UINT64_C(1) << a->where[i].of;
    a->sums = a->later = (struct spending_sums){
        .arena = a->account->arena, .by = q->by, .grain = GRAIN_ALL, .days = true};
    for (day m = day_month_start(a->end); m.n < q->until.n; m = day_month_add(m, 1))
        if (!add_ahead_month(a, m, err))
            return false;
    return true;
}

/* Recurring costs: of the days before the first that is not complete, from that day on, and
 * after today. */
struct recurring {
    struct spending_answer past, ahead, later;
};

/* Of the days before `end` as they are in the account's answer; from `end` on as the policy has
 * them, future days too. Where costs are shared, future days go by who uses what this month;
 * where they are converted, by today's rate. */
static bool read_forecast_recurring(const struct account_source *account,
                                    const struct spending_query *query, day end,
                                    struct recurring *out, struct error *err)
{
    struct ahead a = {.account = account,
                      .query = query,
                      .use_of = DAY_UNKNOWN,
                      .end = query->since.n > end.n ? query->since : end};

    *out = (struct recurring){0};
    if (account->ledger == NULL || query->from != SPENDING_ALL || query->raw)
        return true;
    if (!ledger_policy_read(account->ledger, account->arena, &a.policy, err))
        return false;
    if (a.policy == NULL || a.policy->recurring_count == 0)
        return true;
    if (!recurring_before(account, query, end, &out->past, err) ||
        (query->until.n != DAY_UNKNOWN.n && !recurring_ahead(&a, err)))
        return false;
    out->ahead = sums_answer(&a.sums, end);
    out->later = sums_answer(&a.later, account->today);
    return true;
}

/* ---- daily series ---- */

/* Is anything metered after the newest bill? */
static bool metered_after(const struct spending_answer *answer, day bill)
{
    for (size_t i = 0; i < answer->on_count; i++)
        if (answer->on[i].from.n > bill.n && answer->on[i].metered.coefficient != 0)
            return true;
    return false;
}

/* Was more billed a day, before the newest bill ends, than was metered since? As numbers: it
 * only shows which is likelier, that a bill is still to come or not. */
static bool mostly_billed(const struct spending_answer *answer, day bill, day today)
{
    double billed = 0, metered = 0;

    for (size_t i = 0; i < answer->on_count; i++) {
        const struct spending *s = &answer->on[i];

        if (s->from.n > bill.n && s->from.n < today.n)
            metered += decimal_double(s->metered);
        else if (s->from.n > bill.n - WEEKS && s->from.n <= bill.n && s->lines > 0)
            billed += decimal_double(s->amount) - decimal_double(s->metered);
    }
    return billed / WEEKS > metered / (today.n - bill.n - 1);
}

/* After the newest bill only runs are known. Those days count as complete when no more bills
 * are expected. */
static day complete_until(const struct account_source *account, const struct daily_costs *d)
{
    day today = account->today, bill = d->answer.billed_until;

    if (bill.n == DAY_UNKNOWN.n || bill.n >= today.n - 1 || d->query.from == SPENDING_RUNS)
        return today;
    if (bill.n >= today.n - LATE || !metered_after(&d->answer, bill) ||
        (bill.n >= today.n - MONTHLY && mostly_billed(&d->answer, bill, today)))
        return (day){bill.n + 1};
    return today;
}

/* Two answers as one. */
static bool join_answers(struct arena *arena, const struct spending_answer *a,
                         const struct spending_answer *b, struct spending_answer *out,
                         struct error *err)
{
    struct spending *at;
    size_t n = 0;

    *out = (struct spending_answer){.at = a->at, .count = a->count};
    if (b->count == 0) /* as almost always */
        return true;
    at = arena_array(arena, struct spending, a->count + b->count, err);
    if (at == NULL)
        return false;
    for (size_t i = 0; i < a->count; i++)
        at[n++] = a->at[i];
    for (size_t i = 0; i < b->count; i++)
        at[n++] = b->at[i];
    *out = (struct spending_answer){.at = at, .count = n};
    return true;
}

/* Recurring costs up to today are in the answer; future ones are not. */
static bool make_forecast_groups(const struct account_source *account, struct daily_costs *d,
                                 struct error *err)
{
    struct recurring recurring;
    struct spending_answer all;

    d->groups = d->recurring = (struct costs_groups){.arena = account->arena, .by = &d->by};
    if (!read_forecast_recurring(account, &d->query, d->end, &recurring, err) ||
        !join_answers(account->arena, &d->answer, &recurring.later, &all, err) ||
        !costs_groups_make(&all, NULL, &d->groups, err) ||
        !join_answers(account->arena, &recurring.past, &recurring.ahead, &all, err) ||
        !costs_groups_make(&all, NULL, &d->recurring, err))
        return false;
    costs_groups_sort(&d->groups, SORT_COST);
    return true;
}

bool daily_costs_read(const struct account_source *account, struct daily_costs *d,
                      struct error *err)
{
    d->query.grain = GRAIN_ALL;
    d->query.days = true;
    d->query.by = d->by.bits;
    if (!account_spending(account, &d->query, &d->answer, err))
        return false;
    d->end = d->first = complete_until(account, d);
    if (!make_forecast_groups(account, d, err))
        return false;
    for (size_t i = 0; i < d->groups.count; i++) {
        day first = daily_costs_first(d, &d->groups.at[i], DAY_UNKNOWN);

        if (first.n != DAY_UNKNOWN.n && first.n < d->first.n)
            d->first = first;
    }
    return true;
}

/* The days of a group, oldest first: its cells follow each other in time. */
struct group_days {
    const struct costs_group *group;
    size_t cell;
    struct day_cursor at;
    day since;
};

/* NULL has no days. */
static struct group_days group_days(const struct costs_group *group, day since)
{
    struct group_days d = {.group = group, .since = since};

    if (group != NULL && group->cell_count > 0)
        d.at = day_amounts_from(group->cells[0].days, since);
    return d;
}

static bool group_days_next(struct group_days *d, struct day_amount *out)
{
    while (!day_amounts_next(&d->at, out)) {
        if (d->group == NULL || d->cell + 1 >= d->group->cell_count)
            return false;
        d->at = day_amounts_from(d->group->cells[++d->cell].days, d->since);
    }
    return true;
}

day daily_costs_first(const struct daily_costs *d, const struct costs_group *group, day since)
{
    struct group_days days = group_days(group, since);
    struct group_days recurring = group_days(costs_groups_find(&d->recurring, group), since);
    struct day_amount s, r = {.on = DAY_UNKNOWN};
    bool more = true;

    while (group_days_next(&days, &s)) {
        while (more && r.on.n < s.on.n)
            more = group_days_next(&recurring, &r);
        if (!more || r.on.n != s.on.n || s.recorded)
            return s.on;
        /* Equal to the last digit where there is nothing else; on days that are not complete
         * shares are not known that well. */
        if (s.on.n < d->end.n && decimal_cmp(r.amount, s.amount) != 0)
            return s.on;
    }
    return DAY_UNKNOWN;
}

day costs_group_first(const struct costs_group *group)
{
    struct group_days days = group_days(group, DAY_UNKNOWN);
    struct day_amount d;

    return group_days_next(&days, &d) ? d.on : DAY_UNKNOWN;
}

static void add_group_days(const struct costs_group *group, double sign, day first, day end,
                           double *amounts)
{
    struct group_days days = group_days(group, first);
    struct day_amount d;

    while (group_days_next(&days, &d) && d.on.n < end.n)
        amounts[d.on.n - first.n] += sign * decimal_double(d.amount);
}

/* Onto amounts from `first` to the last complete day. */
static void add_daily_series(const struct daily_costs *d, const struct costs_group *group,
                             day first, double *amounts)
{
    add_group_days(group, 1, first, d->end, amounts);
    add_group_days(costs_groups_find(&d->recurring, group), -1, first, d->end, amounts);
}

bool daily_costs_series(const struct daily_costs *d, const struct costs_group *group, day first,
                        struct arena *arena, struct daily *out, struct error *err)
{
    double *amounts;

    *out = (struct daily){.first = first};
    if (d->end.n <= first.n)
        return true;
    out->len = (size_t)(d->end.n - first.n);
    amounts = arena_array(arena, double, out->len, err);
    if (amounts == NULL)
        return false;
    add_daily_series(d, group, first, amounts);
    out->amount = amounts;
    return true;
}

struct money forecast_money(double amount, struct currency currency)
{
    if (isnan(amount) || fabs(amount) > 1e15)
        return (struct money){0};
    return (struct money){{(wide)llround(amount * 100), 2}, currency};
}

/* ---- the period ---- */

struct period_work {
    const struct account_source *account;
    const struct daily_costs *days;
    const struct forecast_scope *of;
    struct period_forecast *out;
};

static bool in_period(const struct period_work *w, day on)
{
    return on.n >= w->of->from.n && on.n < w->of->until.n;
}

/* Exact sums of a group: on complete days, on others, and of what is recurring on those. */
static bool add_forecast_group(const struct period_work *w, const struct costs_group *g,
                               struct error *err)
{
    struct group_days days = group_days(g, w->of->from);
    struct group_days recurring =
        group_days(costs_groups_find(&w->days->recurring, g), w->of->from);
    day end = w->days->end, today = w->account->today;
    struct period_forecast *out = w->out;
    struct day_amount d;

    while (group_days_next(&days, &d))
        if (in_period(w, d.on) &&
            !costs_plus(d.on.n < end.n ? &out->spent : &out->running, d.amount, err))
            return false;
    while (group_days_next(&recurring, &d)) {
        if (!in_period(w, d.on) || d.on.n < end.n)
            continue;
        if (!costs_plus(&out->recurring, d.amount, err) ||
            (d.on.n > today.n && !costs_minus(out->running, d.amount, &out->running, err)))
            return false;
    }
    return true;
}

/* The sum of all groups from the first day of any; DAY_UNKNOWN as its first day when there is
 * nothing but recurring costs. */
static bool sum_series(const struct period_work *w, struct arena *arena, struct daily *out,
                       struct error *err)
{
    const struct costs_group *groups = w->of->groups;
    size_t count = w->of->count;
    double *amounts;

    *out = (struct daily){.first = DAY_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        day first = daily_costs_first(w->days, &groups[i], DAY_UNKNOWN);

        if (first.n != DAY_UNKNOWN.n &&
            (out->first.n == DAY_UNKNOWN.n || first.n < out->first.n))
            out->first = first;
    }
    if (out->first.n == DAY_UNKNOWN.n || out->first.n >= w->days->end.n)
        return true;
    out->len = (size_t)(w->days->end.n - out->first.n);
    if ((amounts = arena_array(arena, double, out->len, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        add_daily_series(w->days, &groups[i], out->first, amounts);
    out->amount = amounts;
    return true;
}

/* Never less than what is spent already, except for credits to come. */
static double period_total(const struct period_forecast *p, double rest)
{
    double spent = decimal_double(p->spent), more = rest + decimal_double(p->recurring);

    if (rest >= 0)
        more = fmax(more, decimal_double(p->running));
    return round((spent + more) * 100) / 100;
}

static void set_forecast(struct period_forecast *p, const char *method, double rest, double low,
                         double high)
{
    p->forecast = period_total(p, rest);
    p->low = period_total(p, low);
    p->high = period_total(p, high);
    p->method = str_from(method);
}

static bool forecast_rest(const struct period_work *w, const struct daily *series,
                          struct arena *arena, struct error *err)
{
    struct period_forecast *out = w->out;
    struct error problem = {0};
    struct forecast f;
    /* Nothing was spent before its first day: those days are known. */
    day from = series->first.n > w->of->from.n ? series->first : w->of->from;

    if (daily_forecast(series, from, w->of->until, arena, &f, &problem)) {
        set_forecast(out, f.method, f.rest, f.low, f.high);
        out->days = (int64_t)f.days_used;
        return true;
    }
    if (problem.kind != ERROR_ABSENT) {
        *err = problem;
        return false;
    }
    return str_keep(str_from(problem.text), w->account->arena, &out->problem, err);
}

static bool forecast_groups(const struct period_work *w, struct arena *arena, struct error *err)
{
    struct daily series;

    for (size_t i = 0; i < w->of->count; i++)
        if (!add_forecast_group(w, &w->of->groups[i], err))
            return false;
    if (!sum_series(w, arena, &series, err))
        return false;
    if (w->of->until.n <= w->days->end.n)
        set_forecast(w->out, "all days are known", 0, 0, 0);
    else if (series.first.n == DAY_UNKNOWN.n)
        set_forecast(w->out, "recurring costs alone", 0, 0, 0);
    else
        return forecast_rest(w, &series, arena, err);
    return true;
}

bool forecast_period(const struct account_source *account, const struct daily_costs *days,
                     const struct forecast_scope *of, struct period_forecast *out,
                     struct error *err)
{
    struct period_work w = {.account = account, .days = days, .of = of, .out = out};
    struct arena scratch = {.alloc = account->arena->alloc,
                            .block_size = account->arena->block_size};
    bool ok;

    *out = (struct period_forecast){.forecast = NAN, .low = NAN, .high = NAN};
    ok = forecast_groups(&w, &scratch, err);
    arena_free(&scratch);
    return ok;
}

/* ---- a month, by group ---- */

#define ROW(kind, member, text) FIELD(kind, forecast_row, member, .help = (text))

#define ROW_FIELDS \
    FIELD_AS("currency", CURRENCY, forecast_row, spent.currency, \
             .help = "currency of the amounts"), \
        ROW(MONEY, spent, "exact amount spent on complete days of the month"), \
        ROW(MONEY, running, "amount spent on days that are not complete: not in 'spent'"), \
        ROW(MONEY, forecast, "forecast of the month"), \
        ROW(MONEY, low, "low end of the 80 % range"), \
        ROW(MONEY, high, "high end of the 80 % range"), \
        ROW(MONEY, recurring, "recurring costs on the days left, included in the forecast"), \
        ROW(TEXT, method, "method of the forecast"), \
        ROW(COUNT, days, "days with spending that it is based on"), \
        ROW(TEXT, problem, "reason why there is no forecast")

static const struct field row_fields[] = {ROW_FIELDS};
static const struct field_set row_set = FIELD_SET(struct forecast_row, row_fields);

static const struct field total_fields[] = {
    ROW_FIELDS,
    ROW(MONEY, added, "sum of the forecasts of the rows"),
};
const struct field_set forecast_total_fields = FIELD_SET(struct forecast_row, total_fields);

struct month_work {
    const struct account_source *account;
    struct daily_costs *days;
    day from, until;
    int64_t limit;
    struct month_forecast *out;
};

/* Groups of a currency as one: ranges do not add up, so that a total is forecast by itself. */
static bool make_forecast_row(struct month_work *w, size_t from, size_t count,
                              struct forecast_row *row, struct error *err)
{
    const struct costs_group *groups = &w->days->groups.at[from];
    struct currency currency = groups[0].currency;
    struct forecast_scope of = {groups, count, w->from, w->until};
    struct period_forecast p;

    if (!forecast_period(w->account, w->days, &of, &p, err))
        return false;
    *row = (struct forecast_row){
        .spent = costs_money(p.spent, currency),
        .running = costs_money(p.running, currency),
        .forecast = forecast_money(p.forecast, currency),
        .low = forecast_money(p.low, currency),
        .high = forecast_money(p.high, currency),
        .recurring = costs_money(p.recurring, currency),
        .method = p.method,
        .problem = p.problem,
        .days = p.days,
    };
    costs_values(&w->days->by, &groups[0].of, row->value);
    return true;
}

/* What the rows of a currency that have a forecast come to; unknown while some are not shown,
 * since they would be missed. */
static bool add_forecast_rows(const struct forecast_row *rows, size_t count, size_t of,
                              struct forecast_row *total, struct error *err)
{
    struct decimal sum = {0, 2};

    if (count == 0 || count < of)
        return true;
    for (size_t i = 0; i < count; i++)
        if (rows[i].problem.len == 0 && !costs_plus(&sum, rows[i].forecast.amount, err))
            return false;
    total->added = costs_money(sum, total->spent.currency);
    return true;
}

static bool make_forecast_rows(struct month_work *w, struct error *err)
{
    struct costs_groups *groups = &w->days->groups;
    struct forecast_row *rows =
        arena_array(w->account->arena, struct forecast_row, groups->count, err);
    struct forecast_row *totals =
        rows != NULL ? arena_array(w->account->arena, struct forecast_row, groups->count, err)
                     : NULL;
    size_t count = 0, total_count = 0;
    int64_t limit = w->limit;

    if (totals == NULL)
        return false;
    for (size_t at = 0, of; at < groups->count; at += of) {
        size_t before = count;

        for (of = 0; at + of < groups->count &&
                     currency_is(groups->at[at].currency, groups->at[at + of].currency);
             of++)
            if (w->days->by.count > 0 && (limit <= 0 || (int64_t)of < limit)) {
                if (!make_forecast_row(w, at + of, 1, &rows[count++], err))
                    return false;
            } else {
                w->out->others += w->days->by.count > 0;
            }
        if (!make_forecast_row(w, at, of, &totals[total_count], err) ||
            !add_forecast_rows(rows + before, count - before, of, &totals[total_count++], err))
            return false;
    }
    w->out->rows.at = rows;
    w->out->rows.len = count;
    w->out->totals = (struct rows){totals, total_count};
    return true;
}

bool account_forecast(const struct account_source *account, struct daily_costs *days, day from,
                      day until, int64_t limit, struct month_forecast *out, struct error *err)
{
    struct month_work w = {account, days, from, until, limit, out};
    day first = from.n < account->today.n ? from : account->today;

    *out = (struct month_forecast){.others = 0};
    days->query.since = (day){first.n - FORECAST_HISTORY};
    /* Which days are complete is learned from all of them. */
    days->query.until = (day){until.n > account->today.n ? until.n : account->today.n + 1};
    if (!daily_costs_read(account, days, err))
        return false;
    out->known_until = (day){days->end.n - 1};
    out->days_ago = account->today.n - out->known_until.n;
    if (until.n > days->end.n)
        out->days_left = until.n - (days->end.n > from.n ? days->end.n : from.n);
    return make_forecast_rows(&w, err) &&
           costs_row_fields(&days->by, offsetof(struct forecast_row, value), &row_set,
                            account->arena, &out->rows.row, err);
}

/* ---- how good forecasts were ---- */

/* Dollars of each day from `first` to before `end`. */
static bool read_daily_amounts(const struct account_source *account, day first, day end,
                               struct str currency, double **out, struct error *err)
{
    struct spending_query query = {
        .since = first, .until = end, .grain = GRAIN_DAY, .currency = currency, .quiet = true};
    struct spending_answer answer;
    double *days = arena_array(account->arena, double, (size_t)(end.n - first.n), err);

    *out = NULL;
    if (days == NULL || !account_spending(account, &query, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (answer.at[i].from.n >= first.n && answer.at[i].from.n < end.n)
            days[answer.at[i].from.n - first.n] += decimal_double(answer.at[i].amount);
    *out = days;
    return true;
}

/* How far the forecast of a month, made in the middle of it, was off; NaN: there was none. */
static bool past_month_error(const double *days, day first, day month, struct arena *arena,
                             double *out, struct error *err)
{
    day after = day_month_add(month, 1), made = {month.n + FORECAST_MADE_ON - 1};
    size_t start = 0, known = (size_t)(made.n - first.n);
    struct error problem = {0};
    struct forecast f;
    double actual = 0;

    *out = NAN;
    while (start < known && days[start] == 0)
        start++;
    for (int32_t d = month.n; d < after.n; d++)
        actual += days[d - first.n];
    if (known - start < FORECAST_MADE_ON || !(actual > 0))
        return true;
    if (daily_forecast(&(struct daily){.first = {first.n + (int32_t)start},
                                       .amount = days + start,
                                       .len = known - start},
                       month, after, arena, &f, &problem))
        *out = fabs(f.total / actual - 1);
    return problem.kind != ERROR_MEMORY || (*err = problem, false);
}

bool forecast_past_errors(const struct account_source *account, day until, struct str currency,
                          double errors[static FORECAST_CHECKED], size_t *count,
                          struct error *err)
{
    day last = day_month_start(until.n > account->today.n ? account->today : until);
    day first = {day_month_add(last, -FORECAST_CHECKED).n - FORECAST_HISTORY};
    double *days;

    *count = 0;
    if (!read_daily_amounts(account, first, last, currency, &days, err))
        return false;
    for (int i = 1; i <= FORECAST_CHECKED; i++) {
        double error;

        if (!past_month_error(days, first, day_month_add(last, -i), account->arena, &error,
                              err))
            return false;
        if (!isnan(error))
            errors[(*count)++] = error;
    }
    return true;
}
