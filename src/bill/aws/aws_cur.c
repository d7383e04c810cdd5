/* AWS Cost and Usage Reports: 1 (slashes, or Athena's underscores) and 2.0 (maps). */
#include <inttypes.h>
#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "bill/map.h"
#include "doc/json_write.h"

/* Columns as CUR 1 names them. CUR 2.0 and Athena have the same words with other signs between
 * them, which bill_name_eq() does not see. */
#define CUR_COLUMNS(X) \
    X(line_id, "identity/LineItemId") \
    X(time_interval, "identity/TimeInterval") \
    X(invoice, "bill/InvoiceId") \
    X(invoicing_entity, "bill/InvoicingEntity") \
    X(payer, "bill/PayerAccountId") \
    X(payer_name, "bill/PayerAccountName") \
    X(period_start, "bill/BillingPeriodStartDate") \
    X(period_end, "bill/BillingPeriodEndDate") \
    X(account, "lineItem/UsageAccountId") \
    X(account_name, "lineItem/UsageAccountName") \
    X(type, "lineItem/LineItemType") \
    X(start, "lineItem/UsageStartDate") \
    X(end, "lineItem/UsageEndDate") \
    X(product_code, "lineItem/ProductCode") \
    X(usage_type, "lineItem/UsageType") \
    X(operation, "lineItem/Operation") \
    X(zone, "lineItem/AvailabilityZone") \
    X(resource, "lineItem/ResourceId") \
    X(amount, "lineItem/UsageAmount") \
    X(currency, "lineItem/CurrencyCode") \
    X(unblended_rate, "lineItem/UnblendedRate") \
    X(unblended, "lineItem/UnblendedCost") \
    X(net_unblended, "lineItem/NetUnblendedCost") \
    X(description, "lineItem/LineItemDescription") \
    X(legal_entity, "lineItem/LegalEntity") \
    X(product_name, "product/ProductName") \
    X(instance_type, "product/instanceType") \
    X(region, "product/region") \
    X(region_code, "product/regionCode") \
    X(location, "product/location") \
    X(location_type, "product/locationType") \
    X(vcpu, "product/vcpu") \
    X(gpu, "product/gpu") \
    X(system, "product/operatingSystem") \
    X(storage_class, "product/storageClass") \
    X(volume, "product/volumeApiName") \
    X(sku, "product/sku") \
    X(purchase_option, "product/PurchaseOption") \
    X(rate_code, "pricing/RateCode") \
    X(rate_id, "pricing/RateId") \
    X(list_cost, "pricing/publicOnDemandCost") \
    X(list_rate, "pricing/publicOnDemandRate") \
    X(term, "pricing/term") \
    X(unit, "pricing/unit") \
    X(ri_arn, "reservation/ReservationARN") \
    X(ri_subscription, "reservation/SubscriptionId") \
    X(ri_cost, "reservation/EffectiveCost") \
    X(ri_net_cost, "reservation/NetEffectiveCost") \
    X(ri_unused_upfront, "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod") \
    X(ri_unused_fee, "reservation/UnusedRecurringFee") \
    X(ri_net_unused_upfront, "reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod") \
    X(ri_net_unused_fee, "reservation/NetUnusedRecurringFee") \
    X(sp_arn, "savingsPlan/SavingsPlanARN") \
    X(sp_cost, "savingsPlan/SavingsPlanEffectiveCost") \
    X(sp_net_cost, "savingsPlan/NetSavingsPlanEffectiveCost") \
    X(sp_commitment, "savingsPlan/TotalCommitmentToDate") \
    X(sp_used, "savingsPlan/UsedCommitment") \
    X(product_map, "product") \
    X(tag_map, "resource_tags") \
    X(category_map, "cost_category")

enum cur_column {
#define CUR_ENUM(name, label) CUR_##name,
    CUR_COLUMNS(CUR_ENUM)
#undef CUR_ENUM
        CUR_COUNT
};

