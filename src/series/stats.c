/* Walking a window, and what one walk finds. */
#include <math.h>
#include <stdlib.h>

#include "series/series.h"

#define JUMP 10.0

/* The first point after `at`. */
static size_t first_after(struct points points, stamp at)
{
    size_t low = 0, high = points.len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (points.at[middle].at.s <= at.s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t series_start(struct points points, struct window window)
{
    return first_after(points, window.from);
}

bool series_next(struct points points, struct window window, size_t *next, stamp *at,
                 struct stretch *out)
{
    if (at->s >= window.to.s)
        return false;
    out->from = *at;
    out->value = *next > 0 ? points.at[*next - 1].value : SERIES_NONE;
    out->to = window.to;
    if (*next < points.len && points.at[*next].at.s < window.to.s)
        out->to = points.at[(*next)++].at;
    *at = out->to;
    return true;
}

int64_t series_at(struct points points, stamp at)
{
    size_t next = first_after(points, at);

    return next > 0 ? points.at[next - 1].value : SERIES_NONE;
}

static double span_seconds(const struct stretch *s)
{
    return (double)(s->to.s - s->from.s);
}

/* Neither before the first point nor in a gap. */
static bool is_stretch_observed(struct points points, const struct stretch *s)
{
    return s->value != SERIES_UNKNOWN && points.len > 0 && s->from.s >= points.at[0].at.s;
}

static void widen_range(struct series_stats *stats, int64_t value)
{
    if (!series_has(value))
        return;
    if (stats->min == SERIES_NONE || value < stats->min)
        stats->min = value;
    if (stats->max == SERIES_NONE || value > stats->max)
        stats->max = value;
}

struct series_stats series_stats(struct points points, struct window window)
{
    struct series_stats stats = {.first = series_at(points, window.from),
                                 .last = series_at(points, window.to),
                                 .min = SERIES_NONE,
                                 .max = SERIES_NONE};
    size_t next = series_start(points, window);
    double held = 0, sum = 0, observed = 0, length = (double)(window.to.s - window.from.s);
    stamp at = window.from;
    struct stretch s;

    while (series_next(points, window, &next, &at, &s)) {
        observed += is_stretch_observed(points, &s) ? span_seconds(&s) : 0;
        if (!series_has(s.value))
            continue;
        widen_range(&stats, s.value);
        held += span_seconds(&s);
        sum += span_seconds(&s) * (double)s.value;
    }
    widen_range(&stats, stats.last);
    stats.mean = held > 0 ? sum / held : NAN;
    if (!(held > 0) && series_has(stats.last))
        stats.mean = (double)stats.last;
    stats.share = length > 0 ? held / length : NAN;
    stats.observed = length > 0 ? observed / length : NAN;
    return stats;
}

bool series_same(int64_t a, int64_t b)
{
    if (a == b || !series_has(a) || !series_has(b))
        return a == b;
    return fabs((double)a - (double)b) < SERIES_SAME * fmin(fabs((double)a), fabs((double)b));
}

/* How many times, up or down. */
static double ratio_size(double ratio)
{
    return ratio > 1 ? ratio : 1 / ratio;
}

static void note_jump(struct series_moves *m, double ratio, stamp at)
{
    if (ratio_size(ratio) < JUMP)
        return;
    m->jumps++;
    if (isnan(m->largest) || ratio_size(ratio) > ratio_size(m->largest)) {
        m->largest = ratio;
        m->at = at;
    }
}

struct series_moves series_moves(struct points points, struct window window)
{
    struct series_moves m = {.largest = NAN};
    size_t next = series_start(points, window);
    int64_t value = next > 0 ? points.at[next - 1].value : SERIES_UNKNOWN, known = value;
    bool begun = value != SERIES_UNKNOWN;

    for (size_t i = next; i > 0 && !series_has(known); i--)
        known = points.at[i - 1].value; /* what it was before it was gone */
    for (; next < points.len && points.at[next].at.s <= window.to.s; next++) {
        const struct point *p = &points.at[next];

        /* Against the last value that counted, so that many small steps still add up. */
        if (p->value == SERIES_UNKNOWN || (begun && series_same(value, p->value)))
            continue;
        m.changes += begun;
        begun = true;
        value = p->value;
        if (known > 0 && value > 0)
            note_jump(&m, (double)value / (double)known, p->at);
        known = series_has(value) ? value : known;
    }
    return m;
}

struct series_rank series_rank(struct points points, struct window window, int64_t value)
{
    size_t next = series_start(points, window);
    double below = 0, above = 0, held = 0;
    stamp at = window.from;
    struct stretch s;

    while (series_next(points, window, &next, &at, &s)) {
        if (!series_has(s.value))
            continue;
        held += span_seconds(&s);
        below += s.value < value ? span_seconds(&s) : 0;
        above += s.value > value ? span_seconds(&s) : 0;
    }
    return held > 0 ? (struct series_rank){below / held, (held - above) / held, above / held}
                    : (struct series_rank){NAN, NAN, NAN};
}

static int compare_stat_values(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

bool series_quantiles(struct points points, struct window window, const double *q, size_t count,
                      int64_t *out, struct arena *arena, struct error *err)
{
    size_t next = series_start(points, window), len = 0;
    struct stretch *held = arena_array(arena, struct stretch, points.len + 1, err), s;
    int64_t total = 0;
    stamp at = window.from;

    if (held == NULL)
        return false;
    while (series_next(points, window, &next, &at, &s))
        if (series_has(s.value)) {
            total += s.to.s - s.from.s;
            held[len++] = s;
        }
    qsort(held, len, sizeof held[0], compare_stat_values);
    for (size_t i = 0; i < count; i++) {
        int64_t sum = 0;

        out[i] = len > 0 ? held[len - 1].value : SERIES_NONE;
        for (size_t k = 0; k < len; k++) {
            sum += held[k].to.s - held[k].from.s;
            if ((double)sum >= q[i] * (double)total) {
                out[i] = held[k].value;
                break;
            }
        }
    }
    return true;
}

void series_resample(struct points points, struct window window, size_t count, double *out)
{
    double length = (double)(window.to.s - window.from.s);

    for (size_t i = 0; i < count; i++) {
        struct window piece = {
            {window.from.s + (int64_t)(length * (double)i / (double)count)},
            {window.from.s + (int64_t)(length * (double)(i + 1) / (double)count)}};
        size_t next = series_start(points, piece);
        double held = 0, sum = 0;
        stamp at = piece.from;
        struct stretch s;

        while (series_next(points, piece, &next, &at, &s))
            if (series_has(s.value)) {
                held += span_seconds(&s);
                sum += span_seconds(&s) * (double)s.value;
            }
        out[i] = held > 0 ? sum / held : NAN;
    }
}
