#include "market/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

const char *const price_change_names[] = {
    [PRICE_CHANGED] = "changed",
    [PRICE_APPEARED] = "appeared",
    [PRICE_GONE] = "gone",
    NULL,
};

static const struct field change_fields[] = {
    FIELD(ENUM, price_change, kind, .names = price_change_names,
          .help = "changed, appeared or gone"),
    FIELD(TEXT, price_change, offer, .help = "provider/region/zone/instance"),
    FIELD(ENUM, price_change, market, .names = market_names, .only = MARKETS_LISTED,
          .help = "market: on-demand, spot, ..."),
    FIELD(TEXT, price_change, feed, .help = "price feed"),
    FIELD(TEXT, price_change, accelerator, .help = "accelerator"),
    FIELD(NUMBER, price_change, count, .help = "number of accelerators"),
    FIELD(MONEY, price_change, before, .help = "price per machine-hour at the first time"),
    FIELD(MONEY, price_change, after, .help = "price per machine-hour at the second time"),
    FIELD(NUMBER, price_change, change, .help = "change as a share"),
    FIELD(FLAG, price_change, jump,
          .help = "factor of ten or more: possibly an error in the feed"),
};

const struct field_set price_change_fields = FIELD_SET(struct price_change, change_fields);

/* ---- since when a feed is complete ---- */

/* So many series at once, and more than one in so many of all, are not new machines. */
#define FEWEST_AT_ONCE 20
#define ONE_IN 10

struct history_starts {
    stamp *first; /* the oldest price of each feed and provider */
    struct start_day {
        size_t feed;
        int32_t day;
    } * days; /* on which a history starts, by feed and day */
    size_t day_count;
};

static int compare_starts(const void *a, const void *b)
{
    const struct start_day *x = a, *y = b;

    if (x->feed != y->feed)
        return x->feed < y->feed ? -1 : 1;
    return (x->day > y->day) - (x->day < y->day);
}

/* Of days sorted by feed, keep those on which many of the feed's series begin. */
static size_t keep_starts(struct start_day *days, size_t count)
{
    size_t kept = 0;

    for (size_t feed = 0; feed < count;) {
        size_t end = feed;

        while (end < count && days[end].feed == days[feed].feed)
            end++;
        for (size_t i = feed, next; i < end; i = next) {
            struct start_day one = days[i];

            for (next = i; next < end && days[next].day == one.day;)
                next++;
            if (next - i >= FEWEST_AT_ONCE && (next - i) * ONE_IN > end - feed)
                days[kept++] = one;
        }
        feed = end;
    }
    return kept;
}

static bool find_starts(struct arena *arena, const struct store *store,
                        struct history_starts *out, struct error *err)
{
    size_t count = store_series_count(store);

    out->first = arena_array(arena, stamp, store_feed_count(store), err);
    out->days = arena_array(arena, struct start_day, count, err);
    if (out->first == NULL || out->days == NULL)
        return false;
    for (size_t i = 0; i < store_feed_count(store); i++)
        out->first[i].s = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        struct store_series s = store_series(store, i);

        out->days[i] = (struct start_day){s.feed, day_of(s.first).n};
        if (s.first.s < out->first[s.feed].s)
            out->first[s.feed] = s.first;
    }
    qsort(out->days, count, sizeof out->days[0], compare_starts);
    out->day_count = keep_starts(out->days, count);
    return true;
}

/* Would the series have had a price at that moment, had there been one? */
static bool was_observed(const struct history_starts *starts, const struct store_series *series,
                         stamp at)
{
    struct start_day begins = {series->feed, day_of(series->first).n};

    if (series->first.s <= at.s)
        return true;
    return starts->first[series->feed].s <= at.s &&
           bsearch(&begins, starts->days, starts->day_count, sizeof begins, compare_starts) ==
               NULL;
}

/* ---- the comparison ---- */

stamp day_end_as_day(stamp at)
{
    bool end = at.s % SECONDS_PER_DAY == SECONDS_PER_DAY - 1;

    return (stamp){end ? at.s + 1 - SECONDS_PER_DAY : at.s};
}