#define CUR_FIRST_PRODUCT CUR_product_name
#define CUR_LAST_PRODUCT CUR_purchase_option

struct cur_state {
    struct str product[CUR_COUNT]; /* of this row's map, where the row has no such column */
};

static const struct bill_field cur_names[] = {
#define CUR_NAME(name, label) {(label), CUR_##name},
    CUR_COLUMNS(CUR_NAME)
#undef CUR_NAME
};

/* What a line item of AWS cost. Commitments are paid in one line and used in others: billed
 * cost follows the invoice, effective cost follows the use. */

static const struct cur_type types[] = {
    {"Usage", "Usage", NULL, "Usage-Based", "Standard", true},
    {"DiscountedUsage", "Usage", NULL, "Usage-Based", "Committed", true},
    {"SavingsPlanCoveredUsage", "Usage", NULL, "Usage-Based", "Committed", true},
    {"SavingsPlanNegation", "Usage", NULL, "Usage-Based", NULL, false},
    {"BundledDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"Discount", "Usage", NULL, "Usage-Based", NULL, false},
    {"EdpDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"PrivateRateDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"RiVolumeDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"Fee", "Purchase", NULL, "One-Time", "Standard", false},
    {"RIFee", "Purchase", NULL, "Recurring", "Standard", false},
    {"SavingsPlanUpfrontFee", "Purchase", NULL, "One-Time", "Standard", false},
    {"SavingsPlanRecurringFee", "Purchase", NULL, "Recurring", "Standard", false},
    {"Tax", "Tax", NULL, "One-Time", NULL, false},
    {"Credit", "Credit", NULL, "One-Time", NULL, false},
    {"Refund", "Adjustment", "Correction", "One-Time", NULL, false},
};

/* The cell of this row, its product map included; unknown when there is none. */
static struct str cur_cell(const struct bill *bill, enum cur_column column)
{
    struct str cell = bill_field(bill, column);

    return cell.at != NULL ? cell : ((const struct cur_state *)bill->state)->product[column];
}

static struct str cur_either(const struct bill *bill, enum cur_column a, enum cur_column b)
{
    struct str cell = cur_cell(bill, a);

    return cell.at != NULL ? cell : cur_cell(bill, b);
}

const struct cur_type *cur_type_of(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (bill_name_eq(name, str_from(types[i].name)))
            return &types[i];
    return &types[0];
}

/* The value of a column: its text is unknown when it is empty, and the amount 0. */
struct cur_value {
    struct str text;
    struct decimal amount;
};

static bool read_cur_amount(struct bill *bill, enum cur_column column, struct cur_value *out,
                            struct error *err)
{
    out->text = cur_cell(bill, column);
    out->amount = (struct decimal){0};
    return out->text.at == NULL ||
           bill_amount(bill, cur_names[column].name, &out->text, &out->amount, err);
}

/* Where the account has discounts, the net columns are what is asked for. */
static bool net_or(struct bill *bill, enum cur_column net, enum cur_column gross,
                   struct cur_value *out, struct error *err)
{
    if (!read_cur_amount(bill, net, out, err))
        return false;
    return out->text.at != NULL || read_cur_amount(bill, gross, out, err);
}

static struct decimal negated_amount(struct decimal d)
{
    return (struct decimal){-d.coefficient, d.scale};
}

static bool sum_of(struct bill *bill, struct decimal a, struct decimal b, struct bill_line *out,
                   struct error *err)
{
    if (!decimal_add(a, b, &out->effective))
        return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": the cost has too many digits",
                          bill->row.line);
    return bill_decimal_text(bill, out->effective, &out->of[FOCUS_EffectiveCost], err);
}

/* A fee is paid for use that other lines show: what it leaves is the part that was not used. */
static bool unused_reservation(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct cur_value upfront, fee;

    if (!net_or(bill, CUR_ri_net_unused_upfront, CUR_ri_unused_upfront, &upfront, err) ||
        !net_or(bill, CUR_ri_net_unused_fee, CUR_ri_unused_fee, &fee, err))
        return false;
    return (upfront.text.at == NULL && fee.text.at == NULL) ||
           sum_of(bill, upfront.amount, fee.amount, out, err);
}

static bool unused_plan(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct cur_value promised, used;

    if (!read_cur_amount(bill, CUR_sp_commitment, &promised, err) ||
        !read_cur_amount(bill, CUR_sp_used, &used, err))
        return false;
    return promised.text.at == NULL || used.text.at == NULL ||
           sum_of(bill, promised.amount, negated_amount(used.amount), out, err);
}

/* Takes the place of the billed cost when the columns have it. */
static bool own_cost(struct bill *bill, enum cur_column net, enum cur_column gross,
                     struct bill_line *out, struct error *err)
{
    struct cur_value cost;

    if (!net_or(bill, net, gross, &cost, err))
        return false;
    if (cost.text.at != NULL) {
        out->effective = cost.amount;
        out->of[FOCUS_EffectiveCost] = cost.text;
    }
    return true;
}

static void zero_amount(struct bill_line *out)
{
    out->effective = (struct decimal){0};
    out->of[FOCUS_EffectiveCost] = STR("0");
}

static bool effective_cost(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str type = cur_cell(bill, CUR_type);

    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    if (str_eq(type, STR("SavingsPlanCoveredUsage")))
        return own_cost(bill, CUR_sp_net_cost, CUR_sp_cost, out, err);
    if (str_eq(type, STR("DiscountedUsage")))
        return own_cost(bill, CUR_ri_net_cost, CUR_ri_cost, out, err);
    if (str_eq(type, STR("SavingsPlanRecurringFee")))
        return unused_plan(bill, out, err);
    if (str_eq(type, STR("RIFee")))
        return unused_reservation(bill, out, err);
    if (str_eq(type, STR("SavingsPlanNegation")) ||
        str_eq(type, STR("SavingsPlanUpfrontFee")) ||
        (str_eq(type, STR("Fee")) && cur_cell(bill, CUR_ri_arn).at != NULL))
        zero_amount(out);
    return true;
}

/* What it would have cost on demand: known of usage. The lines that take back what a plan
 * covers have no price of their own. */
static bool list_cost(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str type = cur_cell(bill, CUR_type);
    struct decimal zero = {0};
    struct cur_value list;

    out->list = out->contracted = out->billed;
    if (str_eq(type, STR("SavingsPlanNegation"))) {
        out->list = out->contracted = zero;
        out->of[FOCUS_ListCost] = out->of[FOCUS_ContractedCost] = STR("0");
        out->list_known = out->contracted_known = true;
        return true;
    }
    if (!cur_type_of(type)->usage)
        return true;
    if (!read_cur_amount(bill, CUR_list_cost, &list, err))
        return false;
    if (list.text.at == NULL)
        return true;
    out->list = list.amount;
    out->list_known = true;
    out->of[FOCUS_ListCost] = list.text;
    /* Usage of a reservation is billed 0: its price without it is the public one. */
    if (str_eq(type, STR("DiscountedUsage"))) {
        out->contracted = out->list;
        out->contracted_known = true;
        out->of[FOCUS_ContractedCost] = list.text;
    }
    return true;
}

/* Billed, effective, list and contracted cost. Adds to the file's total. */
static bool cur_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct cur_value billed;

    if (!net_or(bill, CUR_net_unblended, CUR_unblended, &billed, err))
        return false;
    out->billed = billed.amount;
    out->of[FOCUS_BilledCost] = billed.text.at != NULL ? billed.text : STR("0");
    bill_sum_add(&bill->total, out->billed);
    return effective_cost(bill, out, err) && list_cost(bill, out, err);
}

