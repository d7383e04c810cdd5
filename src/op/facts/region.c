/* region.list - carbon intensity and PUE of regions. */
#include "op/facts/region.h"
#include "op/context.h"
#include "op/op.h"

#include <stdlib.h>

#include "base/num.h"

static const char *const sorts[] = {"carbon", "pue", "name", NULL};

static const struct field view_fields[] = {
    FIELD(TEXT, region_view, provider, .help = "whose region"),
    FIELD(TEXT, region_view, region, .help = "its name; * for all others"),
    FIELD(TEXT, region_view, place, .help = "where it is"),
    FIELD(TEXT, region_view, country, .help = "ISO 3166 alpha-2"),
    FIELD(NUMBER, region_view, carbon_g_kwh,
          .help = "carbon intensity of the grid, g CO2e/kWh"),
    FIELD(TEXT, region_view, carbon_kind, .help = "which factor that is"),
    FIELD(TEXT, region_view, carbon_year, .help = "of the factor"),
    FIELD(NUMBER, region_view, pue, .help = "power of the halls over power of the machines"),
    FIELD(TEXT, region_view, pue_kind, .help = "the region's or the fleet's"),
    FIELD(NUMBER, region_view, facility_g_kwh,
          .help = "g CO2e for a kWh at the machine: intensity x PUE"),
    FIELD(SHARE, region_view, carbon_free,
          .help = "share of carbon-free energy, where published"),
    FIELD(DAY, region_view, date, .help = "when it was read"),
    FIELD(TEXT, region_view, source, .help = "where it was read"),
};

static const struct field_set view_set = FIELD_SET(struct region_view, view_fields);

static const struct field request[] = {
    FIELD_AS("provider", TEXTS, region_list_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp"),
    FIELD_AS("country", TEXTS, region_list_request, countries, .value = "LIST",
             .help = "only these: US,SE"),
    FIELD(NUMBER, region_list_request, max_carbon, .value = "G",
          .help = "at most so many g CO2e/kWh of the grid"),
    FIELD(COUNT, region_list_request, limit, .value = "N", .positive = true,
          .help = "only the first N"),
    FIELD(CHOICE, region_list_request, sort, .value = "KEY", .choices = sorts,
          .fallback = "carbon", .help = "carbon, pue or name"),
};

static const struct field result[] = {
    FIELD(LIST, region_list_result, regions, .row = &view_set,
          .help = "cleanest first, unless sorted otherwise"),
};

static int compare(const void *a, const void *b, void *ctx)
{
    const struct region_view *x = a, *y = b;
    const struct str *by = ctx;
    int order = 0;

    if (str_eq(*by, STR("carbon")))
        order = num_compare(x->carbon_g_kwh, y->carbon_g_kwh);
    else if (str_eq(*by, STR("pue")))
        order = num_compare(x->pue, y->pue);
    order = order != 0 ? order : str_cmp(x->provider, y->provider);
    return order != 0 ? order : str_cmp(x->region, y->region);
}

static bool region_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct region_list_request *req = in;
    struct region_list_result *res = out;
    struct str sort = req->sort;
    struct region_view *views;
    size_t count = 0, total;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_REGIONS), err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_REGIONS), "provider",
                                req->providers, err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_REGIONS), "country",
                                req->countries, err))
        return false;
    total = ctx->catalog.tables[TABLE_REGIONS].len;
    views = arena_array(ctx->arena, struct region_view, total, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct region *r = CATALOG_ROW(&ctx->catalog, TABLE_REGIONS, region, i);

        if (!strs_match(req->providers, r->provider) ||
            !strs_match(req->countries, r->country) ||
            (req->max_carbon >= 0 && !(r->carbon_g_kwh <= req->max_carbon)))
            continue;
        views[count++] = (struct region_view){.provider = r->provider,
                                              .region = r->region,
                                              .place = r->place,
                                              .country = r->country,
                                              .carbon_kind = r->carbon_kind,
                                              .carbon_year = r->carbon_year,
                                              .pue_kind = r->pue_kind,
                                              .source = r->fact.source,
                                              .carbon_g_kwh = r->carbon_g_kwh,
                                              .pue = r->pue,
                                              .carbon_free = r->carbon_free,
                                              .facility_g_kwh = r->carbon_g_kwh * r->pue,
                                              .date = r->fact.date};
    }
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no region matches");
        error_hint(err, "leave out a filter; 'stint catalog show providers' lists providers");
        return false;
    }
    qsort_r(views, count, sizeof views[0], compare, &sort);
    count = req->limit > 0 && (size_t)req->limit < count ? (size_t)req->limit : count;
    res->regions = (struct rows){views, count};
    return true;
}

const struct op op_region_list = {
    .name = "region.list",
    .schema = "stint.region.list/1",
    .summary = "list regions by carbon intensity and PUE",
    .request = &(const struct field_set)FIELD_SET(struct region_list_request, request),
    .result = &(const struct field_set)FIELD_SET(struct region_list_result, result),
    .run = region_run,
};
