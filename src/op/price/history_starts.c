#include "op/price/history_starts.h"
#include "op/context.h"

#include <stdlib.h>

#include "unit/time.h"

/* So many series at once, and more than one in so many of all, are not new machines. */
#define FEWEST_AT_ONCE 20
#define ONE_IN 10

static int compare(const void *a, const void *b)
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

bool history_starts(struct op_context *ctx, const struct store *store,
                    struct history_starts *out, struct error *err)
{
    size_t count = store_series_count(store);

    out->first = arena_array(ctx->arena, stamp, store_feed_count(store), err);
    out->days = arena_array(ctx->arena, struct start_day, count, err);
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
    qsort(out->days, count, sizeof out->days[0], compare);
    out->day_count = keep_starts(out->days, count);
    return true;
}

bool history_told(const struct history_starts *starts, const struct store_series *series,
                  stamp at)
{
    struct start_day begins = {series->feed, day_of(series->first).n};

    if (series->first.s <= at.s)
        return true;
    return starts->first[series->feed].s <= at.s &&
           bsearch(&begins, starts->days, starts->day_count, sizeof begins, compare) == NULL;
}