/* Tags of AWS: a column for each, or a map. What users wrote has no prefix in FOCUS, what AWS
 * wrote has "aws:". */

static bool cut_head(struct str *name, struct str head)
{
    if (name->len <= head.len || !str_eq_nocase((struct str){name->at, head.len}, head))
        return false;
    *name = (struct str){name->at + head.len, name->len - head.len};
    return true;
}

/* "user:team" and "user_team" are the tag team; "aws:createdBy" stays AWS's. */
static void write_cur_key(struct str name, struct buf *key)
{
    if (cut_head(&name, STR("aws:")) || cut_head(&name, STR("aws_")))
        buf_adds(key, "aws:");
    else if (!cut_head(&name, STR("user:")))
        (void)cut_head(&name, STR("user_"));
    buf_add(key, name);
}

/* A column that holds a tag or a cost category: false when it is neither. */
static bool cur_tag_column(struct str name, struct buf *key)
{
    if (cut_head(&name, STR("costCategory/")) || cut_head(&name, STR("cost_category_"))) {
        buf_adds(key, "costCategory:");
        buf_add(key, name);
        return true;
    }
    if (!cut_head(&name, STR("resourceTags/")) && !cut_head(&name, STR("resource_tags_")))
        return false;
    write_cur_key(name, key);
    return true;
}

