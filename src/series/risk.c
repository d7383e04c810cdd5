#include "series/risk.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "series/pattern.h"
#include "unit/time.h"

#define FEWEST_PAIRS 5

/* The changes over `apart` days, one starting on each day: `log` of them, or their sizes. */
static size_t count_changes(const int64_t *value, size_t days, size_t apart, bool log_of,
                            double *out)
{
    size_t count = 0;

    for (size_t i = 0; i + apart < days; i++) {
        double before = (double)value[i], now = (double)value[i + apart];

        if (!series_has(value[i]) || !series_has(value[i + apart]) || !(before > 0) ||
            !(now > 0))
            continue;
        out[count++] = log_of ? log(now / before) : fabs(now / before - 1);
    }
    return count;
}

static double mean_of_values(const double *value, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

static double deviation_of(const double *value, size_t count)
{
    double mean = mean_of_values(value, count), square = 0;

    for (size_t i = 0; i < count; i++)
        square += (value[i] - mean) * (value[i] - mean);
    return sqrt(square / (double)(count - 1));
}

/* The mean of each day, counted backwards from the window's end, and how far apart its
 * prices are. */
static void daily_means(struct points points, stamp end, size_t days, int64_t *value,
                        struct volatility *out)
{
    double apart = 0;
    size_t known = 0;

    for (size_t i = 0; i < days; i++) {
        stamp to = {end.s - (int64_t)i * SECONDS_PER_DAY};
        /* What begins with the next day is none of this one's. */
        struct window piece = {{to.s - SECONDS_PER_DAY}, {to.s - 1}};
        struct series_stats held = series_stats(points, piece);

        value[days - 1 - i] = isnan(held.mean) ? SERIES_NONE : llround(held.mean);
        if (!series_has(held.min) || held.min <= 0)
            continue;
        apart += (double)held.max / (double)held.min - 1;
        known++;
    }
    out->range = known >= FEWEST_PAIRS ? apart / (double)known : NAN;
}

bool series_volatility(struct points points, struct window window, struct volatility *out,
                       struct arena *arena, struct error *err)
{
    int64_t length = window.to.s > window.from.s ? window.to.s - window.from.s : 0;
    size_t days = (size_t)(length / SECONDS_PER_DAY) + 1, count;
    int64_t *value = arena_array(arena, int64_t, days, err);
    double *change = value != NULL ? arena_array(arena, double, days, err) : NULL;

    *out = (struct volatility){.daily = NAN, .weekly = NAN, .weekly_p95 = NAN, .range = NAN};
    if (change == NULL)
        return false;
    /* Backwards from the end, which users look at. */
    if (series_shows_hours(points, window))
        daily_means(points, window.to, --days, value, out);
    else
        for (size_t i = 0; i < days; i++)
            value[days - 1 - i] =
                series_at(points, (stamp){window.to.s - (int64_t)i * SECONDS_PER_DAY});
    out->days = count = count_changes(value, days, 1, true, change);
    if (count >= FEWEST_PAIRS)
        out->daily = deviation_of(change, count);
    out->week_pairs = count = count_changes(value, days, 7, false, change);
    if (count >= FEWEST_PAIRS) {
        out->weekly = mean_of_values(change, count);
        qsort(change, count, sizeof change[0], num_by_value);
        out->weekly_p95 = change[(size_t)ceil(0.95 * (double)count) - 1];
    }
    return true;
}

/* Is there a price, and one below the limit? */
static bool available_share(int64_t value, int64_t limit)
{
    return series_has(value) && (!series_has(limit) || value < limit);
}

/* What the limit is at that moment; in a gap what it was before: list prices seldom move. */
static int64_t limit_at(struct points limit, stamp at)
{
    size_t next = series_start(limit, (struct window){at, at});

    while (next > 0 && limit.at[next - 1].value == SERIES_UNKNOWN)
        next--;
    return next > 0 ? limit.at[next - 1].value : SERIES_NONE;
}

/* One stretch of a series, cut where its limit changes. `had`: it could have been lost at its
 * start. */
static void add_stretch_losses(struct points limit, const struct stretch *s, bool *had,
                               struct losses *l)
{
    struct window piece = {s->from, s->to};
    size_t next = series_start(limit, piece);
    stamp at = s->from;
    struct stretch bound;

    while (series_next(limit, piece, &next, &at, &bound)) {
        bool has = available_share(s->value, limit_at(limit, bound.from));
        double hours = (double)(bound.to.s - bound.from.s) / 3600;

        l->events += *had && !has;
        l->exposed_h += has ? hours : 0;
        l->known_h += hours;
        l->span_h += hours;
        *had = has;
    }
}

struct losses series_losses(struct points points, struct points limit, struct window window)
{
    struct losses l = {0};
    size_t next = series_start(points, window);
    bool had = available_share(series_at(points, window.from), limit_at(limit, window.from));
    stamp at = window.from;
    struct stretch s;

    while (series_next(points, window, &next, &at, &s)) {
        if (points.len == 0 || s.from.s < points.at[0].at.s)
            continue;
        if (s.value == SERIES_UNKNOWN) { /* it may have been lost meanwhile */
            l.span_h += (double)(s.to.s - s.from.s) / 3600;
            had = false;
            continue;
        }
        add_stretch_losses(limit, &s, &had, &l);
    }
    return l;
}

/* The share of a gamma variable below x: its series, which for these x converges fast
 * enough. */
static double gamma_share(double shape, double x)
{
    double term = 1 / shape, sum = term;
    int sign; /* lgamma() would write to a global */

    if (!(x > 0))
        return 0;
    for (int n = 1; n < 100000 && term > sum * 1e-15; n++) {
        term *= x / (shape + n);
        sum += term;
    }
    return sum * exp(shape * log(x) - x - lgamma_r(shape, &sign));
}

double gamma_quantile(double shape, double share)
{
    double low = 0, high = shape + 1;

    if (!(shape > 0) || !(share >= 0) || !(share < 1))
        return NAN;
    while (gamma_share(shape, high) < share)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
        double middle = (low + high) / 2;

        if (gamma_share(shape, middle) < share)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

struct rate rate_of(size_t events, double exposed, double share)
{
    double shape = (double)events + 0.5;

    if (!(exposed > 0))
        return (struct rate){NAN, NAN, NAN};
    return (struct rate){shape / exposed, gamma_quantile(shape, (1 - share) / 2) / exposed,
                         gamma_quantile(shape, (1 + share) / 2) / exposed};
}
