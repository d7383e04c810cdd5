/* Where grids are. The tables of carbon are in local solar time, which follows from the
 * longitude: a fact that needs no date, unlike local time. */
#include "plan/week.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/stop.h"

/* Of the places of its machines, about; degrees east. A name is a country, but for the
 * grids of North America, and sorted. */
static const struct {
    char grid[6];
    short degrees;
} grids[] = {
    {"AE", 55},     {"AR", -59},     {"AT", 16},     {"AU", 149},    {"AZPS", -112},
    {"BD", 90},     {"BE", 4},       {"BG", 23},     {"BH", 51},     {"BR", -46},
    {"CA", -79},    {"CA-AB", -114}, {"CA-ON", -79}, {"CA-QC", -73}, {"CAISO", -120},
    {"CH", 8},      {"CL", -71},     {"CN", 116},    {"CO", -74},    {"CZ", 14},
    {"DE", 9},      {"DK", 11},      {"EE", 25},     {"EG", 31},     {"ERCOT", -97},
    {"ES", -3},     {"FI", 25},      {"FR", 3},      {"GB", 0},      {"GR", 24},
    {"HK", 114},    {"HR", 16},      {"HU", 19},     {"ID", 107},    {"IE", -6},
    {"IL", 35},     {"IN", 77},      {"IS", -22},    {"IT", 10},     {"JP", 139},
    {"KE", 37},     {"KR", 127},     {"KZ", 77},     {"LT", 25},     {"LU", 6},
    {"LV", 24},     {"MA", -7},      {"MISO", -93},  {"MK", 21},     {"MX", -100},
    {"MY", 102},    {"NEVP", -115},  {"NG", 3},      {"NL", 5},      {"NO", 9},
    {"NWPP", -121}, {"NYISO", -74},  {"NZ", 175},    {"PACE", -110}, {"PE", -77},
    {"PH", 121},    {"PJM", -79},    {"PK", 73},     {"PL", 20},     {"PT", -9},
    {"QA", 51},     {"RO", 26},      {"RS", 20},     {"RU", 37},     {"SA", 46},
    {"SC", -80},    {"SE", 17},      {"SG", 104},    {"SI", 15},     {"SK", 17},
    {"SOCO", -84},  {"SPP", -95},    {"TH", 101},    {"TR", 29},     {"TW", 121},
    {"UA", 31},     {"US", -90},     {"VN", 106},    {"ZA", 26},
};

bool week_solar_offset(struct str grid, int *hours)
{
    for (size_t i = 0; i < ARRAY_LEN(grids); i++) {
        if (str_eq(grid, str_from(grids[i].grid))) {
            *hours = (int)lround(grids[i].degrees / 15.0);
            return true;
        }
    }
    return false;
}

#define DAY_HOURS 24
#define WEEK_SECONDS INT64_C(604800)
#define MONDAY INT64_C(345600)    /* 1970-01-05: the first one */
#define WEEKDAY_HOURS 120         /* Monday to Friday */
#define MOST_STARTS (3660u * 24u) /* ten years: what any loop here goes through at most */

/* Means that differ by less are the same: they were added up in another order. */
#define SAME 1e-9

double week_hour(stamp at)
{
    int64_t second = (at.s - MONDAY) % WEEK_SECONDS;

    return (double)(second < 0 ? second + WEEK_SECONDS : second) / 3600;
}

void week_of(const double hours[static WEEK_HOURS], struct week *out)
{
    out->sum[0] = 0;
    out->least = hours[0];
    for (size_t h = 0; h < WEEK_HOURS; h++) {
        out->sum[h + 1] = out->sum[h] + hours[h];
        out->least = fmin(out->least, hours[h]);
    }
}

/* The sum from the start of the week up to `at`, which lies in it. */
static double sum_until(const struct week *week, double at)
{
    size_t hour = (size_t)at;

    if (hour >= WEEK_HOURS)
        return week->sum[WEEK_HOURS];
    return week->sum[hour] + (at - (double)hour) * (week->sum[hour + 1] - week->sum[hour]);
}

/* `at` within the week. */
static double wrapped(double at)
{
    double rest = fmod(at, WEEK_HOURS);

    return rest < 0 ? rest + WEEK_HOURS : rest;
}

double week_mean(const struct week *week, double start, double hours)
{
    double total, from, rest, sum;

    if (week == NULL)
        return 1;
    if (isnan(hours) || !isfinite(start))
        return NAN;
    total = week->sum[WEEK_HOURS];
    if (!isfinite(hours))
        return total / WEEK_HOURS;
    from = wrapped(start);
    if (hours <= 0) {
        size_t hour = (size_t)from < WEEK_HOURS ? (size_t)from : 0;

        return week->sum[hour + 1] - week->sum[hour];
    }
    rest = fmod(hours, WEEK_HOURS);
    sum = (hours - rest) / WEEK_HOURS * total;
    if (from + rest <= WEEK_HOURS)
        sum += sum_until(week, from + rest) - sum_until(week, from);
    else
        sum += total - sum_until(week, from) + sum_until(week, from + rest - WEEK_HOURS);
    return sum / hours;
}

