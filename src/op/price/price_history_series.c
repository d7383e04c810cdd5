#include "op/price/price_history_series.h"
#include "op/context.h"

#include <math.h>
#include <stdio.h>

#include "series/risk.h"

#define PATTERN_DAYS 182 /* weeks of half a year, however short the window is */
#define APART 0.01       /* feeds that differ by less agree */

static const char *const weekday_names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static bool slot_text(struct op_context *ctx, size_t slots, size_t slot, struct str *out,
                      struct error *err)
{
    char text[16];

    if (slots == WEEK_DAYS) {
        *out = str_from(weekday_names[slot]);
        return true;
    }
    (void)snprintf(text, sizeof text, "%s %02zuh", weekday_names[slot / 24], slot % 24);
    out->at = str_dup(str_from(text), ctx->arena, err);
    *out = str_from(out->at);
    return out->at != NULL;
}

static bool fill_slots(struct op_context *ctx, const struct pattern *p,
                       struct history_pattern *out, struct error *err)
{
    struct history_slot *slots = arena_array(ctx->arena, struct history_slot, p->slots, err);

    if (slots == NULL)
        return false;
    for (size_t i = 0; i < p->slots; i++) {
        slots[i].ratio = p->ratio[i];
        if (!slot_text(ctx, p->slots, i, &slots[i].slot, err))
            return false;
    }
    out->cheapest = slots[p->cheapest].slot;
    out->dearest = slots[p->dearest].slot;
    out->slots = (struct rows){slots, p->slots};
    return true;
}

static bool fill_pattern(struct op_context *ctx, struct points points, struct window window,
                         size_t slots, struct history_pattern *out, struct error *err)
{
    static const char *const words[] = {[PATTERN_TOO_SHORT] = "too short",
                                        [PATTERN_TOO_COARSE] = "once a day",
                                        [PATTERN_NONE] = "no",
                                        [PATTERN_REAL] = "yes"};
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct pattern p;
    bool ok;

    window.from.s = window.to.s - PATTERN_DAYS * SECONDS_PER_DAY;
    ok = series_pattern(points, window, slots, &p, &scratch, err);
    arena_free(&scratch);
    if (!ok)
        return false;
    *out = (struct history_pattern){.found = str_from(words[p.found]),
                                    .weeks = (int64_t)p.weeks,
                                    .swing = p.swing,
                                    .chance = p.chance};
    return p.found != PATTERN_REAL || fill_slots(ctx, &p, out, err);
}

static bool fill_points(struct op_context *ctx, struct points points, struct window window,
                        const char currency[static 4], struct rows *out, struct error *err)
{
    size_t from = series_start(points, window), to = from, n = 0;
    struct history_point *rows;

    while (to < points.len && points.at[to].at.s <= window.to.s)
        to++;
    from -= from > 0; /* what held when it began */
    rows = arena_array(ctx->arena, struct history_point, to - from, err);
    if (rows == NULL)
        return false;
    for (size_t i = from; i < to; i++, n++) {
        rows[n].price = money_from_nano(points.at[i].value, currency);
        if (!stamp_text(points.at[i].at, ctx->arena, &rows[n].at, err))
            return false;
    }
    *out = (struct rows){rows, n};
    return true;
}

static bool fill_trend(struct op_context *ctx, struct points points, struct window window,
                       struct rows *out, struct error *err)
{
    double mean[HISTORY_COLUMNS], length = (double)(window.to.s - window.from.s);
    struct history_piece *rows =
        arena_array(ctx->arena, struct history_piece, HISTORY_COLUMNS, err);

    if (rows == NULL)
        return false;
    series_resample(points, window, HISTORY_COLUMNS, mean);
    for (size_t i = 0; i < HISTORY_COLUMNS; i++) {
        stamp at = {window.from.s + (int64_t)(length * (double)i / HISTORY_COLUMNS)};

        rows[i].price = mean[i] / 1e9;
        if (!stamp_text(at, ctx->arena, &rows[i].from, err))
            return false;
    }
    *out = (struct rows){rows, HISTORY_COLUMNS};
    return true;
}

static int64_t nearest(double value)
{
    return isnan(value) ? -1 : llround(value);
}

