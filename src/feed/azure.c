/* Azure's Retail Prices API: pages of items, one for each meter, or the items alone. */
#include "feed/known.h"

#include <math.h>

#include "base/characters.h"
#include "base/decimal.h"
#include "base/num.h"
#include "feed/json_walk.h"
#include "unit/time.h"

/* Machines that the catalog has no offer of, as the pages of Azure's sizes describe them.
 * Shares of an accelerator are so many of so many parts. The number in the name is of vCPUs. */
static const struct {
    const char *name, *accelerator;
    int count, parts;
    double memory_gib; /* 0: not known */
} machines[] = {
    {"NC6s_v2", "P100-PCIe-16GB", 1, 1, 112},
    {"NC12s_v2", "P100-PCIe-16GB", 2, 1, 224},
    {"NC24s_v2", "P100-PCIe-16GB", 4, 1, 448},
    {"NC24rs_v2", "P100-PCIe-16GB", 4, 1, 448},
    {"NC24rs_v3", "V100-PCIe", 4, 1, 448},
    {"NCC40ads_H100_v5", "H100-NVL-94GB", 1, 1, 320},
    {"ND6s", "P40", 1, 1, 112},
    {"ND12s", "P40", 2, 1, 224},
    {"ND24s", "P40", 4, 1, 448},
    {"ND24rs", "P40", 4, 1, 448},
    {"ND96*_A100_v4", "A100-SXM-80GB", 8, 1, 1900},
    {"ND96*_H100_v5", "H100-SXM-80GB", 8, 1, 1900},
    {"ND96*_H200_v5", "H200-SXM-141GB", 8, 1, 1850},
    {"ND96*_MI300X_v5", "MI300X", 8, 1, 1850},
    {"ND128*_GB200_v6", "GB200-NVL72", 4, 1, 0},
    {"ND128*_GB300_v6", "GB300-NVL72", 4, 1, 0},
    {"NV6s_v2", "M60", 1, 1, 112},
    {"NV12s_v2", "M60", 2, 1, 224},
    {"NV24s_v2", "M60", 4, 1, 448},
    {"NV4as_v4", "MI25", 1, 8, 14},
    {"NV8as_v4", "MI25", 1, 4, 28},
    {"NV16as_v4", "MI25", 1, 2, 56},
    {"NV6ads_A10_v5", "A10", 1, 6, 55},
    {"NV12ads_A10_v5", "A10", 1, 3, 110},
    {"NV18ads_A10_v5", "A10", 1, 2, 220},
    {"NV36adms_A10_v5", "A10", 1, 1, 880},
    {"NV4ads_V710_v5", "Radeon Pro V710", 1, 6, 16},
    {"NV8ads_V710_v5", "Radeon Pro V710", 1, 3, 32},
    {"NV12ads_V710_v5", "Radeon Pro V710", 1, 2, 64},
    {"NV24ads_V710_v5", "Radeon Pro V710", 1, 1, 128},
    {"NV28adms_V710_v5", "Radeon Pro V710", 1, 1, 160},
    {"NG8ads_V620_v1", "Radeon Pro V620", 1, 4, 16},
    {"NG16ads_V620_v1", "Radeon Pro V620", 1, 2, 32},
    {"NG32ads_V620_v1", "Radeon Pro V620", 1, 1, 64},
    {"NG32adms_V620_v1", "Radeon Pro V620", 1, 1, 176},
};

/* The first number in a name: of NC24ads_A100_v4 24. */
static double first_number_in_name(struct str name)
{
    size_t from = 0, end;
    int64_t number;

    while (from < name.len && (name.at[from] < '0' || name.at[from] > '9'))
        from++;
    for (end = from; end < name.len && is_digit(name.at[end]); end++)
        continue;
    return num_int((struct str){name.at + from, end - from}, &number) ? (double)number : NAN;
}

/* Put what is in it into the quote; false when it is no machine with accelerators. */
static bool azure_machine(struct feed_known *known, struct str sku, struct quote *out)
{
    struct str full = sku, name;
    const struct machine *offer;

    if (str_ends(full, STR("_Promo"))) /* the same machine, sold off */
        full.len -= STR("_Promo").len;
    offer = feed_machine(known, STR("azure"), full);
    if (offer != NULL) {
        quote_machine(out, offer);
        return true;
    }
    if (!str_starts(full, STR("Standard_N")))
        return false;
    name = (struct str){full.at + STR("Standard_").len, full.len - STR("Standard_").len};
    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        const struct accelerator *a;

        if (!str_glob(name, str_from(machines[i].name)))
            continue;
        a = feed_accelerator(known, str_from(machines[i].accelerator), NAN);
        out->accelerator = a != NULL ? a->name : str_from(machines[i].accelerator);
        out->count = (double)machines[i].count / machines[i].parts;
        out->vcpus = first_number_in_name(name);
        out->memory_gib = machines[i].memory_gib > 0 ? machines[i].memory_gib : NAN;
        return true;
    }
    return false;
}

