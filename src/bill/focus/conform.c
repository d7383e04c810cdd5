/* Rows that follow the rules of FOCUS. */
#include "bill/focus/conform.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "doc/json_write.h"
#include "unit/time.h"

#define UNIT_DECIMALS \
    18 /* of a unit price that is worked out; more where there is much of it */
#define UNIT_MOST 36
#define COST_DECIMALS 12 /* that list and contracted cost keep */

/* ---- the categories of services that FOCUS knows, and what each is divided into ---- */

static const struct {
    const char *category;
    const char *parts[10]; /* the last is "Other (CATEGORY)" */
} services[] = {
    {"AI and Machine Learning",
     {"AI Platforms", "Bots", "Generative AI", "Machine Learning",
      "Natural Language Processing", "Other (AI and Machine Learning)"}},
    {"Analytics",
     {"Analytics Platforms", "Business Intelligence", "Data Processing", "Search",
      "Streaming Analytics", "Other (Analytics)"}},
    {"Business Applications",
     {"Productivity and Collaboration", "Other (Business Applications)"}},
    {"Compute",
     {"Containers", "End User Computing", "Quantum Compute", "Serverless Compute",
      "Virtual Machines", "Other (Compute)"}},
    {"Databases",
     {"Caching", "Data Warehouses", "Ledger Databases", "NoSQL Databases",
      "Relational Databases", "Time Series Databases", "Other (Databases)"}},
    {"Developer Tools",
     {"Developer Platforms", "Continuous Integration and Deployment",
      "Development Environments", "Source Code Management", "Quality Assurance",
      "Other (Developer Tools)"}},
    {"Identity", {"Identity and Access Management", "Other (Identity)"}},
    {"Integration",
     {"API Management", "Messaging", "Workflow Orchestration", "Other (Integration)"}},
    {"Internet of Things", {"IoT Analytics", "IoT Platforms", "Other (Internet of Things)"}},
    {"Management and Governance",
     {"Architecture", "Compliance", "Cost Management", "Data Governance", "Disaster Recovery",
      "Endpoint Management", "Observability", "Support", "Other (Management and Governance)"}},
    {"Media",
     {"Content Creation", "Gaming", "Media Streaming", "Mixed Reality", "Other (Media)"}},
    {"Migration", {"Data Migration", "Resource Migration", "Other (Migration)"}},
    {"Mobile", {"Other (Mobile)"}},
    {"Multicloud", {"Multicloud Integration", "Other (Multicloud)"}},
    {"Networking",
     {"Application Networking", "Content Delivery", "Network Connectivity",
      "Network Infrastructure", "Network Routing", "Network Security", "Other (Networking)"}},
    {"Security",
     {"Secret Management", "Security Posture Management", "Threat Detection and Response",
      "Other (Security)"}},
    {"Storage",
     {"Backup Storage", "Block Storage", "File Storage", "Object Storage", "Storage Platforms",
      "Other (Storage)"}},
    {"Web", {"Application Platforms", "Other (Web)"}},
    {"Other", {"Other (Other)"}},
};

static size_t find_category(struct str category)
{
    size_t i = 0;

    while (i < ARRAY_LEN(services) && !str_eq(category, str_from(services[i].category)))
        i++;
    return i;
}

static bool category_known(struct str category)
{
    return find_category(category) < ARRAY_LEN(services);
}

/* The part itself when it is one of the category ("Virtual Machines" of "Compute"), else
 * "Other (Compute)". The category is known. */
static struct str category_part(struct str category, struct str part)
{
    size_t at = find_category(category);
    struct str last = {0};

    if (at == ARRAY_LEN(services))
        return last;
    for (size_t i = 0; i < ARRAY_LEN(services[at].parts); i++) {
        if (services[at].parts[i] == NULL)
            break;
        last = str_from(services[at].parts[i]);
        if (str_eq(part, last))
            break;
    }
    return last;
}

/* ---- prices ---- */

static struct str conform_decimal(struct conform *c, struct decimal value);

static bool price_known(struct str text)
{
    return text.len > 0;
}

static bool price_is(const struct str out[FOCUS_COUNT], enum focus_column column,
                     const char *word)
{
    return str_eq(out[column], str_from(word));
}