static bool fill_numbers(const struct op_context *ctx, struct points points,
                         struct window window, const char currency[static 4],
                         struct history_series *out, struct error *err)
{
    static const double half = 0.5;
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
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
    if (stats.last != SERIES_NONE)
        rank = series_rank(points, window, stats.last);
    for (size_t i = series_start(points, window); i < points.len && first == SERIES_NONE; i++)
        first = points.at[i].value; /* it began, or came back, inside the window */
    out->current = money_from_nano(stats.last, currency);
    out->gone = stats.last == SERIES_NONE;
    out->min = money_from_nano(stats.min, currency);
    out->max = money_from_nano(stats.max, currency);
    out->mean = money_from_nano(nearest(stats.mean), currency);
    out->median = money_from_nano(median, currency);
    out->covered = stats.share;
    out->changes = (int64_t)moves.changes;
    out->jumps = (int64_t)moves.jumps;
    out->largest_jump = moves.largest;
    out->change =
        stats.last != SERIES_NONE && first > 0 ? (double)stats.last / (double)first - 1 : NAN;
    out->percentile = rank.at_most;
    out->cheaper_than = rank.above;
    out->daily = v.daily;
    out->weekly = v.weekly;
    out->weekly_p95 = v.weekly_p95;
    out->daily_range = v.range;
    return stamp_text(moves.at, ctx->arena, &out->jump_at, err);
}

/* Since when the last price of the window holds. */
static stamp since_of(struct points points, struct window window)
{
    stamp since = {0};

    for (size_t i = 0; i < points.len && points.at[i].at.s <= window.to.s; i++)
        since = points.at[i].at;
    return since;
}

static bool fill_dates(struct op_context *ctx, struct points points, struct window window,
                       const struct store_series *s, struct history_series *out,
                       struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx);

    out->unseen_days = now.s > s->seen.s ? (now.s - s->seen.s) / SECONDS_PER_DAY : 0;
    return stamp_text(since_of(points, window), ctx->arena, &out->since, err) &&
           stamp_text(s->seen, ctx->arena, &out->seen, err) &&
           stamp_text(s->first, ctx->arena, &out->first, err) &&
           stamp_text(window.from, ctx->arena, &out->from, err) &&
           stamp_text(window.to, ctx->arena, &out->until, err);
}

static bool never_priced(struct points points)
{
    for (size_t i = 0; i < points.len; i++)
        if (points.at[i].value != SERIES_NONE)
            return false;
    return true;
}

bool history_fill(struct op_context *ctx, const struct history_source *source, size_t series,
                  struct history_series *out, struct error *err)
{
    struct store_series s = store_series(source->store, series);
    struct store_offer offer = store_offer(source->store, s.offer);
    struct store_feed feed = store_feed(source->store, s.feed);
    struct window window = market_window(&s, source->until, source->days);
    struct points points;

    *out = (struct history_series){.market = str_from(market_names[s.market]),
                                   .feed = feed.feed,
                                   .source = feed.from,
                                   .confidence = str_from(confidence_names[feed.confidence])};
    if (!store_points(source->store, series, ctx->arena, &points, err))
        return false;
    out->never = never_priced(points);
    if (out->never)
        return true;
    while (points.len > 0 && points.at[points.len - 1].at.s > source->last.s)
        points.len--;
    return machine_name(offer.provider, offer.region, offer.zone, offer.instance, ctx->arena,
                        &out->offer, err) &&
           fill_numbers(ctx, points, window, s.currency, out, err) &&
           fill_pattern(ctx, points, window, WEEK_DAYS, &out->weekdays, err) &&
           fill_pattern(ctx, points, window, WEEK_HOURS, &out->hours, err) &&
           fill_trend(ctx, points, window, &out->trend, err) &&
           fill_points(ctx, points, window, s.currency, &out->points, err) &&
           fill_dates(ctx, points, window, &s, out, err) &&
           doubt_words(s.doubts, ctx->arena, &out->doubts, err);
}

static bool disagree(const struct history_series *a, const struct history_series *b)
{
    double x = decimal_double(a->current.amount), y = decimal_double(b->current.amount);

    return str_eq(a->offer, b->offer) && str_eq(a->market, b->market) && !a->gone && !b->gone &&
           str_eq(str_from(a->current.currency), str_from(b->current.currency)) &&
           fabs(x - y) > APART * fmin(x, y);
}

/* Of one market, feeds that differ. */
static void warn_of_difference(struct op_context *ctx, const struct history_series *rows,
                               size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (disagree(&rows[0], &rows[k]))
            message_warn(
                &ctx->messages,
                "%.*s and %.*s differ about the %.*s price: both are shown, none is averaged",
                STR_ARG(rows[0].feed), STR_ARG(rows[k].feed), STR_ARG(rows[0].market));
}

void history_warn(struct op_context *ctx, const struct history_series *rows, size_t count)
{
    int64_t limit = ctx->settings->stale_after.ns / (24 * SPAN_HOUR), oldest = 0;

    for (size_t i = 0; i < count; i++) {
        oldest = rows[i].unseen_days > oldest ? rows[i].unseen_days : oldest;
        warn_of_difference(ctx, rows + i, count - i);
    }
    if (oldest > limit)
        message_warn(
            &ctx->messages,
            "a price was last seen %lld days ago: 'stint price doctor' says what to run",
            (long long)oldest);
}
