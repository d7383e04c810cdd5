/* region.list - carbon intensity and PUE of regions. */
#include "op/facts/region.h"
#include "op/context.h"
#include "op/op.h"

#include <stdlib.h>

#include "base/num.h"

static const char *const sorts[] = {"carbon", "pue", "name", NULL};

static const struct field row_fields[] = {
    FIELD_AS("provider", TEXT, region_row, region.provider, .help = "provider of the region"),
    FIELD_AS("region", TEXT, region_row, region.region,
             .help = "region name; * for all others"),
    FIELD_AS("place", TEXT, region_row, region.place, .help = "location of the region"),
    FIELD_AS("country", TEXT, region_row, region.country, .help = "ISO 3166 alpha-2"),
    FIELD_AS("carbon_g_kwh", NUMBER, region_row, region.carbon_g_kwh,
             .help = "carbon intensity of the grid, g CO2e/kWh"),
    FIELD_AS("carbon_kind", TEXT, region_row, region.carbon_kind,
             .help = "kind of carbon factor"),
    FIELD_AS("carbon_year", TEXT, region_row, region.carbon_year,
             .help = "year of the carbon factor"),
    FIELD_AS("pue", NUMBER, region_row, region.pue, .help = "power usage effectiveness (PUE)"),
    FIELD_AS("pue_kind", TEXT, region_row, region.pue_kind,
             .help = "scope of the PUE: the region or the fleet"),
    FIELD(NUMBER, region_row, facility_g_kwh,
          .help = "carbon per kWh at the machine, g CO2e: intensity x PUE"),
    FIELD_AS("carbon_free", SHARE, region_row, region.carbon_free,
             .help = "share of carbon-free energy, where published"),
    FIELD_AS("date", DAY, region_row, region.fact.date, .help = "date of reading"),
    FIELD_AS("source", TEXT, region_row, region.fact.source,
             .help = "source, where it was read"),
};

static const struct field_set row_set = FIELD_SET(struct region_row, row_fields);

static const struct field request[] = {
    FIELD_AS("provider", TEXTS, region_list_request, providers, .value = "LIST",
             .help = "providers to include, such as aws,gcp"),
    FIELD_AS("country", TEXTS, region_list_request, countries, .value = "LIST",
             .help = "countries to include: US,SE"),
    FIELD(NUMBER, region_list_request, max_carbon, .value = "G",
          .help = "maximum carbon intensity of the grid, g CO2e/kWh"),
    FIELD(COUNT, region_list_request, limit, .value = "N", .positive = true,
          .help = "show the first N"),
    FIELD(CHOICE, region_list_request, sort, .value = "KEY", .choices = sorts,
          .fallback = "carbon", .help = "carbon, pue or name"),
};

static const struct field result[] = {
    FIELD(LIST, region_list_result, regions, .row = &row_set,
          .help = "regions, cleanest first unless sorted otherwise"),
};

static int compare_regions(const void *a, const void *b, void *ctx)
{
    const struct region_row *x = a, *y = b;
    const struct str *by = ctx;
    int order = 0;

    if (str_eq(*by, STR("carbon")))
        order = num_compare(x->region.carbon_g_kwh, y->region.carbon_g_kwh);
    else if (str_eq(*by, STR("pue")))
        order = num_compare(x->region.pue, y->region.pue);
    order = order != 0 ? order : str_cmp(x->region.provider, y->region.provider);
    return order != 0 ? order : str_cmp(x->region.region, y->region.region);
}

static bool region_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct region_list_request *req = in;
    struct region_list_result *res = out;
    struct str sort = req->sort;
    struct region_row *rows;
    size_t count = 0, total;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_REGIONS), err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_REGIONS), "provider",
                                req->providers, err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_REGIONS), "country",
                                req->countries, err))
        return false;
    total = ctx->catalog.tables[TABLE_REGIONS].len;
    rows = arena_array(ctx->arena, struct region_row, total, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct region *r = CATALOG_ROW(&ctx->catalog, TABLE_REGIONS, region, i);

        if (!strs_match(req->providers, r->provider) ||
            !strs_match(req->countries, r->country) ||
            (req->max_carbon >= 0 && !(r->carbon_g_kwh <= req->max_carbon)))
            continue;
        rows[count++] = (struct region_row){*r, r->carbon_g_kwh * r->pue};
    }
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no region matches");
        error_hint(err, "leave out a filter; 'stint catalog show providers' lists providers");
        return false;
    }
    qsort_r(rows, count, sizeof rows[0], compare_regions, &sort);
    count = req->limit > 0 && (size_t)req->limit < count ? (size_t)req->limit : count;
    res->regions = (struct rows){rows, count};
    return true;
}

const struct op op_region_list = {
    .name = "region.list",
    .schema = "stint.region.list/1",
    .summary = "list regions by carbon intensity and PUE",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct region_list_request, request),
    .result = &(const struct field_set)FIELD_SET(struct region_list_result, result),
    .run = region_list,
};
