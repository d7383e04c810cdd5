/* The week of one offer: from its own prices, from the provider's pattern, or flat. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "op/plan/plan_slots.h"
#include "op/price/market_view.h"

#define HISTORY_DAYS 182 /* as 'price history' looks for patterns */
#define SETTLED_DAYS 21  /* a price that stood still for so long does not follow the hours */

/* A sentence in the arena. */
static bool sentence(struct op_context *ctx, struct str *out, struct error *err,
                     const char *fmt, ...) PRINTF_LIKE(4, 5);

static bool sentence(struct op_context *ctx, struct str *out, struct error *err,
                     const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    out->at = str_dup(str_from(text), ctx->arena, err);
    *out = str_from(out->at);
    return out->at != NULL;
}

double plan_week_round(double ratio)
{
    return round(ratio * 1e6) / 1e6;
}

double plan_week_swing(const struct week *week, double hours)
{
    double least = INFINITY, most = 0;

    for (size_t h = 0; h < WEEK_HOURS; h++) {
        double mean = week_mean(week, (double)h, hours);

        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return least > 0 ? plan_week_round(most / least - 1) : INFINITY;
}

static void flat(struct week *out)
{
    double hours[WEEK_HOURS];

    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = 1;
    week_of(hours, out);
}

/* A pattern of days or hours as a week whose mean is 1; a slot that was never seen has it. */
static void week_of_pattern(const struct pattern *p, struct week *out)
{
    double hours[WEEK_HOURS], sum = 0;

    for (size_t h = 0; h < WEEK_HOURS; h++) {
        double ratio = p->ratio[h * p->slots / WEEK_HOURS];

        hours[h] = ratio > 0 ? ratio : 1;
        sum += hours[h];
    }
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] *= WEEK_HOURS / sum;
    week_of(hours, out);
}

/* The series that tells what the offer costs now: of its zones the cheapest, of several feeds
 * the one to believe. SIZE_MAX when there is none. */
static size_t series_of(const struct op_context *ctx, const struct store *store,
                        const struct week_offer *offer)
{
    struct price_now best = {.series = SIZE_MAX};
    enum market market;

    if (!market_named(offer->market, &market))
        return SIZE_MAX;
    for (size_t i = store_offer_find(store, offer->provider, offer->region);
         i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        struct price_now now;

        if (!str_eq(o.provider, offer->provider) || !str_eq(o.region, offer->region))
            break;
        if (!str_eq(o.instance, offer->instance))
            continue;
        now = price_now(ctx, store, &o, market);
        if (now.series != SIZE_MAX &&
            (best.series == SIZE_MAX || price_now_compare(&now, &best) < 0))
            best = now;
    }
    return best.series;
}

/* What its prices show. False when memory runs out; `out->price_basis` stays empty when they
 * show nothing either way. */
static bool judge(struct op_context *ctx, struct points points, struct window window,
                  struct arena *scratch, struct offer_week *out, struct error *err)
{
    long long days = (long long)((window.to.s - window.from.s) / SECONDS_PER_DAY);
    struct pattern hours, weekdays, *found;

    if (window.from.s < points.at[0].at.s)
        days = (long long)((window.to.s - points.at[0].at.s) / SECONDS_PER_DAY);
    if (days >= SETTLED_DAYS && series_moves(points, window).changes == 0) {
        out->price_basis = STR("flat");
        return sentence(ctx, &out->price_why, err, "its own price stood still for %lld days",
                        days);
    }
    if (!series_pattern(points, window, WEEK_HOURS, &hours, scratch, err) ||
        !series_pattern(points, window, WEEK_DAYS, &weekdays, scratch, err))
        return false;
    found = hours.found == PATTERN_REAL ? &hours : &weekdays;
    if (found->found == PATTERN_REAL) {
        week_of_pattern(found, &out->prices);
        out->price_basis = STR("history");
        return sentence(ctx, &out->price_why, err,
                        "its own prices of %zu weeks, by the %s of the week; by chance as much "
                        "is seen in %.1f %% of cases",
                        found->weeks, found == &hours ? "hour" : "day", found->chance * 100);
    }
    if (hours.found != PATTERN_NONE)
        return true;
    out->price_basis = STR("flat");
    return sentence(ctx, &out->price_why, err,
                    "its own prices of %zu weeks show no pattern beyond chance", hours.weeks);
}