/* ---- all of it ---- */

#define HOURS_PER_YEAR 8760
#define HIGHEST (INT64_C(1000000) * 1000000000) /* a million an hour, as for quote_price() */

struct item {
    struct walk_value service, unit, type, sku_name, meter_name, product, sku, region, currency,
        price, tier, term, start, end, primary;
    int64_t savings[2]; /* of one year and of three */
    bool savings_wrong; /* one of them is not a price */
};

struct page {
    struct item item; /* first: of a list without pages, whose items are at the top */
    struct walk_value items, next;
};

struct plan {
    struct walk_value term, price;
};

static const struct walk_member plan_members[] = {
    {"term", WALK_VALUE(struct plan, term)},
    {"retailPrice", WALK_VALUE(struct plan, price)},
    {0},
};

/* 0 for one year, 1 for three, -1 for others, which no market is for. */
static int term_index(const struct walk_value *term)
{
    if (walk_is(term, "1 Year"))
        return 0;
    return walk_is(term, "3 Years") || walk_is(term, "3 Year") ? 1 : -1;
}

static bool read_azure_plan(struct walk *walk, void *record, const struct walk_value *value,
                            struct error *err)
{
    struct item *item = record;
    struct plan plan;
    bool object;
    int64_t price;
    int term;

    if (!walk_element(walk, value, plan_members, &plan, &object, err))
        return false;
    term = term_index(&plan.term);
    if (term < 0)
        return true;
    if (!walk_price(&plan.price, &price))
        item->savings_wrong = true;
    else if (price >= 0)
        item->savings[term] = price;
    return true;
}

static const struct walk_member item_members[] = {
    {"serviceName", WALK_VALUE(struct item, service)},
    {"unitOfMeasure", WALK_VALUE(struct item, unit)},
    {"type", WALK_VALUE(struct item, type)},
    {"skuName", WALK_VALUE(struct item, sku_name)},
    {"meterName", WALK_VALUE(struct item, meter_name)},
    {"productName", WALK_VALUE(struct item, product)},
    {"armSkuName", WALK_VALUE(struct item, sku)},
    {"armRegionName", WALK_VALUE(struct item, region)},
    {"currencyCode", WALK_VALUE(struct item, currency)},
    {"retailPrice", WALK_VALUE(struct item, price)},
    {"tierMinimumUnits", WALK_VALUE(struct item, tier)},
    {"reservationTerm", WALK_VALUE(struct item, term)},
    {"effectiveStartDate", WALK_VALUE(struct item, start)},
    {"effectiveEndDate", WALK_VALUE(struct item, end)},
    {"isPrimaryMeterRegion", WALK_VALUE(struct item, primary)},
    {"savingsPlan", .each = read_azure_plan},
    {0},
};

static void item_blank(struct item *item)
{
    *item = (struct item){.savings = {PRICE_UNSAID, PRICE_UNSAID}};
}

static bool text_has(const struct walk_value *value, struct str part)
{
    return value->kind == JSON_STRING && str_has_nocase(value->text, part);
}

/* Is it the price of an hour of a virtual machine with Linux, in the region that it names?
 * Others are meters of other things, of Windows, of tiers beyond the first, or the same
 * meter again. */
static bool is_wanted_azure_item(const struct item *item)
{
    return walk_is(&item->service, "Virtual Machines") && walk_is(&item->unit, "1 Hour") &&
           !text_has(&item->product, STR("Windows")) &&
           !text_has(&item->product, STR("Cloud Services")) &&
           !text_has(&item->product, STR("CloudServices")) &&
           !text_has(&item->product, STR("Dedicated")) &&
           !text_has(&item->sku_name, STR("Low Priority")) &&
           !text_has(&item->meter_name, STR("Low Priority")) &&
           !(walk_number(&item->tier) > 0) && item->primary.kind != JSON_FALSE &&
           walk_name(&item->region).len > 0 && !text_has(&item->region, STR("global"));
}

/* The market of the item's own price; MARKET_COUNT when it is none of ours. */
static enum market azure_item_market(const struct item *item)
{
    int term = term_index(&item->term);

    if (walk_is(&item->type, "Reservation"))
        return term < 0 ? MARKET_COUNT : term == 0 ? MARKET_RESERVED_1Y : MARKET_RESERVED_3Y;
    if (!walk_is(&item->type, "Consumption"))
        return MARKET_COUNT;
    return text_has(&item->sku_name, STR("Spot")) || text_has(&item->meter_name, STR("Spot"))
               ? MARKET_SPOT
               : MARKET_ON_DEMAND;
}