struct tag_writer {
    struct buf *out;
    const char *prefix; /* NULL: resource tags */
};

static bool put_cur_tag(void *ctx, struct str key, struct str value, struct error *err)
{
    const struct tag_writer *w = ctx;
    struct buf name = buf_new(w->out->alloc, (size_t)1 << 20);
    bool fine;

    if (value.len == 0)
        return true;
    if (w->prefix != NULL) {
        buf_adds(&name, w->prefix);
        buf_add(&name, key);
    } else {
        write_cur_key(key, &name);
    }
    fine = buf_ok(&name, err);
    if (fine)
        bill_put(w->out, buf_text(&name), value);
    buf_free(&name);
    return fine;
}

/* Tags of the row as a JSON object, from columns or from the map. */
static bool cur_tags(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct tag_writer tags = {&bill->work, NULL}, categories = {&bill->work, "costCategory:"};
    struct str map = bill_field(bill, CUR_tag_map);
    struct str category = bill_field(bill, CUR_category_map);

    buf_clear(&bill->work);
    bill_put_tags(bill);
    if ((map.at != NULL && !bill_map(bill, "resource_tags", map, put_cur_tag, &tags, err)) ||
        (category.at != NULL &&
         !bill_map(bill, "cost_category", category, put_cur_tag, &categories, err)))
        return false;
    return bill_object(bill, &out->of[FOCUS_Tags], err);
}

static bool take_product(void *ctx, struct str key, struct str value, struct error *err)
{
    struct bill *bill = ctx;
    struct cur_state *state = bill->state;

    if (value.len == 0)
        return true;
    for (int c = CUR_FIRST_PRODUCT; c <= CUR_LAST_PRODUCT; c++)
        if (bill_name_eq(key, str_from(cur_names[c].name + sizeof "product/" - 1)))
            return bill_text(bill, value, &state->product[c], err);
    return true;
}

/* Read the map of the product into state->product. */
static bool cur_product_map(struct bill *bill, struct error *err)
{
    struct cur_state *state = bill->state;
    struct str map = bill_field(bill, CUR_product_map);

    if (!bill_has(bill, CUR_product_map))
        return true;
    *state = (struct cur_state){0};
    return map.at == NULL || bill_map(bill, "product", map, take_product, bill, err);
}

/* ---- the reader ---- */

static int recognize_any(const struct bill_head *head)
{
    static const char *const marks[] = {
        "lineItem/UnblendedCost",      "lineItem/LineItemType", "lineItem/UsageStartDate",
        "lineItem/ProductCode",        "bill/PayerAccountId",   "lineItem/UsageAccountId",
        "bill/BillingPeriodStartDate", "lineItem/UsageType",    NULL};

    return 12 * bill_head_count(head, marks);
}

static bool is_second(const struct bill_head *head)
{
    static const char *const maps[] = {
        "resource_tags",           "product", "discount", "cost_category",
        "bill_payer_account_name", NULL};

    return bill_head_count(head, maps) > 0;
}

