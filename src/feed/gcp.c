/* Google's Cloud Billing catalog: pages of SKUs, each the price of a part. */
#include "feed/gcp.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "feed/json_walk.h"

/* ---- which parts Google's descriptions mean, and which parts its machines are made of ---- */

/* Take `word` from the start of `s`, whatever the case, when a blank or the end follows. */
static bool take_gcp_word(struct str *s, struct str word)
{
    struct str head = {s->at, word.len};

    if (s->len < word.len || !str_eq_nocase(head, word) ||
        (s->len > word.len && s->at[word.len] != ' '))
        return false;
    *s = str_trim((struct str){s->at + word.len, s->len - word.len});
    return true;
}

static const struct {
    const char *name;
    enum gcp_part part;
} gpu_names[] = {
    {"T4 GPU", PART_T4},
    {"P4 GPU", PART_P4},
    {"P100 GPU", PART_P100},
    {"V100 GPU", PART_V100},
    {"K80 GPU", PART_K80},
    {"L4 GPU", PART_L4},
    {"A100 GPU", PART_A100_40GB},
    {"A100 80GB GPU", PART_A100_80GB},
    {"H100 GPU", PART_H100},
    {"H100 80GB GPU", PART_H100},
    {"H100 80GB Plus GPU", PART_H100_MEGA},
    {"H100 80GB Mega GPU", PART_H100_MEGA},
    {"H100 Mega 80GB GPU", PART_H100_MEGA},
    {"H200 141GB GPU", PART_H200},
    {"B200 (1 gpu slice)", PART_B200_SLICE},
    {"RTX 6000 96GB", PART_RTX_PRO_6000},
    {"RTX PRO 6000 96GB", PART_RTX_PRO_6000},
};

static const struct {
    const char *name;
    enum gcp_part core;
} series_names[] = {
    {"N1", PART_N1_CORE},
    {"A2", PART_A2_CORE},
    {"A3Plus", PART_A3_MEGA_CORE},
    {"A3Mega", PART_A3_MEGA_CORE},
    {"A3 Mega", PART_A3_MEGA_CORE},
    {"A3Ultra", PART_A3_ULTRA_CORE},
    {"A3 Ultra", PART_A3_ULTRA_CORE},
    {"A3", PART_A3_CORE},
    {"G2", PART_G2_CORE},
    {"G4", PART_G4_CORE},
};

/* "Nvidia Tesla T4 GPU running in Americas", "A4 Nvidia B200 (1 gpu slice) running in ..." */
static bool gpu_part(struct str text, enum gcp_part *part)
{
    (void)take_gcp_word(&text, STR("A4"));
    (void)take_gcp_word(&text, STR("Nvidia"));
    (void)take_gcp_word(&text, STR("Tesla"));
    for (size_t i = 0; i < ARRAY_LEN(gpu_names); i++)
        if (take_gcp_word(&text, str_from(gpu_names[i].name))) {
            *part = gpu_names[i].part;
            return true;
        }
    return false;
}

/* "A2 Instance Core running in Americas", and of commitments "A2 Cpu in Americas for 1 Year"; a
 * commitment that names no series is for N1. */
static bool series_part(struct str text, bool commitment, enum gcp_part *part)
{
    bool named = false;

    *part = PART_N1_CORE;
    for (size_t i = 0; i < ARRAY_LEN(series_names) && !named; i++) {
        named = take_gcp_word(&text, str_from(series_names[i].name));
        if (named)
            *part = series_names[i].core;
    }
    (void)take_gcp_word(&text, STR("Predefined"));
    if (!take_gcp_word(&text, STR("Instance")) && !commitment)
        return false;
    if (!named && !commitment)
        return false;
    if (take_gcp_word(&text, STR("Core")) || take_gcp_word(&text, STR("Cpu")))
        return true;
    *part = (enum gcp_part)(*part + 1);
    return take_gcp_word(&text, STR("Ram"));
}

