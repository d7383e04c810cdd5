#include "bill/focus/conform.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "bill/category.h"
#include "doc/json_write.h"
#include "unit/money.h"
#include "unit/time.h"

static const struct str none = {0};

const char *conform_change_words(enum conform_change change)
{
    static const char *const words[CONFORM_CHANGES] = {
        [CONFORM_SKU] = "given a SKU made of service and description, for want of one",
        [CONFORM_UNIT_PRICE] = "with a unit price worked out from cost and quantity",
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
static struct str keep(struct conform *c, struct str text)
{
    size_t room = sizeof c->room - c->used, len = text.len < room ? text.len : room;
    char *at = c->room + c->used;

    if (len > 0)
        memcpy(at, text.at, len);
    c->used += len;
    return (struct str){at, len};
}

struct str conform_decimal(struct conform *c, struct decimal value)
{
    buf_clear(&c->scratch);
    decimal_write(value, &c->scratch);
    return keep(c, buf_text(&c->scratch));
}

static struct str moment(struct conform *c, stamp at)
{
    buf_clear(&c->scratch);
    stamp_write(at, &c->scratch);
    return keep(c, buf_text(&c->scratch));
}

/* Put `value` in the column's place and count the change, unless it is there already. */
static void put(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                struct str value, enum conform_change why)
{
    const struct focus_definition *d = &focus_columns[column];

    if (known(out[column]) == known(value) && str_eq(out[column], value))
        return;
    out[column] = value;
    if (d->first <= c->minor && c->minor <= d->last) /* else it is not in the file */
        c->touched |= 1u << why;
}

static void fill(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                 struct str value, enum conform_change why)
{
    if (!known(out[column]))
        put(c, out, column, value, why);
}

/* A word must be one of the list; else it becomes `other`. */
static void one_of(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                   const char *const *words, const char *other)
{
    for (; *words != NULL; words++)
        if (str_eq(out[column], str_from(*words)))
            return;
    put(c, out, column, str_from(other), CONFORM_WORDS);
}

static bool is(const struct str out[FOCUS_COUNT], enum focus_column column, const char *word)
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
    if (is(out, FOCUS_ChargeCategory, "Purchase") && line->effective.coefficient != 0)
        put(c, out, FOCUS_ChargeCategory, STR("Usage"), CONFORM_PURCHASE);
    if (known(out[FOCUS_ChargeClass]) && !is(out, FOCUS_ChargeClass, "Correction"))
        put(c, out, FOCUS_ChargeClass, none, CONFORM_WORDS);
    if (is(out, FOCUS_ChargeCategory, "Purchase") &&
        is(out, FOCUS_ChargeFrequency, "Usage-Based"))
        put(c, out, FOCUS_ChargeFrequency, STR("One-Time"), CONFORM_WORDS);
    one_of(c, out, FOCUS_ChargeFrequency, often,
           is(out, FOCUS_ChargeCategory, "Usage") ? "Usage-Based" : "One-Time");
}

static void services(struct conform *c, struct str out[FOCUS_COUNT])
{
    if (!category_known(out[FOCUS_ServiceCategory]))
        put(c, out, FOCUS_ServiceCategory, STR("Other"), CONFORM_CATEGORY);
    put(c, out, FOCUS_ServiceSubcategory,
        category_part(out[FOCUS_ServiceCategory], out[FOCUS_ServiceSubcategory]),
        CONFORM_CATEGORY);
    fill(c, out, FOCUS_ServiceName, STR("Unspecified"), CONFORM_NAMES);
}

/* A name or type goes with its id: neither without the other. */
static void pair(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column id,
                 enum focus_column with, struct str otherwise)
{
    if (!known(out[id]))
        put(c, out, with, none, CONFORM_NAMES);
    else
        fill(c, out, with, otherwise, CONFORM_NAMES);
}

static void names(struct conform *c, struct str out[FOCUS_COUNT])
{
    struct str provider = known(out[FOCUS_ProviderName]) ? out[FOCUS_ProviderName]
                                                         : out[FOCUS_ServiceProviderName];

    if (!known(provider))
        provider = known(out[FOCUS_InvoiceIssuerName]) ? out[FOCUS_InvoiceIssuerName]
                                                       : STR("Unspecified");
    fill(c, out, FOCUS_ProviderName, provider, CONFORM_NAMES);
    fill(c, out, FOCUS_PublisherName, provider, CONFORM_NAMES);
    fill(c, out, FOCUS_ServiceProviderName, provider, CONFORM_NAMES);
    fill(c, out, FOCUS_HostProviderName, provider, CONFORM_NAMES);
    /* 1.2 allows no billed cost where the two differ, and tells by the words alone. */
    put(c, out, FOCUS_InvoiceIssuerName, provider, CONFORM_ISSUER);
    fill(c, out, FOCUS_BillingAccountId, STR("Unspecified"), CONFORM_NAMES);
    fill(c, out, FOCUS_BillingAccountName, out[FOCUS_BillingAccountId], CONFORM_NAMES);
    fill(c, out, FOCUS_BillingAccountType, STR("Billing Account"), CONFORM_NAMES);
    pair(c, out, FOCUS_SubAccountId, FOCUS_SubAccountName, out[FOCUS_SubAccountId]);
    pair(c, out, FOCUS_SubAccountId, FOCUS_SubAccountType, STR("Sub Account"));
    pair(c, out, FOCUS_RegionId, FOCUS_RegionName, out[FOCUS_RegionId]);
    pair(c, out, FOCUS_ResourceId, FOCUS_ResourceType, STR("Resource"));
    pair(c, out, FOCUS_ResourceId, FOCUS_ResourceName, none);
}

#define SKU_PART 200 /* bytes of a service or description in a made-up SKU */

/* The beginning of a text, without half a character at its end. */
static struct str beginning(struct str text)
{
    size_t len = text.len < SKU_PART ? text.len : SKU_PART;

    while (len < text.len && len > 0 && ((unsigned char)text.at[len] & 0xc0) == 0x80)
        len--;
    return (struct str){text.at, len};
}

static bool is_charge(const struct str out[FOCUS_COUNT])
{
    return (is(out, FOCUS_ChargeCategory, "Usage") ||
            is(out, FOCUS_ChargeCategory, "Purchase")) &&
           !is(out, FOCUS_ChargeClass, "Correction");
}

static void skus(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const char *const pricing[] = {"Standard", "Dynamic", "Committed", "Other", NULL};

    if (known(out[FOCUS_SkuPriceId]))
        fill(c, out, FOCUS_SkuId, out[FOCUS_SkuPriceId], CONFORM_SKU);
    fill(c, out, FOCUS_SkuPriceId, out[FOCUS_SkuId], CONFORM_SKU);
    if (is_charge(out) && !known(out[FOCUS_SkuId])) {
        size_t from = c->used;

        (void)keep(c, beginning(out[FOCUS_ServiceName]));
        (void)keep(c, STR("/"));
        (void)keep(c, beginning(out[FOCUS_ChargeDescription]));
        out[FOCUS_SkuId] = out[FOCUS_SkuPriceId] = (struct str){c->room + from, c->used - from};
        c->touched |= 1u << CONFORM_SKU;
    }
    if (!known(out[FOCUS_SkuId]))
        put(c, out, FOCUS_SkuMeter, none, CONFORM_SKU);
    else
        fill(c, out, FOCUS_SkuMeter, out[FOCUS_ServiceName], CONFORM_SKU);
    if (!known(out[FOCUS_SkuPriceId]))
        put(c, out, FOCUS_SkuPriceDetails, none, CONFORM_SKU);
    if (is_charge(out) || known(out[FOCUS_PricingCategory]))
        one_of(c, out, FOCUS_PricingCategory, pricing,
               known(out[FOCUS_PricingCategory]) ? "Other" : "Standard");
}

static void tax(struct conform *c, struct str out[FOCUS_COUNT])
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
        put(c, out, absent[i], none, CONFORM_TAX);
}

