/* price.history - what one offer cost over time, as each feed tells it. */
#include "op/price/price_history.h"

#include "market/zones.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/price/price_history_series.h"

#define MOST_DAYS 3660

static const struct field request[] = {
    FIELD(TEXT, price_history_request, offer, .value = "OFFER", .operand = true,
          .required = true,
          .help = "aws/us-east-1/p5.48xlarge:spot; parts left out mean the cheapest"),
    FIELD(COUNT, price_history_request, days, .value = "N", .positive = true, .fallback = "30",
          .help = "how many days back"),
    FIELD(CHOICE, price_history_request, market, .value = "MARKET", .choices = market_names,
          .help = "only this one, such as spot; without it spot and on-demand"),
    FIELD_AS("feed", TEXTS, price_history_request, feeds, .value = "LIST",
             .help = "only as these feeds tell it, such as skypilot"),
    FIELD(DAY, price_history_request, until, .value = "DATE",
          .help = "the last day to look at, such as 2026-08-01 (default: today)"),
    FIELD(FLAG, price_history_request, zones,
          .help = "every zone of the region, not only the cheapest"),
};

static const struct field slot_fields[] = {
    FIELD(TEXT, history_slot, slot, .help = "day, or day and hour (UTC)"),
    FIELD(NUMBER, history_slot, ratio, .help = "price over the mean of the week around it"),
};

static const struct field_set slot_set = FIELD_SET(struct history_slot, slot_fields);

static const struct field pattern_fields[] = {
    FIELD(TEXT, history_pattern, found,
          .help = "yes; no (not more than chance); too short; once a day (hours cannot show)"),
    FIELD(COUNT, history_pattern, weeks, .help = "that it rests on"),
    FIELD(NUMBER, history_pattern, swing, .help = "dearest over cheapest slot, less 1"),
    FIELD(NUMBER, history_pattern, chance,
          .help = "how often weeks turned at random show as much"),
    FIELD(TEXT, history_pattern, cheapest, .help = "slot"),
    FIELD(TEXT, history_pattern, dearest, .help = "slot"),
    FIELD(LIST, history_pattern, slots, .row = &slot_set, .help = "from Monday 00:00 UTC on"),
};

static const struct field_set pattern_set = FIELD_SET(struct history_pattern, pattern_fields);

static const struct field piece_fields[] = {
    FIELD(TEXT, history_piece, from, .help = "start of the piece"),
    FIELD(NUMBER, history_piece, price, .help = "mean, in the currency; null in a gap"),
};

static const struct field_set piece_set = FIELD_SET(struct history_piece, piece_fields);

static const struct field point_fields[] = {
    FIELD(TEXT, history_point, at, .help = "since when"),
    FIELD(MONEY, history_point, price, .help = "the machine for an hour; null: gone"),
};

static const struct field_set point_set = FIELD_SET(struct history_point, point_fields);

