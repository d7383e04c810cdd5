/* Events in daily costs, and what probably caused them. */
#include "budget/anomalies.h"

#include <math.h>
#include <stdlib.h>

#include "account/query/sums.h"

#define SETTLE 28    /* days that a series needs before it is judged */
#define EXPLAINED 20 /* events, the largest, whose cause is looked for */
#define SAME_START 3 /* days between the starts of what one cause does to several */
#define NOTHING 0.05 /* of what was expected: so little may be data that is missing */

const char *const anomaly_directions[] = {[ANOMALY_UP] = "up", [ANOMALY_DOWN] = "down"};
const char *const anomaly_states[] = {"ended", "ongoing"};

#define ROW(kind, member, text) FIELD(kind, anomaly_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(DAY, first, "first day"),
    ROW(DAY, last, "last day so far"),
    ROW(DAY, seen, "day of detection"),
    FIELD(ENUM, anomaly_row, direction, FIELD_NAMES(anomaly_directions),
          .help = "direction of the change: up or down"),
    FIELD_AS("state", ENUM, anomaly_row, goes_on, FIELD_NAMES(anomaly_states),
             .help = "state: ongoing or ended"),
    FIELD_AS("currency", CURRENCY, anomaly_row, change.currency,
             .help = "currency of the amounts"),
    ROW(MONEY, expected, "expected amount on its days"),
    ROW(MONEY, actual, "amount spent on its days"),
    ROW(MONEY, change, "difference"),
    ROW(MONEY, low, "low end of the usual range on its first day"),
    ROW(MONEY, high, "high end of the usual range on its first day"),
    ROW(NUMBER, score, "deviation from expected, in multiples of the noise"),
    ROW(TEXT, cause, "value of another dimension that changed most"),
    ROW(TEXT, cause_too, "second value of the cause, within the first"),
    ROW(SHARE, explains, "share of the change explained by the cause"),
    ROW(MONEY, cause_before, "daily cost of the cause before"),
    ROW(MONEY, cause_now, "daily cost of the cause during the event"),
    ROW(TEXT, note, "possible problem with the data"),
    ROW(TEXT, also, "anomalies with the same days and cause, included in the amounts"),
};

static const struct field_set row_set = FIELD_SET(struct anomaly_row, row_fields);

struct anomaly_found {
    const struct costs_group *group;
    struct anomaly of;
    day day_0; /* that its days are counted from */
};

/* ---- events ---- */

/* Each quarter is judged by itself, with the same days before it: the verdict on an event
 * depends on when it began, never on which days were asked for, nor on today. */
#define HISTORY 184 /* days before a quarter that it is compared with */
#define AFTER 31    /* days in which an event of its last day is over, or has become ordinary */
#define REACH 42    /* days that an event, and the one before it, last at most */
#define QUARTER 3   /* months */
#define SMALL 0.1   /* of the least change of a day: no day is as large */

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

static day anomalies_read_from(day since)
{
    return (day){first_quarter(since).n - HISTORY};
}

/* The first day of any group that the quarter is compared with. */
static day first_anomaly_day(const struct find_work *w, day quarter)
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

/* Of very many series most are small: no change of theirs can be large enough. */
static bool is_small(const struct daily *series, double least)
{
    for (size_t i = 0; i < series->len; i++)
        if (fabs(series->amount[i]) >= SMALL * least)
            return false;
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
    if (ok && is_small(&series, w->options->least))
        series.len = 0;
    ok = ok && daily_anomalies(&series, w->options, &scratch, &found, &count, err);
    for (size_t i = 0; i < count && ok; i++)
        ok = keep_event(w, group, &series, &found[i], quarter, err);
    arena_free(&scratch);
    return ok;
}

