/* price.regions - what machines cost and emit in every region, for so many hours. */
#include "op/price/price_regions.h"

#include "estimate/money/energy.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define MAX_HOURS INT64_C(100000) /* eleven years */

static const struct field request[] = {
    FIELD(TEXTS, price_regions_request, instances, .value = "INSTANCE", .operand = true,
          .required = true, .help = "instances: p4d.24xlarge, aws/p5.48xlarge, 'a3-*'"),
    FIELD(SPAN, price_regions_request, hours, .value = "H", .required = true, .positive = true,
          .hours = true, .help = "duration: 72, 72h or 3d"),
    MACHINE_PLACES(price_regions_request, providers, regions),
    FIELD(FLAG, price_regions_request, markdown, .help = "print a Markdown table"),
};

static const struct field result[] = {
    FIELD(NUMBER, price_regions_result, hours, .help = "requested hours"),
    FIELD(LIST, price_regions_result, regions, .row = &region_price_fields,
          .help = "regions by instance, cheapest first"),
    FIELD(RECORD, price_regions_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
};

/* What it uses when its accelerators are at their limit. */
static void estimate_carbon(const struct catalog *catalog, const struct constants *constants,
                            span hours, struct region_price *row)
{
    const struct accelerator *a = accelerator_named(catalog, row->machine.accelerator);

    if (a == NULL)
        return;
    row->energy_kwh = estimate_energy(a, row->machine.count, 1, a->tdp_w, span_in_hours(hours),
                                      row->pue, constants)
                          .facility.j /
                      JOULES_PER_KWH;
    row->carbon_kg = row->energy_kwh * row->carbon_g_kwh / 1000;
}

static bool price_regions(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const uint64_t tables =
        TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_CONSTANTS) | TABLE_BIT(TABLE_PROVIDERS);
    const struct price_regions_request *req = in;
    struct price_regions_result *res = out;
    struct region_query query = {.instances = req->instances,
                                 .providers = req->providers,
                                 .regions = req->regions,
                                 .hours = req->hours};
    struct constants constants;
    struct market_view view;
    struct region_price *rows;
    size_t count;

    if (req->hours.ns > MAX_HOURS * SPAN_HOUR)
        return error_fail(err, ERROR_USAGE, "--hours: more than %lld hours",
                          (long long)MAX_HOURS);
    if (op_store(ctx, err) == NULL || !op_offers(ctx, err) || !op_catalog(ctx, tables, err) ||
        !constants_load(&ctx->catalog, &constants, err) ||
        !op_places(ctx, &query.providers, &query.regions, err))
        return false;
    view = op_market(ctx);
    if (!regions_select(&view, &query, &rows, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        estimate_carbon(&ctx->catalog, &constants, req->hours, &rows[i]);
        op_price_age(ctx, rows[i].machine.fact.date, &res->age);
    }
    op_price_age_warn(ctx, &res->age);
    res->hours = span_in_hours(req->hours);
    res->markdown = req->markdown;
    res->regions = (struct rows){rows, count};
    return true;
}

const struct op op_price_regions = {
    .name = "price.regions",
    .schema = "stint.price.regions/1",
    .summary = "compare price and carbon of a machine across regions",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_regions_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_regions_result, result),
    .run = price_regions,
};
