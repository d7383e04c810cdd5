#include "market/history.h"

#include <math.h>
#include <stdio.h>

#include "series/risk.h"

#define PATTERN_DAYS 182 /* weeks of half a year, however short the window is */
#define APART 0.01       /* feeds that differ by less agree */

/* ---- fields ---- */

#define MOMENT(record, member, ...) \
    FIELD(TIME, record, member, .empty_unknown = true, .short_midnight = true, __VA_ARGS__)

static const struct field slot_fields[] = {
    FIELD(TEXT, history_slot, slot, .help = "time slot: day, or day and hour (UTC)"),
    FIELD(NUMBER, history_slot, ratio, .help = "price over the mean of the week around it"),
};

static const struct field_set slot_set = FIELD_SET(struct history_slot, slot_fields);

static const char *const found_names[] = {
    [PATTERN_TOO_SHORT] = "too short",
    [PATTERN_TOO_COARSE] = "once a day",
    [PATTERN_NONE] = "no",
    [PATTERN_REAL] = "yes",
};

static const struct field pattern_fields[] = {
    FIELD(ENUM, history_pattern, found, FIELD_NAMES(found_names),
          .help = "result: yes; no (within chance); too short; once a day (hours cannot show)"),
    FIELD(COUNT, history_pattern, weeks, .help = "weeks it is based on"),
    FIELD(NUMBER, history_pattern, swing, .help = "most expensive over cheapest slot, minus 1"),
    FIELD(NUMBER, history_pattern, chance,
          .help = "probability that randomly shifted weeks show as much"),
    FIELD(TEXT, history_pattern, cheapest, .help = "cheapest slot"),
    FIELD(TEXT, history_pattern, most_expensive, .help = "most expensive slot"),
    FIELD(LIST, history_pattern, slots, .row = &slot_set,
          .help = "slots from Monday 00:00 UTC on"),
};

static const struct field_set pattern_set = FIELD_SET(struct history_pattern, pattern_fields);

static const struct field piece_fields[] = {
    MOMENT(history_piece, from, .help = "start of the piece"),
    FIELD(NUMBER, history_piece, price, .help = "mean price, in the currency; null in a gap"),
};

static const struct field_set piece_set = FIELD_SET(struct history_piece, piece_fields);

static const struct field point_fields[] = {
    MOMENT(history_point, at, .help = "time of the change"),
    FIELD(MONEY, history_point, price, .help = "price per machine-hour; null: gone"),
    FIELD(FLAG, history_point, observed, .help = "data exist from here on; false: they do not"),
};

static const struct field_set point_set = FIELD_SET(struct history_point, point_fields);

static const struct field series_fields[] = {
    FIELD(TEXT, history_series, offer, .help = "provider/region/zone/instance"),
    FIELD(ENUM, history_series, market, .names = market_names, .only = MARKETS_LISTED,
          .help = "market: on-demand, spot, ..."),
    FIELD_AS("feed", TEXT, history_series, feed.feed, .help = "price feed"),
    FIELD_AS("source", TEXT, history_series, feed.from, .help = "file or address read last"),
    FIELD_AS("confidence", ENUM, history_series, feed.confidence, .names = confidence_names,
             .help = "official, catalog or private"),
    FIELD(MONEY, history_series, current,
          .help = "price at the end of the window; null: gone, or no data"),
    FIELD(FLAG, history_series, gone, .help = "price no longer exists"),
    MOMENT(history_series, since, .help = "time of the last change"),
    MOMENT(history_series, seen, .help = "time of the last confirmation"),
    MOMENT(history_series, first, .help = "time of the oldest price in the store"),
    FIELD(COUNT, history_series, unseen_days, .help = "days since it was last confirmed"),
    MOMENT(history_series, from, .help = "start of the window"),
    MOMENT(history_series, until,
           .help = "end of the window: not after the price was last seen"),
    FIELD(MONEY, history_series, min, .help = "lowest price in the window"),
    FIELD(MONEY, history_series, mean, .help = "mean price, weighted by time"),
    FIELD(MONEY, history_series, median, .help = "median price, weighted by time"),
    FIELD(MONEY, history_series, max, .help = "highest price in the window"),
    FIELD(NUMBER, history_series, change,
          .help = "change from the first price to the last, as a share"),
    FIELD(SHARE, history_series, percentile,
          .help = "share of time at or below the current price"),
    FIELD(SHARE, history_series, cheaper_than, .help = "share of time above the current price"),
    FIELD(SHARE, history_series, covered, .help = "share of the window that has a price"),
    FIELD(SHARE, history_series, observed, .help = "share of the window that has data"),
    FIELD(LIST, history_series, gaps, .row = &data_gap_fields,
          .help = "days without data: left out of all numbers"),
    FIELD(COUNT, history_series, changes,
          .help = "price changes in the window; below 0.01 % is rounding"),
    FIELD(COUNT, history_series, jumps, .help = "changes by ten times or more, up or down"),
    FIELD(NUMBER, history_series, largest_jump, .help = "ratio of the new price to the old"),
    MOMENT(history_series, jump_at, .help = "time of the largest jump"),
    FIELD(NUMBER, history_series, daily,
          .help = "standard deviation of daily changes (logarithms)"),
    FIELD(NUMBER, history_series, weekly, .help = "mean size of a weekly change, a share"),
    FIELD(NUMBER, history_series, weekly_p95, .help = "95th percentile of the weekly change"),
    FIELD(NUMBER, history_series, daily_range,
          .help = "highest over lowest of a day, minus 1, on average; null: once a day"),
    FIELD(RECORD, history_series, weekdays, .row = &pattern_set, .help = "days of the week"),
    FIELD(RECORD, history_series, hours, .row = &pattern_set, .help = "hours of the week"),
    FIELD(TEXTS, history_series, doubts, .help = "doubts about the current price"),
    FIELD(LIST, history_series, trend, .row = &piece_set,
          .help = "trend: the window in equal pieces"),
    FIELD(LIST, history_series, points, .row = &point_set,
          .help = "price changes in the window, and the price at its start"),
};