static bool anomalies_find(const struct account_source *account, const struct daily_costs *days,
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
        day first = first_anomaly_day(&w, q);

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
#define LEAST_GAIN 0.05 /* more of the change than of the spending before, to be a cause */
#define EXPLAINS 0.3    /* of the change, at least */

/* Dimensions that show where to look, and whom to ask, before those that show how it is
 * billed. */
static const enum dimension looked_at[] = {
    DIMENSION_service,     DIMENSION_instance, DIMENSION_gpu,    DIMENSION_team,
    DIMENSION_project,     DIMENSION_model,    DIMENSION_owner,  DIMENSION_experiment,
    DIMENSION_environment, DIMENSION_phase,    DIMENSION_tier,   DIMENSION_region,
    DIMENSION_sub_account, DIMENSION_account,  DIMENSION_charge, DIMENSION_pricing,
    DIMENSION_provider,
};

/* What costs of one set of values came to. */
struct cause_row {
    const struct dimensions *of;
    double before, now; /* on the same weekdays of the weeks before, and on the event's days */
};

struct search {
    struct arena *arena;    /* for what is found */
    struct cause_row *rows; /* of the event's group and currency */
    size_t count;
    double change, before; /* of all */
};

struct cause {
    enum dimension of;
    struct str value;
    double before, now; /* over the event's days */
    double gain;        /* share of the change, less the share of what was before */
};

/* The days of the event, and the same weekdays of the weeks before. */
static void add_up_event_days(const struct day_amounts *days, day first, day last,
                              struct cause_row *out)
{
    struct day_cursor at = day_amounts_from(days, (day){first.n - BEFORE});
    struct day_amount d;

    while (day_amounts_next(&at, &d) && d.on.n <= last.n) {
        double amount = decimal_double(d.amount);

        if (d.on.n >= first.n)
            out->now += amount;
        for (int32_t e = first.n; e <= last.n && d.on.n < first.n; e++)
            if ((e - d.on.n) % WEEK == 0)
                out->before += amount / WEEKS;
    }
}

/* What each value of one dimension came to. */
static bool add_values(const struct search *s, enum dimension d, struct map *values,
                       struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        struct map_entry *e = map_add(values, s->rows[i].of->of[d], NULL, err);
        struct cause_row *sum;

        if (e == NULL || (e->value == NULL &&
                          (e->value = arena_array(arena, struct cause_row, 1, err)) == NULL))
            return false;
        sum = e->value;
        sum->before += s->rows[i].before;
        sum->now += s->rows[i].now;
    }
    return true;
}

/* The best value of one dimension; of equals the first by name. */
static bool find_in_dimension(const struct search *s, enum dimension d, struct cause *best,
                              struct error *err)
{
    struct arena scratch = {.alloc = s->arena->alloc, .block_size = s->arena->block_size};
    struct map values = map_in_arena(&scratch);
    bool ok = add_values(s, d, &values, &scratch, err);

    for (size_t i = 0; ok && i < values.count && values.count > 1; i++) {
        const struct cause_row *sum = values.at[i].value;
        struct cause c = {
            .of = d, .value = values.at[i].key, .before = sum->before, .now = sum->now};
        double explains = (c.now - c.before) / s->change;

        c.gain = fmin(explains, 1) - (s->before > 0 ? c.before / s->before : 0);
        if (c.value.len > 0 && explains >= EXPLAINS &&
            (c.gain > best->gain ||
             (c.gain == best->gain && best->of == d && spelling_cmp(c.value, best->value) < 0)))
            *best = c;
    }
    arena_free(&scratch);
    return ok;
}

static bool find_cause(const struct search *s, uint64_t without, struct cause *best,
                       struct error *err)
{
    *best = (struct cause){.of = DIMENSION_COUNT, .gain = LEAST_GAIN};
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        if ((without >> looked_at[i] & 1) == 0 &&
            !find_in_dimension(s, looked_at[i], best, err))
            return false;
    return true;
}

static bool name_cause(const struct search *s, const struct cause *c, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(s->arena->alloc, BUF_MAX_OUTPUT);

    buf_addf(&text, "%s=", dimension_name(c->of));
    buf_add(&text, c->value);
    return buf_keep(&text, s->arena, out, err);
}

/* Only what has the value that was found. */
static void narrow(struct search *s, const struct cause *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->rows[i].of->of[c->of], c->value))
            s->rows[kept++] = s->rows[i];
    s->count = kept;
    s->before = c->before;
    s->change = c->now - c->before;
}

static void set_cause(const struct cause *c, double change, double days,
                      struct currency currency, struct anomaly_row *row)
{
    row->explains = fmin(1, (c->now - c->before) / change);
    row->cause_before = forecast_money(c->before / days, currency);
    row->cause_now = forecast_money(c->now / days, currency);
}

static bool search_cause(struct search *s, const struct costs_by *by, struct currency currency,
                         struct anomaly_row *row, struct error *err)
{
    double length = row->last.n - row->first.n + 1, change = s->change;
    struct cause first, second;

    /* In the other direction: the weeks before were as unusual. */
    if (!(change * decimal_double(row->change.amount) > 0))
        return true;
    if (!find_cause(s, by->bits, &first, err))
        return false;
    if (first.value.len == 0)
        return true;
    if (!name_cause(s, &first, &row->cause, err))
        return false;
    set_cause(&first, change, length, currency, row);
    narrow(s, &first);
    if (!find_cause(s, by->bits | UINT64_C(1) << first.of, &second, err))
        return false;
    if (second.value.len == 0)
        return true;
    set_cause(&second, change, length, currency, row);
    return name_cause(s, &second, &row->cause_too, err);
}

/* ---- events with their causes ---- */

struct event {
    struct anomaly_row row;
    const struct costs_group *group;
};

struct event_work {
    const struct account_source *account;
    struct daily_costs *days;
    day since;
    struct event *events;
    size_t count;
    struct anomaly_events *out;
};

