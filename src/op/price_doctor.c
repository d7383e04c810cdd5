/* price.doctor - how the price store is, what is wrong with it, and what to run about it. */
#include "op/price_doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "op/doctor_scan.h"

#define MOST_FINDINGS 512

static const struct field request[] = {
    FIELD(COUNT, price_doctor_request, limit, .value = "N", .positive = true, .fallback = "5",
          .help = "examples of each finding"),
};

static const struct field feed_fields[] = {
    FIELD(TEXT, doctor_feed, feed, .help = "who tells the prices"),
    FIELD(TEXT, doctor_feed, provider, .help = "whose prices"),
    FIELD(TEXT, doctor_feed, confidence, .help = "official, catalog or private"),
    FIELD(TEXT, doctor_feed, source, .help = "the file or address read last"),
    FIELD(TEXT, doctor_feed, read, .help = "date of the newest quotes"),
    FIELD(TEXT, doctor_feed, imported, .help = "when they were put into the store"),
    FIELD(COUNT, doctor_feed, age_days, .help = "of the newest quotes"),
    FIELD(FLAG, doctor_feed, stale, .help = "older than stale_after"),
    FIELD(COUNT, doctor_feed, offers, .help = "machines in places"),
    FIELD(COUNT, doctor_feed, series, .help = "one for each offer, market and currency"),
    FIELD(COUNT, doctor_feed, gone, .help = "of them without a price now"),
    FIELD(COUNT, doctor_feed, points, .help = "changes of prices"),
    FIELD(NUMBER, doctor_feed, usual_days, .help = "between days on which a price changed"),
};

static const struct field_set feed_set = FIELD_SET(struct doctor_feed, feed_fields);

static const struct field finding_fields[] = {
    FIELD(TEXT, doctor_finding, kind,
          .help = "empty, damaged, stale, future, gap, doubt, conflict or unknown"),
    FIELD(TEXT, doctor_finding, text, .help = "what is wrong"),
    FIELD(COUNT, doctor_finding, count, .help = "how often"),
    FIELD(TEXTS, doctor_finding, examples, .help = "up to --limit"),
    FIELD(TEXT, doctor_finding, run, .help = "what to do about it"),
};

static const struct field_set finding_set = FIELD_SET(struct doctor_finding, finding_fields);

static const struct field result[] = {
    FIELD(TEXT, price_doctor_result, file, .help = "where prices are kept"),
    FIELD(BYTES, price_doctor_result, size, .help = "of the file; null when there is none"),
    FIELD(COUNT, price_doctor_result, offers, .help = "machines in places"),
    FIELD(COUNT, price_doctor_result, series, .help = "prices over time"),
    FIELD(COUNT, price_doctor_result, points, .help = "changes of prices"),
    FIELD(COUNT, price_doctor_result, damaged, .help = "series that cannot be read"),
    FIELD(DAY, price_doctor_result, built_in, .help = "the newest built-in price"),
    FIELD(LIST, price_doctor_result, feeds, .row = &feed_set, .help = "by feed and provider"),
    FIELD(LIST, price_doctor_result, findings, .row = &finding_set, .help = "worst first"),
};

struct visit {
    struct op_context *ctx;
    struct doctor_scan scan;
    struct price_doctor_result *res;
    struct doctor_finding *findings;
    size_t count;
    bool failed; /* memory ran out; `err` says so */
    struct error *err;
};

/* A text in the arena. */
static PRINTF_LIKE(2, 3) struct str words(struct visit *v, const char *fmt, ...)
{
    const char *copy;
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    copy = v->failed ? NULL : str_dup(str_from(text), v->ctx->arena, v->err);
    v->failed |= copy == NULL;
    return str_from(copy);
}

/* A new finding with room for examples; a spare one when there are too many or memory ran out. */
static struct doctor_finding *find(struct visit *v, const char *kind, size_t count)
{
    struct doctor_finding *f = &v->findings[v->count];