/* Is the difference below what a row may move by? */
static bool close_to(struct decimal product, struct decimal cost)
{
    struct decimal off, most = {1, COST_DECIMALS};

    if (!decimal_add(product, (struct decimal){-cost.coefficient, cost.scale}, &off))
        return false;
    off.coefficient = off.coefficient < 0 ? -off.coefficient : off.coefficient;
    return decimal_cmp(off, most) < 0;
}

/* A unit price that comes to the cost at this quantity, and the cost that it exactly comes to:
 * they differ by what the last decimal of the price is worth. False when no price has digits
 * enough. */
static bool settle_price(struct conform *c, struct decimal quantity, struct decimal cost,
                         struct str out[FOCUS_COUNT], enum focus_column unit_at,
                         enum focus_column cost_at)
{
    struct decimal unit = {0}, product;

    if (price_known(out[unit_at]) && decimal_parse(out[unit_at], &unit) &&
        unit.coefficient >= 0 && decimal_multiply(unit, quantity, &product) &&
        decimal_cmp(product, cost) == 0) {
        out[cost_at] = conform_decimal(c, cost);
        return true;
    }
    c->touched |= 1u << CONFORM_UNIT_PRICE;
    if (cost.coefficient == 0) {
        out[unit_at] = out[cost_at] = STR("0");
        return true;
    }
    for (int decimals = UNIT_DECIMALS; decimals <= UNIT_MOST; decimals += 3)
        if (decimal_divide(cost, quantity, decimals, &unit) &&
            decimal_multiply(unit, quantity, &product) && close_to(product, cost)) {
            out[unit_at] = conform_decimal(c, unit);
            out[cost_at] = conform_decimal(c, product);
            return true;
        }
    return false;
}

/* One unit at the full cost: what is left when a quantity has too many digits. */
static void one_unit(struct conform *c, struct decimal list, struct decimal contracted,
                     struct str out[FOCUS_COUNT])
{
    bool back = list.coefficient < 0 || (list.coefficient == 0 && contracted.coefficient < 0);

    out[FOCUS_ListCost] = conform_decimal(c, list);
    out[FOCUS_ContractedCost] = conform_decimal(c, contracted);
    if (back) {
        list.coefficient = -list.coefficient;
        contracted.coefficient = -contracted.coefficient;
    }
    out[FOCUS_ListUnitPrice] = conform_decimal(c, list);
    out[FOCUS_ContractedUnitPrice] = conform_decimal(c, contracted);
    out[FOCUS_PricingQuantity] = back ? STR("-1") : STR("1");
    c->touched |= 1u << CONFORM_QUANTITY;
}

/* The quantity that unit prices go by: of the sign of the cost, since no price is negative. */
static struct decimal conform_quantity(struct conform *c, struct decimal cost,
                                       struct str out[FOCUS_COUNT])
{
    struct decimal quantity = {0};
    bool given = price_known(out[FOCUS_PricingQuantity]) &&
                 decimal_parse(out[FOCUS_PricingQuantity], &quantity);

    if (given && (quantity.coefficient == 0) == (cost.coefficient == 0) &&
        (quantity.coefficient < 0) == (cost.coefficient < 0))
        return quantity;
    if (given && cost.coefficient == 0)
        return quantity;
    c->touched |= 1u << CONFORM_QUANTITY;
    if (quantity.coefficient == 0)
        quantity = (struct decimal){1, 0};
    if ((quantity.coefficient < 0) != (cost.coefficient < 0))
        quantity.coefficient = -quantity.coefficient;
    out[FOCUS_PricingQuantity] = conform_decimal(c, quantity);
    return quantity;
}