/* Prices of other things under much the same names: virtual workstations, machines of one's own
 * shape or of one tenant, reservations by calendar, premiums on top of prices. */
static bool is_special(struct str description)
{
    static const char *const words[] = {"Custom", "Premium",  "Reserved",    "Sole Tenancy",
                                        "DWS",    "Calendar", "Workstation", "Flex",
                                        "vGPU",   NULL};

    return str_has_any(description, words);
}

/* Descriptions are more right than `usageType`: some spot prices are listed as on-demand. */
static enum market gcp_market(struct str description, struct str usage, bool commitment)
{
    if (commitment) {
        if (str_eq(usage, STR("Commit1Yr")) || str_has_nocase(description, STR("for 1 Year")))
            return MARKET_RESERVED_1Y;
        if (str_eq(usage, STR("Commit3Yr")) || str_has_nocase(description, STR("for 3 Year")))
            return MARKET_RESERVED_3Y;
        return MARKET_COUNT;
    }
    if (str_eq(usage, STR("Preemptible")) || str_has_nocase(description, STR("Preemptible")))
        return MARKET_SPOT;
    return str_eq(usage, STR("OnDemand")) ? MARKET_ON_DEMAND : MARKET_COUNT;
}

bool gcp_sku(struct str description, struct str usage, enum gcp_part *part, enum market *market)
{
    struct str text = str_trim(description);
    bool commitment = str_starts(usage, STR("Commit"));

    if (is_special(text))
        return false;
    if (take_gcp_word(&text, STR("Commitment v1:")) || take_gcp_word(&text, STR("Commitment:")))
        commitment = true;
    *market = gcp_market(description, usage, commitment);
    if (*market == MARKET_COUNT)
        return false;
    (void)take_gcp_word(&text, STR("Spot"));
    (void)take_gcp_word(&text, STR("Preemptible"));
    if (take_gcp_word(&text, STR("SSD backed Local Storage")) ||
        (commitment && take_gcp_word(&text, STR("Local SSD")))) {
        *part = PART_LOCAL_SSD;
        return true;
    }
    return gpu_part(text, part) || series_part(text, commitment, part);
}

/* Machines by the start of their names. Types with local disks that come with them are billed
 * for those too, so they are in the price; catalogs that add cores, memory and accelerators
 * alone are 0.7 to 1 % below what Google bills for them. */
static const struct {
    const char *start;
    enum gcp_part core, gpu;
    int64_t ssd_gib; /* for each accelerator */
} types[] = {
    {"a2-highgpu-", PART_A2_CORE, PART_A100_40GB, 0},
    {"a2-megagpu-", PART_A2_CORE, PART_A100_40GB, 0},
    {"a2-ultragpu-", PART_A2_CORE, PART_A100_80GB, 375},
    {"a3-highgpu-", PART_A3_CORE, PART_H100, 750},
    {"a3-edgegpu-", PART_A3_CORE, PART_H100, 750},
    {"a3-megagpu-", PART_A3_MEGA_CORE, PART_H100_MEGA, 750},
    {"a3-ultragpu-", PART_A3_ULTRA_CORE, PART_H200, 1500},
    {"a4-highgpu-", PART_COUNT, PART_B200_SLICE, 0}, /* the slice has it all */
    {"g2-standard-", PART_G2_CORE, PART_L4, 0},
    {"g4-standard-", PART_G4_CORE, PART_RTX_PRO_6000, 0},
};

/* Accelerators that are added to N1 machines: "n1-highmem-8+2xT4". */
static const struct {
    const char *start;
    enum gcp_part part;
} attached[] = {
    {"T4", PART_T4},      {"P4", PART_P4},   {"P100-", PART_P100},
    {"V100-", PART_V100}, {"K80", PART_K80},
};

static int64_t in_1024ths(double number)
{
    return isnan(number) || number < 0 || number > 1e6 ? -1 : llround(number * 1024);
}