bool week_varies(const struct week *week)
{
    return week != NULL && week->sum[WEEK_HOURS] / WEEK_HOURS - week->least > SAME;
}

/* Does a row for the hours `from` up to `to` of a day hold at this one? 22 to 6 goes over
 * midnight. */
static bool hours_cover(int64_t from, int64_t to, size_t hour_of_day)
{
    int64_t hour = (int64_t)hour_of_day;

    return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

static void set_flat_hours(double hours[static WEEK_HOURS])
{
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = 1;
}

/* A multiplier of a user's own table may be anything. */
static bool is_sensible_multiplier(double multiplier)
{
    return isfinite(multiplier) && multiplier >= 0;
}

/* Put a row of prices in its hours. Rows for some days go over those for all. */
static void add_week_prices(const struct price_hours *row, bool for_all,
                            double hours[static WEEK_HOURS])
{
    bool weekday = str_eq_nocase(row->days, STR("weekday"));
    bool weekend = str_eq_nocase(row->days, STR("weekend"));

    if (for_all == (weekday || weekend))
        return;
    for (size_t h = 0; h < WEEK_HOURS; h++) {
        if ((h < WEEKDAY_HOURS && weekend) || (h >= WEEKDAY_HOURS && weekday))
            continue;
        if (hours_cover(row->from_hour, row->to_hour, h % DAY_HOURS))
            hours[h] = row->multiplier;
    }
}

bool week_of_prices(const struct catalog *catalog, struct str provider, struct str market,
                    struct week *out, bool *measured)
{
    double hours[WEEK_HOURS];
    bool found = false;

    set_flat_hours(hours);
    *measured = true;
    for (int some_days = 0; some_days < 2; some_days++) {
        for (size_t i = 0; i < catalog->tables[TABLE_PRICE_HOURS].len; i++) {
            const struct price_hours *row =
                CATALOG_ROW(catalog, TABLE_PRICE_HOURS, price_hours, i);

            if (!str_eq(row->provider, provider) || !str_eq(row->market, market) ||
                !is_sensible_multiplier(row->multiplier))
                continue;
            found = true;
            *measured &= str_eq(row->kind, STR("measured"));
            add_week_prices(row, some_days == 0, hours);
        }
    }
    week_of(hours, out);
    *measured &= found;
    return found;
}

/* The rows of one grid, by the sun's hours of the day; false when there are none. */
static bool grid_hours(const struct catalog *catalog, struct str grid,
                       double day_hours[static DAY_HOURS], bool *measured)
{
    bool found = false;

    for (size_t i = 0; i < catalog->tables[TABLE_CARBON_HOURS].len; i++) {
        const struct carbon_hours *row =
            CATALOG_ROW(catalog, TABLE_CARBON_HOURS, carbon_hours, i);

        if (!str_eq(row->grid, grid) || !is_sensible_multiplier(row->multiplier))
            continue;
        found = true;
        *measured &= str_eq(row->kind, STR("measured"));
        for (size_t h = 0; h < DAY_HOURS; h++) {
            if (hours_cover(row->from_hour, row->to_hour, h))
                day_hours[h] = row->multiplier;
        }
    }
    return found;
}

bool week_of_carbon(const struct catalog *catalog, struct str grid, struct week *out,
                    bool *measured)
{
    double solar[DAY_HOURS], hours[WEEK_HOURS];
    int offset = 0;
    bool found;

    for (size_t h = 0; h < DAY_HOURS; h++)
        solar[h] = 1;
    *measured = true;
    found =
        week_solar_offset(grid, &offset) && (grid_hours(catalog, grid, solar, measured) ||
                                             grid_hours(catalog, STR("*"), solar, measured));
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = solar[(size_t)((int)h + DAY_HOURS + offset) % DAY_HOURS];
    week_of(hours, out);
    *measured &= found;
    return found;
}

static double weigh_start(const struct week_wish *w, double start_h, struct week_slot *slot)
{
    double at = w->now + start_h;

    slot->start_h = start_h;
    slot->price = week_mean(w->prices, at, w->hours);
    slot->carbon = week_mean(w->carbon, at, w->hours);
    return w->price_weight * slot->price + w->carbon_weight * slot->carbon;
}

/* Starts at whole hours of the clock, the first of them `first` hours from now, none of them
 * later than `last` hours from now. */
static size_t starts_until(double now, double last, double *first)
{
    *first = ceil(now) - now;
    if (!(last >= *first)) /* or unknown */
        return 0;
    return (size_t)fmin(floor(last - *first), MOST_STARTS - 1) + 1;
}

double week_best_start(const struct week_wish *wish, double within, double deadline)
{
    struct week_wish w = *wish;
    struct week_slot slot;
    double best, start = 0, first;
    size_t count;

    if (w.price_weight == 0) /* so that nothing need be computed */
        w.prices = NULL;
    if (w.carbon_weight == 0)
        w.carbon = NULL;
    if ((w.prices == NULL && w.carbon == NULL) || !(w.hours >= 0))
        return 0;
    /* Whatever starts later than a week from now could have started a week before. */
    count = starts_until(w.now, fmin(fmin(within, deadline - w.hours), WEEK_HOURS), &first);
    best = weigh_start(&w, 0, &slot);
    for (size_t i = 0; i < count; i++) {
        double score = weigh_start(&w, first + (double)i, &slot);

        if (score < best - SAME * fabs(best)) {
            best = score;
            start = slot.start_h;
        }
    }
    return start;
}

static bool overlaps_week_slots(const struct week_slot *slots, size_t count, double start_h,
                                double hours)
{
    for (size_t i = 0; i < count; i++) {
        if (start_h < slots[i].start_h + hours - SAME &&
            slots[i].start_h < start_h + hours - SAME)
            return true;
    }
    return false;
}

size_t week_slots(const struct week_wish *wish, double days, struct week_slot *out, size_t most)
{
    double first;
    size_t count, found = 0;

    if (!(wish->hours > 0))
        return 0;
    count = starts_until(wish->now, days * DAY_HOURS - wish->hours, &first);
    for (; found < most; found++) {
        double best = INFINITY;

        for (size_t i = 0; i < count && !stop_asked(); i++) {
            double start_h = first + (double)i, score;
            struct week_slot slot;

            if (overlaps_week_slots(out, found, start_h, wish->hours))
                continue;
            score = weigh_start(wish, start_h, &slot);
            if (score < best - SAME * fabs(best) || best == INFINITY) {
                best = score;
                out[found] = slot;
            }
        }
        if (best == INFINITY)
            break;
    }
    return found;
}

#define SETTLED_DAYS 21 /* a price that did not change for so long does not follow the hours */

/* ---- the week of one offer, by its own history ---- */

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
    return str_keep(str_from(text), arena, out, err);
}