/* What varies by use: only use has it, and only together with its unit. */
static void consumed(struct conform *c, struct str out[FOCUS_COUNT])
{
    struct str *quantity = &out[FOCUS_ConsumedQuantity], *unit = &out[FOCUS_ConsumedUnit];

    if (price_known(*quantity) && (!price_is(out, FOCUS_ChargeCategory, "Usage") ||
                                   price_is(out, FOCUS_CommitmentDiscountStatus, "Unused"))) {
        *quantity = (struct str){0};
        c->touched |= 1u << CONFORM_QUANTITY;
    }
    if (!price_known(*quantity) && price_known(*unit)) {
        *unit = (struct str){0};
        c->touched |= 1u << CONFORM_QUANTITY;
    }
    if (price_known(*quantity) && !price_known(*unit)) {
        *unit = price_known(out[FOCUS_PricingUnit]) ? out[FOCUS_PricingUnit] : STR("Units");
        c->touched |= 1u << CONFORM_QUANTITY;
    }
}

/* In the currency of the price list; a row without one is priced as it is billed. */
static void priced(struct str out[FOCUS_COUNT])
{
    bool same = !price_known(out[FOCUS_PricingCurrency]) ||
                str_eq(out[FOCUS_PricingCurrency], out[FOCUS_BillingCurrency]) ||
                !price_known(out[FOCUS_PricingCurrencyEffectiveCost]);

    if (!same)
        return;
    out[FOCUS_PricingCurrency] = out[FOCUS_BillingCurrency];
    out[FOCUS_PricingCurrencyEffectiveCost] = out[FOCUS_EffectiveCost];
    out[FOCUS_PricingCurrencyListUnitPrice] = out[FOCUS_ListUnitPrice];
    out[FOCUS_PricingCurrencyContractedUnitPrice] = out[FOCUS_ContractedUnitPrice];
}

/* Unit prices, quantities and list and contracted cost, so that each comes to the other. Used
 * by conform_line(). */
static void conform_prices(struct conform *c, const struct bill_line *line,
                           struct str out[FOCUS_COUNT])
{
    bool charge = (price_is(out, FOCUS_ChargeCategory, "Usage") ||
                   price_is(out, FOCUS_ChargeCategory, "Purchase")) &&
                  !price_is(out, FOCUS_ChargeClass, "Correction");
    struct decimal paid = line->billed.coefficient != 0 ? line->billed : line->effective;
    struct decimal contracted = line->contracted_known ? line->contracted : paid;
    struct decimal list = line->list_known ? line->list : contracted;

    /* No price is negative and there is one quantity: both costs are charges, or both refunds.
     * What was paid is nearer to the contracted cost. */
    if (charge && (list.coefficient < 0) != (contracted.coefficient < 0) &&
        list.coefficient != 0 && contracted.coefficient != 0) {
        list = contracted;
        c->touched |= 1u << CONFORM_LIST;
    }
    out[FOCUS_ListCost] = conform_decimal(c, list);
    out[FOCUS_ContractedCost] = conform_decimal(c, contracted);
    if (charge) {
        struct decimal quantity =
            conform_quantity(c, list.coefficient != 0 ? list : contracted, out);

        if (!settle_price(c, quantity, list, out, FOCUS_ListUnitPrice, FOCUS_ListCost) ||
            !settle_price(c, quantity, contracted, out, FOCUS_ContractedUnitPrice,
                          FOCUS_ContractedCost))
            one_unit(c, list, contracted, out);
    } else {
        /* Credits, adjustments and corrections need none, and theirs rarely fit. */
        out[FOCUS_ListUnitPrice] = out[FOCUS_ContractedUnitPrice] = (struct str){0};
    }
    if (!price_known(out[FOCUS_PricingQuantity]))
        out[FOCUS_PricingUnit] = (struct str){0};
    else if (!price_known(out[FOCUS_PricingUnit]))
        out[FOCUS_PricingUnit] = STR("Units");
    consumed(c, out);
    priced(out);
}

static const struct str none = {0};