static void commitments(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const enum focus_column details[] = {
        FOCUS_CommitmentDiscountName,     FOCUS_CommitmentDiscountCategory,
        FOCUS_CommitmentDiscountType,     FOCUS_CommitmentDiscountStatus,
        FOCUS_CommitmentDiscountQuantity, FOCUS_CommitmentDiscountUnit};
    static const char *const categories[] = {"Spend", "Usage", NULL};
    static const char *const states[] = {"Used", "Unused", NULL};
    bool usage = is(out, FOCUS_ChargeCategory, "Usage");

    if (!known(out[FOCUS_CommitmentDiscountId])) {
        for (size_t i = 0; i < ARRAY_LEN(details); i++)
            put(c, out, details[i], none, CONFORM_COMMITMENT);
        return;
    }
    one_of(c, out, FOCUS_CommitmentDiscountCategory, categories, "Usage");
    fill(c, out, FOCUS_CommitmentDiscountType, STR("Commitment"), CONFORM_COMMITMENT);
    fill(c, out, FOCUS_CommitmentDiscountName, out[FOCUS_CommitmentDiscountId],
         CONFORM_COMMITMENT);
    if (usage)
        one_of(c, out, FOCUS_CommitmentDiscountStatus, states, "Used");
    else
        put(c, out, FOCUS_CommitmentDiscountStatus, none, CONFORM_COMMITMENT);
    if (!is_charge(out)) {
        put(c, out, FOCUS_CommitmentDiscountQuantity, none, CONFORM_COMMITMENT);
        put(c, out, FOCUS_CommitmentDiscountUnit, none, CONFORM_COMMITMENT);
        return;
    }
    if (!known(out[FOCUS_CommitmentDiscountQuantity]))
        put(c, out, FOCUS_CommitmentDiscountUnit, out[FOCUS_PricingUnit], CONFORM_COMMITMENT);
    fill(c, out, FOCUS_CommitmentDiscountQuantity, out[FOCUS_PricingQuantity],
         CONFORM_COMMITMENT);
    fill(c, out, FOCUS_CommitmentDiscountUnit, out[FOCUS_PricingUnit], CONFORM_COMMITMENT);
}