/* "service=AmazonEC2, team=nlp" */
static bool name_event_group(struct event_work *w, const struct costs_group *g, struct str *out,
                             struct error *err)
{
    struct buf text = buf_new(w->account->arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < w->days->by.count; i++) {
        struct str value = g->of.of[w->days->by.at[i]];

        buf_addf(&text, "%s%s=", i > 0 ? ", " : "", dimension_name(w->days->by.at[i]));
        buf_add(&text, value.len > 0 ? value : STR("(none)"));
    }
    if (w->days->by.count == 0)
        buf_adds(&text, "everything");
    return buf_keep(&text, w->account->arena, out, err);
}

static bool make_anomaly_event(struct event_work *w, const struct anomaly_found *found,
                               struct event *e, struct error *err)
{
    const struct costs_group *g = found->group;
    const struct anomaly *a = &found->of;
    bool down = a->direction == ANOMALY_DOWN;
    int32_t first = found->day_0.n;

    *e = (struct event){.group = g};
    e->row = (struct anomaly_row){
        .direction = a->direction,
        .goes_on = a->goes_on,
        .first = {first + (int32_t)a->first},
        .last = {first + (int32_t)a->last},
        .seen = {first + (int32_t)a->seen},
        .expected = forecast_money(a->expected, g->currency),
        .actual = forecast_money(a->actual, g->currency),
        .change = forecast_money(a->actual - a->expected, g->currency),
        .low = forecast_money(a->low, g->currency),
        .high = forecast_money(a->high, g->currency),
        .score = a->score,
        .explains = NAN,
    };
    if (down && a->actual <= NOTHING * a->expected)
        e->row.note = STR("data missing?");
    costs_values(&w->days->by, &g->of, e->row.value);
    return name_event_group(w, g, &e->row.name, err);
}

static bool find_events(struct event_work *w, const struct anomaly_options *given,
                        struct error *err)
{
    struct anomaly_options options = *given;
    struct anomaly_found *found;

    options.settle = SETTLE;
    for (size_t i = 0; i < w->days->groups.count; i++)
        w->out->series +=
            daily_costs_first(w->days, &w->days->groups.at[i], DAY_UNKNOWN).n != DAY_UNKNOWN.n;
    if (w->days->end.n - w->days->first.n <= SETTLE)
        w->out->too_short = w->out->series;
    if (!anomalies_find(w->account, w->days, w->since, &options, &found, &w->count, err) ||
        (w->events = arena_array(w->account->arena, struct event, w->count, err)) == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!make_anomaly_event(w, &found[i], &w->events[i], err))
            return false;
    return true;
}

static double event_size(const struct event *e)
{
    return fabs(decimal_double(e->row.change.amount));
}

static int by_event_size(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    double m = event_size(x), n = event_size(y);

    return m < n ? 1 : m > n ? -1 : str_cmp(x->row.name, y->row.name);
}

static int by_event_start(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->row.first.n != y->row.first.n)
        return x->row.first.n < y->row.first.n ? 1 : -1;
    return by_event_size(a, b);
}

/* ---- one cause, one event ---- */

static bool shares_cause(const struct anomaly_row *a, const struct anomaly_row *b)
{
    const struct str of_a[] = {a->cause, a->cause_too}, of_b[] = {b->cause, b->cause_too};

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (of_a[i].len > 0 && str_eq(of_a[i], of_b[k]))
                return true;
    return false;
}

/* Of the same days, direction and cause: the same team, account, region or tag. */
static bool is_same_event(const struct anomaly_row *a, const struct anomaly_row *b)
{
    return a->direction == b->direction &&
           currency_is(a->change.currency, b->change.currency) && a->first.n <= b->last.n &&
           b->first.n <= a->last.n && abs(a->first.n - b->first.n) <= SAME_START &&
           shares_cause(a, b);
}

static bool add_to_event(struct event_work *w, struct anomaly_row *to,
                         const struct anomaly_row *from, struct error *err)
{
    struct buf text = buf_new(w->account->arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, to->also);
    buf_adds(&text, to->also.len > 0 ? "; " : "");
    buf_add(&text, from->name);
    if (from->last.n > to->last.n)
        to->last = from->last;
    to->goes_on |= from->goes_on;
    return buf_keep(&text, w->account->arena, &to->also, err) &&
           costs_plus(&to->expected.amount, from->expected.amount, err) &&
           costs_plus(&to->actual.amount, from->actual.amount, err) &&
           costs_plus(&to->change.amount, from->change.amount, err);
}

/* The largest of them represents all. Events are in the order of their size here. */
static bool join_events(struct event_work *w, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->count; i++) {
        size_t k = 0;

        while (k < kept && !is_same_event(&w->events[k].row, &w->events[i].row))
            k++;
        if (k == kept)
            w->events[kept++] = w->events[i];
        else if (!add_to_event(w, &w->events[k].row, &w->events[i].row, err))
            return false;
    }
    w->count = kept;
    return true;
}

