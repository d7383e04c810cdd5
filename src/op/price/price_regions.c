/* price.regions - what machines cost and emit in every region, for so many hours. */
#include "op/price/price_regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/energy.h"
#include "market/currency_notes.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

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
    FIELD(DAY, region_price, date, .help = "of the price"),
    FIELD(TEXT, region_price, source, .help = "of the price"),
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
    const struct store *store;
    const struct price_regions_request *req;
    struct region_wanted *wanted; /* one for each instance asked for */
    size_t *matches;              /* and how many rows it has */
    struct strs providers;
    struct region_price *rows;
    size_t count;
    struct currency_notes notes;
};

static int compare_places(const void *a, const void *b)
{
    const struct region_price *x = a, *y = b;
    int order = str_cmp(x->provider, y->provider);

    order = order != 0 ? order : str_cmp(x->region, y->region);
    return order != 0 ? order : str_cmp(x->instance, y->instance);
}

/* "aws/p5.*" holds for that provider alone. */
static bool read_names(struct table_work *w, struct error *err)
{
    size_t count = w->req->instances.len;

    w->wanted = arena_array(w->ctx->arena, struct region_wanted, count, err);
    w->matches = arena_array(w->ctx->arena, size_t, count, err);
    if (w->wanted == NULL || w->matches == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str rest = w->req->instances.at[i], provider = STR("*");

        if (memchr(rest.at, '/', rest.len) != NULL)
            provider = str_cut(&rest, '/');
        w->wanted[i] = (struct region_wanted){w->req->instances.at[i], provider, rest,
                                              w->providers, w->req->regions};
    }
    return true;
}

/* Does the offer match an instance asked for? Each that it matches has a row then. */
static bool asked_for(struct table_work *w, const struct machine *o, bool priced)
{
    bool any = false;

    if (!o->fact.current || !strs_match(w->providers, o->provider) ||
        !strs_match(w->req->regions, o->region))
        return false;
    for (size_t i = 0; i < w->req->instances.len; i++) {
        if (!str_glob(o->instance, w->wanted[i].instance) ||
            !str_glob(o->provider, w->wanted[i].provider))
            continue;
        w->matches[i] += priced;
        any = true;
    }
    return any;
}

/* The zone whose spot price it is: offers of the store say so in a note. */
static struct str zone_of(const struct machine *o)
{
    const struct str start = STR("spot in ");

    if (o->zone.len > 0 || !str_starts(o->fact.notes, start))
        return o->zone;
    return (struct str){o->fact.notes.at + start.len, o->fact.notes.len - start.len};
}

static bool collect(struct table_work *w, struct error *err)
{
    size_t total = w->ctx->catalog.tables[TABLE_OFFERS].len;

    w->rows = arena_array(w->ctx->arena, struct region_price, total, err);
    if (w->rows == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct machine *o = CATALOG_ROW(&w->ctx->catalog, TABLE_OFFERS, machine, i);

        bool priced = o->spot.nano != MONEY_UNKNOWN || o->on_demand.nano != MONEY_UNKNOWN;

        if (!asked_for(w, o, priced))
            continue;
        if (!priced) { /* no rate for its currency; or it was sold once, and is no more */
            currency_notes_missing(&w->notes, o->foreign);
            continue;
        }
        currency_notes_rate(&w->notes, o->rate);
        w->notes.discounted += o->list_on_demand.nano != 0 || o->list_spot.nano != 0;
        w->rows[w->count++] = (struct region_price){.instance = o->instance,
                                                    .provider = o->provider,
                                                    .region = o->region,
                                                    .zone = zone_of(o),
                                                    .accelerator = o->accelerator,
                                                    .count = (double)o->count,
                                                    .spot = o->spot,
                                                    .on_demand = o->on_demand,
                                                    .date = o->fact.date,
                                                    .source = o->fact.source};
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

    row->spot_total = total(row->spot, w->req->hours);
    row->on_demand_total = total(row->on_demand, w->req->hours);
    row->saving = row->spot.nano != MONEY_UNKNOWN && row->on_demand.nano > 0
                      ? 1 - (double)row->spot.nano / (double)row->on_demand.nano
                      : NAN;
    row->carbon_g_kwh = r != NULL ? r->carbon_g_kwh : NAN;
    row->pue = r != NULL ? r->pue : NAN;
    row->place = r != NULL ? r->place : (struct str){0};
    row->energy_kwh = NAN;
    if (a != NULL)
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

    order = order != 0 ? order : usd_compare(ranked(x), ranked(y));
    return order != 0 ? order : compare_places(a, b);
}

/* Of each instance the cheapest on demand and on spot. */
static void mark(struct region_price *rows, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i, spot = SIZE_MAX, on_demand = SIZE_MAX;

        for (; end < count && str_eq(rows[end].instance, rows[i].instance); end++) {
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

/* Of several names, those that match nothing are warned of; when none does, that is an
 * error. */
static bool check_names(const struct table_work *w, struct error *err)
{
    for (size_t i = 0; i < w->req->instances.len; i++) {
        struct error why = {0};

        if (w->matches[i] > 0)
            continue;
        regions_explain(w->ctx, w->store, &w->wanted[i], w->count > 0 ? &why : err);
        if (w->count == 0)
            return false;
        message_warn(&w->ctx->messages, "%s%s%s", why.text, why.hint[0] != '\0' ? "; " : "",
                     why.hint);
    }
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const unsigned tables =
        TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_CONSTANTS) | TABLE_BIT(TABLE_PROVIDERS);
    struct price_regions_result *res = out;
    struct table_work w = {.ctx = ctx, .req = in};
    struct constants constants;

    if (w.req->hours.ns > MAX_HOURS * SPAN_HOUR)
        return error_fail(err, ERROR_USAGE, "--hours: more than %lld hours",
                          (long long)MAX_HOURS);
    w.store = op_store(ctx, err);
    if (w.store == NULL || !op_offers(ctx, err) || !op_catalog(ctx, tables, err) ||
        !constants_load(&ctx->catalog, &constants, err) ||
        !op_places(ctx, w.req->providers, w.req->regions, &w.providers, err) ||
        !read_names(&w, err) || !collect(&w, err))
        return false;
    currency_notes_say(&w.notes, &ctx->messages);
    if (!check_names(&w, err))
        return false;
    for (size_t i = 0; i < w.count; i++) {
        finish(&w, &constants, &w.rows[i]);
        op_price_age(ctx, w.rows[i].date, &res->age);
    }
    qsort(w.rows, w.count, sizeof w.rows[0], compare_rows);
    mark(w.rows, w.count);
    op_price_age_warn(ctx, &res->age);
    res->hours = span_in_hours(w.req->hours);
    res->markdown = w.req->markdown;
    res->regions = (struct rows){w.rows, w.count};
    return true;
}

const struct op op_price_regions = {
    .name = "price.regions",
    .schema = "stint.price.regions/1",
    .summary = "compare price and carbon of a machine across regions",
    .request = &(const struct field_set)FIELD_SET(struct price_regions_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_regions_result, result),
    .run = run,
};
