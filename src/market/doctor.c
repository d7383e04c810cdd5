#include "market/doctor.h"

#include <math.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/price_age.h"
#include "market/book.h"
#include "market/fetch.h"
#include "market/trust.h"

#define DOUBT_BITS 4
#define LAST_DAY 40000   /* since 1970: 2079 */
#define JUMP_DAYS 90     /* of a history's last days, in which jumps are searched */
#define APART 0.01       /* feeds that differ by less agree */
#define FEWEST_DAYS 15   /* with a changed price, to compute what is usual */
#define FEWEST_SHARES 20 /* offers with both prices, to call them computed */
#define SAME_SHARE 0.005 /* shares no further apart are the same */
#define MANY_SHARES 0.4  /* so many the same are no chance; of observed ones a quarter are */
#define MOST_FINDINGS 512

static const struct field feed_fields[] = {
    FIELD_AS("feed", TEXT, doctor_feed, feed.feed, .help = "price feed"),
    FIELD_AS("provider", TEXT, doctor_feed, feed.provider, .help = "provider of the prices"),
    FIELD_AS("confidence", ENUM, doctor_feed, feed.confidence, .names = confidence_names,
             .help = "official, catalog or private"),
    FIELD_AS("source", TEXT, doctor_feed, feed.from, .help = "file or address read last"),
    FIELD_AS("read", TIME, doctor_feed, feed.read, .empty_unknown = true,
             .short_midnight = true, .help = "date of the newest quotes"),
    FIELD_AS("imported", TIME, doctor_feed, feed.imported, .empty_unknown = true,
             .short_midnight = true, .help = "time of import into the store"),
    FIELD(COUNT, doctor_feed, age_days, .help = "age of the newest quotes in days"),
    FIELD(FLAG, doctor_feed, stale, .help = "feed is older than stale_after"),
    FIELD(COUNT, doctor_feed, offers, .help = "offers: machines in places"),
    FIELD(COUNT, doctor_feed, series,
          .help = "series: one for each offer, market and currency"),
    FIELD(COUNT, doctor_feed, gone, .help = "series without a current price"),
    FIELD(COUNT, doctor_feed, points, .help = "price changes"),
    FIELD(NUMBER, doctor_feed, usual_days,
          .help = "usual number of days between price changes"),
};

const struct field_set doctor_feed_fields = FIELD_SET(struct doctor_feed, feed_fields);

static const char *const kind_names[] = {
    [DOCTOR_EMPTY] = "empty",       [DOCTOR_DAMAGED] = "damaged",
    [DOCTOR_STALE] = "stale",       [DOCTOR_FUTURE] = "future",
    [DOCTOR_CONFLICT] = "conflict", [DOCTOR_DOUBT] = "doubt",
    [DOCTOR_OUTLIER] = "outlier",   [DOCTOR_JUMP] = "jump",
    [DOCTOR_COMPUTED] = "computed", [DOCTOR_BY_HAND] = "by-hand",
    [DOCTOR_GAP] = "gap",           [DOCTOR_UNKNOWN] = "unknown",
};

static const struct field finding_fields[] = {
    FIELD(
        ENUM, doctor_finding, kind, FIELD_NAMES(kind_names),
        .help =
            "empty, damaged, stale, future, conflict, doubt, outlier, jump, computed, by-hand, "
            "gap or unknown"),
    FIELD(TEXT, doctor_finding, text, .help = "description of the problem"),
    FIELD(COUNT, doctor_finding, count, .help = "number of occurrences"),
    FIELD(TEXTS, doctor_finding, examples, .help = "examples, up to --limit"),
    FIELD(TEXT, doctor_finding, run, .help = "command to type"),
};

const struct field_set doctor_finding_fields = FIELD_SET(struct doctor_finding, finding_fields);

/* ---- one walk through the store ---- */

/* Days without data: none of a feed's prices was observed on them, or none of one market. */
struct doctor_gap {
    size_t feed;
    int market;       /* -1: none in any */
    int32_t from, to; /* the first of them and the last */
};

/* A price that went to ten times or a tenth at once, and is plausible now. */
struct doctor_jump {
    size_t series;
    double ratio; /* the new price over the old, of its largest */
    stamp at;
};

/* Two feeds that differ about one price. */
struct doctor_conflict {
    struct store_offer offer;
    struct store_series a, b;
};

/* An accelerator that the catalog does not know. */
struct doctor_unknown {
    struct str name;
    int64_t offers;
};

/* Of those that were found, the widest, in order. */
struct widest {
    void *at;
    double *width;
    size_t size; /* of one */
    size_t count, found;
};

struct doctor_scan {
    const struct market_view *view;
    const struct store *store;
    size_t keep; /* examples of each kind */
    struct doctor_feed *feeds;
    size_t damaged;               /* series whose history cannot be read */
    size_t *doubtful[DOUBT_BITS]; /* series, the first `keep` */
    size_t doubts_found[DOUBT_BITS];
    struct widest gaps, conflicts, jumps; /* struct doctor_gap, _conflict, ... */
    struct doctor_unknown *unknown;       /* most offers first */
    size_t unknown_count;
};

static bool widest_begin(const struct doctor_scan *s, size_t size, struct widest *out,
                         struct error *err)
{
    out->size = size;
    out->at = arena_get(s->view->arena, s->keep, size, alignof(max_align_t), err);
    out->width = arena_array(s->view->arena, double, s->keep, err);
    return out->at != NULL && out->width != NULL;
}

