/* Google's Cloud Billing catalog: pages of SKUs, each the price of a part. */
#include "feed/gcp.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "feed/json_walk.h"

#define NANO 1000000000
#define HIGHEST_UNITS INT64_C(1000000000) /* of any currency, for a part and an hour */
#define HOURS_PER_MONTH 730               /* as Google's own prices of machines count */
#define MOST_SKU_REGIONS 128
#define LONGEST_REGION 40

enum price_state { PRICE_MISSING, PRICE_GOOD, PRICE_WRONG };

struct sku {
    struct walk_value description, usage;
    struct walk_value unit; /* of the pricing read last: the list is in the order of time */
    enum price_state state;
    double from;   /* the usage that the rate kept begins with */
    int64_t price; /* of one unit */
    char unit_text[16];
    char currency[4];
    char regions[MOST_SKU_REGIONS][LONGEST_REGION];
    size_t region_count;
};

struct reading {
    struct gcp_parts *parts;
    const struct feed_input *input;
    const struct feed_sink *sink;
    struct feed_summary *summary;
    struct walk_value skus, next;
};

struct rate {
    struct walk_value from, currency, units, nanos;
};

static const struct walk_member unit_price_members[] = {
    {"currencyCode", WALK_VALUE(struct rate, currency)},
    {"units", WALK_VALUE(struct rate, units)},
    {"nanos", WALK_VALUE(struct rate, nanos)},
    {0},
};

static const struct walk_member rate_members[] = {
    {"startUsageAmount", WALK_VALUE(struct rate, from)},
    {"unitPrice", .inside = unit_price_members},
    {0},
};

/* An integer, in a string or not; what is not there is 0, as Google leaves zeros out. */
static bool integer_of(const struct walk_value *value, int64_t *out)
{
    *out = 0;
    if (value->kind == JSON_END || value->kind == JSON_NULL)
        return true;
    return (value->kind == JSON_STRING || value->kind == JSON_NUMBER) &&
           num_int(value->text, out) && *out >= 0;
}

/* Of several tiers the price is that of the first which is not free: an allowance of free hours
 * is for an account, not for a machine. */
static bool read_rate(struct walk *walk, void *record, const struct walk_value *value,
                      struct error *err)
{
    struct sku *sku = record;
    struct rate rate;
    int64_t units, nanos, price;
    double from;
    bool object;

    if (!walk_element(walk, value, rate_members, &rate, &object, err))
        return false;
    if (!object || !integer_of(&rate.units, &units) || !integer_of(&rate.nanos, &nanos) ||
        units > HIGHEST_UNITS || nanos >= NANO ||
        !walk_currency(&rate.currency, sku->currency)) {
        sku->state = PRICE_WRONG;
        return true;
    }
    price = units * NANO + nanos;
    from = walk_number(&rate.from);
    from = isnan(from) ? 0 : from;
    if (sku->state == PRICE_WRONG || price == 0 ||
        (sku->state == PRICE_GOOD && sku->from <= from))
        return true;
    sku->state = PRICE_GOOD;
    sku->from = from;
    sku->price = price;
    return true;
}

/* `displayQuantity` and `baseUnitConversionFactor` are for showing and for metering: a unit
 * price is of one `usageUnit`. */
static const struct walk_member expression_members[] = {
    {"usageUnit", WALK_VALUE(struct sku, unit)},
    {"tieredRates", .each = read_rate},
    {0},
};

static const struct walk_member pricing_members[] = {
    {"pricingExpression", .inside = expression_members},
    {0},
};

static bool read_pricing(struct walk *walk, void *record, const struct walk_value *value,
                         struct error *err)
{
    struct sku *sku = record;
    bool object;
    size_t len;

    sku->state = PRICE_MISSING; /* the price before is over */
    if (!walk_element(walk, value, pricing_members, sku, &object, err))
        return false;
    len = sku->unit.kind == JSON_STRING && sku->unit.text.len < sizeof sku->unit_text
              ? sku->unit.text.len
              : 0;
    if (len > 0)
        memcpy(sku->unit_text, sku->unit.text.at, len);
    sku->unit_text[len] = '\0';
    sku->unit = (struct walk_value){.kind = JSON_END}; /* its text is gone after this */
    return true;
}

static bool read_region(struct walk *walk, void *record, const struct walk_value *value,
                        struct error *err)
{
    struct sku *sku = record;
    struct str name = value->kind == JSON_STRING ? str_trim(value->text) : (struct str){0};

    if (value->kind == JSON_OBJECT || value->kind == JSON_ARRAY)
        return walk_skip(walk, err);
    if (name.len > 0 && name.len < LONGEST_REGION && !str_eq(name, STR("global")) &&
        sku->region_count < MOST_SKU_REGIONS) {
        memcpy(sku->regions[sku->region_count], name.at, name.len);
        sku->regions[sku->region_count++][name.len] = '\0';
    }
    return true;
}