static int recognize_1(const struct bill_head *head)
{
    return is_second(head) ? 0 : recognize_any(head);
}

static int recognize_2(const struct bill_head *head)
{
    return is_second(head) ? recognize_any(head) : 0;
}

static const unsigned amounts[] = {CUR_unblended,   CUR_net_unblended, CUR_list_cost,
                                   CUR_ri_cost,     CUR_ri_net_cost,   CUR_sp_cost,
                                   CUR_sp_net_cost, BILL_FIELD_IGNORED};
static const struct bill_need needs[] = {
    {"lineItem/UnblendedCost", {CUR_unblended, CUR_net_unblended, BILL_FIELD_IGNORED}},
    {"lineItem/UsageStartDate",
     {CUR_start, CUR_time_interval, CUR_period_start, BILL_FIELD_IGNORED}},
};
static const struct bill_fields fields = {.names = cur_names,
                                          .name_count = ARRAY_LEN(cur_names),
                                          .field_count = CUR_COUNT,
                                          .amounts = amounts,
                                          .needs = needs,
                                          .need_count = ARRAY_LEN(needs),
                                          .tag = cur_tag_column};

static bool cur_columns(struct bill *bill, size_t first, struct error *err)
{
    size_t cost;

    if (first == 0) {
        bill->state = arena_array(&bill->arena, struct cur_state, 1, err);
        if (bill->state == NULL)
            return false;
        if (bill->about.format == BILL_AWS_CUR2)
            bill->about.version = "2.0";
        else
            bill->about.version =
                bill->column_count > 0 && memchr(bill->columns[0].at, '/', bill->columns[0].len)
                    ? "1"
                    : "1, Athena";
    }
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    cost = bill->at[bill_has(bill, CUR_net_unblended) ? CUR_net_unblended : CUR_unblended];
    bill->total_column = cost != BILL_NO_COLUMN ? bill->columns[cost].at : "UnblendedCost";
    return bill->json != NULL || bill_fields_check(bill, &fields, err);
}

/* ---- regions: where they are, in the words of price lists, and the codes of usage types
 * ---- */

static const struct {
    const char *region, *code, *place;
} regions[] = {
    {"us-east-1", "USE1", "US East (N. Virginia)"},
    {"us-east-2", "USE2", "US East (Ohio)"},
    {"us-west-1", "USW1", "US West (N. California)"},
    {"us-west-2", "USW2", "US West (Oregon)"},
    {"us-gov-west-1", "UGW1", "AWS GovCloud (US-West)"},
    {"us-gov-east-1", "UGE1", "AWS GovCloud (US-East)"},
    {"ca-central-1", "CAN1", "Canada (Central)"},
    {"ca-west-1", "CAN2", "Canada West (Calgary)"},
    {"mx-central-1", "MXC1", "Mexico (Central)"},
    {"sa-east-1", "SAE1", "South America (Sao Paulo)"},
    {"eu-west-1", "EU", "Europe (Ireland)"},
    {"eu-west-1", "EUW1", "EU (Ireland)"},
    {"eu-west-2", "EUW2", "Europe (London)"},
    {"eu-west-3", "EUW3", "Europe (Paris)"},
    {"eu-central-1", "EUC1", "Europe (Frankfurt)"},
    {"eu-central-2", "EUC2", "Europe (Zurich)"},
    {"eu-north-1", "EUN1", "Europe (Stockholm)"},
    {"eu-south-1", "EUS1", "Europe (Milan)"},
    {"eu-south-2", "EUS2", "Europe (Spain)"},
    {"af-south-1", "AFS1", "Africa (Cape Town)"},
    {"me-south-1", "MES1", "Middle East (Bahrain)"},
    {"me-central-1", "MEC1", "Middle East (UAE)"},
    {"il-central-1", "ILC1", "Israel (Tel Aviv)"},
    {"ap-east-1", "APE1", "Asia Pacific (Hong Kong)"},
    {"ap-east-2", "APE2", "Asia Pacific (Taipei)"},
    {"ap-northeast-1", "APN1", "Asia Pacific (Tokyo)"},
    {"ap-northeast-2", "APN2", "Asia Pacific (Seoul)"},
    {"ap-northeast-3", "APN3", "Asia Pacific (Osaka)"},
    {"ap-southeast-1", "APS1", "Asia Pacific (Singapore)"},
    {"ap-southeast-2", "APS2", "Asia Pacific (Sydney)"},
    {"ap-south-1", "APS3", "Asia Pacific (Mumbai)"},
    {"ap-southeast-3", "APS4", "Asia Pacific (Jakarta)"},
    {"ap-south-2", "APS5", "Asia Pacific (Hyderabad)"},
    {"ap-southeast-4", "APS6", "Asia Pacific (Melbourne)"},
    {"ap-southeast-5", "APS7", "Asia Pacific (Malaysia)"},
    {"cn-north-1", "CNN1", "China (Beijing)"},
    {"cn-northwest-1", "CNW1", "China (Ningxia)"},
};