static const struct field series_fields[] = {
    FIELD(TEXT, history_series, offer, .help = "provider/region/zone/instance"),
    FIELD(TEXT, history_series, market, .help = "on-demand, spot, ..."),
    FIELD(TEXT, history_series, feed, .help = "who tells it"),
    FIELD(TEXT, history_series, source, .help = "the file or address read last"),
    FIELD(TEXT, history_series, confidence, .help = "official, catalog or private"),
    FIELD(MONEY, history_series, current, .help = "at the end of the window; null: gone"),
    FIELD(FLAG, history_series, gone, .help = "there is no price any more"),
    FIELD(TEXT, history_series, since, .help = "when it became that"),
    FIELD(TEXT, history_series, seen, .help = "when it was last confirmed"),
    FIELD(TEXT, history_series, first, .help = "the oldest price kept"),
    FIELD(COUNT, history_series, unseen_days, .help = "days since it was last confirmed"),
    FIELD(TEXT, history_series, from, .help = "start of the window"),
    FIELD(TEXT, history_series, until, .help = "its end: not after the price was last seen"),
    FIELD(MONEY, history_series, min, .help = "in the window"),
    FIELD(MONEY, history_series, mean, .help = "weighted by time"),
    FIELD(MONEY, history_series, median, .help = "weighted by time"),
    FIELD(MONEY, history_series, max, .help = "in the window"),
    FIELD(NUMBER, history_series, change, .help = "from the first price to the last, a share"),
    FIELD(SHARE, history_series, percentile, .help = "of the time at or below the current"),
    FIELD(SHARE, history_series, cheaper_than, .help = "of the time above the current"),
    FIELD(SHARE, history_series, covered, .help = "of the window that has a price"),
    FIELD(COUNT, history_series, changes,
          .help = "of the price in the window; below 0.01 % is rounding"),
    FIELD(COUNT, history_series, jumps, .help = "of these ten times or more, up or down"),
    FIELD(NUMBER, history_series, largest_jump, .help = "the new price over the old"),
    FIELD(TEXT, history_series, jump_at, .help = "when that was"),
    FIELD(NUMBER, history_series, daily,
          .help = "standard deviation of daily changes (logarithms)"),
    FIELD(NUMBER, history_series, weekly, .help = "mean size of a weekly change, a share"),
    FIELD(NUMBER, history_series, weekly_p95, .help = "95 of 100 are no larger"),
    FIELD(NUMBER, history_series, daily_range,
          .help = "highest over lowest of a day, less 1, in the mean; null: once a day"),
    FIELD(RECORD, history_series, weekdays, .row = &pattern_set, .help = "days of the week"),
    FIELD(RECORD, history_series, hours, .row = &pattern_set, .help = "hours of the week"),
    FIELD(TEXTS, history_series, doubts, .help = "about the current price"),
    FIELD(LIST, history_series, trend, .row = &piece_set, .help = "the window in equal pieces"),
    FIELD(LIST, history_series, points, .row = &point_set,
          .help = "every change in the window, and what held at its start"),
};

static const struct field_set series_set = FIELD_SET(struct history_series, series_fields);

static const struct field result[] = {
    FIELD(TEXT, price_history_result, offer, .help = "that was chosen"),
    FIELD(TEXT, price_history_result, provider, .help = "who sells it"),
    FIELD(TEXT, price_history_result, region, .help = "where"),
    FIELD(TEXT, price_history_result, zone, .help = "of the region; empty for all of it"),
    FIELD(TEXT, price_history_result, instance, .help = "the machine's name"),
    FIELD(TEXT, price_history_result, accelerator, .help = "what it has"),
    FIELD(NUMBER, price_history_result, count, .help = "how many"),
    FIELD(COUNT, price_history_result, days, .help = "asked for"),
    FIELD(LIST, price_history_result, series, .row = &series_set,
          .help = "one for each market and feed"),
};

/* Is this series one to show? Terms are shown only when asked for. */
static bool wanted(const struct price_history_request *req, const struct store *store,
                   const struct store_series *s, int market)
{
    if (!strs_match(req->feeds, store_feed(store, s->feed).feed))
        return false;
    if (market >= 0)
        return s->market == (enum market)market;
    return s->market == MARKET_SPOT || s->market == MARKET_ON_DEMAND;
}

struct collection {
    struct op_context *ctx;
    struct history_source source;
    const struct price_history_request *req;
    int market;
    struct history_series *rows;
    size_t count, room, others;
    size_t never; /* series that never had a price: they are left out */
};

static bool add_offer(struct collection *c, const struct store_offer *o, struct error *err)
{
    for (size_t i = o->first_series; i < o->first_series + o->series_count; i++) {
        struct store_series s = store_series(c->source.store, i);

        if (!wanted(c->req, c->source.store, &s, c->market)) {
            c->others++;
            continue;
        }
        if (c->count == c->room)
            return error_fail(err, ERROR_INPUT, "the price store changed while it was read");
        if (!history_fill(c->ctx, &c->source, i, &c->rows[c->count], err))
            return false;
        c->never += c->rows[c->count].never;
        c->count += !c->rows[c->count].never;
    }
    return true;
}

