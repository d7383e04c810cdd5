#include "op/price/doctor_scan.h"
#include "op/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART 0.01     /* feeds that differ by less agree */
#define FEWEST_DAYS 15 /* on which a price changed, to say what is usual */
#define SHORTEST_GAP 3 /* days; a weekend is none */

/* The days on which any price of each feed changed: a bit for each, for all feeds. */
struct days {
    unsigned char *bits;
    size_t feeds;
};

static unsigned char *day_bits(const struct days *d, size_t feed)
{
    return d->bits + feed * (LAST_DAY / 8 + 1);
}

static bool has_day(const unsigned char *bits, int32_t n)
{
    return (bits[n / 8] >> (n % 8) & 1) != 0;
}

/* Keep the widest, in order. Those that are still doubted are told with the doubts. */
static void scan_jumps(struct doctor_scan *s, size_t series, const struct store_series *row,
                       struct points points)
{
    struct window last = {{row->seen.s - JUMP_DAYS * SECONDS_PER_DAY}, row->seen};
    struct series_moves m = series_moves(points, last);
    size_t at = s->jump_count;

    if (m.jumps == 0 || row->doubts & DOUBT_JUMP)
        return;
    s->jumps_found++;
    while (at > 0 && fabs(log(s->jumps[at - 1].ratio)) < fabs(log(m.largest)))
        at--;
    if (at == s->keep)
        return;
    if (s->jump_count < s->keep)
        s->jump_count++;
    memmove(&s->jumps[at + 1], &s->jumps[at], (s->jump_count - at - 1) * sizeof s->jumps[0]);
    s->jumps[at] = (struct doctor_jump){series, m.largest, m.at};
}

/* The points of one series, counted for its feed. A damaged one is left out. */
static bool scan_points(struct doctor_scan *s, const struct days *days, size_t series,
                        const struct store_series *row, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    unsigned char *bits = day_bits(days, row->feed);
    struct error problem = {0};
    struct points points;
    bool ok = store_points(s->store, series, &scratch, &points, &problem);

    for (size_t i = 0; ok && i < points.len; i++) {
        int32_t n = day_of(points.at[i].at).n;

        if (n >= 0 && n <= LAST_DAY)
            bits[n / 8] |= (unsigned char)(1u << (n % 8));
    }
    if (ok)
        scan_jumps(s, series, row, points);
    arena_free(&scratch);
    if (!ok && problem.kind == ERROR_MEMORY)
        return error_memory(err);
    return true;
}

static void scan_doubts(struct doctor_scan *s, size_t series, const struct store_series *row)
{
    for (unsigned bit = 0; bit < DOUBT_BITS; bit++) {
        if (!(row->doubts >> bit & 1) || row->price < 0)
            continue;
        if (s->doubts_found[bit] < s->keep)
            s->doubtful[bit][s->doubts_found[bit]] = series;
        s->doubts_found[bit]++;
    }
}

/* Keep the widest, in order. */
static void keep_conflict(struct doctor_scan *s, struct doctor_conflict c)
{
    size_t at = s->conflict_count;

    s->conflicts_found++;
    while (at > 0 && s->conflicts[at - 1].apart < c.apart)
        at--;
    if (at == s->keep)
        return;
    if (s->conflict_count < s->keep)
        s->conflict_count++;
    memmove(&s->conflicts[at + 1], &s->conflicts[at], (s->conflict_count - at - 1) * sizeof c);
    s->conflicts[at] = c;
}

static void scan_conflicts(struct doctor_scan *s, const struct store_offer *o)
{
    size_t end = o->first_series + o->series_count;

    for (size_t i = o->first_series; i < end; i++) {
        struct store_series a = store_series(s->store, i);

        for (size_t k = i + 1; k < end && a.price > 0; k++) {
            struct store_series b = store_series(s->store, k);
            double apart;

            if (b.market != a.market) /* sorted by it */
                break;
            if (b.price <= 0 || memcmp(a.currency, b.currency, sizeof a.currency) != 0)
                continue;
            apart = fabs((double)a.price - (double)b.price) /
                    fmin((double)a.price, (double)b.price);
            if (apart > APART)
                keep_conflict(s, (struct doctor_conflict){*o, a, b, apart});
        }
    }
}

static bool scan_offer(struct doctor_scan *s, const struct days *days, size_t index,
                       size_t *last_offer, struct error *err)
{
    struct store_offer o = store_offer(s->store, index);

    scan_conflicts(s, &o);
    for (size_t i = o.first_series; i < o.first_series + o.series_count; i++) {
        struct store_series row = store_series(s->store, i);
        struct doctor_feed *f = &s->feeds[row.feed];

        f->series++;
        f->gone += row.price < 0;
        f->points += (int64_t)row.points;
        f->offers += last_offer[row.feed] != index;
        last_offer[row.feed] = index;
        scan_doubts(s, i, &row);
        if (!scan_points(s, days, i, &row, err))
            return false;
    }
    return true;
}