    v->count += v->count + 1 < MOST_FINDINGS;
    *f = (struct doctor_finding){.kind = str_from(kind), .count = (int64_t)count};
    return f;
}

static struct str *examples(struct visit *v, size_t count)
{
    struct str *at = v->failed ? NULL : arena_array(v->ctx->arena, struct str, count, v->err);

    v->failed |= at == NULL;
    return at;
}

static struct str date_text(struct visit *v, stamp at)
{
    struct str text = {0};

    v->failed |= !v->failed && !stamp_text(at, v->ctx->arena, &text, v->err);
    return text;
}

static struct str offer_words(struct visit *v, const struct store_offer *o)
{
    struct str text = {0};

    v->failed |= !v->failed && !offer_text(o, v->ctx->arena, &text, v->err);
    return text;
}

/* "$22.1/hr" with all its digits, or "19.5 EUR/hr". */
static struct str price_words(struct visit *v, const struct store_series *s)
{
    struct money m = money_of(s->price, s->currency);
    struct buf text = buf_new(v->ctx->arena->alloc, 64);
    struct str out;

    money_write(&m, &text);
    out = words(v, "%.*s/hr", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
    return out;
}

static void find_empty(struct visit *v)
{
    struct doctor_finding *f;
    struct str date;

    if (store_series_count(v->scan.store) > 0)
        return;
    f = find(v, "empty", 1);
    date = date_text(v, (stamp){v->res->built_in.n * SECONDS_PER_DAY});
    f->text = words(v, "no prices are kept: only the built-in ones of %.*s are in use",
                    STR_ARG(date));
    f->run = STR("stint price fetch");
}

static void find_damage(struct visit *v)
{
    struct doctor_finding *f;

    if (v->res->damaged == 0)
        return;
    f = find(v, "damaged", (size_t)v->res->damaged);
    f->text = words(v, "of %lld series %lld cannot be read and are left out",
                    (long long)v->res->series, (long long)v->res->damaged);
    f->run = STR("stint price fetch, or stint price import FILE: what is read again is mended");
}

/* Who to ask again: collections by their own name, providers by theirs. */
static struct str ask_again(struct visit *v, const struct doctor_feed *d)
{
    struct str who = str_eq(d->confidence, STR("catalog")) ? d->feed : d->provider;

    if (str_eq(d->confidence, STR("private")))
        return STR("stint price import FILE, with newer prices");
    return words(v, "stint price fetch %.*s", STR_ARG(who));
}

static void find_dated(struct visit *v, const struct doctor_feed *d)
{
    struct doctor_finding *f = find(v, d->stale ? "stale" : "future", (size_t)d->series);

    if (d->stale)
        f->text = words(v, "%.*s of %.*s was last read %lld days ago", STR_ARG(d->feed),
                        STR_ARG(d->provider), (long long)d->age_days);
    else
        f->text = words(v, "%.*s of %.*s is dated in the future: %.*s", STR_ARG(d->feed),
                        STR_ARG(d->provider), STR_ARG(d->read));
    f->run = ask_again(v, d);
}

static void find_stale(struct visit *v)
{
    stamp now = v->ctx->clock->today(v->ctx->clock->ctx);

    for (size_t i = 0; i < v->res->feeds.len; i++)
        if (v->scan.feeds[i].stale || store_feed(v->scan.store, i).read.s > now.s)
            find_dated(v, &v->scan.feeds[i]);
}

static void find_gaps(struct visit *v)
{
    const struct doctor_scan *s = &v->scan;
    struct doctor_finding *f;
    struct str *at;

    if (s->gaps_found == 0)
        return;
    f = find(v, "gap", s->gaps_found);
    f->text = words(v, "%zu gap%s in the history: nothing was read, or nothing changed",
                    s->gaps_found, s->gaps_found == 1 ? "" : "s");
    f->run = STR("stint price import FILE, with a history that has these days");
    at = examples(v, s->gap_count);
    for (size_t i = 0; i < s->gap_count && !v->failed; i++) {
        const struct doctor_gap *g = &s->gaps[i];
        struct str from = date_text(v, (stamp){g->from * SECONDS_PER_DAY});
        struct str to = date_text(v, (stamp){g->to * SECONDS_PER_DAY});

        at[i] = words(v, "%.*s of %.*s: %d days, %.*s to %.*s (usually %.0f)",
                      STR_ARG(s->feeds[g->feed].feed), STR_ARG(s->feeds[g->feed].provider),
                      g->to - g->from, STR_ARG(from), STR_ARG(to), g->usual);
    }
    f->examples = (struct strs){at, s->gap_count};
}

/* "OFFER:market PRICE by FEED"; the finding is about this one first. */
static struct str doubt_example(struct visit *v, size_t series, struct doctor_finding *f)
{
    struct store_series row = store_series(v->scan.store, series);
    struct store_offer o = store_offer(v->scan.store, row.offer);
    struct str offer = offer_words(v, &o), price = price_words(v, &row);
    const char *market = market_names[row.market];