const char *conform_change_words(enum conform_change change)
{
    static const char *const words[CONFORM_CHANGES] = {
        [CONFORM_SKU] = "given a SKU made of service and description, for want of one",
        [CONFORM_METER] = "with SKU, price id or meter filled in from each other, or left out",
        [CONFORM_UNIT_PRICE] = "with a unit price worked out from cost and quantity",
        [CONFORM_LIST] = "with the contracted cost as list cost, which had the opposite sign",
        [CONFORM_QUANTITY] = "with a quantity or unit filled in or left out",
        [CONFORM_TAX] = "of tax without unit price, quantity and SKU",
        [CONFORM_PURCHASE] = "of purchases that count at once, called usage",
        [CONFORM_ISSUER] = "with the provider as the issuer of the invoice",
        [CONFORM_CATEGORY] = "in a service category that FOCUS has",
        [CONFORM_WORDS] = "with a word that FOCUS has in place of another",
        [CONFORM_NAMES] = "with a name or type filled in from its id, or left out without one",
        [CONFORM_COMMITMENT] = "with details of a commitment filled in or left out",
        [CONFORM_DESCRIPTION] = "with the meter or the service for a description",
        [CONFORM_TAGS] = "with tags made a flat object",
    };

    return words[change];
}

struct conform conform_new(int minor, const struct alloc *alloc)
{
    return (struct conform){.minor = minor,
                            .tags = buf_new(alloc, BUF_MAX_OUTPUT),
                            .details = buf_new(alloc, BUF_MAX_OUTPUT),
                            .scratch = buf_new(alloc, BUF_MAX_OUTPUT)};
}

void conform_free(struct conform *c)
{
    buf_free(&c->tags);
    buf_free(&c->details);
    buf_free(&c->scratch);
}

static bool known(struct str text)
{
    return text.len > 0;
}

/* Text of the row. All that is kept is bounded, and fits: some forty numbers and two names. */
static struct str keep_conform_text(struct conform *c, struct str text)
{
    size_t room = sizeof c->room - c->used, len = text.len < room ? text.len : room;
    char *at = c->room + c->used;

    if (len > 0)
        memcpy(at, text.at, len);
    c->used += len;
    return (struct str){at, len};
}

/* A decimal as text in the room of the row. */
static struct str conform_decimal(struct conform *c, struct decimal value)
{
    buf_clear(&c->scratch);
    decimal_write(value, &c->scratch);
    return keep_conform_text(c, buf_text(&c->scratch));
}

static struct str conform_moment(struct conform *c, stamp at)
{
    buf_clear(&c->scratch);
    stamp_write(at, &c->scratch);
    return keep_conform_text(c, buf_text(&c->scratch));
}

/* Put `value` in the column's place and count the change, unless it is there already. */
static void put_conform_text(struct conform *c, struct str out[FOCUS_COUNT],
                             enum focus_column column, struct str value,
                             enum conform_change why)
{
    const struct focus_definition *d = &focus_columns[column];

    if (known(out[column]) == known(value) && str_eq(out[column], value))
        return;
    out[column] = value;
    if (d->first <= c->minor && c->minor <= d->last) /* else it is not in the file */
        c->touched |= 1u << why;
}

static void fill_text(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                      struct str value, enum conform_change why)
{
    if (!known(out[column]))
        put_conform_text(c, out, column, value, why);
}

/* A word must be one of the list; else it becomes `other`. */
static void one_of(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                   const char *const *words, const char *other)
{
    for (; *words != NULL; words++)
        if (str_eq(out[column], str_from(*words)))
            return;
    put_conform_text(c, out, column, str_from(other), CONFORM_WORDS);
}

static bool column_is(const struct str out[FOCUS_COUNT], enum focus_column column,
                      const char *word)
{
    return str_eq(out[column], str_from(word));
}

static void charge_words(struct conform *c, struct str out[FOCUS_COUNT],
                         const struct bill_line *line)
{
    static const char *const charges[] = {"Usage",  "Purchase",   "Tax",
                                          "Credit", "Adjustment", NULL};
    static const char *const often[] = {"One-Time", "Recurring", "Usage-Based", NULL};

    one_of(c, out, FOCUS_ChargeCategory, charges,
           line->billed.coefficient < 0 ? "Credit" : "Usage");
    if (column_is(out, FOCUS_ChargeCategory, "Purchase") && line->effective.coefficient != 0)
        put_conform_text(c, out, FOCUS_ChargeCategory, STR("Usage"), CONFORM_PURCHASE);
    if (known(out[FOCUS_ChargeClass]) && !column_is(out, FOCUS_ChargeClass, "Correction"))
        put_conform_text(c, out, FOCUS_ChargeClass, none, CONFORM_WORDS);
    if (column_is(out, FOCUS_ChargeCategory, "Purchase") &&
        column_is(out, FOCUS_ChargeFrequency, "Usage-Based"))
        put_conform_text(c, out, FOCUS_ChargeFrequency, STR("One-Time"), CONFORM_WORDS);
    one_of(c, out, FOCUS_ChargeFrequency, often,
           column_is(out, FOCUS_ChargeCategory, "Usage") ? "Usage-Based" : "One-Time");
}