/* "EU (Frankfurt)" is what "Europe (Frankfurt)" was called. */
static struct str without_continent(struct str place)
{
    if (str_starts(place, STR("Europe ")))
        return (struct str){place.at + 7, place.len - 7};
    if (str_starts(place, STR("EU ")))
        return (struct str){place.at + 3, place.len - 3};
    return place;
}

static struct str region_at(struct str location)
{
    struct str wanted = without_continent(str_trim(location));

    for (size_t i = 0; i < ARRAY_LEN(regions); i++)
        if (str_eq_nocase(without_continent(str_from(regions[i].place)), wanted))
            return str_from(regions[i].region);
    return (struct str){0};
}

static struct str usage_region(struct str usage)
{
    struct str rest = usage, code = str_cut(&rest, '-');

    if (rest.len == 0 || code.len == usage.len)
        return (struct str){0};
    for (size_t i = 0; i < ARRAY_LEN(regions); i++)
        if (str_eq(str_from(regions[i].code), code))
            return str_from(regions[i].region);
    return (struct str){0};
}

/* ---- a row ---- */

/* Columns of FOCUS that are a column of the report. */
static void copy_cur_cells(const struct bill *bill, const struct cur_type *type,
                           struct bill_line *out)
{
    static const struct bill_copy copies[] = {
        {FOCUS_AvailabilityZone, CUR_zone},
        {FOCUS_BillingAccountId, CUR_payer},
        {FOCUS_BillingAccountName, CUR_payer_name},
        {FOCUS_BillingCurrency, CUR_currency},
        {FOCUS_InvoiceId, CUR_invoice},
        {FOCUS_SubAccountId, CUR_account},
        {FOCUS_SubAccountName, CUR_account_name},
        {FOCUS_ResourceId, CUR_resource},
        {FOCUS_SkuId, CUR_sku},
        {FOCUS_SkuMeter, CUR_usage_type},
        {FOCUS_ListUnitPrice, CUR_list_rate},
    };

    for (size_t i = 0; i < ARRAY_LEN(copies); i++)
        out->of[copies[i].to] = cur_cell(bill, copies[i].from);
    out->of[FOCUS_ChargeDescription] = bill_field_words(bill, CUR_description);
    out->of[FOCUS_SkuPriceId] = cur_either(bill, CUR_rate_code, CUR_rate_id);
    if (type->usage) {
        out->of[FOCUS_ConsumedQuantity] = cur_cell(bill, CUR_amount);
        out->of[FOCUS_ConsumedUnit] = cur_cell(bill, CUR_unit);
    }
    if (type->pricing != NULL) {
        out->of[FOCUS_PricingQuantity] = cur_cell(bill, CUR_amount);
        out->of[FOCUS_PricingUnit] = cur_cell(bill, CUR_unit);
        out->of[FOCUS_ContractedUnitPrice] = cur_cell(bill, CUR_unblended_rate);
    }
}