bool gcp_recipe(const struct machine *machine, struct gcp_recipe *out)
{
    struct str name = machine->instance;

    *out = (struct gcp_recipe){.core = in_1024ths(machine->vcpus),
                               .ram = in_1024ths(machine->memory_gib),
                               .gpu = machine->count * 1024,
                               .core_part = PART_COUNT,
                               .gpu_part = PART_COUNT};
    if (out->core < 0 || out->ram < 0 || machine->count < 1 || machine->count > 1024)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_starts(name, str_from(types[i].start))) {
            out->core_part = types[i].core;
            out->gpu_part = types[i].gpu;
            out->ssd = str_ends(name, STR("-nolssd")) ? 0 : types[i].ssd_gib * out->gpu;
            return true;
        }
    if (!str_starts(name, STR("n1-")))
        return false;
    out->core_part = PART_N1_CORE;
    for (size_t i = 0; i < ARRAY_LEN(attached); i++)
        if (str_starts(machine->accelerator, str_from(attached[i].start)))
            out->gpu_part = attached[i].part;
    return out->gpu_part != PART_COUNT;
}

#define MACHINE(name, gpu, n, cpus, gib) \
    { \
        .provider = {"gcp", 3}, .instance = {name, sizeof(name) - 1}, \
        .accelerator = {gpu, sizeof(gpu) - 1}, .count = (n), .vcpus = (cpus), \
        .memory_gib = (gib) \
    }

const struct machine gcp_more_machines[] = {
    MACHINE("a3-edgegpu-8g", "H100-SXM-80GB", 8, 208, 1872),
    MACHINE("a3-edgegpu-8g-nolssd", "H100-SXM-80GB", 8, 208, 1872),
    MACHINE("g4-standard-48", "RTXPRO6000-Blackwell-SE", 1, 48, 180),
    MACHINE("g4-standard-96", "RTXPRO6000-Blackwell-SE", 2, 96, 360),
    MACHINE("g4-standard-192", "RTXPRO6000-Blackwell-SE", 4, 192, 720),
    MACHINE("g4-standard-384", "RTXPRO6000-Blackwell-SE", 8, 384, 1440),
};
const size_t gcp_more_machine_count = ARRAY_LEN(gcp_more_machines);

/* ---- prices of parts, by region, and the machines that they make ---- */

#define MARKETS (MARKET_RESERVED_3Y + 1) /* on-demand, spot and two terms */
#define LONGEST_REGION 40

struct region_parts {
    char name[LONGEST_REGION];
    struct currency currency;
    int64_t price[PART_COUNT][MARKETS];
};

struct gcp_parts {
    struct arena arena;
    struct region_parts *regions[GCP_MOST_REGIONS];
    size_t count;
};

struct gcp_parts *gcp_parts_new(const struct alloc *alloc, struct error *err)
{
    struct arena arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct gcp_parts *parts = arena_array(&arena, struct gcp_parts, 1, err);

    if (parts != NULL)
        parts->arena = arena; /* it lives in its own arena */
    return parts;
}

void gcp_parts_free(struct gcp_parts *parts)
{
    struct arena arena;

    if (parts == NULL)
        return;
    arena = parts->arena;
    arena_free(&arena);
}

static struct region_parts *gcp_region_parts(struct gcp_parts *parts, struct str name,
                                             struct currency currency, struct error *err)
{
    struct region_parts *region;

    for (size_t i = 0; i < parts->count; i++) {
        region = parts->regions[i];
        if (str_eq(str_from(region->name), name) && currency_is(region->currency, currency))
            return region;
    }
    if (parts->count == GCP_MOST_REGIONS) {
        error_set(err, ERROR_INPUT, "there are more than %d regions", GCP_MOST_REGIONS);
        return NULL;
    }
    region = arena_array(&parts->arena, struct region_parts, 1, err);
    if (region == NULL)
        return NULL;
    memcpy(region->name, name.at, name.len);
    region->currency = currency;
    for (size_t p = 0; p < PART_COUNT; p++)
        for (size_t m = 0; m < MARKETS; m++)
            region->price[p][m] = PRICE_UNSAID;
    parts->regions[parts->count++] = region;
    return region;
}