static bool from_history(struct op_context *ctx, const struct week_offer *offer,
                         struct offer_week *out, struct error *err)
{
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    stamp now = ctx->clock->today(ctx->clock->ctx);
    const struct store *store;
    struct store_series series;
    struct points points;
    struct window window;
    size_t at;
    bool ok;

    if (ctx->settings->prices.len == 0) /* there is no home, and so no history */
        return true;
    store = op_store(ctx, err);
    if (store == NULL || !op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err))
        return false;
    at = series_of(ctx, store, offer);
    if (at == SIZE_MAX)
        return true;
    series = store_series(store, at);
    window = market_window(&series, now, HISTORY_DAYS);
    ok = store_points(store, at, &scratch, &points, err);
    if (ok && points.len > 0) {
        struct window last = market_window(&series, now, WEEK_DAYS);
        double mean = series_stats(points, last).mean;

        if (!isnan(mean) && str_eq(str_from(series.currency), STR("USD")))
            out->mean.nano = llround(mean);
        ok = judge(ctx, points, window, &scratch, out, err);
    }
    arena_free(&scratch);
    return ok;
}

/* Where a pattern of a provider's market was read. */
static struct str source_of(const struct catalog *catalog, const struct week_offer *offer)
{
    for (size_t i = 0; i < catalog->tables[TABLE_PRICE_HOURS].len; i++) {
        const struct price_hours *row = CATALOG_ROW(catalog, TABLE_PRICE_HOURS, price_hours, i);

        if (str_eq(row->provider, offer->provider) && str_eq(row->market, offer->market))
            return row->fact.source;
    }
    return (struct str){0};
}

static bool from_tables(struct op_context *ctx, const struct week_offer *offer,
                        struct offer_week *out, struct error *err)
{
    struct str source;
    bool measured;

    if (!week_of_prices(&ctx->catalog, offer->provider, offer->market, &out->prices,
                        &measured)) {
        out->price_basis = STR("flat");
        out->price_why = STR("nothing is known to change");
        return true;
    }
    source = source_of(&ctx->catalog, offer);
    out->price_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(ctx, &out->price_why, err, "%s for %.*s %.*s (%.*s)",
                    measured ? "measured" : "a rule of thumb", STR_ARG(offer->provider),
                    STR_ARG(offer->market), STR_ARG(source));
}

static bool set_carbon(struct op_context *ctx, const struct week_offer *offer,
                       struct offer_week *out, struct error *err)
{
    const struct region *region = region_find(&ctx->catalog, offer->provider, offer->region);
    bool measured;

    out->carbon_basis = STR("flat");
    out->carbon_why = STR("nothing is known of the hours of its grid");
    out->carbon_g_kwh = region != NULL ? region->carbon_g_kwh : NAN;
    if (region == NULL ||
        !week_of_carbon(&ctx->catalog, region->grid, &out->carbon, &measured)) {
        flat(&out->carbon);
        return true;
    }
    out->carbon_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(ctx, &out->carbon_why, err, "%s for the grid %.*s, by the sun's hours",
                    measured ? "measured" : "a rule of thumb", STR_ARG(region->grid));
}

bool plan_week_of_offer(struct op_context *ctx, const struct week_offer *offer, bool history,
                        struct offer_week *out, struct error *err)
{
    *out = (struct offer_week){.mean = USD_PER_HOUR_UNKNOWN};
    flat(&out->prices);
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_CARBON_HOURS) |
                        TABLE_BIT(TABLE_REGIONS),
                    err))
        return false;
    if (history && !from_history(ctx, offer, out, err))
        return false;
    if (out->price_basis.len == 0 && !from_tables(ctx, offer, out, err))
        return false;
    if (!set_carbon(ctx, offer, out, err))
        return false;
    out->price_varies = plan_week_swing(&out->prices, 1) >= PLAN_WEEK_FLAT;
    out->carbon_varies = plan_week_swing(&out->carbon, 1) >= PLAN_WEEK_FLAT;
    return true;
}