static void conform_services(struct conform *c, struct str out[FOCUS_COUNT])
{
    if (!category_known(out[FOCUS_ServiceCategory]))
        put_conform_text(c, out, FOCUS_ServiceCategory, STR("Other"), CONFORM_CATEGORY);
    put_conform_text(c, out, FOCUS_ServiceSubcategory,
                     category_part(out[FOCUS_ServiceCategory], out[FOCUS_ServiceSubcategory]),
                     CONFORM_CATEGORY);
    fill_text(c, out, FOCUS_ServiceName, STR("Unspecified"), CONFORM_NAMES);
}

/* A name or type goes with its id: neither without the other. */
static void conform_pair(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column id,
                         enum focus_column with, struct str otherwise)
{
    if (!known(out[id]))
        put_conform_text(c, out, with, none, CONFORM_NAMES);
    else
        fill_text(c, out, with, otherwise, CONFORM_NAMES);
}

static void conform_names(struct conform *c, struct str out[FOCUS_COUNT])
{
    struct str provider = known(out[FOCUS_ProviderName]) ? out[FOCUS_ProviderName]
                                                         : out[FOCUS_ServiceProviderName];

    if (!known(provider))
        provider = known(out[FOCUS_InvoiceIssuerName]) ? out[FOCUS_InvoiceIssuerName]
                                                       : STR("Unspecified");
    fill_text(c, out, FOCUS_ProviderName, provider, CONFORM_NAMES);
    fill_text(c, out, FOCUS_PublisherName, provider, CONFORM_NAMES);
    fill_text(c, out, FOCUS_ServiceProviderName, provider, CONFORM_NAMES);
    fill_text(c, out, FOCUS_HostProviderName, provider, CONFORM_NAMES);
    /* 1.2 allows no billed cost where the two differ, and decides by the words alone. */
    put_conform_text(c, out, FOCUS_InvoiceIssuerName, provider, CONFORM_ISSUER);
    fill_text(c, out, FOCUS_BillingAccountId, STR("Unspecified"), CONFORM_NAMES);
    fill_text(c, out, FOCUS_BillingAccountName, out[FOCUS_BillingAccountId], CONFORM_NAMES);
    fill_text(c, out, FOCUS_BillingAccountType, STR("Billing Account"), CONFORM_NAMES);
    conform_pair(c, out, FOCUS_SubAccountId, FOCUS_SubAccountName, out[FOCUS_SubAccountId]);
    conform_pair(c, out, FOCUS_SubAccountId, FOCUS_SubAccountType, STR("Sub Account"));
    conform_pair(c, out, FOCUS_RegionId, FOCUS_RegionName, out[FOCUS_RegionId]);
    conform_pair(c, out, FOCUS_ResourceId, FOCUS_ResourceType, STR("Resource"));
    conform_pair(c, out, FOCUS_ResourceId, FOCUS_ResourceName, none);
}

#define SKU_PART 200 /* bytes of a service or description in a made-up SKU */

/* The beginning of a text, without half a character at its end. */
static struct str conform_beginning(struct str text)
{
    size_t len = text.len < SKU_PART ? text.len : SKU_PART;

    while (len < text.len && len > 0 && ((unsigned char)text.at[len] & 0xc0) == 0x80)
        len--;
    return (struct str){text.at, len};
}

static bool is_charge(const struct str out[FOCUS_COUNT])
{
    return (column_is(out, FOCUS_ChargeCategory, "Usage") ||
            column_is(out, FOCUS_ChargeCategory, "Purchase")) &&
           !column_is(out, FOCUS_ChargeClass, "Correction");
}