/* The place of one that was found; NULL when it is not among the widest. */
static void *widest_add(const struct doctor_scan *s, struct widest *w, double width)
{
    size_t at = w->count;
    char *place;

    w->found++;
    while (at > 0 && w->width[at - 1] < width)
        at--;
    if (at == s->keep)
        return NULL;
    if (w->count < s->keep)
        w->count++;
    place = (char *)w->at + at * w->size;
    memmove(place + w->size, place, (w->count - at - 1) * w->size);
    memmove(&w->width[at + 1], &w->width[at], (w->count - at - 1) * sizeof *w->width);
    w->width[at] = width;
    return place;
}

/* The days on which any price of each feed changed, and those on which any was observed, in any
 * market and in each: a bit for each day, for all feeds. */
struct days {
    unsigned char *changed, *observed, *markets;
    size_t feeds;
};

static unsigned char *feed_bits_of(unsigned char *bits, size_t feed)
{
    return bits + feed * (LAST_DAY / 8 + 1);
}

static void set_days(unsigned char *bits, int64_t first, int64_t last)
{
    first = first > 0 ? first : 0;
    last = last < LAST_DAY ? last : LAST_DAY;
    for (int64_t n = first; n <= last; n++)
        bits[n / 8] |= (unsigned char)(1u << (n % 8));
}

static bool has_day_bit(const unsigned char *bits, int32_t n)
{
    return (bits[n / 8] >> (n % 8) & 1) != 0;
}

/* Current prices in doubt are reported as such. */
static void scan_jumps(struct doctor_scan *s, size_t series, const struct store_series *row,
                       struct points points)
{
    struct window last = {{row->seen.s - JUMP_DAYS * SECONDS_PER_DAY}, row->seen};
    struct series_moves m = series_moves(points, last);
    struct doctor_jump *jump;

    if (m.jumps == 0 || row->doubts & DOUBT_JUMP)
        return;
    jump = widest_add(s, &s->jumps, fabs(log(m.largest)));
    if (jump != NULL)
        *jump = (struct doctor_jump){series, m.largest, m.at};
}

/* The days on which its price changed, and those on which it was observed. */
static void scan_days(const struct days *days, const struct store_series *row,
                      struct points points)
{
    unsigned char *changed = feed_bits_of(days->changed, row->feed),
                  *observed = feed_bits_of(days->observed, row->feed),
                  *market = feed_bits_of(days->markets, row->feed * MARKET_COUNT + row->market);

    for (size_t i = 0; i < points.len; i++) {
        const struct point *p = &points.at[i];
        bool after_gap = i > 0 && p[-1].value == SERIES_UNKNOWN;
        stamp end = i + 1 == points.len ? row->seen : (stamp){p[1].at.s - 1};

        if (p->value == SERIES_UNKNOWN)
            continue;
        if (!after_gap || i < 2 || p->value != p[-2].value)
            set_days(changed, day_of(p->at).n, day_of(p->at).n);
        set_days(observed, day_of(p->at).n, day_of(end).n);
        set_days(market, day_of(p->at).n, day_of(end).n);
    }
}