/* A reservation is paid for all of its term; that alone may be more than a million. */
static bool price_of_term(const struct walk_value *value, int64_t hours, int64_t *nano)
{
    struct decimal d;
    int64_t all;

    *nano = PRICE_UNSAID;
    if (value->kind != JSON_NUMBER || !decimal_parse(value->text, &d) ||
        !decimal_fixed(d, 9, &all) || all < 0 || all / hours > HIGHEST)
        return false;
    if (all > 0)
        *nano = (all / hours) + (all % hours + hours / 2) / hours;
    return true;
}

static bool azure_price(const struct item *item, enum market market, int64_t *nano)
{
    if (market == MARKET_RESERVED_1Y)
        return price_of_term(&item->price, HOURS_PER_YEAR, nano);
    if (market == MARKET_RESERVED_3Y)
        return price_of_term(&item->price, INT64_C(3) * HOURS_PER_YEAR, nano);
    return walk_price(&item->price, nano);
}

/* Since when the price holds. Old start dates mean nothing: the price is seen at the input's
 * date. */
static stamp azure_moment(const struct walk_value *value)
{
    struct str text = value->kind == JSON_STRING ? value->text : (struct str){0};
    stamp start = {0};

    if (text.len > STR("2022-07-01T00:00:00").len) /* some have fractions of a second */
        text.len = STR("2022-07-01").len;
    return stamp_parse(text, &start) ? start : (stamp){0};
}

static bool bad_item(const struct feed_reading *feed, const struct item *item, const char *what,
                     struct error *err)
{
    struct str sku = walk_name(&item->sku), region = walk_name(&item->region);

    return feed_refuse(feed, 0, err, "%.*s in %.*s: %s", STR_ARG(sku), STR_ARG(region), what);
}

static bool take_azure_item(const struct feed_reading *feed, const struct item *item,
                            struct error *err)
{
    struct quote q = quote_blank();
    enum market market = azure_item_market(item);
    stamp start = azure_moment(&item->start), over = azure_moment(&item->end);

    feed->summary->rows++;
    if (market == MARKET_COUNT || !is_wanted_azure_item(item) ||
        !azure_machine(feed->known, walk_name(&item->sku), &q) ||
        (feed->date.s > 0 && start.s > feed->date.s) || (over.s > 0 && over.s < feed->date.s))
        return feed_ignore(feed);
    if (!azure_price(item, market, &q.price[market]) || item->savings_wrong)
        return bad_item(feed, item, "its price cannot be read", err);
    if (!walk_currency(&item->currency, &q.currency))
        return bad_item(feed, item, "its currency is not known", err);
    if (q.price[market] < 0) /* a price of 0 is of a meter that is not on sale yet */
        return feed_ignore(feed);
    if (market == MARKET_ON_DEMAND) {
        q.price[MARKET_SAVINGS_1Y] = item->savings[0];
        q.price[MARKET_SAVINGS_3Y] = item->savings[1];
    }
    q.provider = STR("azure");
    q.region = walk_name(&item->region);
    q.instance = walk_name(&item->sku);
    q.at = feed->date.s > 0 ? feed->date : start;
    return feed_give(feed, 0, &q, err);
}

static bool read_azure_item(struct walk *walk, void *record, const struct walk_value *value,
                            struct error *err)
{
    struct item item;
    bool object;

    (void)record;
    item_blank(&item);
    return walk_element(walk, value, item_members, &item, &object, err) &&
           take_azure_item(walk->feed, &item, err);
}

static const struct walk_member refusal_members[] = {
    {"Message", .each = walk_refusal},
    {"message", .each = walk_refusal},
    {0},
};

static const struct walk_member page_members[] = {
    {"Items", .each = read_azure_item, WALK_VALUE(struct page, items)},
    {"NextPageLink", WALK_VALUE(struct page, next)},
    {"Error", .inside = refusal_members},
    {"error", .inside = refusal_members},
    {"", .inside = item_members},
    {0},
};

static bool finish_azure_page(struct walk *walk, void *record, struct error *err)
{
    struct page *page = record;
    bool ok;

    if (page->items.kind != JSON_END)
        ok = walk_text(&page->next, &walk->feed->summary->next, err);
    else /* no page: it must be an item itself */
        ok = page->item.price.kind != JSON_END ? take_azure_item(walk->feed, &page->item, err)
                                               : walk_missing(walk, "list 'Items'", err);
    item_blank(&page->item);
    return ok;
}

static bool read_azure(const struct feed_reading *feed, struct error *err)
{
    struct page page;

    item_blank(&page.item);
    return walk_read(feed, page_members, finish_azure_page, &page, err);
}

const struct feed_format feed_azure = {
    .name = "azure",
    .feed = "azure-retail",
    .provider = "azure",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .json = (const char *const[]){"armRegionName", "retailPrice", NULL},
    .json_or = (const char *const[]){"BillingCurrency", "Items", NULL},
    .read = read_azure,
};