static void conform_skus(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const char *const pricing[] = {"Standard", "Dynamic", "Committed", "Other", NULL};
    enum conform_change why = CONFORM_METER;

    if (known(out[FOCUS_SkuPriceId]))
        fill_text(c, out, FOCUS_SkuId, out[FOCUS_SkuPriceId], CONFORM_METER);
    fill_text(c, out, FOCUS_SkuPriceId, out[FOCUS_SkuId], CONFORM_METER);
    if (is_charge(out) && !known(out[FOCUS_SkuId])) {
        size_t from = c->used;

        (void)keep_conform_text(c, conform_beginning(out[FOCUS_ServiceName]));
        (void)keep_conform_text(c, STR("/"));
        (void)keep_conform_text(c, conform_beginning(out[FOCUS_ChargeDescription]));
        out[FOCUS_SkuId] = out[FOCUS_SkuPriceId] = (struct str){c->room + from, c->used - from};
        why = CONFORM_SKU;
        c->touched |= 1u << why;
    }
    if (!known(out[FOCUS_SkuId]))
        put_conform_text(c, out, FOCUS_SkuMeter, none, why);
    else
        fill_text(c, out, FOCUS_SkuMeter, out[FOCUS_ServiceName], why);
    if (!known(out[FOCUS_SkuPriceId]))
        put_conform_text(c, out, FOCUS_SkuPriceDetails, none, why);
    if (is_charge(out) || known(out[FOCUS_PricingCategory]))
        one_of(c, out, FOCUS_PricingCategory, pricing,
               known(out[FOCUS_PricingCategory]) ? "Other" : "Standard");
}

static void conform_tax(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const enum focus_column absent[] = {FOCUS_ListUnitPrice,
                                               FOCUS_ContractedUnitPrice,
                                               FOCUS_PricingQuantity,
                                               FOCUS_PricingUnit,
                                               FOCUS_PricingCategory,
                                               FOCUS_SkuId,
                                               FOCUS_SkuPriceId,
                                               FOCUS_SkuMeter,
                                               FOCUS_SkuPriceDetails,
                                               FOCUS_PricingCurrencyListUnitPrice,
                                               FOCUS_PricingCurrencyContractedUnitPrice};

    for (size_t i = 0; i < ARRAY_LEN(absent); i++)
        put_conform_text(c, out, absent[i], none, CONFORM_TAX);
}

static void conform_commitments(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const enum focus_column details[] = {
        FOCUS_CommitmentDiscountName,     FOCUS_CommitmentDiscountCategory,
        FOCUS_CommitmentDiscountType,     FOCUS_CommitmentDiscountStatus,
        FOCUS_CommitmentDiscountQuantity, FOCUS_CommitmentDiscountUnit};
    static const char *const categories[] = {"Spend", "Usage", NULL};
    static const char *const states[] = {"Used", "Unused", NULL};
    bool usage = column_is(out, FOCUS_ChargeCategory, "Usage");

    if (!known(out[FOCUS_CommitmentDiscountId])) {
        for (size_t i = 0; i < ARRAY_LEN(details); i++)
            put_conform_text(c, out, details[i], none, CONFORM_COMMITMENT);
        return;
    }
    one_of(c, out, FOCUS_CommitmentDiscountCategory, categories, "Usage");
    fill_text(c, out, FOCUS_CommitmentDiscountType, STR("Commitment"), CONFORM_COMMITMENT);
    fill_text(c, out, FOCUS_CommitmentDiscountName, out[FOCUS_CommitmentDiscountId],
              CONFORM_COMMITMENT);
    if (usage)
        one_of(c, out, FOCUS_CommitmentDiscountStatus, states, "Used");
    else
        put_conform_text(c, out, FOCUS_CommitmentDiscountStatus, none, CONFORM_COMMITMENT);
    if (!is_charge(out)) {
        put_conform_text(c, out, FOCUS_CommitmentDiscountQuantity, none, CONFORM_COMMITMENT);
        put_conform_text(c, out, FOCUS_CommitmentDiscountUnit, none, CONFORM_COMMITMENT);
        return;
    }
    if (!known(out[FOCUS_CommitmentDiscountQuantity]))
        put_conform_text(c, out, FOCUS_CommitmentDiscountUnit, out[FOCUS_PricingUnit],
                         CONFORM_COMMITMENT);
    fill_text(c, out, FOCUS_CommitmentDiscountQuantity, out[FOCUS_PricingQuantity],
              CONFORM_COMMITMENT);
    fill_text(c, out, FOCUS_CommitmentDiscountUnit, out[FOCUS_PricingUnit], CONFORM_COMMITMENT);
}