const struct field_set history_series_fields = FIELD_SET(struct history_series, series_fields);

/* ---- the numbers of one series ---- */

static const char *const weekday_names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static bool slot_text(struct arena *arena, size_t slots, size_t slot, struct str *out,
                      struct error *err)
{
    char text[16];

    if (slots == WEEK_DAYS) {
        *out = str_from(weekday_names[slot]);
        return true;
    }
    (void)snprintf(text, sizeof text, "%s %02zuh", weekday_names[slot / 24], slot % 24);
    return str_keep(str_from(text), arena, out, err);
}

static bool fill_history_slots(struct arena *arena, const struct pattern *p,
                               struct history_pattern *out, struct error *err)
{
    struct history_slot *slots = arena_array(arena, struct history_slot, p->slots, err);

    if (slots == NULL)
        return false;
    for (size_t i = 0; i < p->slots; i++) {
        slots[i].ratio = p->ratio[i];
        if (!slot_text(arena, p->slots, i, &slots[i].slot, err))
            return false;
    }
    out->cheapest = slots[p->cheapest].slot;
    out->most_expensive = slots[p->costliest].slot;
    out->slots = (struct rows){slots, p->slots};
    return true;
}

static bool fill_pattern(struct arena *arena, struct points points, struct window window,
                         size_t slots, struct history_pattern *out, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct pattern p;
    bool ok;

    window.from.s = window.to.s - PATTERN_DAYS * SECONDS_PER_DAY;
    ok = series_pattern(points, window, slots, &p, &scratch, err);
    arena_free(&scratch);
    if (!ok)
        return false;
    *out = (struct history_pattern){
        .found = p.found, .weeks = (int64_t)p.weeks, .swing = p.swing, .chance = p.chance};
    return p.found != PATTERN_REAL || fill_history_slots(arena, &p, out, err);
}

static bool fill_points(struct arena *arena, struct points points, struct window window,
                        struct currency currency, struct rows *out, struct error *err)
{
    size_t from = series_start(points, window), to = from, n = 0;
    struct history_point *rows;

    while (to < points.len && points.at[to].at.s <= window.to.s)
        to++;
    from -= from > 0; /* what held when it began */
    rows = arena_array(arena, struct history_point, to - from, err);
    if (rows == NULL)
        return false;
    for (size_t i = from; i < to; i++, n++) {
        rows[n].price = money_from_nano(points.at[i].value, currency);
        rows[n].at = points.at[i].at;
        rows[n].observed = points.at[i].value != SERIES_UNKNOWN;
    }
    *out = (struct rows){rows, n};
    return true;
}

static bool fill_trend(struct arena *arena, struct points points, struct window window,
                       struct rows *out, struct error *err)
{
    double mean[HISTORY_COLUMNS], length = (double)(window.to.s - window.from.s);
    struct history_piece *rows = arena_array(arena, struct history_piece, HISTORY_COLUMNS, err);

    if (rows == NULL)
        return false;
    series_resample(points, window, HISTORY_COLUMNS, mean);
    for (size_t i = 0; i < HISTORY_COLUMNS; i++) {
        rows[i].price = mean[i] / 1e9;
        rows[i].from.s = window.from.s + (int64_t)(length * (double)i / HISTORY_COLUMNS);
    }
    *out = (struct rows){rows, HISTORY_COLUMNS};
    return true;
}