struct diff_work {
    const struct market_view *view;
    const struct store *store;
    const struct diff_query *query;
    struct history_starts starts;
    bool *used; /* of each feed: a price of it is compared */
    signed char
        *looked; /* of each feed: did it report at the first moment? -1: not asked yet */
    struct price_change *rows;
    double *changes;
    size_t count;
    struct window without[2]; /* in the gaps of all that have one at the first moment, and at
                                 the second; empty: there is none */
};

static bool diff_room(struct diff_work *w, struct error *err)
{
    size_t count = store_series_count(w->store);

    w->used = arena_array(w->view->arena, bool, store_feed_count(w->store), err);
    w->looked = arena_array(w->view->arena, signed char, store_feed_count(w->store), err);
    w->rows = arena_array(w->view->arena, struct price_change, count, err);
    w->changes = arena_array(w->view->arena, double, count, err);
    if (w->used == NULL || w->looked == NULL || w->rows == NULL || w->changes == NULL)
        return false;
    for (size_t i = 0; i < store_feed_count(w->store); i++)
        w->looked[i] = -1;
    return find_starts(w->view->arena, w->store, &w->starts, err);
}

struct ends {
    int64_t before, after; /* SERIES_NONE: no price; SERIES_UNKNOWN: in a gap */
    struct window gap[2];  /* around both moments, when they are in one */
    bool jumped;           /* at once, in between */
};

/* The gap that a moment is in. */
static struct window gap_at(struct points points, stamp at)
{
    struct window gap = {{0}, {INT64_MAX}};

    for (size_t i = 0; i < points.len && points.at[i].at.s <= at.s; i++) {
        gap.from = points.at[i].at;
        if (i + 1 < points.len)
            gap.to = points.at[i + 1].at;
    }
    return gap;
}

/* What it cost at both moments. */
static bool read_ends(const struct diff_work *w, size_t series, const struct store_series *s,
                      struct ends *out, struct error *err)
{
    struct arena scratch = {.alloc = w->view->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct points points;
    bool ok;