bool gcp_parts_put(struct gcp_parts *parts, enum gcp_part part, enum market market,
                   struct str region, struct currency currency, int64_t price,
                   struct error *err)
{
    struct region_parts *at;

    if (region.len == 0 || region.len >= LONGEST_REGION || market >= MARKETS)
        return true; /* no region of Google's */
    at = gcp_region_parts(parts, region, currency, err);
    if (at == NULL)
        return false;
    if (at->price[part][market] < 0 || price < at->price[part][market])
        at->price[part][market] = price;
    return true;
}

/* `amount` (1/1024) of a part, to `*sum`. False when the part's price is not known. */
static bool add_region_part(const struct region_parts *region, enum gcp_part part,
                            enum market market, int64_t amount, wide *sum)
{
    int64_t price = region->price[part][market];

    if (price < 0)
        return false;
    *sum += (wide)price * amount;
    return true;
}

/* What an hour of the machine costs; PRICE_UNSAID when a part is not known. */
static int64_t recipe_price(const struct region_parts *region, const struct gcp_recipe *recipe,
                            enum market market)
{
    wide sum = 0;

    if (!add_region_part(region, recipe->gpu_part, market, recipe->gpu, &sum))
        return PRICE_UNSAID;
    if (recipe->core_part != PART_COUNT &&
        (!add_region_part(region, recipe->core_part, market, recipe->core, &sum) ||
         !add_region_part(region, (enum gcp_part)(recipe->core_part + 1), market, recipe->ram,
                          &sum)))
        return PRICE_UNSAID;
    /* A list that was filtered to `Compute` has no disks: under 1 % is no reason to have no
     * price. */
    (void)add_region_part(region, PART_LOCAL_SSD, market, recipe->ssd, &sum);
    sum = (sum + 512) / 1024;
    return sum > 0 && sum <= INT64_MAX / 2 ? (int64_t)sum : PRICE_UNSAID;
}

static bool give_machine(const struct region_parts *region, const struct machine *machine,
                         const struct feed_reading *feed, struct error *err)
{
    struct quote q = quote_blank();
    struct gcp_recipe recipe;
    bool any = false;

    if (!gcp_recipe(machine, &recipe))
        return true;
    for (int m = 0; m < MARKETS; m++) {
        q.price[m] = recipe_price(region, &recipe, (enum market)m);
        any = any || q.price[m] >= 0;
    }
    if (!any)
        return true;
    q.provider = STR("gcp");
    q.region = str_from(region->name);
    q.instance = machine->instance;
    quote_machine(&q, machine);
    q.currency = region->currency;
    q.at = feed->date;
    return feed_give(feed, 0, &q, err);
}

bool gcp_parts_give(const struct gcp_parts *parts, const struct feed_reading *feed,
                    struct error *err)
{
    const struct machine *const *machines;
    size_t count;

    feed_machines(feed->known, STR("gcp"), &machines, &count);
    for (size_t r = 0; r < parts->count; r++) {
        for (size_t i = 0; i < count; i++)
            if (!give_machine(parts->regions[r], machines[i], feed, err))
                return false;
        for (size_t i = 0; i < gcp_more_machine_count; i++) {
            const struct machine *more = &gcp_more_machines[i];

            if (feed_machine(feed->known, more->provider, more->instance) == NULL &&
                !give_machine(parts->regions[r], more, feed, err))
                return false;
        }
    }
    return true;
}

/* ---- all of it ---- */

#define NANO 1000000000
#define HIGHEST_UNITS INT64_C(1000000000) /* of any currency, for a part and an hour */
#define HOURS_PER_MONTH 730               /* as Google's own prices of machines count */
#define MOST_SKU_REGIONS 128

enum price_state { PRICE_MISSING, PRICE_GOOD, PRICE_WRONG };