/* The days without data of the window. */
static bool fill_gaps(struct arena *arena, struct points points, struct window window,
                      struct rows *out, struct error *err)
{
    size_t next = series_start(points, window), count = 0;
    struct data_gap *rows = arena_array(arena, struct data_gap, points.len + 1, err);
    stamp at = window.from;
    struct stretch s;

    while (rows != NULL && series_next(points, window, &next, &at, &s))
        if (s.value == SERIES_UNKNOWN)
            rows[count++] = data_gap_of((struct window){s.from, s.to});
    *out = (struct rows){rows, count};
    return rows != NULL;
}

static int64_t nearest_nano(double value)
{
    return isnan(value) ? -1 : llround(value);
}

static bool fill_history_numbers(struct arena *arena, struct points points,
                                 struct window window, struct currency currency,
                                 struct history_series *out, struct error *err)
{
    static const double half = 0.5;
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct series_stats stats = series_stats(points, window);
    struct series_moves moves = series_moves(points, window);
    struct series_rank rank = {NAN, NAN, NAN};
    struct volatility v;
    int64_t median = SERIES_NONE, first = stats.first;
    bool ok;

    ok = series_quantiles(points, window, &half, 1, &median, &scratch, err) &&
         series_volatility(points, window, &v, &scratch, err);
    arena_free(&scratch);
    if (!ok)
        return false;
    if (series_has(stats.last))
        rank = series_rank(points, window, stats.last);
    for (size_t i = series_start(points, window); i < points.len && !series_has(first); i++)
        first = points.at[i].value; /* it began, or came back, inside the window */
    out->current = money_from_nano(stats.last, currency);
    out->gone = stats.last == SERIES_NONE;
    out->min = money_from_nano(stats.min, currency);
    out->max = money_from_nano(stats.max, currency);
    out->mean = money_from_nano(nearest_nano(stats.mean), currency);
    out->median = money_from_nano(median, currency);
    out->covered = stats.share;
    out->observed = stats.observed;
    out->changes = (int64_t)moves.changes;
    out->jumps = (int64_t)moves.jumps;
    out->largest_jump = moves.largest;
    out->change =
        series_has(stats.last) && first > 0 ? (double)stats.last / (double)first - 1 : NAN;
    out->percentile = rank.at_most;
    out->cheaper_than = rank.above;
    out->daily = v.daily;
    out->weekly = v.weekly;
    out->weekly_p95 = v.weekly_p95;
    out->daily_range = v.range;
    out->jump_at = moves.at;
    return true;
}

/* Since when the last price of the window holds. */
static stamp since_of(struct points points, struct window window)
{
    stamp since = {0};

    for (size_t i = 0; i < points.len && points.at[i].at.s <= window.to.s; i++)
        since = points.at[i].at;
    return since;
}

static void fill_history_dates(stamp now, struct points points, struct window window,
                               const struct store_series *s, struct history_series *out)
{
    out->unseen_days = now.s > s->seen.s ? (now.s - s->seen.s) / SECONDS_PER_DAY : 0;
    out->since = since_of(points, window);
    out->seen = s->seen;
    out->first = s->first;
    out->from = window.from;
    out->until = window.to;
}

static bool never_priced(struct points points)
{
    for (size_t i = 0; i < points.len; i++)
        if (series_has(points.at[i].value))
            return false;
    return true;
}

/* Of a series that has had a price: its points are given. */
static bool fill_history_series(const struct market_view *view,
                                const struct history_query *query, const struct store_series *s,
                                struct points points, struct history_series *out,
                                struct error *err)
{
    struct store_offer offer = store_offer(view->store, s->offer);
    struct window window = market_window(s, query->until, query->days);
    struct arena *arena = view->arena;

    while (points.len > 0 && points.at[points.len - 1].at.s > query->last.s)
        points.len--;
    *out =
        (struct history_series){.market = s->market, .feed = store_feed(view->store, s->feed)};
    fill_history_dates(query->now, points, window, s, out);
    return machine_name(offer.provider, offer.region, offer.zone, offer.instance, arena,
                        &out->offer, err) &&
           fill_history_numbers(arena, points, window, s->currency, out, err) &&
           fill_pattern(arena, points, window, WEEK_DAYS, &out->weekdays, err) &&
           fill_pattern(arena, points, window, WEEK_HOURS, &out->hours, err) &&
           fill_trend(arena, points, window, &out->trend, err) &&
           fill_gaps(arena, points, window, &out->gaps, err) &&
           fill_points(arena, points, window, s->currency, &out->points, err) &&
           doubt_words(s->doubts, arena, &out->doubts, err);
}

/* ---- the series of an offer ---- */

