/* price.regions - what machines cost and emit in every region, for so many hours. */
#include "op/price_regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/energy.h"
#include "op/market_view.h"

#define MAX_HOURS INT64_C(100000) /* eleven years */

static const struct field request[] = {
    FIELD(TEXTS, price_regions_request, instances, .value = "INSTANCE", .operand = true,
          .required = true, .help = "one or several: p4d.24xlarge, aws/p5.48xlarge, 'a3-*'"),
    FIELD(SPAN, price_regions_request, hours, .value = "H", .required = true, .positive = true,
          .hours = true, .help = "how long they run: 72, 72h or 3d"),
    FIELD_AS("provider", TEXTS, price_regions_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp"),
    FIELD_AS("region", TEXTS, price_regions_request, regions, .value = "LIST",
             .help = "only these; 'us-*' matches"),
    FIELD(FLAG, price_regions_request, markdown, .help = "print a Markdown table"),
};

static const struct field region_fields[] = {
    FIELD(TEXT, region_price, instance, .help = "the machine's name"),
    FIELD(TEXT, region_price, provider, .help = "who sells it"),
    FIELD(TEXT, region_price, region, .help = "where; * for one price everywhere"),
    FIELD(TEXT, region_price, zone, .help = "of the spot price: the cheapest"),
    FIELD(TEXT, region_price, place, .help = "where that is"),
    FIELD(TEXT, region_price, accelerator, .help = "what it has"),
    FIELD(NUMBER, region_price, count, .help = "how many"),
    FIELD(RATE, region_price, spot, .help = "the machine for an hour"),
    FIELD(RATE, region_price, on_demand, .help = "the machine for an hour"),
    FIELD(USD, region_price, spot_total, .help = "for the hours, without interruptions"),
    FIELD(USD, region_price, on_demand_total, .help = "for the hours"),
    FIELD(NUMBER, region_price, saving, .help = "share of on-demand; negative when dearer"),
    FIELD(NUMBER, region_price, carbon_g_kwh, .help = "of the region's power, g CO2e/kWh"),
    FIELD(NUMBER, region_price, pue, .help = "power of the halls over power of the machines"),
    FIELD(NUMBER, region_price, energy_kwh,
          .help = "modelled: accelerators at their limit, the host and the halls"),
    FIELD(NUMBER, region_price, carbon_kg, .help = "modelled: kg CO2e for the hours"),
    FIELD(DAY, region_price, date, .help = "of the older of the two prices"),
    FIELD(TEXT, region_price, source, .help = "feed, or source of the built-in price"),
    FIELD(FLAG, region_price, doubtful, .help = "the spot price is in doubt"),
    FIELD(FLAG, region_price, cheapest, .help = "of this instance, on demand"),
    FIELD(FLAG, region_price, cheapest_spot, .help = "of this instance, on spot"),
};

static const struct field_set region_set = FIELD_SET(struct region_price, region_fields);

static const struct field result[] = {
    FIELD(NUMBER, price_regions_result, hours, .help = "asked for"),
    FIELD(LIST, price_regions_result, regions, .row = &region_set,
          .help = "by instance, cheapest first"),
    FIELD(RECORD, price_regions_result, age, .row = &price_age_fields,
          .help = "how old the prices are"),
};

struct table_work {
    struct op_context *ctx;
    const struct price_regions_request *req;
    const struct store *store;
    struct strs providers;
    struct region_price *rows;
    size_t count, from_store;
};

static int compare_places(const void *a, const void *b)
{
    const struct region_price *x = a, *y = b;
    int order = str_cmp(x->provider, y->provider);

    order = order != 0 ? order : str_cmp(x->region, y->region);
    return order != 0 ? order : str_cmp(x->instance, y->instance);
}

static day older(day a, day b)
{
    return a.n == INT32_MIN || (b.n != INT32_MIN && b.n < a.n) ? b : a;
}

/* The zones of one machine in one region, as one row. */
static void add_machine(struct table_work *w, const struct store_offer *same, size_t count)
{
    struct price_now spot = {.series = SIZE_MAX, .price = USD_PER_HOUR_UNKNOWN};
    struct price_now on_demand = spot;
    struct region_price row = {.instance = same[0].instance,
                               .provider = same[0].provider,
                               .region = same[0].region,
                               .accelerator = same[0].accelerator,
                               .count = same[0].count,
                               .date = DAY_UNKNOWN};

    for (size_t i = 0; i < count; i++) {
        struct price_now s = price_now(w->store, &same[i], MARKET_SPOT);
        struct price_now d = price_now(w->store, &same[i], MARKET_ON_DEMAND);

        if (price_now_compare(&s, &spot) < 0) {
            spot = s;
            row.zone = same[i].zone;
        }
        if (price_now_compare(&d, &on_demand) < 0)
            on_demand = d;
    }
    row.spot = spot.price;
    row.on_demand = on_demand.price;
    row.doubtful = price_doubted(spot.doubts) || price_doubted(on_demand.doubts);
    if (spot.price.nano != MONEY_UNKNOWN)
        row.date = day_of(spot.seen);
    if (on_demand.price.nano != MONEY_UNKNOWN)
        row.date = older(row.date, day_of(on_demand.seen));
    if (row.date.n == INT32_MIN)
        return; /* nothing is to be had there now */
    row.source = store_feed(w->store, store_series(w->store, spot.price.nano != MONEY_UNKNOWN
                                                                 ? spot.series
                                                                 : on_demand.series)
                                          .feed)
                     .feed;
    w->rows[w->count++] = row;
}

/* Does the catalog's offer match an instance asked for? "aws/p5.*" holds for that provider alone. */
static bool asked_for(const struct table_work *w, const struct offer *o)
{
    if (!o->fact.current || !op_matches(w->providers, o->provider) ||
        !op_matches(w->req->regions, o->region))
        return false;
    for (size_t i = 0; i < w->req->instances.len; i++) {
        struct str glob = w->req->instances.at[i], provider = STR("*");

        if (memchr(glob.at, '/', glob.len) != NULL)
            provider = str_cut(&glob, '/');
        if (str_glob(o->instance, glob) && str_glob(o->provider, provider))
            return true;
    }
    return false;
}

/* What the store lacks: a price of a row that it has, or the row. */
static void add_from_catalog(struct table_work *w, const struct offer *o)
{
    struct region_price key = {
        .instance = o->instance, .provider = o->provider, .region = o->region};
    struct region_price *have =
        bsearch(&key, w->rows, w->from_store, sizeof key, compare_places);

    if (have == NULL) {
        key.accelerator = o->accelerator;
        key.count = (double)o->count;
        key.zone = o->zone;
        key.spot = o->spot_usd_h;
        key.on_demand = o->on_demand_usd_h;
        key.date = o->fact.date;
        key.source = o->fact.source;
        w->rows[w->count++] = key;
        return;
    }
    if (have->on_demand.nano == MONEY_UNKNOWN && o->on_demand_usd_h.nano != MONEY_UNKNOWN) {
        have->on_demand = o->on_demand_usd_h;
        have->date = older(have->date, o->fact.date);
    }
}

static bool collect(struct table_work *w, struct error *err)
{
    struct market_filter filter = {.providers = w->providers,
                                   .regions = w->req->regions,
                                   .instances = w->req->instances,
                                   .min_memory = BYTES_UNKNOWN};
    size_t built_in = w->ctx->catalog.tables[TABLE_OFFERS].len, count;
    struct store_offer *offers;

    if (!market_select(w->ctx, w->store, &filter, &offers, &count, err))
        return false;
    w->rows = arena_array(w->ctx->arena, struct region_price, count + built_in, err);
    if (w->rows == NULL)
        return false;
    for (size_t i = 0; i < count;) {
        size_t same = market_same_machine(offers + i, count - i);

        add_machine(w, offers + i, same);
        i += same;
    }
    w->from_store = w->count;
    for (size_t i = 0; i < built_in; i++) {
        const struct offer *o = CATALOG_ROW(&w->ctx->catalog, TABLE_OFFERS, offer, i);

        if (asked_for(w, o))
            add_from_catalog(w, o);
    }
    return true;
}

static usd total(usd_per_hour price, span hours)
{
    usd cost;

    return usd_for(price, hours, &cost) ? cost : USD_UNKNOWN;
}

static void finish(const struct table_work *w, const struct constants *constants,
                   struct region_price *row)
{
    const struct catalog *catalog = &w->ctx->catalog;
    const struct region *r = region_find(catalog, row->provider, row->region);
    const struct accelerator *a = accelerator_named(catalog, row->accelerator);
    bool whole = row->count >= 1 && row->count == floor(row->count);

    row->spot_total = total(row->spot, w->req->hours);
    row->on_demand_total = total(row->on_demand, w->req->hours);
    row->saving = row->spot.nano != MONEY_UNKNOWN && row->on_demand.nano > 0
                      ? 1 - (double)row->spot.nano / (double)row->on_demand.nano
                      : NAN;
    row->carbon_g_kwh = r != NULL ? r->carbon_g_kwh : NAN;
    row->pue = r != NULL ? r->pue : NAN;
    row->place = r != NULL ? r->place : (struct str){0};
    row->energy_kwh = NAN;
    if (a != NULL && whole)
        row->energy_kwh = estimate_energy(a, (int64_t)row->count, 1, a->tdp_w,
                                          span_in_hours(w->req->hours), row->pue, constants)
                              .facility.j /
                          JOULES_PER_KWH;
    row->carbon_kg = row->energy_kwh * row->carbon_g_kwh / 1000;
}

/* The price that a row is ranked by: spot, or on-demand where there is none. */
static usd ranked(const struct region_price *row)
{
    return row->spot_total.nano != MONEY_UNKNOWN ? row->spot_total : row->on_demand_total;
}

static int compare_rows(const void *a, const void *b)
{
    const struct region_price *x = a, *y = b;
    int order = str_cmp(x->instance, y->instance);

    if (order == 0 && x->doubtful != y->doubtful)
        order = x->doubtful ? 1 : -1;
    order = order != 0 ? order : usd_compare(ranked(x), ranked(y));
    return order != 0 ? order : compare_places(a, b);
}

/* Of each instance the cheapest on demand and on spot; what is in doubt never is. */
static void mark(struct region_price *rows, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i, spot = SIZE_MAX, on_demand = SIZE_MAX;

        for (; end < count && str_eq(rows[end].instance, rows[i].instance); end++) {
            if (rows[end].doubtful)
                continue;
            if (rows[end].spot.nano != MONEY_UNKNOWN &&
                (spot == SIZE_MAX || rows[end].spot.nano < rows[spot].spot.nano))
                spot = end;
            if (rows[end].on_demand.nano != MONEY_UNKNOWN &&
                (on_demand == SIZE_MAX ||
                 rows[end].on_demand.nano < rows[on_demand].on_demand.nano))
                on_demand = end;
        }
        if (spot != SIZE_MAX)
            rows[spot].cheapest_spot = true;
        if (on_demand != SIZE_MAX)
            rows[on_demand].cheapest = true;
        i = end;
    }
}