struct sku {
    struct walk_value description, usage;
    struct walk_value unit; /* of the pricing read last: the list is in the order of time */
    enum price_state state;
    double from;   /* the usage that the rate kept begins with */
    int64_t price; /* of one unit */
    char unit_text[16];
    struct currency currency;
    char regions[MOST_SKU_REGIONS][LONGEST_REGION];
    size_t region_count;
};

struct page {
    struct gcp_parts *parts;
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
static bool read_gcp_rate(struct walk *walk, void *record, const struct walk_value *value,
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
        !walk_currency(&rate.currency, &sku->currency)) {
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
    {"tieredRates", .each = read_gcp_rate},
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

static bool read_gcp_region(struct walk *walk, void *record, const struct walk_value *value,
                            struct error *err)
{
    struct sku *sku = record;
    struct str name = value->kind == JSON_STRING ? str_trim(value->text) : (struct str){0};

    if (value->kind == JSON_OBJECT || value->kind == JSON_ARRAY)
        return json_skip(walk->json, err);
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
    {"serviceRegions", .each = read_gcp_region},
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

static bool take_sku(const struct feed_reading *feed, struct gcp_parts *parts,
                     const struct sku *sku, struct error *err)
{
    enum gcp_part part;
    enum market market;
    int64_t price;
    struct str usage = sku->usage.kind == JSON_STRING ? sku->usage.text : (struct str){0},
               text = sku->description.kind == JSON_STRING ? sku->description.text
                                                           : (struct str){0};

    feed->summary->rows++;
    if (!gcp_sku(text, usage, &part, &market) || sku->state == PRICE_MISSING)
        return feed_ignore(feed);
    if (sku->state == PRICE_WRONG || !price_of_hour(sku, part, &price))
        return feed_refuse(feed, 0, err, "%.*s: %s", STR_ARG(text),
                           sku->state == PRICE_WRONG ? "its price cannot be read"
                                                     : "its unit is not known");
    for (size_t i = 0; i < sku->region_count; i++)
        if (!gcp_parts_put(parts, part, market, str_from(sku->regions[i]), sku->currency, price,
                           err))
            return false;
    return true;
}

static bool read_sku(struct walk *walk, void *record, const struct walk_value *value,
                     struct error *err)
{
    const struct page *page = record;
    struct sku sku;
    bool object;

    sku.state = PRICE_MISSING;
    sku.region_count = 0;
    sku.unit_text[0] = '\0';
    sku.currency = currency_usd;
    return walk_element(walk, value, sku_members, &sku, &object, err) &&
           take_sku(walk->feed, page->parts, &sku, err);
}

static const struct walk_member refusal_members[] = {
    {"message", .each = walk_refusal},
    {0},
};

static const struct walk_member page_members[] = {
    {"skus", .each = read_sku, WALK_VALUE(struct page, skus)},
    {"nextPageToken", WALK_VALUE(struct page, next)},
    {"error", .inside = refusal_members},
    {0},
};

static bool finish_gcp_page(struct walk *walk, void *record, struct error *err)
{
    const struct page *page = record;

    if (page->skus.kind == JSON_END)
        return walk_missing(walk, "list 'skus'", err);
    return walk_text(&page->next, &walk->feed->summary->next, err);
}

bool gcp_parts_add(struct gcp_parts *parts, const struct feed_reading *feed, struct error *err)
{
    struct page page = {.parts = parts};

    return walk_read(feed, page_members, finish_gcp_page, &page, err) || feed_failed(feed, err);
}

static bool read_gcp(const struct feed_reading *feed, struct error *err)
{
    struct gcp_parts *parts = gcp_parts_new(feed->alloc, err);
    bool ok =
        parts != NULL && gcp_parts_add(parts, feed, err) && gcp_parts_give(parts, feed, err);

    gcp_parts_free(parts);
    return ok;
}

const struct feed_format feed_gcp = {
    .name = "gcp",
    .feed = "gcp-billing",
    .provider = "gcp",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .json = (const char *const[]){"skus", "pricingInfo", NULL},
    .json_or = (const char *const[]){"skus", "serviceRegions", NULL},
    .read = read_gcp,
};
