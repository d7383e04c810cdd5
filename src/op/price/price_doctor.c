/* price.doctor - how the price store is, what is wrong with it, and what to run about it. */
#include "op/price/price_doctor.h"

#include <sys/stat.h>

#include "op/context.h"
#include "op/op.h"
#include "op/price/doctor_findings.h"

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
          .help =
              "empty, damaged, stale, future, conflict, doubt, jump, computed, by-hand, gap or "
              "unknown"),
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
    FIELD(COUNT, price_doctor_result, damaged, .help = "series that could not be read"),
    FIELD(DAY, price_doctor_result, built_in, .help = "the newest built-in price"),
    FIELD(LIST, price_doctor_result, feeds, .row = &feed_set, .help = "by feed and provider"),
    FIELD(LIST, price_doctor_result, findings, .row = &finding_set, .help = "worst first"),
};

static void describe_feeds(struct doctor_visit *v)
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
        d->read = doctor_date(v, feed.read);
        d->imported = doctor_date(v, feed.imported);
        d->age_days = now.s > feed.read.s ? (now.s - feed.read.s) / SECONDS_PER_DAY : 0;
        d->stale = now.s - feed.read.s > limit;
        v->res->points += d->points;
    }
}

/* The date of the built-in prices, and the file's size. */
static bool look_around(struct doctor_visit *v, struct error *err)
{
    const struct catalog *catalog = &v->ctx->catalog;
    const char *path = op_store_path(v->ctx, err);
    struct stat st;

    if (path == NULL || !op_catalog(v->ctx, TABLE_BIT(TABLE_OFFERS), err))
        return false;
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

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
    struct doctor_visit v = {.ctx = ctx, .res = res, .err = err};
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
    res->feeds = (struct rows){v.scan.feeds, store_feed_count(v.scan.store)};
    res->damaged = (int64_t)store_verify(v.scan.store);
    describe_feeds(&v);
    doctor_findings(&v);
    res->findings = (struct rows){v.findings, v.count};
    return !v.failed;
}

const struct op op_price_doctor = {
    .name = "price.doctor",
    .schema = "stint.price.doctor/1",
    .summary = "check stored prices for age, gaps and conflicts",
    .request = &(const struct field_set)FIELD_SET(struct price_doctor_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_doctor_result, result),
    .run = run,
};