static void reservations(struct conform *c, struct str out[FOCUS_COUNT])
{
    static const char *const states[] = {"Used", "Unused", NULL};

    if (!known(out[FOCUS_CapacityReservationId]))
        put(c, out, FOCUS_CapacityReservationStatus, none, CONFORM_COMMITMENT);
    else if (is(out, FOCUS_ChargeCategory, "Usage") ||
             known(out[FOCUS_CapacityReservationStatus]))
        one_of(c, out, FOCUS_CapacityReservationStatus, states, "Used");
}

/* Is it an object whose values are no containers? */
static bool is_flat(struct str json, const struct alloc *alloc)
{
    struct json_options options = {.alloc = alloc};
    struct json_token t = {0};
    struct error ignored = {0};
    struct json *j = json_open_text(json, &options, &ignored);
    bool flat = j != NULL && json_next(j, &t, &ignored) && t.kind == JSON_OBJECT;

    while (flat && t.kind != JSON_END)
        flat = json_next(j, &t, &ignored) &&
               (t.depth == 0 || (t.kind != JSON_OBJECT && t.kind != JSON_ARRAY));
    json_close(j);
    return flat;
}

/* What is no flat object becomes one with a single tag that has it as its text. */
static void flatten(struct conform *c, struct str out[FOCUS_COUNT], enum focus_column column,
                    struct buf *to)
{
    buf_clear(to);
    if (!known(out[column]) || is_flat(out[column], to->alloc))
        return;
    buf_adds(to, "{\"x_Text\":");
    json_write_text(out[column], to);
    buf_char(to, '}');
    put(c, out, column, buf_text(to), CONFORM_TAGS);
}

/* Numbers as they may be written: no plus sign, no exponent. What is none is left out. */
static void numbers(struct conform *c, struct str out[FOCUS_COUNT])
{
    for (int i = 0; i < FOCUS_COUNT; i++) {
        struct decimal value;

        if (focus_columns[i].kind != FOCUS_DECIMAL || !known(out[i]))
            continue;
        if (decimal_parse(out[i], &value))
            out[i] = conform_decimal(c, value);
        else
            put(c, out, (enum focus_column)i, none, CONFORM_QUANTITY);
    }
}

bool conform_line(struct conform *c, const struct bill_line *line, struct str out[FOCUS_COUNT],
                  struct error *err)
{
    memcpy(out, line->of, sizeof line->of);
    c->used = 0;
    c->touched = 0;
    numbers(c, out);
    out[FOCUS_ChargePeriodStart] = moment(c, line->start);
    out[FOCUS_ChargePeriodEnd] = moment(c, line->end);
    out[FOCUS_BillingPeriodStart] = moment(c, line->period_start);
    out[FOCUS_BillingPeriodEnd] = moment(c, line->period_end);
    out[FOCUS_BilledCost] = conform_decimal(c, line->billed);
    out[FOCUS_EffectiveCost] = conform_decimal(c, line->effective);
    charge_words(c, out, line);
    services(c, out);
    names(c, out);
    skus(c, out);
    if (is(out, FOCUS_ChargeCategory, "Tax"))
        tax(c, out);
    fill(c, out, FOCUS_ChargeDescription,
         known(out[FOCUS_SkuMeter]) ? out[FOCUS_SkuMeter] : out[FOCUS_ServiceName],
         CONFORM_DESCRIPTION);
    conform_prices(c, line, out);
    commitments(c, out);
    reservations(c, out);
    flatten(c, out, FOCUS_Tags, &c->tags);
    flatten(c, out, FOCUS_SkuPriceDetails, &c->details);
    for (int i = 0; i < CONFORM_CHANGES; i++)
        c->changed[i] += c->touched >> i & 1;
    return buf_ok(&c->tags, err) && buf_ok(&c->details, err) && buf_ok(&c->scratch, err);
}
