#include "plan/offer_week.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define SETTLED_DAYS 21 /* a price that did not change for so long does not follow the hours */

double week_round(double ratio)
{
    return round(ratio * 1e6) / 1e6;
}

double week_swing(const struct week *week, double hours)
{
    double least = INFINITY, most = 0;

    for (size_t h = 0; h < WEEK_HOURS; h++) {
        double mean = week_mean(week, (double)h, hours);

        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return least > 0 ? week_round(most / least - 1) : INFINITY;
}

/* A sentence in the arena. */
static bool sentence(struct arena *arena, struct str *out, struct error *err, const char *fmt,
                     ...) PRINTF_LIKE(4, 5);

static bool sentence(struct arena *arena, struct str *out, struct error *err, const char *fmt,
                     ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    out->at = str_dup(str_from(text), arena, err);
    *out = str_from(out->at);
    return out->at != NULL;
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

/* What its prices show. False when memory runs out; `out->price_basis` stays empty when they
 * show nothing either way. */
static bool judge_history(const struct offer_history *history, struct arena *arena,
                          struct arena *scratch, struct offer_week *out, struct error *err)
{
    struct points points = history->points;
    struct window window = history->window;
    long long days = (long long)((window.to.s - window.from.s) / SECONDS_PER_DAY);
    struct pattern hours, weekdays, *found;

    if (window.from.s < points.at[0].at.s)
        days = (long long)((window.to.s - points.at[0].at.s) / SECONDS_PER_DAY);
    if (days >= SETTLED_DAYS && series_moves(points, window).changes == 0) {
        out->price_basis = STR("flat");
        return sentence(arena, &out->price_why, err,
                        "its own price did not change for %lld days", days);
    }
    if (!series_pattern(points, window, WEEK_HOURS, &hours, scratch, err) ||
        !series_pattern(points, window, WEEK_DAYS, &weekdays, scratch, err))
        return false;
    found = hours.found == PATTERN_REAL ? &hours : &weekdays;
    if (found->found == PATTERN_REAL) {
        week_of_pattern(found, &out->prices);
        out->price_basis = STR("history");
        return sentence(arena, &out->price_why, err,
                        "its own prices of %zu weeks, by %s of the week (significant at "
                        "%.1f %%)",
                        found->weeks, found == &hours ? "hour" : "day", found->chance * 100);
    }
    if (hours.found != PATTERN_NONE)
        return true;
    out->price_basis = STR("flat");
    return sentence(arena, &out->price_why, err,
                    "its own prices of %zu weeks show no significant pattern", hours.weeks);
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

static bool use_tables(const struct catalog *catalog, const struct week_offer *offer,
                       struct arena *arena, struct offer_week *out, struct error *err)
{
    struct str source;
    bool measured;

    if (!week_of_prices(catalog, offer->provider, offer->market, &out->prices, &measured)) {
        out->price_basis = STR("flat");
        out->price_why = STR("no known pattern");
        return true;
    }
    source = source_of(catalog, offer);
    out->price_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(arena, &out->price_why, err, "%s for %.*s %.*s (%.*s)",
                    measured ? "measured" : "a rule of thumb", STR_ARG(offer->provider),
                    STR_ARG(offer->market), STR_ARG(source));
}

static bool use_carbon_hours(const struct catalog *catalog, const struct week_offer *offer,
                             struct arena *arena, struct offer_week *out, struct error *err)
{
    const struct region *region = region_find(catalog, offer->provider, offer->region);
    bool measured;

    out->carbon_basis = STR("flat");
    out->carbon_why = STR("no known pattern of its grid");
    out->carbon_g_kwh = region != NULL ? region->carbon_g_kwh : NAN;
    if (region == NULL || !week_of_carbon(catalog, region->grid, &out->carbon, &measured)) {
        flat(&out->carbon);
        return true;
    }
    out->carbon_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(arena, &out->carbon_why, err, "%s for the grid %.*s, by local solar time",
                    measured ? "measured" : "a rule of thumb", STR_ARG(region->grid));
}

static bool use_history(const struct offer_history *history, struct arena *arena,
                        struct offer_week *out, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok;

    if (history == NULL || history->points.len == 0)
        return true;
    out->mean = history->mean;
    ok = judge_history(history, arena, &scratch, out, err);
    arena_free(&scratch);
    return ok;
}

bool offer_week_of(const struct catalog *catalog, const struct week_offer *offer,
                   const struct offer_history *history, struct arena *arena,
                   struct offer_week *out, struct error *err)
{
    *out = (struct offer_week){.mean = USD_PER_HOUR_UNKNOWN};
    flat(&out->prices);
    if (!use_history(history, arena, out, err) ||
        (out->price_basis.len == 0 && !use_tables(catalog, offer, arena, out, err)) ||
        !use_carbon_hours(catalog, offer, arena, out, err))
        return false;
    out->price_varies = week_swing(&out->prices, 1) >= PLAN_WEEK_FLAT;
    out->carbon_varies = week_swing(&out->carbon, 1) >= PLAN_WEEK_FLAT;
    return true;
}