static bool is_group(const struct costs_by *by, const struct costs_group *group,
                     const struct dimensions *of)
{
    for (size_t k = 0; k < by->count; k++)
        if (!str_eq_nocase(of->of[by->at[k]], group->of.of[by->at[k]]))
            return false;
    return true;
}

static size_t explained_count(const struct event_work *w)
{
    return w->count < EXPLAINED ? w->count : EXPLAINED;
}

/* Is it of an event whose cause is looked for? */
static bool is_explained(const void *ctx, const struct dimensions *of)
{
    const struct event_work *w = ctx;

    for (size_t i = 0; i < explained_count(w); i++)
        if (is_group(&w->days->by, w->events[i].group, of))
            return true;
    return false;
}

/* All dimensions of the groups and days that have events, in one reading. */
static bool read_causes(const struct event_work *w, const struct account_source *account,
                        struct spending_answer *out, struct error *err)
{
    struct spending_query query = w->days->query;

    query.since = query.until = DAY_UNKNOWN;
    for (size_t i = 0; i < explained_count(w); i++) {
        const struct anomaly_row *row = &w->events[i].row;

        if (i == 0 || row->first.n - BEFORE < query.since.n)
            query.since.n = row->first.n - BEFORE;
        if (i == 0 || row->last.n + 1 > query.until.n)
            query.until.n = row->last.n + 1;
    }
    query.quiet = true;
    query.how = query.from == SPENDING_ALL; /* else no recurring cost is in it */
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        query.by |= UINT64_C(1) << looked_at[i];
    query.only = is_explained;
    query.only_ctx = w;
    return account_spending(account, &query, out, err);
}

static bool explain_event(const struct event_work *w, const struct spending_answer *answer,
                          struct event *e, struct cause_row *rows, struct error *err)
{
    struct search s = {.arena = w->account->arena, .rows = rows};

    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *at = &answer->at[i];
        struct cause_row row = {.of = &at->of};

        if (!currency_is(at->currency, e->group->currency) || at->how.recurring.len > 0 ||
            !is_group(&w->days->by, e->group, &at->of))
            continue;
        add_up_event_days(at->days, e->row.first, e->row.last, &row);
        s.before += row.before;
        s.change += row.now - row.before;
        s.rows[s.count++] = row;
    }
    return search_cause(&s, &w->days->by, e->group->currency, &e->row, err);
}

static bool explain_largest(struct event_work *w, struct error *err)
{
    struct arena scratch = {.alloc = w->account->arena->alloc,
                            .block_size = w->account->arena->block_size};
    struct account_source apart = *w->account;
    struct spending_answer answer;
    struct cause_row *rows = NULL;
    bool ok;

    if (w->count == 0)
        return true;
    apart.arena = &scratch;
    ok = read_causes(w, &apart, &answer, err) &&
         (rows = arena_array(&scratch, struct cause_row, answer.count, err)) != NULL;
    for (size_t i = 0; ok && i < explained_count(w); i++)
        ok = explain_event(w, &answer, &w->events[i], rows, err);
    arena_free(&scratch);
    return ok;
}

static bool explain_events(struct event_work *w, struct error *err)
{
    if (w->count > 1)
        qsort(w->events, w->count, sizeof *w->events, by_event_size);
    if (!explain_largest(w, err) || !join_events(w, err))
        return false;
    if (w->count > 1)
        qsort(w->events, w->count, sizeof *w->events, by_event_start);
    return true;
}

static bool make_anomaly_rows(const struct event_work *w, struct error *err)
{
    struct anomaly_row *rows =
        arena_array(w->account->arena, struct anomaly_row, w->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        rows[i] = w->events[i].row;
        w->out->going_on += rows[i].goes_on;
    }
    w->out->rows.at = rows;
    w->out->rows.len = w->count;
    return costs_row_fields(&w->days->by, offsetof(struct anomaly_row, value), &row_set,
                            w->account->arena, &w->out->rows.row, err);
}

bool account_anomalies(const struct account_source *account, struct daily_costs *days,
                       const struct anomaly_options *options, struct anomaly_events *out,
                       struct error *err)
{
    struct event_work w = {
        .account = account, .days = days, .since = days->query.since, .out = out};
    day until = days->query.until;

    *out = (struct anomaly_events){.series = 0};
    days->query.since = anomalies_read_from(w.since);
    if (!daily_costs_read(account, days, err))
        return false;
    if (days->end.n > until.n)
        days->end = until;
    out->known_until = (day){days->end.n - 1};
    return find_events(&w, options, err) && explain_events(&w, err) &&
           make_anomaly_rows(&w, err);
}