    *out = (struct ends){.before = SERIES_NONE, .after = SERIES_NONE};
    if (s->first.s > w->query->to.s)
        return true;
    ok = store_points(w->store, series, &scratch, &points, err);
    if (ok) {
        out->before = series_at(points, w->query->from);
        out->after = series_at(points, w->query->to);
        out->gap[0] = gap_at(points, w->query->from);
        out->gap[1] = gap_at(points, w->query->to);
        out->jumped =
            series_moves(points, (struct window){w->query->from, w->query->to}).jumps > 0;
    }
    arena_free(&scratch);
    return ok;
}

/* Did the feed report on any of its series at the first moment? */
static bool feed_looked(struct diff_work *w, size_t feed, bool *looked, struct error *err)
{
    for (size_t i = 0; w->looked[feed] < 1 && i < store_series_count(w->store); i++) {
        struct store_series s = store_series(w->store, i);
        struct ends ends;

        if (w->looked[feed] == 0)
            break;
        if (s.feed != feed || s.first.s > w->query->from.s)
            continue;
        if (!read_ends(w, i, &s, &ends, err))
            return false;
        if (ends.before != SERIES_UNKNOWN)
            w->looked[feed] = 1;
    }
    if (w->looked[feed] < 0)
        w->looked[feed] = 0;
    *looked = w->looked[feed] == 1;
    return true;
}

static bool add_diff_row(struct diff_work *w, const struct store_offer *o,
                         const struct store_series *s, struct price_change *row,
                         struct error *err)
{
    row->market = s->market;
    row->feed = store_feed(w->store, s->feed).feed;
    row->accelerator = o->accelerator;
    row->count = o->count;
    w->count++;
    return machine_name(o->provider, o->region, o->zone, o->instance, w->view->arena,
                        &row->offer, err);
}

/* The days that are in this gap and in those before. */
static void narrow_gap(struct window *all, const struct window *gap)
{
    bool first = all->to.s == 0;

    if (first || gap->from.s > all->from.s)
        all->from = gap->from;
    if (first || gap->to.s < all->to.s)
        all->to = gap->to;
}

/* Is one of the moments in a gap? */
static bool count_gap(struct diff_work *w, const struct ends *ends, struct price_diff *res)
{
    if (ends->before != SERIES_UNKNOWN && ends->after != SERIES_UNKNOWN)
        return false;
    res->unobserved++;
    if (ends->before == SERIES_UNKNOWN)
        narrow_gap(&w->without[0], &ends->gap[0]);
    if (ends->after == SERIES_UNKNOWN)
        narrow_gap(&w->without[1], &ends->gap[1]);
    return true;
}

/* The days around the moments, once when both are in the same gap. */
static bool list_gaps(const struct diff_work *w, struct rows *out, struct error *err)
{
    struct data_gap *gaps = arena_array(w->view->arena, struct data_gap, 2, err);
    size_t count = 0;

    for (int i = 0; gaps != NULL && i < 2; i++) {
        struct data_gap gap = data_gap_of(w->without[i]);

        if (w->without[i].to.s == 0 || (count > 0 && gaps[0].from.n == gap.from.n))
            continue;
        gaps[count++] = gap;
    }
    *out = (struct rows){gaps, count};
    return gaps != NULL;
}

/* Count it. Is it a row, of which kind? */
static bool count_change(struct diff_work *w, const struct store_series *s,
                         const struct ends *ends, bool looked, struct price_change *row,
                         struct price_diff *res)
{
    if (ends->before == SERIES_NONE) {
        bool observed = looked && was_observed(&w->starts, s, w->query->from);

        res->appeared += observed;
        res->unknown += !observed;
        row->kind = PRICE_APPEARED;
        return observed;
    }
    if (ends->after == SERIES_NONE) {
        res->gone++;
        row->kind = PRICE_GONE;
        return true;
    }
    if (s->seen.s <= w->query->from.s) { /* not observed: not the same as unchanged */
        res->unseen++;
        return false;
    }
    res->compared++;
    row->change = ends->before > 0 ? (double)ends->after / (double)ends->before - 1 : NAN;
    if (series_same(ends->before, ends->after) || fabs(row->change) < w->query->min_change)
        return false;
    row->jump |= row->change >= 9 || row->change <= -0.9;
    res->up += ends->after > ends->before;
    res->down += ends->after < ends->before;
    w->changes[res->changed++] = row->change;
    row->kind = PRICE_CHANGED;
    return true;
}

static bool add_diff_series(struct diff_work *w, const struct store_offer *o, size_t series,
                            struct price_diff *res, struct error *err)
{
    struct store_series s = store_series(w->store, series);
    struct price_change *row = &w->rows[w->count];
    struct ends ends;
    bool looked = true;

    if (w->query->market >= 0 && s.market != (enum market)w->query->market)
        return true;
    if (!read_ends(w, series, &s, &ends, err))
        return false;
    if (ends.before == SERIES_NONE && ends.after == SERIES_NONE)
        return true;
    w->used[s.feed] = true;
    if (count_gap(w, &ends, res))
        return true;
    if (ends.before == SERIES_NONE && s.first.s > w->query->from.s &&
        !feed_looked(w, s.feed, &looked, err))
        return false;
    *row = (struct price_change){.before = money_from_nano(ends.before, s.currency),
                                 .after = money_from_nano(ends.after, s.currency),
                                 .change = NAN,
                                 .jump = ends.jumped};
    res->jumped += ends.jumped;
    if (!count_change(w, &s, &ends, looked, row, res))
        return true;
    if (!add_diff_row(w, o, &s, row, err))
        return false;
    res->several_feeds |= !str_eq(row->feed, w->rows[0].feed);
    return true;
}

static int compare_price_changes(const void *a, const void *b, void *ctx)
{
    const struct price_change *x = a, *y = b;
    const enum diff_sort *by = ctx;
    int order = 0;

    if (*by == DIFF_BY_CHANGE) { /* what appeared and what is gone has none: last */
        /* To a tenth is as far as to ten times. */
        order = num_compare(-fabs(log1p(x->change)), -fabs(log1p(y->change)));
        order = order != 0 ? order
                           : strcmp(price_change_names[x->kind], price_change_names[y->kind]);
    } else if (*by == DIFF_BY_PRICE) {
        order = currency_unset(x->after.currency) - currency_unset(y->after.currency);
        order = order != 0 ? order : decimal_cmp(x->after.amount, y->after.amount);
    }
    order = order != 0 ? order : str_cmp(x->offer, y->offer);
    return order != 0 ? order : strcmp(market_names[x->market], market_names[y->market]);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], num_by_value);
    while (count > 0 && isnan(values[count - 1])) /* from nothing to something */
        count--;
    return count == 0 ? NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of the feeds that are used, those last read before the second moment. */