static void set_cur_text(struct bill_line *out, enum focus_column c, const char *text)
{
    out->of[c] = text != NULL ? str_from(text) : (struct str){0};
}

static void set_parties(const struct bill *bill, struct bill_line *out)
{
    struct str issuer = cur_cell(bill, CUR_invoicing_entity);
    struct str publisher = cur_cell(bill, CUR_legal_entity);

    out->of[FOCUS_PublisherName] = publisher;
    bill_provider(out, STR("AWS"));
    if (issuer.at != NULL)
        out->of[FOCUS_InvoiceIssuerName] = issuer;
}

static void set_service(const struct bill *bill, struct bill_line *out)
{
    struct str code = cur_cell(bill, CUR_product_code);
    struct str name = cur_cell(bill, CUR_product_name);
    struct aws_service service = aws_service_of(code);

    if (name.at == NULL)
        name = service.name != NULL ? str_from(service.name) : code;
    out->of[FOCUS_ServiceName] = name;
    set_cur_text(out, FOCUS_ServiceCategory, service.category);
}

/* The region itself, or that of the zone ("us-east-1a" is in us-east-1), of the place as it is
 * written out, or of the usage type's prefix. */
static void set_cur_region(const struct bill *bill, struct bill_line *out)
{
    struct str region = cur_either(bill, CUR_region_code, CUR_region);
    struct str zone = out->of[FOCUS_AvailabilityZone];

    if (region.at == NULL && zone.len > 4 && zone.at[zone.len - 1] >= 'a' &&
        is_digit(zone.at[zone.len - 2]))
        region = (struct str){zone.at, zone.len - 1};
    if (region.at == NULL)
        region = region_at(cur_cell(bill, CUR_location));
    if (region.at == NULL)
        region = usage_region(cur_cell(bill, CUR_usage_type));
    out->of[FOCUS_RegionId] = region;
    if (region.at != NULL &&
        str_eq_nocase(cur_cell(bill, CUR_location_type), STR("AWS Region")))
        out->of[FOCUS_RegionName] = cur_cell(bill, CUR_location);
}

static bool is_cur_spot(const struct bill *bill)
{
    struct str operation = cur_cell(bill, CUR_operation);

    return str_has_nocase(cur_cell(bill, CUR_usage_type), STR("SpotUsage")) ||
           str_eq_nocase(cur_cell(bill, CUR_term), STR("Spot")) ||
           str_starts(cur_cell(bill, CUR_purchase_option), STR("Spot")) ||
           str_starts(operation, STR("RunInstances:SV"));
}

static void set_charge(const struct bill *bill, const struct cur_type *type,
                       struct bill_line *out)
{
    struct str plan = cur_cell(bill, CUR_sp_arn);
    struct str reserved = cur_either(bill, CUR_ri_arn, CUR_ri_subscription);

    set_cur_text(out, FOCUS_ChargeCategory, type->category);
    set_cur_text(out, FOCUS_ChargeClass, type->class);
    set_cur_text(out, FOCUS_ChargeFrequency, type->frequency);
    set_cur_text(out, FOCUS_PricingCategory, type->pricing);
    if (type->usage && type->pricing != NULL && strcmp(type->pricing, "Standard") == 0 &&
        is_cur_spot(bill))
        set_cur_text(out, FOCUS_PricingCategory, "Dynamic");
    if (plan.at == NULL && (reserved.at == NULL || strcmp(type->category, "Tax") == 0))
        return;
    out->of[FOCUS_CommitmentDiscountId] = plan.at != NULL ? plan : reserved;
    set_cur_text(out, FOCUS_CommitmentDiscountCategory, plan.at != NULL ? "Spend" : "Usage");
    set_cur_text(out, FOCUS_CommitmentDiscountType,
                 plan.at != NULL ? "Savings Plan" : "Reserved Instance");
    if (type->pricing != NULL && strcmp(type->pricing, "Committed") == 0)
        set_cur_text(out, FOCUS_CommitmentDiscountStatus, "Used");
}