static int compare_days(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The usual time between days with a change: the median. 0 when there are too few to say. */
static int32_t usual_step(const unsigned char *bits, int32_t *steps)
{
    int32_t before = -1;
    size_t count = 0;

    for (int32_t n = 0; n <= LAST_DAY; n++) {
        if (!has_day(bits, n))
            continue;
        if (before >= 0)
            steps[count++] = n - before;
        before = n;
    }
    qsort(steps, count, sizeof steps[0], compare_days);
    return count >= FEWEST_DAYS ? steps[count / 2] : 0;
}

/* The longest are kept, in order. */
static void keep_gap(struct doctor_scan *s, struct doctor_gap gap)
{
    size_t at = s->gap_count;

    s->gaps_found++;
    while (at > 0 && s->gaps[at - 1].to - s->gaps[at - 1].from < gap.to - gap.from)
        at--;
    if (at == s->keep)
        return;
    if (s->gap_count < s->keep)
        s->gap_count++;
    memmove(&s->gaps[at + 1], &s->gaps[at], (s->gap_count - at - 1) * sizeof gap);
    s->gaps[at] = gap;
}

static bool scan_gaps(struct doctor_scan *s, const struct days *days, struct error *err)
{
    int32_t *steps = arena_array(s->ctx->arena, int32_t, LAST_DAY, err);

    if (steps == NULL)
        return false;
    for (size_t f = 0; f < days->feeds; f++) {
        const unsigned char *bits = day_bits(days, f);
        int32_t usual = usual_step(bits, steps), before = -1;

        s->feeds[f].usual_days = usual > 0 ? (double)usual : (double)NAN;
        for (int32_t n = 0; usual > 0 && n <= LAST_DAY; n++) {
            if (!has_day(bits, n))
                continue;
            if (before >= 0 && n - before > 2 * usual && n - before > SHORTEST_GAP)
                keep_gap(s, (struct doctor_gap){f, before, n, usual});
            before = n;
        }
    }
    return true;
}

static int compare_names(const void *a, const void *b)
{
    const struct doctor_unknown *x = a, *y = b;

    return str_cmp(x->name, y->name);
}

static int compare_counts(const void *a, const void *b)
{
    const struct doctor_unknown *x = a, *y = b;

    return x->offers != y->offers ? (x->offers < y->offers ? 1 : -1) : compare_names(a, b);
}

static bool scan_unknown(struct doctor_scan *s, struct error *err)
{
    size_t total = store_offer_count(s->store), count = 0, kept = 0;
    struct doctor_unknown *all = arena_array(s->ctx->arena, struct doctor_unknown, total, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        struct str name = store_offer(s->store, i).accelerator;

        if (accelerator_named(&s->ctx->catalog, name) == NULL)
            all[count++] = (struct doctor_unknown){name, 1};
    }
    qsort(all, count, sizeof all[0], compare_names);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && str_eq(all[kept - 1].name, all[i].name))
            all[kept - 1].offers++;
        else
            all[kept++] = all[i];
    }
    qsort(all, kept, sizeof all[0], compare_counts);
    s->unknown = all;
    s->unknown_count = kept;
    return true;
}

static bool get_room(struct doctor_scan *s, struct days *days, size_t **last_offer,
                     struct error *err)
{
    struct arena *arena = s->ctx->arena;

    days->feeds = store_feed_count(s->store);
    days->bits = arena_array(arena, unsigned char, days->feeds *(LAST_DAY / 8 + 1), err);
    *last_offer = arena_array(arena, size_t, days->feeds, err);
    s->feeds = arena_array(arena, struct doctor_feed, days->feeds, err);
    s->gaps = arena_array(arena, struct doctor_gap, s->keep, err);
    s->conflicts = arena_array(arena, struct doctor_conflict, s->keep, err);
    s->jumps = arena_array(arena, struct doctor_jump, s->keep, err);
    if (days->bits == NULL || *last_offer == NULL || s->feeds == NULL || s->gaps == NULL ||
        s->conflicts == NULL || s->jumps == NULL)
        return false;
    for (unsigned bit = 0; bit < DOUBT_BITS; bit++) {
        s->doubtful[bit] = arena_array(arena, size_t, s->keep, err);
        if (s->doubtful[bit] == NULL)
            return false;
    }
    for (size_t f = 0; f < days->feeds; f++)
        (*last_offer)[f] = SIZE_MAX;
    return true;
}

bool doctor_scan(struct doctor_scan *scan, struct error *err)
{
    struct days days;
    size_t *last_offer;
    bool ok = get_room(scan, &days, &last_offer, err);

    store_hold(scan->store);
    for (size_t i = 0; ok && i < store_offer_count(scan->store); i++)
        ok = scan_offer(scan, &days, i, last_offer, err);
    store_release(scan->store);
    return ok && scan_gaps(scan, &days, err) && scan_unknown(scan, err);
}
