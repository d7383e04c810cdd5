/* Events in daily costs, and what probably caused them. */
#include "budget/anomalies.h"

#include <math.h>
#include <string.h>

/* ---- events ---- */

/* Each quarter is judged by itself, with the same days before it: the verdict on an event depends
 * on when it began, never on which days were asked for, nor on today. */
#define HISTORY 184 /* days before a quarter that it is compared with */
#define AFTER 31    /* days in which an event of its last day is over, or has become ordinary */
#define REACH 42    /* days that an event, and the one before it, last at most */
#define QUARTER 3   /* months */

struct find_work {
    const struct account_source *account;
    const struct daily_costs *days;
    const struct anomaly_options *options;
    day since;
    day *known; /* of each group: the last day of its last event */
    struct anomaly_found *at;
    size_t count, room;
};

/* An event lasts three weeks, then it is ordinary: one may have begun in the quarter before, or
 * be known from it. */
static day first_quarter(day since)
{
    return day_quarter_start((day){since.n - REACH});
}

day anomalies_read_from(day since)
{
    return (day){first_quarter(since).n - HISTORY};
}

/* The first day of any group that the quarter is compared with. */
static day first_day(const struct find_work *w, day quarter)
{
    day from = {quarter.n - HISTORY}, first = w->days->end;

    for (size_t i = 0; i < w->days->groups.count; i++) {
        day of = daily_costs_first(w->days, &w->days->groups.at[i], from);

        if (of.n != DAY_UNKNOWN.n && of.n < first.n)
            first = of;
    }
    return first;
}

/* Those that began in the quarter and reach into what was asked for. One that another quarter's
 * days had still to do with is known from there. */
static bool keep_event(struct find_work *w, size_t group, const struct daily *series,
                       const struct anomaly *event, day quarter, struct error *err)
{
    day first = {series->first.n + (int32_t)event->first};
    day last = {series->first.n + (int32_t)event->last};

    if (first.n < quarter.n || first.n >= day_month_add(quarter, QUARTER).n ||
        (w->known[group].n != DAY_UNKNOWN.n && first.n <= w->known[group].n))
        return true;
    w->known[group] = last;
    if (last.n < w->since.n)
        return true;
    w->at = arena_grow(w->account->arena, w->at, w->count, sizeof *w->at, &w->room, err);
    if (w->at == NULL)
        return false;
    w->at[w->count++] =
        (struct anomaly_found){&w->days->groups.at[group], *event, series->first};
    return true;
}

static bool find_in_quarter(struct find_work *w, size_t group, day first, day quarter,
                            struct error *err)
{
    struct arena scratch = {w->account->arena->alloc, w->account->arena->block_size, NULL};
    int64_t most = day_month_add(quarter, QUARTER).n + AFTER - first.n;
    const struct anomaly *found = NULL;
    size_t count = 0;
    struct daily series;
    bool ok;

    if (most <= 0) /* nothing was spent so early */
        return true;
    ok = daily_costs_series(w->days, &w->days->groups.at[group], first, &scratch, &series, err);
    if (ok && (int64_t)series.len > most)
        series.len = (size_t)most;
    ok = ok && daily_anomalies(&series, w->options, &scratch, &found, &count, err);
    for (size_t i = 0; i < count && ok; i++)
        ok = keep_event(w, group, &series, &found[i], quarter, err);
    arena_free(&scratch);
    return ok;
}

bool anomalies_find(const struct account_source *account, const struct daily_costs *days,
                    day since, const struct anomaly_options *options,
                    struct anomaly_found **out, size_t *count, struct error *err)
{
    struct find_work w = {.account = account, .days = days, .options = options, .since = since};

    w.known = arena_array(account->arena, day, days->groups.count, err);
    if (w.known == NULL)
        return false;
    for (size_t i = 0; i < days->groups.count; i++)
        w.known[i] = DAY_UNKNOWN;
    for (day q = first_quarter(since); q.n < days->end.n; q = day_month_add(q, QUARTER)) {
        day first = first_day(&w, q);

        for (size_t i = 0; i < days->groups.count; i++)
            if (!find_in_quarter(&w, i, first, q, err))
                return false;
    }
    *out = w.at;
    *count = w.count;
    return true;
}

/* ---- causes ---- */

/* The value of another dimension that explains most of the change and least of what was there
 * before; then what moved within it. */
#define BEFORE 28 /* days that an event is compared with, by weekday */
#define WEEK 7
#define WEEKS 4.0
#define TELLS 0.05   /* more of the change than of the spending before, to be a cause */
#define EXPLAINS 0.3 /* of the change, at least */

/* Dimensions that say where to look, and whom to ask, before those that say how it is
 * billed. */
static const enum dimension looked_at[] = {
    DIMENSION_service,     DIMENSION_instance, DIMENSION_gpu,    DIMENSION_team,
    DIMENSION_project,     DIMENSION_model,    DIMENSION_owner,  DIMENSION_experiment,
    DIMENSION_environment, DIMENSION_phase,    DIMENSION_tier,   DIMENSION_region,
    DIMENSION_sub_account, DIMENSION_account,  DIMENSION_charge, DIMENSION_pricing,
    DIMENSION_provider,
};