static bool prices_disagree(const struct history_series *a, const struct history_series *b)
{
    double x = decimal_double(a->current.amount), y = decimal_double(b->current.amount);

    return str_eq(a->offer, b->offer) && a->market == b->market && !a->gone && !b->gone &&
           currency_is(a->current.currency, b->current.currency) &&
           fabs(x - y) > APART * fmin(x, y);
}

/* Of one market, feeds that differ. */
static void warn_of_difference(const struct messages *to, const struct history_series *rows,
                               size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (prices_disagree(&rows[0], &rows[k]))
            message_warn(
                to, "%.*s and %.*s differ about the %s price: both are shown, none is averaged",
                STR_ARG(rows[0].feed.feed), STR_ARG(rows[k].feed.feed),
                market_names[rows[0].market]);
}

static void warn_of_series(const struct market_view *view, const struct history_series *rows,
                           size_t count)
{
    int64_t limit = view->fresh.ns / (24 * SPAN_HOUR), oldest = 0;

    for (size_t i = 0; i < count; i++) {
        oldest = rows[i].unseen_days > oldest ? rows[i].unseen_days : oldest;
        warn_of_difference(view->messages, rows + i, count - i);
    }
    if (oldest > limit)
        message_warn(
            view->messages,
            "a price was last seen %lld days ago: 'stint price doctor' shows what to run",
            (long long)oldest);
}

/* Is this series one to show? Terms are shown only when asked for. */
static bool series_wanted(const struct history_query *query, const struct store *store,
                          const struct store_series *s)
{
    if (!strs_match(query->feeds, store_feed(store, s->feed).feed))
        return false;
    if (query->market >= 0)
        return s->market == (enum market)query->market;
    return s->market == MARKET_SPOT || s->market == MARKET_ON_DEMAND;
}

struct history_work {
    const struct market_view *view;
    const struct history_query *query;
    struct history_series *rows;
    size_t count, room;
    size_t others; /* series of other markets or feeds */
    size_t never;  /* series that never had a price */
};

static bool add_history_offer(struct history_work *w, const struct store_offer *o,
                              struct error *err)
{
    const struct store *store = w->view->store;

    for (size_t i = o->first_series; i < o->first_series + o->series_count; i++) {
        struct store_series s = store_series(store, i);
        struct points points;

        if (!series_wanted(w->query, store, &s)) {
            w->others++;
            continue;
        }
        if (w->count == w->room)
            return error_fail(err, ERROR_INPUT, "the price store changed while it was read");
        if (!store_points(store, i, w->view->arena, &points, err))
            return false;
        if (never_priced(points)) {
            w->never++;
            continue;
        }
        if (!fill_history_series(w->view, w->query, &s, points, &w->rows[w->count++], err))
            return false;
    }
    return true;
}

/* The chosen offer, or all zones of it. */
static bool add_zones(struct history_work *w, const struct store_offer *chosen,
                      struct error *err)
{
    const struct store *store = w->view->store;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < store_offer_count(store); i++) {
            struct store_offer o = store_offer(store, i);

            if (!str_eq(o.instance, chosen->instance) || !str_eq(o.region, chosen->region) ||
                !str_eq(o.provider, chosen->provider) ||
                (!w->query->zones && !str_eq(o.zone, chosen->zone)))
                continue;
            if (pass == 0)
                w->room += o.series_count;
            else if (!add_history_offer(w, &o, err))
                return false;
        }
        if (pass == 0)
            w->rows = arena_array(w->view->arena, struct history_series, w->room, err);
        if (w->rows == NULL)
            return false;
    }
    return true;
}

static bool no_series(const struct history_work *w, struct str name, struct error *err)
{
    int market = w->query->market;

    if (w->never > 0) {
        error_set(err, ERROR_ABSENT, "%.*s never had a %s price", STR_ARG(name),
                  market >= 0 ? market_names[market] : "spot or on-demand");
        error_hint(err, "'stint price history %.*s' shows its other markets", STR_ARG(name));
        return false;
    }
    error_set(err, ERROR_ABSENT, "the price store has no %s price of %.*s",
              market >= 0 ? market_names[market] : "such", STR_ARG(name));
    error_hint(err,
               "it has %zu series of other markets or feeds: leave out --market and --feed",
               w->others);
    return false;
}

bool history_read(const struct market_view *view, const struct store_offer *offer,
                  struct str name, const struct history_query *query, struct rows *out,
                  struct error *err)
{
    struct history_work w = {.view = view, .query = query};

    if (!add_zones(&w, offer, err))
        return false;
    if (w.count == 0)
        return no_series(&w, name, err);
    warn_of_series(view, w.rows, w.count);
    *out = (struct rows){w.rows, w.count};
    return true;
}