    if (f->run.len == 0)
        f->run = words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    return words(v, "%.*s:%s %.*s by %.*s", STR_ARG(offer), market, STR_ARG(price),
                 STR_ARG(v->scan.feeds[row.feed].feed));
}

static void find_doubts(struct visit *v)
{
    const struct doctor_scan *s = &v->scan;

    for (unsigned bit = 0; bit < DOUBT_BITS; bit++) {
        size_t shown = s->doubts_found[bit] < s->keep ? s->doubts_found[bit] : s->keep;
        struct doctor_finding *f;
        struct str *at;

        if (shown == 0)
            continue;
        f = find(v, "doubt", s->doubts_found[bit]);
        f->text = words(v, "%zu current price%s: %s", s->doubts_found[bit],
                        s->doubts_found[bit] == 1 ? "" : "s",
                        doubt_word((enum price_doubt)(1u << bit)));
        at = examples(v, shown);
        for (size_t i = 0; i < shown && !v->failed; i++)
            at[i] = doubt_example(v, s->doubtful[bit][i], f);
        f->examples = (struct strs){at, shown};
    }
}

/* "PRICE by FEED (seen)". */
static struct str told(struct visit *v, const struct store_series *s)
{
    struct str price = price_words(v, s), seen = date_text(v, s->seen);