static bool absent(const struct table_work *w, struct error *err)
{
    struct suggestion s = {.wanted = w->req->instances.at[0]};

    if (memchr(s.wanted.at, '/', s.wanted.len) != NULL)
        (void)str_cut(&s.wanted, '/');
    for (size_t i = 0; i < store_offer_count(w->store); i++)
        suggestion_try(&s, store_offer(w->store, i).instance);
    for (size_t i = 0; i < w->ctx->catalog.tables[TABLE_OFFERS].len; i++)
        suggestion_try(&s, CATALOG_ROW(&w->ctx->catalog, TABLE_OFFERS, offer, i)->instance);
    error_set(err, ERROR_ABSENT, "no region has a price of '%.*s'",
              STR_ARG(w->req->instances.at[0]));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint price list --gpu GPU' shows how machines are called");
    return false;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const unsigned tables = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_REGIONS) |
                            TABLE_BIT(TABLE_CONSTANTS) | TABLE_BIT(TABLE_PROVIDERS);
    struct price_regions_result *res = out;
    struct table_work w = {.ctx = ctx, .req = in};
    struct constants constants;

    if (w.req->hours.ns > MAX_HOURS * SPAN_HOUR)
        return error_fail(err, ERROR_USAGE, "--hours: more than %lld hours",
                          (long long)MAX_HOURS);
    w.store = op_store(ctx, err);
    if (w.store == NULL || !op_catalog(ctx, tables, err) ||
        !constants_load(&ctx->catalog, &constants, err) ||
        !market_providers(ctx, w.store, w.req->providers, &w.providers, err) ||
        !market_regions(ctx, w.store, w.req->regions, err) || !collect(&w, err))
        return false;
    if (w.count == 0)
        return absent(&w, err);
    for (size_t i = 0; i < w.count; i++) {
        finish(&w, &constants, &w.rows[i]);
        price_age_add(&res->age, w.rows[i].date, ctx);
    }
    qsort(w.rows, w.count, sizeof w.rows[0], compare_rows);
    mark(w.rows, w.count);
    price_age_warn(&res->age, ctx);
    res->hours = span_in_hours(w.req->hours);
    res->markdown = w.req->markdown;
    res->regions = (struct rows){w.rows, w.count};
    return true;
}

const struct op op_price_regions = {
    .name = "price.regions",
    .schema = "stint.price.regions/1",
    .summary = "compare a machine's price and carbon in every region",
    .request = &(const struct field_set)FIELD_SET(struct price_regions_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_regions_result, result),
    .run = run,
};