static struct str cur_instance(const struct bill *bill)
{
    struct str type = cur_cell(bill, CUR_instance_type);

    return type.at != NULL ? type : aws_usage_instance(cur_cell(bill, CUR_usage_type));
}

static void put_detail(struct buf *out, const char *key, struct str value)
{
    if (value.at != NULL)
        bill_put(out, str_from(key), value);
}

/* A count, which JSON has without quotes. */
static void put_cur_count(struct buf *out, const char *key, struct str value)
{
    struct decimal d;

    if (value.at == NULL || value.at[0] < '1' || value.at[0] > '9' || !decimal_parse(value, &d))
        return;
    buf_char(out, out->len == 0 ? '{' : ',');
    json_write_text(str_from(key), out);
    buf_char(out, ':');
    buf_add(out, value);
}

static bool set_details(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct buf *work = &bill->work;
    struct str tier = cur_either(bill, CUR_storage_class, CUR_volume);

    buf_clear(work);
    put_detail(work, "InstanceType", cur_instance(bill));
    put_cur_count(work, "CoreCount", cur_cell(bill, CUR_vcpu));
    put_cur_count(work, "GpuCount", cur_cell(bill, CUR_gpu));
    put_detail(work, "OperatingSystem", cur_cell(bill, CUR_system));
    put_detail(work, "StorageClass", tier);
    return bill_object(bill, &out->of[FOCUS_SkuPriceDetails], err);
}

static bool set_cur_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str end = cur_cell(bill, CUR_time_interval), start = str_cut(&end, '/');
    struct str from = cur_cell(bill, CUR_start), to = cur_cell(bill, CUR_end);
    struct str first = cur_cell(bill, CUR_period_start);
    struct str last = cur_cell(bill, CUR_period_end);

    if (from.at == NULL)
        from = start.len > 0 ? start : first;
    if (to.at == NULL)
        to = end.len > 0 ? end : from.at == first.at && last.at != NULL ? last : from;
    if (!bill_time(bill, &bill->times[0], "UsageStartDate", from, &out->start, err) ||
        !bill_time(bill, &bill->times[1], "UsageEndDate", to, &out->end, err))
        return false;
    if (first.at == NULL || last.at == NULL) {
        bill_month_of(out);
        return true;
    }
    return bill_time(bill, &bill->times[2], "BillingPeriodStartDate", first, &out->period_start,
                     err) &&
           bill_time(bill, &bill->times[3], "BillingPeriodEndDate", last, &out->period_end,
                     err);
}

static enum bill_step cur_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct cur_type *type;

    *out = (struct bill_line){.id = bill_field(bill, CUR_line_id)};
    if (!cur_product_map(bill, err))
        return BILL_STEP_FAILED;
    type = cur_type_of(cur_cell(bill, CUR_type));
    copy_cur_cells(bill, type, out);
    bill_currency(bill, CUR_currency, out);
    set_parties(bill, out);
    set_service(bill, out);
    set_cur_region(bill, out);
    set_charge(bill, type, out);
    return set_details(bill, out, err) && cur_tags(bill, out, err) &&
                   cur_costs(bill, out, err) && set_cur_times(bill, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

const struct bill_reader bill_aws_cur = {
    .format = BILL_AWS_CUR,
    .name = "aws-cur",
    .title = "AWS Cost and Usage Report",
    .currency_column = "CurrencyCode",
    .end_column = "UsageEndDate",
    .recognize = recognize_1,
    .columns = cur_columns,
    .line = cur_line,
};

const struct bill_reader bill_aws_cur2 = {
    .format = BILL_AWS_CUR2,
    .name = "aws-cur2",
    .title = "AWS CUR 2.0",
    .currency_column = "CurrencyCode",
    .end_column = "UsageEndDate",
    .recognize = recognize_2,
    .columns = cur_columns,
    .line = cur_line,
};