static const struct walk_member category_members[] = {
    {"usageType", WALK_VALUE(struct sku, usage)},
    {0},
};

static const struct walk_member sku_members[] = {
    {"description", WALK_VALUE(struct sku, description)},
    {"category", .inside = category_members},
    {"serviceRegions", .each = read_region},
    {"pricingInfo", .each = read_pricing},
    {0},
};

/* The price of an hour of one vCPU, GiB or accelerator. False when the unit is another. */
static bool price_of_hour(const struct sku *sku, enum gcp_part part, int64_t *price)
{
    const char *hour =
        part == PART_LOCAL_SSD || (part <= PART_G4_RAM && part % 2 == 1) ? "GiBy.h" : "h";

    *price = sku->price;
    if (strcmp(sku->unit_text, hour) == 0)
        return true;
    *price = (sku->price + HOURS_PER_MONTH / 2) / HOURS_PER_MONTH;
    return part == PART_LOCAL_SSD && strcmp(sku->unit_text, "GiBy.mo") == 0;
}

static bool take_sku(const struct reading *r, const struct sku *sku, struct error *err)
{
    struct error problem = {0};
    enum gcp_part part;
    enum market market;
    int64_t price;
    struct str usage = sku->usage.kind == JSON_STRING ? sku->usage.text : (struct str){0},
               text = sku->description.kind == JSON_STRING ? sku->description.text
                                                           : (struct str){0};

    r->summary->rows++;
    if (!gcp_sku(text, usage, &part, &market) || sku->state == PRICE_MISSING) {
        r->summary->ignored++;
        return true;
    }
    if (sku->state == PRICE_WRONG || !price_of_hour(sku, part, &price)) {
        error_set(&problem, ERROR_INPUT, "%.*s: %s", STR_ARG(text),
                  sku->state == PRICE_WRONG ? "its price cannot be read"
                                            : "its unit is not known");
        return feed_bad(r->input, r->sink, 0, &problem, err);
    }
    for (size_t i = 0; i < sku->region_count; i++)
        if (!gcp_parts_put(r->parts, part, market, str_from(sku->regions[i]), sku->currency,
                           price, err)) {
            error_context(err, "%s", r->input->name);
            return false;
        }
    return true;
}

static bool read_sku(struct walk *walk, void *record, const struct walk_value *value,
                     struct error *err)
{
    struct reading *r = record;
    struct sku sku;
    bool object;

    sku.state = PRICE_MISSING;
    sku.region_count = 0;
    sku.unit_text[0] = '\0';
    memcpy(sku.currency, "USD", sizeof sku.currency);
    return walk_element(walk, value, sku_members, &sku, &object, err) && take_sku(r, &sku, err);
}

static const struct walk_member refusal_members[] = {
    {"message", .each = walk_refusal},
    {0},
};

static const struct walk_member page_members[] = {
    {"skus", .each = read_sku, WALK_VALUE(struct reading, skus)},
    {"nextPageToken", WALK_VALUE(struct reading, next)},
    {"error", .inside = refusal_members},
    {0},
};

static bool page_done(struct walk *walk, void *record, struct error *err)
{
    const struct reading *r = record;

    if (r->skus.kind == JSON_END)
        return walk_missing(walk, "list 'skus'", err);
    return walk_text(&r->next, &r->summary->next, err);
}

bool gcp_parts_add(struct gcp_parts *parts, const struct feed_input *input,
                   const struct feed_sink *sink, struct feed_summary *summary,
                   struct error *err)
{
    struct reading r = {.parts = parts, .input = input, .sink = sink, .summary = summary};
    struct walk walk;

    buf_clear(&summary->next);
    return walk_read(&walk, input, page_members, page_done, &r, err);
}

static bool read_gcp(const struct feed_input *input, const struct feed_sink *sink,
                     struct feed_summary *summary, struct error *err)
{
    struct gcp_parts *parts = gcp_parts_new(input->alloc, err);
    bool ok = parts != NULL && gcp_parts_add(parts, input, sink, summary, err) &&
              gcp_parts_give(parts, input, sink, err);

    gcp_parts_free(parts);
    return ok;
}

static bool recognise_gcp(struct str head)
{
    static const char *const prices[] = {"skus", "pricingInfo"}, *const regions[] = {
                                                                     "skus", "serviceRegions"};

    return walk_looks_like(head, prices, ARRAY_LEN(prices)) ||
           walk_looks_like(head, regions, ARRAY_LEN(regions));
}

const struct feed_format feed_gcp = {
    .name = "gcp",
    .about = "SKUs of Google's Cloud Billing catalog, all pages",
    .feed = "gcp-billing",
    .provider = "gcp",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .recognise = recognise_gcp,
    .read = read_gcp,
};