static void set_flat_week(struct week *out)
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
    double length = (double)(window.to.s - window.from.s) / SECONDS_PER_DAY;
    long long days = (long long)(length * series_stats(points, window).observed + 1e-6);
    struct pattern hours, weekdays, *found;

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
static struct str week_offer_source(const struct catalog *catalog,
                                    const struct week_offer *offer)
{
    for (size_t i = 0; i < catalog->tables[TABLE_PRICE_HOURS].len; i++) {
        const struct price_hours *row = CATALOG_ROW(catalog, TABLE_PRICE_HOURS, price_hours, i);

        if (str_eq(row->provider, offer->provider) &&
            str_eq(row->market, str_from(market_names[offer->market])))
            return row->fact.source;
    }
    return (struct str){0};
}

static bool use_tables(const struct catalog *catalog, const struct week_offer *offer,
                       struct arena *arena, struct offer_week *out, struct error *err)
{
    struct str market = str_from(market_names[offer->market]), source;
    double flat[WEEK_HOURS];
    bool measured;

    if (!week_of_prices(catalog, offer->provider, market, &out->prices, &measured)) {
        out->price_basis = STR("flat");
        out->price_why = STR("no known pattern");
        return true;
    }
    source = week_offer_source(catalog, offer);
    if (!measured) {
        set_flat_hours(flat);
        week_of(flat, &out->prices);
        out->price_basis = STR("flat");
        return sentence(arena, &out->price_why, err,
                        "nothing measured; a rule of thumb for %.*s %.*s (%.*s) is not used",
                        STR_ARG(offer->provider), STR_ARG(market), STR_ARG(source));
    }
    out->price_basis = STR("measured");
    return sentence(arena, &out->price_why, err, "measured for %.*s %.*s (%.*s)",
                    STR_ARG(offer->provider), STR_ARG(market), STR_ARG(source));
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
        set_flat_week(&out->carbon);
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
    set_flat_week(&out->prices);
    if (!use_history(history, arena, out, err) ||
        (out->price_basis.len == 0 && !use_tables(catalog, offer, arena, out, err)) ||
        !use_carbon_hours(catalog, offer, arena, out, err))
        return false;
    out->price_varies = week_swing(&out->prices, 1) >= PLAN_WEEK_FLAT;
    out->carbon_varies = week_swing(&out->carbon, 1) >= PLAN_WEEK_FLAT;
    return true;
}