/* The chosen offer, or all zones of it. */
static bool collect(struct collection *c, const struct store_offer *chosen, struct error *err)
{
    const struct store *store = c->source.store;
    bool all = c->req->zones;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < store_offer_count(store); i++) {
            struct store_offer o = store_offer(store, i);

            if (!str_eq(o.instance, chosen->instance) || !str_eq(o.region, chosen->region) ||
                !str_eq(o.provider, chosen->provider) ||
                (!all && !str_eq(o.zone, chosen->zone)))
                continue;
            if (pass == 0)
                c->room += o.series_count;
            else if (!add_offer(c, &o, err))
                return false;
        }
        if (pass == 0)
            c->rows = arena_array(c->ctx->arena, struct history_series, c->room, err);
        if (c->rows == NULL)
            return false;
    }
    return true;
}

static bool nothing(const struct collection *c, const struct price_history_result *res,
                    struct error *err)
{
    if (c->never > 0) {
        error_set(err, ERROR_ABSENT, "%.*s never had a %s price", STR_ARG(res->offer),
                  c->market >= 0 ? market_names[c->market] : "spot or on-demand");
        error_hint(err, "'stint price history %.*s' shows its other markets",
                   STR_ARG(res->offer));
        return false;
    }
    error_set(err, ERROR_ABSENT, "no %s price of %.*s is kept",
              c->market >= 0 ? market_names[c->market] : "such", STR_ARG(res->offer));
    error_hint(err,
               "it has %zu series of other markets or feeds: leave out --market and --feed",
               c->others);
    return false;
}

/* Up to the end of that day, when it is over. */
static void set_until(const struct op_context *ctx, day until, struct history_source *source)
{
    int64_t end = (until.n + INT64_C(1)) * SECONDS_PER_DAY;

    if (until.n > op_today(ctx).n)
        message_warn(&ctx->messages, "--until is in the future: prices are known until today");
    if (until.n == INT32_MIN || end > source->until.s)
        return;
    source->until.s = end;
    source->last.s = end - 1;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_history_request *req = in;
    struct price_history_result *res = out;
    stamp now = ctx->clock->today(ctx->clock->ctx);
    struct collection c = {.ctx = ctx, .req = req, .source = {NULL, now, now, req->days}};
    struct market_view view;
    struct store_offer chosen;
    struct offer_name name;

    if (req->days > MOST_DAYS)
        return error_fail(err, ERROR_USAGE, "--days: %lld is more than ten years",
                          (long long)req->days);
    if (!offer_name_parse(req->offer, &name, err))
        return false;
    if (req->market.at != NULL && !market_parse(req->market, &name.market, err))
        return false;
    set_until(ctx, req->until, &c.source);
    if (!op_zones(ctx, TABLE_BIT(TABLE_EXCHANGE), &view, err))
        return false;
    c.source.store = view.store;
    if (!zones_find(&view, &name, &chosen, err) ||
        !machine_name(chosen.provider, chosen.region, chosen.zone, chosen.instance, ctx->arena,
                      &res->offer, err))
        return false;
    res->provider = chosen.provider;
    res->region = chosen.region;
    res->zone = chosen.zone;
    res->instance = chosen.instance;
    res->accelerator = chosen.accelerator;
    res->count = chosen.count;
    res->days = req->days;
    c.market = name.market;
    if (!collect(&c, &chosen, err))
        return false;
    if (c.count == 0)
        return nothing(&c, res, err);
    history_warn(ctx, c.rows, c.count);
    res->series = (struct rows){c.rows, c.count};
    return true;
}

const struct op op_price_history = {
    .name = "price.history",
    .schema = "stint.price.history/1",
    .summary = "show the price of an offer over time",
    .request = &(const struct field_set)FIELD_SET(struct price_history_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_history_result, result),
    .run = run,
};
