/* Changes of prices laid on ticks. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "spot/trace_internal.h"

#define LEAST_GAP INT64_C(300) /* finer is only noise of when prices were written down */
#define DAY_S INT64_C(86400)

/* By series and time; an empty price before one that is there. */
static int compare(const void *a, const void *b)
{
    const struct price_change *x = a, *y = b;

    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (isnan(x->spot) != isnan(y->spot))
        return isnan(x->spot) ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Two prices for one moment cannot both be right. */
static bool agree(const struct price_changes *c, struct error *err)
{
    for (size_t i = 1; i < c->len; i++) {
        const struct price_change *a = &c->at[i - 1], *b = &c->at[i];

        if (a->series == b->series && a->at == b->at && a->spot > 0 && b->spot > 0 &&
            fabs(a->spot - b->spot) > 0)
            return error_fail(err, ERROR_INPUT,
                              "line %u: another price of '%.*s' for the time of line %u",
                              (unsigned)b->line, STR_ARG(c->ids[b->series]), (unsigned)a->line);
    }
    return true;
}

static size_t ticks_of(const struct price_changes *c, int64_t gap)
{
    return (size_t)((c->last - c->first + gap - 1) / gap) + 1;
}

/* The step that all times share, from five minutes to a day; coarser where that would be too
 * many ticks. */
static bool choose_gap(const struct price_changes *c, size_t series, int64_t *gap,
                       struct error *err)
{
    static const int64_t steps[] = {LEAST_GAP, 600, 900, 1800, 3600, 7200, 14400, 43200, DAY_S};

    *gap = 0;
    for (size_t i = 0; i < c->len; i++)
        *gap = num_common(c->at[i].at - c->first, *gap);
    if (*gap == 0 || *gap > DAY_S)
        *gap = DAY_S;
    *gap = *gap < LEAST_GAP ? LEAST_GAP : *gap;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (series > TRACE_TICKS_MAX / ticks_of(c, *gap) && steps[i] > *gap)
            *gap = steps[i];
    if (series <= TRACE_TICKS_MAX / ticks_of(c, *gap))
        return true;
    error_set(err, ERROR_INPUT, "%zu series of prices over %lld days are more than %zu ticks",
              series, (long long)((c->last - c->first) / DAY_S), TRACE_TICKS_MAX);
    error_hint(err, "choose some of them by a pattern, such as '%.*s'", STR_ARG(c->ids[0]));
    return false;
}

/* A change counts from the first tick that begins at or after it. */
static bool fill(const struct price_changes *c, size_t from, size_t to, int64_t gap,
                 struct arena *arena, struct trace *out, struct error *err)
{
    size_t ticks = ticks_of(c, gap), filled = 0;
    uint8_t *nodes = arena_array(arena, uint8_t, ticks, err);
    double *price = arena_array(arena, double, ticks, err), now = NAN, on_demand = NAN;

    if (nodes == NULL || price == NULL)
        return false;
    for (size_t i = from; i <= to; i++) {
        size_t until = i < to ? (size_t)((c->at[i].at - c->first + gap - 1) / gap) : ticks;

        for (; filled < until && filled < ticks; filled++) {
            price[filled] = now;
            nodes[filled] = now > 0;
        }
        if (i == to)
            break;
        now = c->at[i].spot;
        on_demand = c->at[i].on_demand > 0 ? c->at[i].on_demand : on_demand;
    }
    *out = (struct trace){.id = c->ids[c->at[from].series],
                          .gap = (int32_t)gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = {c->first},
                          .on_demand = on_demand,
                          .spot = NAN,
                          .nodes_at = nodes,
                          .price = price,
                          .from_prices = true};
    return true;
}

/* Where the changes of one series end, and whether it ever had a price. */
static size_t end_of(const struct price_changes *c, size_t from, bool *priced)
{
    size_t i = from;

    *priced = false;
    for (; i < c->len && c->at[i].series == c->at[from].series; i++)
        *priced = *priced || c->at[i].spot > 0;
    return i;
}

bool price_changes_traces(struct price_changes *c, struct arena *arena, struct traces *out,
                          struct error *err)
{
    size_t series = 0;
    int64_t gap;
    bool priced;

    qsort(c->at, c->len, sizeof c->at[0], compare);
    if (!agree(c, err))
        return false;
    for (size_t i = 0; i < c->len;) {
        i = end_of(c, i, &priced);
        series += priced;
    }
    if (series == 0)
        return error_fail(err, ERROR_INPUT, "there is no spot price");
    if (!choose_gap(c, series, &gap, err))
        return false;
    out->at = arena_array(arena, struct trace, series, err);
    out->len = 0;
    if (out->at == NULL)
        return false;
    for (size_t i = 0, end; i < c->len; i = end) {
        end = end_of(c, i, &priced);
        if (priced && !fill(c, i, end, gap, arena, &out->at[out->len++], err))
            return false;
    }
    return true;
}