/* The points of one series, counted for its feed. A damaged one is left out. */
static bool scan_points(struct doctor_scan *s, const struct days *days, size_t series,
                        const struct store_series *row, struct error *err)
{
    struct arena scratch = {.alloc = s->view->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct error problem = {0};
    struct points points;
    bool ok = store_points(s->store, series, &scratch, &points, &problem);

    if (ok) {
        scan_days(days, row, points);
        scan_jumps(s, series, row, points);
    }
    arena_free(&scratch);
    if (!ok && problem.kind == ERROR_MEMORY)
        return error_memory(err);
    s->damaged += !ok;
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

static void scan_conflicts(struct doctor_scan *s, const struct store_offer *o)
{
    size_t end = o->first_series + o->series_count;

    for (size_t i = o->first_series; i < end; i++) {
        struct store_series a = store_series(s->store, i);

        for (size_t k = i + 1; k < end && a.price > 0; k++) {
            struct store_series b = store_series(s->store, k);
            struct doctor_conflict *conflict;
            double apart;

            if (b.market != a.market) /* sorted by it */
                break;
            if (b.price <= 0 || !currency_is(a.currency, b.currency))
                continue;
            apart = fabs((double)a.price - (double)b.price) /
                    fmin((double)a.price, (double)b.price);
            conflict = apart > APART ? widest_add(s, &s->conflicts, apart) : NULL;
            if (conflict != NULL)
                *conflict = (struct doctor_conflict){*o, a, b};
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
        f->gone += row.price < 0 && row.points > 1; /* with one point it never had a price */
        f->points += (int64_t)row.points;
        f->offers += last_offer[row.feed] != index;
        last_offer[row.feed] = index;
        scan_doubts(s, i, &row);
        if (!scan_points(s, days, i, &row, err))
            return false;
    }
    return true;
}

static int compare_steps(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The usual time between days with a change: the median. 0 when there are too few. */
static int32_t usual_feed_step(const unsigned char *bits, int32_t *steps)
{
    int32_t before = -1;
    size_t count = 0;

    for (int32_t n = 0; n <= LAST_DAY; n++) {
        if (!has_day_bit(bits, n))
            continue;
        if (before >= 0)
            steps[count++] = n - before;
        before = n;
    }
    qsort(steps, count, sizeof steps[0], compare_steps);
    return count >= FEWEST_DAYS ? steps[count / 2] : 0;
}

static bool has_any_day(const unsigned char *bits, int32_t from, int32_t to)
{
    for (int32_t n = from; n <= to; n++)
        if (has_day_bit(bits, n))
            return true;
    return false;
}

/* Days without data of one feed, between its first and its last. Of one market only those on
 * which another was observed: the others are the feed's. */
static void scan_feed_gaps(struct doctor_scan *s, const struct days *days, size_t feed,
                           int market)
{
    const unsigned char *all = feed_bits_of(days->observed, feed), *observed = all;
    int32_t before = -1;

    if (market >= 0)
        observed = feed_bits_of(days->markets, feed * MARKET_COUNT + (size_t)market);
    for (int32_t n = 0; n <= LAST_DAY; n++) {
        struct doctor_gap *gap = NULL;

        if (!has_day_bit(observed, n))
            continue;
        if (before >= 0 && n - before > 1 &&
            (market < 0 || has_any_day(all, before + 1, n - 1)))
            gap = widest_add(s, &s->gaps, n - before);
        if (gap != NULL)
            *gap = (struct doctor_gap){feed, market, before + 1, n - 1};
        before = n;
    }
}

static bool scan_gaps(struct doctor_scan *s, const struct days *days, struct error *err)
{
    int32_t *steps = arena_array(s->view->arena, int32_t, LAST_DAY, err);

    if (steps == NULL)
        return false;
    for (size_t f = 0; f < days->feeds; f++) {
        int32_t usual = usual_feed_step(feed_bits_of(days->changed, f), steps);

        s->feeds[f].usual_days = usual > 0 ? (double)usual : (double)NAN;
        for (int market = -1; market < MARKET_COUNT; market++)
            scan_feed_gaps(s, days, f, market);
    }
    return true;
}

static int compare_feed_names(const void *a, const void *b)
{
    const struct doctor_unknown *x = a, *y = b;

    return str_cmp(x->name, y->name);
}

static int compare_counts(const void *a, const void *b)
{
    const struct doctor_unknown *x = a, *y = b;

    return x->offers != y->offers ? (x->offers < y->offers ? 1 : -1) : compare_feed_names(a, b);
}

static bool scan_unknown(struct doctor_scan *s, struct error *err)
{
    size_t total = store_offer_count(s->store), count = 0, kept = 0;
    struct doctor_unknown *all = arena_array(s->view->arena, struct doctor_unknown, total, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        struct str name = store_offer(s->store, i).accelerator;

        if (accelerator_named(s->view->catalog, name) == NULL)
            all[count++] = (struct doctor_unknown){name, 1};
    }
    qsort(all, count, sizeof all[0], compare_feed_names);
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

static bool scan_room(struct doctor_scan *s, struct days *days, size_t **last_offer,
                      struct error *err)
{
    struct arena *arena = s->view->arena;

    days->feeds = store_feed_count(s->store);
    days->changed = arena_array(arena, unsigned char, days->feeds *(LAST_DAY / 8 + 1), err);
    days->observed = arena_array(arena, unsigned char, days->feeds *(LAST_DAY / 8 + 1), err);
    days->markets =
        arena_array(arena, unsigned char, days->feeds *MARKET_COUNT *(LAST_DAY / 8 + 1), err);
    *last_offer = arena_array(arena, size_t, days->feeds, err);
    s->feeds = arena_array(arena, struct doctor_feed, days->feeds, err);
    if (days->changed == NULL || days->observed == NULL || days->markets == NULL ||
        *last_offer == NULL || s->feeds == NULL ||
        !widest_begin(s, sizeof(struct doctor_gap), &s->gaps, err) ||
        !widest_begin(s, sizeof(struct doctor_conflict), &s->conflicts, err) ||
        !widest_begin(s, sizeof(struct doctor_jump), &s->jumps, err))
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

static bool scan_store(struct doctor_scan *scan, struct error *err)
{
    struct days days;
    size_t *last_offer;
    bool ok = scan_room(scan, &days, &last_offer, err);

    store_hold(scan->store);
    for (size_t i = 0; ok && i < store_offer_count(scan->store); i++)
        ok = scan_offer(scan, &days, i, last_offer, err);
    store_release(scan->store);
    return ok && scan_gaps(scan, &days, err) && scan_unknown(scan, err);
}

/* ---- findings in words ---- */

/* The findings so far. */
struct doctor_visit {
    const struct market_view *view;
    const struct doctor_options *options;
    struct doctor_scan scan;
    struct book_dates book;
    struct doctor_report *res;
    struct doctor_finding *findings;
    size_t count;
    struct str *examples; /* of the last one: room for as many as are kept */
    bool failed;          /* memory ran out; `err` has the error */
    struct error *err;
};

static struct str doctor_words(struct doctor_visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A text in the arena. */
static struct str doctor_words(struct doctor_visit *v, const char *fmt, ...)
{
    const char *copy;
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    copy = v->failed ? NULL : str_dup(str_from(text), v->view->arena, v->err);
    v->failed |= copy == NULL;
    return str_from(copy);
}

/* A new finding with room for examples; a spare one when there are too many or memory ran
 * out. */
static struct doctor_finding *doctor_find(struct doctor_visit *v, enum doctor_kind kind,
                                          size_t count)
{
    struct doctor_finding *f = &v->findings[v->count];
    struct str *examples =
        v->failed ? NULL : arena_array(v->view->arena, struct str, v->scan.keep, v->err);

    v->failed |= examples == NULL;
    v->count += v->count + 1 < MOST_FINDINGS;
    *f = (struct doctor_finding){.kind = kind, .count = (int64_t)count};
    v->examples = examples;
    return f;
}

/* Of the finding made last; those above the limit are left out. */
static void add_example(struct doctor_visit *v, struct doctor_finding *f, struct str text)
{
    if (v->failed || f->examples.len == v->scan.keep)
        return;
    v->examples[f->examples.len] = text;
    f->examples = (struct strs){v->examples, f->examples.len + 1};
}

static struct str doctor_date(struct doctor_visit *v, stamp at)
{
    struct str text = {0};
    struct buf out = buf_new(v->view->arena->alloc, 64);

    if (v->failed)
        return text;
    stamp_write_short(at, &out);
    v->failed = !buf_keep(&out, v->view->arena, &text, v->err);
    return text;
}

static struct str doctor_offer(struct doctor_visit *v, const struct store_offer *o)
{
    struct str text = {0};

    v->failed |= !v->failed && !machine_name(o->provider, o->region, o->zone, o->instance,
                                             v->view->arena, &text, v->err);
    return text;
}

/* "$22.1/hr" with all its digits, or "19.5 EUR/hr". */
static struct str describe_series_price(struct doctor_visit *v, const struct store_series *s)
{
    struct money m = money_from_nano(s->price, s->currency);
    struct buf text = buf_new(v->view->arena->alloc, 64);
    struct str out;

    money_write(&m, &text);
    out = doctor_words(v, "%.*s/hr", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
    return out;
}

/* ---- feeds: when they were read, and how they get their prices ---- */

static bool can_fetch(struct str name)
{
    struct error ignored = {0};

    return fetch_provider_named(name, &ignored) != NULL;
}

/* How to fetch it again: collections by their own name, providers by theirs. */
static struct str fetch_again(struct doctor_visit *v, const struct doctor_feed *d, bool several)
{
    bool collection = d->feed.confidence == CONFIDENCE_CATALOG;
    struct str who = collection ? d->feed.feed : d->feed.provider;

    if (d->feed.confidence == CONFIDENCE_PRIVATE || !can_fetch(who))
        return STR("stint price import FILE, with newer prices");
    if (several && !collection)
        return STR("stint price fetch --all");
    return doctor_words(v, "stint price fetch %.*s", STR_ARG(who));
}

/* Of one feed, all providers that were last read too long ago. */
struct old_feed {
    size_t first, providers;
    int64_t newest, oldest, series; /* ages in days */
};

static struct old_feed old_of(const struct doctor_visit *v, size_t first)
{
    const struct doctor_feed *feeds = v->scan.feeds;
    struct old_feed o = {.first = first, .newest = feeds[first].age_days};

    for (size_t i = first; i < v->res->feeds.len; i++) {
        if (!feeds[i].stale || !str_eq(feeds[i].feed.feed, feeds[first].feed.feed))
            continue;
        o.providers++;
        o.series += feeds[i].series;
        o.newest = feeds[i].age_days < o.newest ? feeds[i].age_days : o.newest;
        o.oldest = feeds[i].age_days > o.oldest ? feeds[i].age_days : o.oldest;
    }
    return o;
}

/* Which provider's list is how old; all the same need no list. */
static void list_old(struct doctor_visit *v, const struct old_feed *o, struct doctor_finding *f)
{
    const struct doctor_feed *feeds = v->scan.feeds;

    for (size_t i = o->first; i < v->res->feeds.len && o->newest != o->oldest; i++)
        if (feeds[i].stale && str_eq(feeds[i].feed.feed, feeds[o->first].feed.feed))
            add_example(v, f,
                        doctor_words(v, "%.*s: %lld days", STR_ARG(feeds[i].feed.provider),
                                     (long long)feeds[i].age_days));
}

static void find_stale(struct doctor_visit *v, size_t first)
{
    const struct doctor_feed *d = &v->scan.feeds[first];
    struct old_feed o = old_of(v, first);
    struct doctor_finding *f = doctor_find(v, DOCTOR_STALE, (size_t)o.series);

    if (o.providers == 1)
        f->text =
            doctor_words(v, "%.*s of %.*s was last read %lld days ago", STR_ARG(d->feed.feed),
                         STR_ARG(d->feed.provider), (long long)d->age_days);
    else if (o.newest == o.oldest)
        f->text = doctor_words(v, "%.*s: %zu providers last read %lld days ago",
                               STR_ARG(d->feed.feed), o.providers, (long long)o.oldest);
    else
        f->text = doctor_words(v, "%.*s: %zu providers last read %lld to %lld days ago",
                               STR_ARG(d->feed.feed), o.providers, (long long)o.newest,
                               (long long)o.oldest);
    list_old(v, &o, f);
    f->run = fetch_again(v, d, o.providers > 1);
}

static void find_doctor_dates(struct doctor_visit *v)
{
    stamp now = v->options->now;
    const struct doctor_feed *feeds = v->scan.feeds;

    for (size_t i = 0; i < v->res->feeds.len; i++) {
        bool first = feeds[i].stale;

        for (size_t k = 0; k < i && first; k++)
            first = !feeds[k].stale || !str_eq(feeds[k].feed.feed, feeds[i].feed.feed);
        if (first)
            find_stale(v, i);
    }
    for (size_t i = 0; i < v->res->feeds.len; i++) {
        struct doctor_finding *f;
        struct str read;

        if (feeds[i].feed.read.s <= now.s)
            continue;
        f = doctor_find(v, DOCTOR_FUTURE, (size_t)feeds[i].series);
        read = doctor_date(v, feeds[i].feed.read);
        f->text = doctor_words(v, "%.*s of %.*s is dated in the future: %.*s",
                               STR_ARG(feeds[i].feed.feed), STR_ARG(feeds[i].feed.provider),
                               STR_ARG(read));
        f->run = fetch_again(v, &feeds[i], false);
    }
}

/* SkyPilot's own programs refresh three lists; the others are refreshed by hand. */
static bool by_hand(const struct doctor_visit *v, size_t feed)
{
    static const char *const refreshed[] = {"aws", "gcp", "lambda"};
    const struct doctor_feed *feeds = v->scan.feeds, *d = &feeds[feed];

    if (!str_eq(d->feed.feed, STR("skypilot")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(refreshed); i++)
        if (str_eq(d->feed.provider, str_from(refreshed[i])))
            return false;
    for (size_t i = 0; i < v->res->feeds.len; i++) /* the provider's own list is there too */
        if (str_eq(feeds[i].feed.provider, d->feed.provider) && !feeds[i].stale &&
            feeds[i].feed.confidence == CONFIDENCE_OFFICIAL)
            return false;
    return true;
}

/* "stint price fetch azure vast": providers whose own lists can be fetched. */
static struct str fetch_own_lists(struct doctor_visit *v)
{
    struct str run = STR("stint price fetch");
    bool any = false;

    for (size_t i = 0; i < v->res->feeds.len; i++)
        if (by_hand(v, i) && can_fetch(v->scan.feeds[i].feed.provider)) {
            run = doctor_words(v, "%.*s %.*s", STR_ARG(run),
                               STR_ARG(v->scan.feeds[i].feed.provider));
            any = true;
        }
    return any ? run : STR("check the provider's own page before you spend");
}

static void find_by_hand(struct doctor_visit *v)
{
    size_t count = 0;
    struct doctor_finding *f;

    for (size_t i = 0; i < v->res->feeds.len; i++)
        count += by_hand(v, i);
    if (count == 0)
        return;
    f = doctor_find(v, DOCTOR_BY_HAND, count);
    f->text = doctor_words(v,
                           "SkyPilot's lists of %zu provider%s are updated manually: prices "
                           "may be older than their date",
                           count, count == 1 ? "" : "s");
    f->run = fetch_own_lists(v);
    for (size_t i = 0; i < v->res->feeds.len; i++)
        if (by_hand(v, i))
            add_example(v, f, v->scan.feeds[i].feed.provider);
}

/* The spot price as a share of on-demand in one offer, both from one feed. */
struct spot_share {
    size_t feed;
    double share;
};

static int compare_shares(const void *a, const void *b)
{
    const struct spot_share *x = a, *y = b;

    if (x->feed != y->feed)
        return x->feed < y->feed ? -1 : 1;
    return (x->share > y->share) - (x->share < y->share);
}

static size_t collect_shares(const struct store *store, struct spot_share *out)
{
    size_t count = 0;

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        size_t end = o.first_series + o.series_count;

        for (size_t k = o.first_series; k < end; k++) {
            struct store_series spot = store_series(store, k);

            for (size_t d = o.first_series; d < end && spot.market == MARKET_SPOT; d++) {
                struct store_series full = store_series(store, d);

                if (full.market == MARKET_ON_DEMAND && full.feed == spot.feed &&
                    full.price > 0 && spot.price > 0 &&
                    currency_is(full.currency, spot.currency))
                    out[count++] =
                        (struct spot_share){spot.feed, (double)spot.price / (double)full.price};
            }
        }
    }
    qsort(out, count, sizeof out[0], compare_shares);
    return count;
}

/* The most that are the same, of sorted ones; `from` is where they begin. */
static size_t most_alike(const struct spot_share *at, size_t count, size_t *from)
{
    size_t most = 0;

    for (size_t low = 0, high = 0; low < count; low++) {
        while (high < count && at[high].share <= at[low].share * (1 + SAME_SHARE))
            high++;
        if (high - low > most) {
            most = high - low;
            *from = low;
        }
    }
    return most;
}

static void judge_shares(struct doctor_visit *v, const struct spot_share *at, size_t count)
{
    const struct doctor_feed *d = &v->scan.feeds[at[0].feed];
    size_t from = 0, alike = most_alike(at, count, &from);
    struct doctor_finding *f;

    if (count < FEWEST_SHARES || !((double)alike > MANY_SHARES * (double)count))
        return;
    f = doctor_find(v, DOCTOR_COMPUTED, alike);
    f->text = doctor_words(v,
                           "%.*s of %.*s: spot is %.1f %% of on-demand in %zu of %zu offers: "
                           "computed by a rule, not observed",
                           STR_ARG(d->feed.feed), STR_ARG(d->feed.provider),
                           at[from + alike / 2].share * 100, alike, count);
    f->run = can_fetch(d->feed.provider) && d->feed.confidence != CONFIDENCE_OFFICIAL
                 ? doctor_words(v, "stint price fetch %.*s", STR_ARG(d->feed.provider))
                 : STR("treat these spot prices as estimates");
}

static void find_computed(struct doctor_visit *v)
{
    /* An offer has one on-demand price of a feed in a currency: no more pairs than series. */
    size_t total = store_series_count(v->scan.store), count;
    struct spot_share *shares =
        v->failed ? NULL : arena_array(v->view->arena, struct spot_share, total, v->err);

    if (shares == NULL) {
        v->failed = true;
        return;
    }
    count = collect_shares(v->scan.store, shares);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && shares[next].feed == shares[i].feed;)
            next++;
        judge_shares(v, shares + i, next - i);
    }
}

/* ---- prices ---- */

/* How many offers of the catalog are too old (market/trust.h): the newest says little. */
static struct price_ages built_in_ages(const struct doctor_visit *v)
{
    const struct rows *offers = &v->view->catalog->tables[TABLE_OFFERS];
    struct price_ages ages = {0};

    for (size_t i = 0; i < offers->len; i++) {
        const struct machine *m = CATALOG_ROW(v->view->catalog, TABLE_OFFERS, machine, i);

        if (!m->fact.current || m->fact.layer > 0 || m->on_demand.nano == MONEY_UNKNOWN)
            continue;
        ages.count++;
        ages.old += price_too_old(provider_find(v->view->catalog, m->provider),
                                  (int64_t)v->view->today.n - m->fact.date.n);
    }
    return ages;
}

static void find_empty(struct doctor_visit *v)
{
    struct buf dates = buf_new(v->view->arena->alloc, 200);
    struct price_ages ages;
    struct doctor_finding *f;

    if (store_series_count(v->scan.store) > 0 || store_is_damaged(v->scan.store))
        return;
    f = doctor_find(v, DOCTOR_EMPTY, 1);
    book_dates_write(&v->book, v->view->today, &dates);
    ages = built_in_ages(v);
    f->text =
        doctor_words(v,
                     "the price store is empty, so the built-in prices are used: %.*s; %zu "
                     "of %zu are too old to be the best",
                     (int)dates.len, dates.at != NULL ? dates.at : "", ages.old, ages.count);
    buf_free(&dates);
    f->run = STR("stint price fetch skypilot");
}

static void find_damage(struct doctor_visit *v)
{
    struct doctor_finding *f;

    if (v->res->damaged == 0 && !store_is_damaged(v->scan.store))
        return;
    f = doctor_find(v, DOCTOR_DAMAGED, v->res->damaged > 0 ? (size_t)v->res->damaged : 1);
    if (v->res->damaged > 0)
        f->text = doctor_words(v, "the histories of %lld of %lld series cannot be read",
                               (long long)v->res->damaged, (long long)v->res->series);
    else
        f->text = STR("the file is damaged: nothing in it can be read");
    f->run = doctor_words(v, "rm %.*s, then stint price fetch --all or stint price import FILE",
                          (int)v->options->file.len, v->options->file.at);
}

/* "skypilot of aws" and the days. */
static struct str days_words(struct doctor_visit *v, size_t feed, int market, int32_t first,
                             int32_t last)
{
    const struct store_feed *f = &v->scan.feeds[feed].feed;
    struct str from = doctor_date(v, (stamp){first * SECONDS_PER_DAY});
    struct str to = doctor_date(v, (stamp){last * SECONDS_PER_DAY});

    return doctor_words(v, "%.*s of %.*s%s%s: %d day%s, %.*s to %.*s", STR_ARG(f->feed),
                        STR_ARG(f->provider), market >= 0 ? ", " : "",
                        market >= 0 ? market_names[market] : "", last - first + 1,
                        last > first ? "s" : "", STR_ARG(from), STR_ARG(to));
}

static void find_gaps(struct doctor_visit *v)
{
    const struct widest *gaps = &v->scan.gaps;
    struct doctor_finding *f;

    if (gaps->found == 0)
        return;
    f = doctor_find(v, DOCTOR_GAP, gaps->found);
    f->text = doctor_words(v,
                           "%zu gap%s in the history: days without data are left out of means "
                           "and risks",
                           gaps->found, gaps->found == 1 ? "" : "s");
    f->run = STR("stint price import FILE, with a history that has these days");
    for (size_t i = 0; i < gaps->count; i++) {
        const struct doctor_gap *g = (const struct doctor_gap *)gaps->at + i;

        add_example(v, f, days_words(v, g->feed, g->market, g->from, g->to));
    }
}

/* "OFFER:market PRICE by FEED"; the first one is what to run the history of. */
static struct str doubt_example(struct doctor_visit *v, size_t series, struct doctor_finding *f)
{
    struct store_series row = store_series(v->scan.store, series);
    struct store_offer o = store_offer(v->scan.store, row.offer);
    struct str offer = doctor_offer(v, &o), price = describe_series_price(v, &row);
    const char *market = market_names[row.market];

    if (f->run.len == 0)
        f->run = doctor_words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    return doctor_words(v, "%.*s:%s %.*s by %.*s", STR_ARG(offer), market, STR_ARG(price),
                        STR_ARG(v->scan.feeds[row.feed].feed.feed));
}

static void find_doubts(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;

    for (unsigned bit = 0; bit < DOUBT_BITS; bit++) {
        size_t found = s->doubts_found[bit];
        struct doctor_finding *f;

        if (found == 0 || s->keep == 0)
            continue;
        f = doctor_find(v, DOCTOR_DOUBT, found);
        f->text = doctor_words(v, "%zu current price%s: %s", found, found == 1 ? "" : "s",
                               doubt_word((enum price_doubt)(1u << bit)));
        for (size_t i = 0; i < found && i < s->keep; i++)
            add_example(v, f, doubt_example(v, s->doubtful[bit][i], f));
    }
}

/* "PRICE by FEED (seen)". */
static struct str price_by_feed(struct doctor_visit *v, const struct store_series *s)
{
    struct str price = describe_series_price(v, s), seen = doctor_date(v, s->seen);

    return doctor_words(v, "%.*s by %.*s (%.*s)", STR_ARG(price),
                        STR_ARG(v->scan.feeds[s->feed].feed.feed), STR_ARG(seen));
}

static void find_conflicts(struct doctor_visit *v)
{
    const struct widest *conflicts = &v->scan.conflicts;
    struct doctor_finding *f;

    if (conflicts->found == 0)
        return;
    f = doctor_find(v, DOCTOR_CONFLICT, conflicts->found);
    f->text = doctor_words(v, "%zu price%s on which feeds differ by more than 1 %%",
                           conflicts->found, conflicts->found == 1 ? "" : "s");
    for (size_t i = 0; i < conflicts->count; i++) {
        const struct doctor_conflict *c = (const struct doctor_conflict *)conflicts->at + i;
        struct str offer = doctor_offer(v, &c->offer), a = price_by_feed(v, &c->a),
                   b = price_by_feed(v, &c->b);
        const char *market = market_names[c->a.market];

        add_example(v, f,
                    doctor_words(v, "%.*s:%s %.*s, %.*s", STR_ARG(offer), market, STR_ARG(a),
                                 STR_ARG(b)));
        if (i == 0)
            f->run = doctor_words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    }
}

static void find_unknown(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;
    size_t offers = 0;
    struct doctor_finding *f;

    if (s->unknown_count == 0 || s->keep == 0)
        return;
    for (size_t i = 0; i < s->unknown_count; i++)
        offers += (size_t)s->unknown[i].offers;
    f = doctor_find(v, DOCTOR_UNKNOWN, offers);
    f->text = doctor_words(
        v, "the catalog does not know the accelerators of %zu offer%s (%zu name%s)", offers,
        offers == 1 ? "" : "s", s->unknown_count, s->unknown_count == 1 ? "" : "s");
    f->run = doctor_words(v, "add them to names.csv or accelerators.csv in %.*s",
                          STR_ARG(v->options->catalog));
    for (size_t i = 0; i < s->unknown_count && i < s->keep; i++)
        add_example(v, f,
                    doctor_words(v, "%.*s (%lld offer%s)", STR_ARG(s->unknown[i].name),
                                 (long long)s->unknown[i].offers,
                                 s->unknown[i].offers == 1 ? "" : "s"));
}

/* "OFFER:market 20 times up on DATE by FEED"; the first one is what to run the history of. */
static struct str jump_example(struct doctor_visit *v, const struct doctor_jump *j,
                               struct doctor_finding *f)
{
    struct store_series row = store_series(v->scan.store, j->series);
    struct store_offer o = store_offer(v->scan.store, row.offer);
    struct str offer = doctor_offer(v, &o), date = doctor_date(v, j->at);
    struct str feed = v->scan.feeds[row.feed].feed.feed;
    const char *market = market_names[row.market];

    if (f->run.len == 0)
        f->run = doctor_words(v, "stint price history %.*s:%s --days %d", STR_ARG(offer),
                              market, JUMP_DAYS);
    if (j->ratio > 1)
        return doctor_words(v, "%.*s:%s %.0f times up on %.*s by %.*s", STR_ARG(offer), market,
                            j->ratio, STR_ARG(date), STR_ARG(feed));
    return doctor_words(v, "%.*s:%s to 1/%.0f on %.*s by %.*s", STR_ARG(offer), market,
                        1 / j->ratio, STR_ARG(date), STR_ARG(feed));
}

/* Prices that are plausible now, but were not recently. */
static void find_jumps(struct doctor_visit *v)
{
    const struct widest *jumps = &v->scan.jumps;
    struct doctor_finding *f;

    if (jumps->found == 0)
        return;
    f = doctor_find(v, DOCTOR_JUMP, jumps->found);
    f->text = doctor_words(v,
                           "%zu price%s jumped ten times or more in the last %d days of the "
                           "history: possibly errors of the feed",
                           jumps->found, jumps->found == 1 ? "" : "s", JUMP_DAYS);
    for (size_t i = 0; i < jumps->count; i++)
        add_example(v, f, jump_example(v, (const struct doctor_jump *)jumps->at + i, f));
}

/* Prices that are far from those of their peers: below, or above. */
struct outliers {
    const struct truster *truster;
    bool high;
    struct doctor_finding *found; /* NULL: none yet */
};

static void add_outlier(struct doctor_visit *v, struct outliers *o,
                        const struct price_trust *trust, const struct machine *m,
                        enum market market)
{
    usd_per_hour price = usd_per_hour_share(machine_price(m, market), m->count);
    usd_per_hour peers = truster_peers(o->truster, m->provider, m->accelerator, market);
    struct buf text;
    struct str name, words;

    if (!(o->high ? trust->high : trust->outlier))
        return;
    if (o->found == NULL)
        o->found = doctor_find(v, DOCTOR_OUTLIER, 0);
    if (o->found->count++ >= (int64_t)v->options->examples ||
        !machine_name(m->provider, m->region, m->zone, m->instance, v->view->arena, &name,
                      v->err))
        return;
    text = buf_new(v->view->arena->alloc, 200);
    buf_addf(&text, "%.*s:%s ", STR_ARG(name), market_names[market]);
    usd_write_estimate((usd){price.nano}, &text);
    buf_adds(&text, "/hr a GPU, other regions ");
    usd_write_estimate((usd){peers.nano}, &text);
    buf_adds(&text, "/hr");
    if (buf_keep(&text, v->view->arena, &words, v->err))
        add_example(v, o->found, words);
    else
        v->failed = true;
}

/* The prices of one offer of the store. */
static void judge_offer(struct doctor_visit *v, struct outliers *out,
                        const struct store_offer *o)
{
    static const enum market markets[] = {MARKET_ON_DEMAND, MARKET_SPOT};

    for (size_t i = 0; i < ARRAY_LEN(markets); i++) {
        struct price_now now = price_now(v->view, o, markets[i]);
        struct price_trust trust;
        struct machine m = {.provider = o->provider,
                            .region = o->region,
                            .zone = o->zone,
                            .instance = o->instance,
                            .accelerator = o->accelerator,
                            .count = (int64_t)o->count,
                            .on_demand = now.price,
                            .spot = now.price};

        if (choose_doubted(now.doubts) || now.series == SIZE_MAX)
            continue;
        trust = truster_judge(out->truster, o, now.series, now.price, now.seen, markets[i]);
        add_outlier(v, out, &trust, &m, markets[i]);
    }
}

/* Prices of the store, zone by zone, and built-in ones that it does not have. */
static void judge_all_offers(struct doctor_visit *v, struct rows merged, struct outliers *o)
{
    for (size_t i = 0; i < store_offer_count(v->view->store); i++) {
        struct store_offer offer = store_offer(v->view->store, i);

        judge_offer(v, o, &offer);
    }
    for (size_t i = 0; i < merged.len; i++) {
        const struct machine *m = &((const struct machine *)merged.at)[i];

        for (int market = MARKET_ON_DEMAND; m->fact.file != NULL && market <= MARKET_SPOT;
             market++)
            if (m->fact.current)
                add_outlier(v, o, &m->trust[market], m, (enum market)market);
    }
}

static void find_outliers(struct doctor_visit *v)
{
    const struct truster *truster = NULL;
    struct rows merged;

    if (market_merge(v->view, &merged, v->err))
        truster = truster_new(v->view, merged.at, merged.len, v->err);
    v->failed |= truster == NULL;
    for (int high = 0; truster != NULL && high < 2; high++) {
        struct outliers o = {.truster = truster, .high = high != 0};
        struct doctor_finding *f;

        judge_all_offers(v, merged, &o);
        f = o.found;
        if (f == NULL)
            continue;
        f->run = STR("stint price fetch skypilot");
        f->text =
            high ? doctor_words(
                       v, "%lld price%s at least %.0f times the same GPU's in other regions",
                       (long long)f->count, f->count == 1 ? " is" : "s are", HIGH_FACTOR)
                 : doctor_words(v,
                                "%lld price%s far below the same GPU's in other regions "
                                "and seen on one day only: not chosen until a second "
                                "import confirms %s",
                                (long long)f->count, f->count == 1 ? " is" : "s are",
                                f->count == 1 ? "it" : "them");
    }
}

static void find_price_problems(struct doctor_visit *v)
{
    find_empty(v);
    find_damage(v);
    find_doctor_dates(v);
    find_conflicts(v);
    find_doubts(v);
    find_outliers(v);
    find_jumps(v);
    find_computed(v);
    find_by_hand(v);
    find_gaps(v);
    find_unknown(v);
}

/* ---- the report ---- */

static void describe_feeds(struct doctor_visit *v)
{
    int64_t limit = v->view->fresh.ns / INT64_C(1000000000);

    for (size_t i = 0; i < v->res->feeds.len; i++) {
        struct doctor_feed *d = &v->scan.feeds[i];
        int64_t age = v->options->now.s - store_feed(v->scan.store, i).read.s;

        d->feed = store_feed(v->scan.store, i);
        d->age_days = age > 0 ? age / SECONDS_PER_DAY : 0;
        d->stale = age > limit;
        v->res->points += d->points;
    }
}

bool doctor_check(const struct market_view *view, const struct doctor_options *options,
                  struct doctor_report *out, struct error *err)
{
    struct doctor_visit v = {
        .view = view,
        .options = options,
        .scan = {.view = view, .store = view->store, .keep = options->examples},
        .res = out,
        .err = err,
    };

    if (!scan_store(&v.scan, err) ||
        !market_book_dates(view->catalog, view->arena, &v.book, err))
        return false;
    v.findings = arena_array(view->arena, struct doctor_finding, MOST_FINDINGS, err);
    if (v.findings == NULL)
        return false;
    *out = (struct doctor_report){
        .offers = (int64_t)store_offer_count(view->store),
        .series = (int64_t)store_series_count(view->store),
        .damaged = (int64_t)v.scan.damaged,
        .built_in = v.book.newest,
        .built_in_usual = v.book.usual,
        .feeds = {v.scan.feeds, store_feed_count(view->store)},
    };
    describe_feeds(&v);
    find_price_problems(&v);
    out->findings = (struct rows){v.findings, v.count};
    return !v.failed;
}