    return words(v, "%.*s by %.*s (%.*s)", STR_ARG(price), STR_ARG(v->scan.feeds[s->feed].feed),
                 STR_ARG(seen));
}

static void find_conflicts(struct visit *v)
{
    const struct doctor_scan *s = &v->scan;
    struct doctor_finding *f;
    struct str *at;

    if (s->conflicts_found == 0)
        return;
    f = find(v, "conflict", s->conflicts_found);
    f->text = words(v, "%zu price%s on which feeds differ by more than 1 %%",
                    s->conflicts_found, s->conflicts_found == 1 ? "" : "s");
    at = examples(v, s->conflict_count);
    for (size_t i = 0; i < s->conflict_count && !v->failed; i++) {
        const struct doctor_conflict *c = &s->conflicts[i];
        struct str offer = offer_words(v, &c->offer), a = told(v, &c->a), b = told(v, &c->b);
        const char *market = market_names[c->a.market];

        at[i] = words(v, "%.*s:%s %.*s, %.*s", STR_ARG(offer), market, STR_ARG(a), STR_ARG(b));
        if (i == 0)
            f->run = words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    }
    f->examples = (struct strs){at, s->conflict_count};
}

static void find_unknown(struct visit *v)
{
    const struct doctor_scan *s = &v->scan;
    size_t shown = s->unknown_count < s->keep ? s->unknown_count : s->keep, offers = 0;
    struct doctor_finding *f;
    struct str *at;

    if (shown == 0)
        return;
    for (size_t i = 0; i < s->unknown_count; i++)
        offers += (size_t)s->unknown[i].offers;
    f = find(v, "unknown", offers);
    f->text = words(v, "the catalog does not know the accelerators of %zu offer%s (%zu name%s)",
                    offers, offers == 1 ? "" : "s", s->unknown_count,
                    s->unknown_count == 1 ? "" : "s");
    f->run = words(v, "add them to names.csv or accelerators.csv in %.*s",
                   STR_ARG(v->ctx->settings->catalog));
    at = examples(v, shown);
    for (size_t i = 0; i < shown && !v->failed; i++)
        at[i] = words(v, "%.*s (%lld offer%s)", STR_ARG(s->unknown[i].name),
                      (long long)s->unknown[i].offers, s->unknown[i].offers == 1 ? "" : "s");
    f->examples = (struct strs){at, shown};
}

static void describe_feeds(struct visit *v)
{
    stamp now = v->ctx->clock->today(v->ctx->clock->ctx);
    int64_t limit = v->ctx->settings->stale_after.ns / INT64_C(1000000000);

    for (size_t i = 0; i < v->res->feeds.len; i++) {
        struct store_feed feed = store_feed(v->scan.store, i);
        struct doctor_feed *d = &v->scan.feeds[i];

        d->feed = feed.feed;
        d->provider = feed.provider;
        d->source = feed.from;
        d->confidence = confidence_word(feed.confidence);
        d->read = date_text(v, feed.read);
        d->imported = date_text(v, feed.imported);
        d->age_days = now.s > feed.read.s ? (now.s - feed.read.s) / SECONDS_PER_DAY : 0;
        d->stale = now.s - feed.read.s > limit;
        v->res->points += d->points;
    }
}

/* The date of the built-in prices, and the file's size. */
static bool look_around(struct visit *v, struct error *err)
{
    const struct catalog *catalog = &v->ctx->catalog;
    const char *path = op_store_path(v->ctx, err);
    struct stat st;

    if (path == NULL || !op_catalog(v->ctx, TABLE_BIT(TABLE_OFFERS), err))
        return false;
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct offer *o = CATALOG_ROW(catalog, TABLE_OFFERS, offer, i);

        if (o->fact.layer == 0 && o->fact.date.n > v->res->built_in.n)
            v->res->built_in = o->fact.date;
    }
    v->res->file = str_from(path);
    v->res->size = BYTES_UNKNOWN;
    if (stat(path, &st) == 0)
        v->res->size.n = (uint64_t)st.st_size;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_doctor_request *req = in;
    struct price_doctor_result *res = out;
    struct visit v = {.ctx = ctx, .res = res, .err = err};
    size_t most = req->limit < 1000 ? (size_t)req->limit : 1000;

    v.scan = (struct doctor_scan){.ctx = ctx, .keep = most, .store = op_store(ctx, err)};
    if (v.scan.store == NULL || !look_around(&v, err) || !doctor_scan(&v.scan, err))
        return false;
    v.findings = arena_array(ctx->arena, struct doctor_finding, MOST_FINDINGS, err);
    if (v.findings == NULL)
        return false;
    res->offers = (int64_t)store_offer_count(v.scan.store);
    res->series = (int64_t)store_series_count(v.scan.store);
    res->points = 0;
    res->damaged = (int64_t)store_verify(v.scan.store);
    res->feeds = (struct rows){v.scan.feeds, store_feed_count(v.scan.store)};
    describe_feeds(&v);
    find_empty(&v);
    find_damage(&v);
    find_stale(&v);
    find_conflicts(&v);
    find_doubts(&v);
    find_gaps(&v);
    find_unknown(&v);
    res->findings = (struct rows){v.findings, v.count};
    return !v.failed;
}

const struct op op_price_doctor = {
    .name = "price.doctor",
    .schema = "stint.price.doctor/1",
    .summary = "check the kept prices: age, gaps, doubts, conflicts",
    .request = &(const struct field_set)FIELD_SET(struct price_doctor_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_doctor_result, result),
    .run = run,
};