struct search {
    const struct account_source *account;
    struct spending *at; /* of the event's group and currency */
    size_t count;
    day first, last;
    double change, before; /* of all, over the event's days */
};

struct cause {
    enum dimension of;
    struct str value;
    double before, now; /* over the event's days */
    double gain;        /* share of the change, less the share of what was before */
};

/* What the event's days come to, and what the same weekdays of the weeks before did. */
static void add_up(const struct search *s, const struct spending *at, size_t count,
                   double *before, double *now)
{
    *before = *now = 0;
    for (size_t i = 0; i < count; i++) {
        double amount = decimal_double(at[i].amount);
        int32_t on = at[i].from.n;

        if (on >= s->first.n && on <= s->last.n)
            *now += amount;
        for (int32_t d = s->first.n; d <= s->last.n && on < s->first.n; d++)
            if ((d - on) % WEEK == 0)
                *before += amount / WEEKS;
    }
}

/* The best value of one dimension. */
static bool find_in_dimension(const struct search *s, enum dimension d, struct cause *best,
                              struct error *err)
{
    struct costs_by by = {.at = {d}, .count = 1, .bits = UINT64_C(1) << d};
    struct costs_groups groups = {.arena = s->account->arena, .by = &by};
    struct spending_answer answer = {.at = s->at, .count = s->count};

    if (!costs_groups_make(&answer, NULL, &groups, err))
        return false;
    for (size_t i = 0; i < groups.count && groups.count > 1; i++) {
        const struct costs_group *g = &groups.at[i];
        struct cause c = {.of = d, .value = g->of.of[d]};
        double explains;

        add_up(s, g->cells, g->cell_count, &c.before, &c.now);
        explains = (c.now - c.before) / s->change;
        c.gain = fmin(explains, 1) - (s->before > 0 ? c.before / s->before : 0);
        if (c.value.len > 0 && explains >= EXPLAINS && c.gain > best->gain)
            *best = c;
    }
    return true;
}

static bool find_cause(const struct search *s, uint64_t without, struct cause *best,
                       struct error *err)
{
    *best = (struct cause){.gain = TELLS};
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        if ((without >> looked_at[i] & 1) == 0 &&
            !find_in_dimension(s, looked_at[i], best, err))
            return false;
    return true;
}

/* The group's rows of the days in question. */
static bool read_event(struct search *s, const struct daily_costs *days,
                       const struct costs_group *group, struct error *err)
{
    struct spending_query query = days->query;
    struct spending_answer answer;

    query.since = (day){s->first.n - BEFORE};
    query.until = (day){s->last.n + 1};
    query.quiet = true;
    query.how = query.from == SPENDING_ALL; /* else no recurring cost is in it */
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        query.by |= UINT64_C(1) << looked_at[i];
    if (!account_spending(s->account, &query, &answer, err) ||
        (s->at = arena_array(s->account->arena, struct spending, answer.count, err)) == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        bool same = strcmp(answer.at[i].currency, group->currency) == 0 &&
                    answer.at[i].how.recurring.len == 0;

        for (size_t k = 0; k < days->by.count; k++)
            same = same && str_eq_nocase(answer.at[i].of.of[days->by.at[k]],
                                         group->of.of[days->by.at[k]]);
        if (same)
            s->at[s->count++] = answer.at[i];
    }
    return true;
}

static bool name_cause(const struct search *s, const struct cause *c, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(s->account->arena->alloc, BUF_MAX_OUTPUT);

    buf_addf(&text, "%s=", dimension_name(c->of));
    buf_add(&text, c->value);
    return buf_keep(&text, s->account->arena, out, err);
}

/* Only what has the value that was found. */
static void narrow(struct search *s, const struct cause *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        if (str_eq_nocase(s->at[i].of.of[c->of], c->value))
            s->at[kept++] = s->at[i];
    s->count = kept;
    s->before = c->before;
    s->change = c->now - c->before;
}

static void set_cause(const struct cause *c, double change, double days,
                      const char currency[static 4], struct anomaly_row *row)
{
    row->explains = fmin(1, (c->now - c->before) / change);
    row->cause_before = forecast_money(c->before / days, currency);
    row->cause_now = forecast_money(c->now / days, currency);
}

bool anomaly_cause(const struct account_source *account, const struct daily_costs *days,
                   const struct costs_group *group, struct anomaly_row *row, struct error *err)
{
    struct search s = {.account = account, .first = row->first, .last = row->last};
    double length = row->last.n - row->first.n + 1, now, change;
    struct cause first, second;

    if (!read_event(&s, days, group, err))
        return false;
    add_up(&s, s.at, s.count, &s.before, &now);
    change = s.change = now - s.before;
    /* In the other direction: the weeks before were as odd. */
    if (!(change * decimal_double(row->change.amount) > 0))
        return true;
    if (!find_cause(&s, days->by.bits, &first, err))
        return false;
    if (first.value.len == 0)
        return true;
    if (!name_cause(&s, &first, &row->cause, err))
        return false;
    set_cause(&first, change, length, group->currency, row);
    narrow(&s, &first);
    if (!find_cause(&s, days->by.bits | UINT64_C(1) << first.of, &second, err))
        return false;
    if (second.value.len == 0)
        return true;
    set_cause(&second, change, length, group->currency, row);
    return name_cause(&s, &second, &row->cause_too, err);
}