static void conform_reservations(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const char *const states[] = {"Used", "Unused", NULL};

    if (!known(out[FOCUS_CapacityReservationId]))
        put_conform_text(c, out, FOCUS_CapacityReservationStatus, none, CONFORM_COMMITMENT);
    else if (column_is(out, FOCUS_ChargeCategory, "Usage") ||
             known(out[FOCUS_CapacityReservationStatus]))
        one_of(c, out, FOCUS_CapacityReservationStatus, states, "Used");
}

static bool look_for_container(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    bool *flat = ctx;

    (void)key, (void)text;
    *flat &= kind != JSON_OBJECT && kind != JSON_ARRAY;
    return *flat;
}

/* Is it an object whose values are no containers? */
static bool is_flat_json(struct str json, const struct alloc *alloc)
{
    struct error ignored = {0};
    bool flat = true;

    return json_members(json, alloc, look_for_container, &flat, &ignored) && flat;
}

/* What is no flat object becomes one with a single tag that has it as its text. */
static void flatten_tags(struct conform *c, struct str out[FOCUS_COUNT],
                         enum focus_column column, struct buf *to)
{
    buf_clear(to);
    if (!known(out[column]) || is_flat_json(out[column], to->alloc))
        return;
    buf_adds(to, "{\"x_Text\":");
    json_write_text(out[column], to);
    buf_char(to, '}');
    put_conform_text(c, out, column, buf_text(to), CONFORM_TAGS);
}

/* Numbers as they may be written: no plus sign, no exponent. What is none is left out. */
static void conform_numbers(struct conform *c, struct str out[FOCUS_COUNT])
{
    for (int i = 0; i < FOCUS_COUNT; i++) {
        struct decimal value;

        if (focus_columns[i].kind != FOCUS_DECIMAL || !known(out[i]))
            continue;
        if (decimal_parse(out[i], &value))
            out[i] = conform_decimal(c, value);
        else
            put_conform_text(c, out, (enum focus_column)i, none, CONFORM_QUANTITY);
    }
}

bool conform_line(struct conform *c, const struct bill_line *line, struct str out[FOCUS_COUNT],
                  struct error *err)
{
    memcpy(out, line->of, sizeof line->of);
    c->used = 0;
    c->touched = 0;
    conform_numbers(c, out);
    out[FOCUS_ChargePeriodStart] = conform_moment(c, line->start);
    out[FOCUS_ChargePeriodEnd] = conform_moment(c, line->end);
    out[FOCUS_BillingPeriodStart] = conform_moment(c, line->period_start);
    out[FOCUS_BillingPeriodEnd] = conform_moment(c, line->period_end);
    out[FOCUS_BilledCost] = conform_decimal(c, line->billed);
    out[FOCUS_EffectiveCost] = conform_decimal(c, line->effective);
    charge_words(c, out, line);
    conform_services(c, out);
    conform_names(c, out);
    conform_skus(c, out);
    if (column_is(out, FOCUS_ChargeCategory, "Tax"))
        conform_tax(c, out);
    fill_text(c, out, FOCUS_ChargeDescription,
              known(out[FOCUS_SkuMeter]) ? out[FOCUS_SkuMeter] : out[FOCUS_ServiceName],
              CONFORM_DESCRIPTION);
    conform_prices(c, line, out);
    conform_commitments(c, out);
    conform_reservations(c, out);
    flatten_tags(c, out, FOCUS_Tags, &c->tags);
    flatten_tags(c, out, FOCUS_SkuPriceDetails, &c->details);
    for (int i = 0; i < CONFORM_CHANGES; i++)
        c->changed[i] += c->touched >> i & 1;
    return buf_ok(&c->tags, err) && buf_ok(&c->details, err) && buf_ok(&c->scratch, err);
}