struct old_feeds {
    size_t used, old, oldest;
};

static struct old_feeds find_old(const struct diff_work *w)
{
    struct old_feeds o = {0};

    for (size_t i = 0; i < store_feed_count(w->store); i++) {
        stamp read = store_feed(w->store, i).read;

        o.used += w->used[i];
        if (!w->used[i] || read.s + PRICE_HOLDS >= w->query->to.s)
            continue;
        if (o.old++ == 0 || read.s < store_feed(w->store, o.oldest).read.s)
            o.oldest = i;
    }
    return o;
}

/* What such a feed reports ends when it was read. */
static void warn_of_old(const struct diff_work *w)
{
    struct buf text = buf_new(w->view->arena->alloc, 512);
    struct old_feeds o = find_old(w);
    struct store_feed feed;

    if (o.old == 0)
        return;
    feed = store_feed(w->store, o.oldest);
    buf_addf(&text, "%.*s of %.*s", STR_ARG(feed.feed), STR_ARG(feed.provider));
    if (o.old > 1)
        buf_addf(&text, " and %zu more of %zu lists were", o.old - 1, o.used);
    else
        buf_adds(&text, " was");
    buf_adds(&text, " last read on ");
    day_write(day_of(feed.read), &text);
    buf_addf(&text, "%s, before ", o.old > 1 ? " or later" : "");
    stamp_write_short(day_end_as_day(w->query->to), &text);
    message_warn(w->view->messages, "%.*s: what changed since is not known", (int)text.len,
                 text.at != NULL ? text.at : "");
    buf_free(&text);
}

bool price_diff(const struct market_view *view, const struct diff_query *query,
                struct price_diff *out, struct error *err)
{
    struct diff_work w = {.view = view, .store = view->store, .query = query};
    enum diff_sort sort = query->sort;
    struct store_offer *offers;
    size_t count;
    bool ok = true;

    *out = (struct price_diff){0};
    if (!diff_room(&w, err) || !zones_select(view, &query->filter, &offers, &count, err))
        return false;
    store_hold(w.store);
    for (size_t i = 0; ok && i < count; i++)
        for (size_t k = 0; ok && k < offers[i].series_count; k++)
            ok = add_diff_series(&w, &offers[i], offers[i].first_series + k, out, err);
    store_release(w.store);
    if (!ok)
        return false;
    qsort_r(w.rows, w.count, sizeof w.rows[0], compare_price_changes, &sort);
    out->median = median(w.changes, (size_t)out->changed);
    out->changes = (struct rows){w.rows, query->limit < w.count ? query->limit : w.count};
    warn_of_old(&w);
    return list_gaps(&w, &out->gaps, err);
}

bool diff_moment_parse(stamp now, struct str text, stamp *out, struct error *err)
{
    struct error ignored = {0};
    span ago;
    day date;

    if (str_eq_nocase(text, STR("today")) || str_eq_nocase(text, STR("now"))) {
        *out = now;
        return true;
    }
    if (str_eq_nocase(text, STR("yesterday")))
        date = (day){day_of(now).n - 1};
    else if (span_parse(text, &ago, &ignored)) {
        out->s = now.s - ago.ns / INT64_C(1000000000);
        return out->s > 0 ||
               error_fail(err, ERROR_USAGE, "'%.*s' ago is before 1970", STR_ARG(text));
    } else if (!day_parse(text, &date)) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a day", STR_ARG(text));
        error_hint(err, "write 2026-08-01, yesterday, today, or 7d for a week ago");
        return false;
    }
    if (date.n > day_of(now).n) {
        error_set(err, ERROR_USAGE, "'%.*s' is in the future: prices are known until today",
                  STR_ARG(text));
        error_hint(err, "use a past day, such as yesterday, or 7d for a week ago");
        return false;
    }
    out->s = (date.n + INT64_C(1)) * SECONDS_PER_DAY - 1;
    out->s = out->s < now.s ? out->s : now.s;
    return true;
}
