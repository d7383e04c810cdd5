/* AWS Cost and Usage Reports: 1 (slashes, or Athena's underscores) and 2.0 (maps). */
#include <inttypes.h>
#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "bill/map.h"
#include "doc/json_write.h"

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

static struct str cur_cell(const struct cur_state *state, const struct bill_row *row,
                           enum cur_column column);

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

static bool amount_of(struct bill *bill, const struct bill_row *row, enum cur_column column,
                      struct cur_value *out, struct error *err)
{
    out->text = cur_cell(bill->state, row, column);
    out->amount = (struct decimal){0};
    return out->text.at == NULL ||
           bill_amount(bill, cur_names[column], &out->text, &out->amount, err);
}

/* Where the account has discounts, the net columns are what is asked for. */
static bool net_or(struct bill *bill, const struct bill_row *row, enum cur_column net,
                   enum cur_column gross, struct cur_value *out, struct error *err)
{
    if (!amount_of(bill, row, net, out, err))
        return false;
    return out->text.at != NULL || amount_of(bill, row, gross, out, err);
}

static bool write_amount(struct bill *bill, struct decimal amount, struct str *out,
                         struct error *err)
{
    buf_clear(&bill->work);
    decimal_write(amount, &bill->work);
    return bill_text_work(bill, out, err);
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
    return write_amount(bill, out->effective, &out->of[FOCUS_EffectiveCost], err);
}

/* A fee is paid for use that other lines show: what it leaves is the part that was not used. */
static bool unused_reservation(struct bill *bill, const struct bill_row *row,
                               struct bill_line *out, struct error *err)
{
    struct cur_value upfront, fee;

    if (!net_or(bill, row, CUR_ri_net_unused_upfront, CUR_ri_unused_upfront, &upfront, err) ||
        !net_or(bill, row, CUR_ri_net_unused_fee, CUR_ri_unused_fee, &fee, err))
        return false;
    return (upfront.text.at == NULL && fee.text.at == NULL) ||
           sum_of(bill, upfront.amount, fee.amount, out, err);
}

static bool unused_plan(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                        struct error *err)
{
    struct cur_value promised, used;

    if (!amount_of(bill, row, CUR_sp_commitment, &promised, err) ||
        !amount_of(bill, row, CUR_sp_used, &used, err))
        return false;
    return promised.text.at == NULL || used.text.at == NULL ||
           sum_of(bill, promised.amount, negated_amount(used.amount), out, err);
}

/* Takes the place of the billed cost when the columns have it. */
static bool own_cost(struct bill *bill, const struct bill_row *row, enum cur_column net,
                     enum cur_column gross, struct bill_line *out, struct error *err)
{
    struct cur_value cost;

    if (!net_or(bill, row, net, gross, &cost, err))
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

static bool effective_cost(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                           struct error *err)
{
    struct str type = cur_cell(bill->state, row, CUR_type);

    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    if (str_eq(type, STR("SavingsPlanCoveredUsage")))
        return own_cost(bill, row, CUR_sp_net_cost, CUR_sp_cost, out, err);
    if (str_eq(type, STR("DiscountedUsage")))
        return own_cost(bill, row, CUR_ri_net_cost, CUR_ri_cost, out, err);
    if (str_eq(type, STR("SavingsPlanRecurringFee")))
        return unused_plan(bill, row, out, err);
    if (str_eq(type, STR("RIFee")))
        return unused_reservation(bill, row, out, err);
    if (str_eq(type, STR("SavingsPlanNegation")) ||
        str_eq(type, STR("SavingsPlanUpfrontFee")) ||
        (str_eq(type, STR("Fee")) && cur_cell(bill->state, row, CUR_ri_arn).at != NULL))
        zero_amount(out);
    return true;
}

/* What it would have cost on demand: known of usage. The lines that take back what a plan covers
 * have no price of their own. */
static bool list_cost(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                      struct error *err)
{
    struct str type = cur_cell(bill->state, row, CUR_type);
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
    if (!amount_of(bill, row, CUR_list_cost, &list, err))
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
static bool cur_costs(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                      struct error *err)
{
    struct cur_value billed;

    if (!net_or(bill, row, CUR_net_unblended, CUR_unblended, &billed, err))
        return false;
    out->billed = billed.amount;
    out->of[FOCUS_BilledCost] = billed.text.at != NULL ? billed.text : STR("0");
    bill_sum_add(&bill->total, out->billed);
    return effective_cost(bill, row, out, err) && list_cost(bill, row, out, err);
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
static void write_key(struct str name, struct buf *key)
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
    write_key(name, key);
    return true;
}

struct tag_writer {
    struct buf *out;
    const char *prefix; /* NULL: resource tags */
};

static bool put_entry(void *ctx, struct str key, struct str value, struct error *err)
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
        write_key(key, &name);
    }
    fine = buf_ok(&name, err);
    if (fine)
        bill_put(w->out, buf_text(&name), value);
    buf_free(&name);
    return fine;
}

/* Tags of the row as a JSON object, from columns or from the map. */
static bool cur_tags(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                     struct error *err)
{
    const struct cur_state *state = bill->state;
    struct tag_writer tags = {&bill->work, NULL}, categories = {&bill->work, "costCategory:"};
    struct str map = bill_cell(row, state->at[CUR_tag_map]);
    struct str category = bill_cell(row, state->at[CUR_category_map]);

    buf_clear(&bill->work);
    for (size_t i = 0; i < state->tag_count; i++) {
        struct str value = bill_words(row, state->tags[i].at);

        if (value.at != NULL)
            bill_put(&bill->work, state->tags[i].key, value);
    }
    if ((map.at != NULL && !bill_map(bill, "resource_tags", map, put_entry, &tags, err)) ||
        (category.at != NULL &&
         !bill_map(bill, "cost_category", category, put_entry, &categories, err)))
        return false;
    return bill_object(bill, &out->of[FOCUS_Tags], err);
}

struct product_reader {
    struct bill *bill;
    struct cur_state *state;
};

static bool take_product(void *ctx, struct str key, struct str value, struct error *err)
{
    const struct product_reader *r = ctx;

    if (value.len == 0)
        return true;
    for (int c = CUR_FIRST_PRODUCT; c <= CUR_LAST_PRODUCT; c++)
        if (bill_name_eq(key, str_from(cur_names[c] + sizeof "product/" - 1)))
            return bill_text(r->bill, value, &r->state->product[c], err);
    return true;
}

/* Read the map of the product into state->product. */
static bool cur_product_map(struct bill *bill, const struct bill_row *row, struct error *err)
{
    struct cur_state *state = bill->state;
    struct product_reader reader = {bill, state};
    struct str map = bill_cell(row, state->at[CUR_product_map]);

    if (state->at[CUR_product_map] == BILL_NO_COLUMN)
        return true;
    for (int c = CUR_FIRST_PRODUCT; c <= CUR_LAST_PRODUCT; c++)
        state->product[c] = (struct str){0};
    return map.at == NULL || bill_map(bill, "product", map, take_product, &reader, err);
}

/* ---- the reader ---- */

const char *const cur_names[CUR_COUNT] = {
#define CUR_NAME(name, label) [CUR_##name] = (label),
    CUR_COLUMNS(CUR_NAME)
#undef CUR_NAME
};

/* The cell of this row, its product map included; unknown when there is none. */
static struct str cur_cell(const struct cur_state *state, const struct bill_row *row,
                           enum cur_column column)
{
    struct str cell = bill_cell(row, state->at[column]);

    return cell.at != NULL ? cell : state->product[column];
}

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

static bool add_tag(struct bill *bill, struct cur_state *state, size_t at, struct error *err)
{
    char *key;

    state->tags = arena_grow(&bill->arena, state->tags, state->tag_count, sizeof *state->tags,
                             &state->tag_room, err);
    if (state->tags == NULL || !buf_ok(&bill->work, err))
        return false;
    key = str_dup(buf_text(&bill->work), &bill->arena, err);
    if (key == NULL)
        return false;
    state->tags[state->tag_count++] = (struct cur_tag){at, {key, bill->work.len}};
    return true;
}

static bool check_needed(const struct bill *bill, const struct cur_state *state,
                         struct error *err)
{
    static const enum cur_column needed[] = {CUR_unblended, CUR_start};
    const char *lacks[ARRAY_LEN(needed)];
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
        bool there = state->at[needed[i]] != BILL_NO_COLUMN;

        if (needed[i] == CUR_unblended)
            there = there || state->at[CUR_net_unblended] != BILL_NO_COLUMN;
        if (needed[i] == CUR_start)
            there = there || state->at[CUR_time_interval] != BILL_NO_COLUMN ||
                    state->at[CUR_period_start] != BILL_NO_COLUMN;
        if (!there)
            lacks[count++] = cur_names[needed[i]];
    }
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

static bool map_column(struct bill *bill, struct cur_state *state, size_t at, struct error *err)
{
    for (int c = 0; c < CUR_COUNT; c++) {
        if (!bill_name_eq(bill->columns[at], str_from(cur_names[c])))
            continue;
        if (state->at[c] == BILL_NO_COLUMN) {
            state->at[c] = at;
            return true;
        }
        if (c < CUR_product_map && str_has_nocase(str_from(cur_names[c]), STR("Cost")))
            return bill_twice(bill, state->at[c], at, err);
    }
    buf_clear(&bill->work);
    if (cur_tag_column(bill->columns[at], &bill->work))
        return add_tag(bill, state, at, err);
    bill_unused(bill, at);
    return true;
}

static bool columns(struct bill *bill, size_t first, struct error *err)
{
    struct cur_state *state = bill->state;
    size_t cost;

    if (first == 0) {
        state = arena_array(&bill->arena, struct cur_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        for (int c = 0; c < CUR_COUNT; c++)
            state->at[c] = BILL_NO_COLUMN;
        if (bill->about.format == BILL_AWS_CUR2)
            bill->about.version = "2.0";
        else
            bill->about.version =
                bill->column_count > 0 && memchr(bill->columns[0].at, '/', bill->columns[0].len)
                    ? "1"
                    : "1, Athena";
    }
    for (size_t i = first; i < bill->column_count; i++)
        if (!map_column(bill, state, i, err))
            return false;
    for (int c = 0; c < CUR_COUNT; c++)
        if (state->at[c] == BILL_NO_COLUMN)
            bill_meant(bill, first, cur_names[c]);
    buf_clear(&bill->work);
    cost = state->at[state->at[CUR_net_unblended] != BILL_NO_COLUMN ? CUR_net_unblended
                                                                    : CUR_unblended];
    bill->total_column = cost != BILL_NO_COLUMN ? bill->columns[cost].at : "UnblendedCost";
    return bill->json != NULL || check_needed(bill, state, err);
}

/* -- a row -- */

/* Columns of FOCUS that are a column of the report. */
static void copy_cells(const struct cur_state *state, const struct bill_row *row,
                       const struct cur_type *type, struct bill_line *out)
{
    static const struct {
        enum focus_column to;
        enum cur_column from;
    } copies[] = {
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
        out->of[copies[i].to] = cur_cell(state, row, copies[i].from);
    out->of[FOCUS_ChargeDescription] = bill_words(row, state->at[CUR_description]);
    out->of[FOCUS_SkuPriceId] = cur_cell(state, row, CUR_rate_code);
    if (out->of[FOCUS_SkuPriceId].at == NULL)
        out->of[FOCUS_SkuPriceId] = cur_cell(state, row, CUR_rate_id);
    if (type->usage) {
        out->of[FOCUS_ConsumedQuantity] = cur_cell(state, row, CUR_amount);
        out->of[FOCUS_ConsumedUnit] = cur_cell(state, row, CUR_unit);
    }
    if (type->pricing != NULL) {
        out->of[FOCUS_PricingQuantity] = cur_cell(state, row, CUR_amount);
        out->of[FOCUS_PricingUnit] = cur_cell(state, row, CUR_unit);
        out->of[FOCUS_ContractedUnitPrice] = cur_cell(state, row, CUR_unblended_rate);
    }
}

static void set_text(struct bill_line *out, enum focus_column c, const char *text)
{
    out->of[c] = text != NULL ? str_from(text) : (struct str){0};
}

static void set_parties(const struct cur_state *state, const struct bill_row *row,
                        struct bill_line *out)
{
    struct str issuer = cur_cell(state, row, CUR_invoicing_entity);
    struct str publisher = cur_cell(state, row, CUR_legal_entity);

    set_text(out, FOCUS_ProviderName, "AWS");
    set_text(out, FOCUS_ServiceProviderName, "AWS");
    set_text(out, FOCUS_HostProviderName, "AWS");
    out->of[FOCUS_InvoiceIssuerName] = issuer.at != NULL ? issuer : STR("AWS");
    out->of[FOCUS_PublisherName] = publisher.at != NULL ? publisher : STR("AWS");
}

static void set_service(const struct cur_state *state, const struct bill_row *row,
                        struct bill_line *out)
{
    struct str code = cur_cell(state, row, CUR_product_code);
    struct str name = cur_cell(state, row, CUR_product_name);
    struct aws_service service = aws_service_of(code);

    if (name.at == NULL)
        name = service.name != NULL ? str_from(service.name) : code;
    out->of[FOCUS_ServiceName] = name;
    set_text(out, FOCUS_ServiceCategory, service.category);
}

/* The region itself, or that of the zone ("us-east-1a" is in us-east-1), of the place as it is
 * written out, or of the usage type's prefix. */
static void set_region(const struct cur_state *state, const struct bill_row *row,
                       struct bill_line *out)
{
    struct str region = cur_cell(state, row, CUR_region_code);
    struct str zone = out->of[FOCUS_AvailabilityZone];

    if (region.at == NULL)
        region = cur_cell(state, row, CUR_region);
    if (region.at == NULL && zone.len > 4 && zone.at[zone.len - 1] >= 'a' &&
        is_digit(zone.at[zone.len - 2]))
        region = (struct str){zone.at, zone.len - 1};
    if (region.at == NULL)
        region = aws_region_at(cur_cell(state, row, CUR_location));
    if (region.at == NULL)
        region = aws_usage_region(cur_cell(state, row, CUR_usage_type));
    out->of[FOCUS_RegionId] = region;
    if (region.at != NULL &&
        str_eq_nocase(cur_cell(state, row, CUR_location_type), STR("AWS Region")))
        out->of[FOCUS_RegionName] = cur_cell(state, row, CUR_location);
}

static bool is_spot(const struct cur_state *state, const struct bill_row *row)
{
    struct str operation = cur_cell(state, row, CUR_operation);

    return str_has_nocase(cur_cell(state, row, CUR_usage_type), STR("SpotUsage")) ||
           str_eq_nocase(cur_cell(state, row, CUR_term), STR("Spot")) ||
           str_starts(cur_cell(state, row, CUR_purchase_option), STR("Spot")) ||
           str_starts(operation, STR("RunInstances:SV"));
}

static void set_charge(const struct cur_state *state, const struct bill_row *row,
                       const struct cur_type *type, struct bill_line *out)
{
    struct str plan = cur_cell(state, row, CUR_sp_arn);
    struct str reserved = cur_cell(state, row, CUR_ri_arn);

    if (reserved.at == NULL)
        reserved = cur_cell(state, row, CUR_ri_subscription);
    set_text(out, FOCUS_ChargeCategory, type->category);
    set_text(out, FOCUS_ChargeClass, type->class);
    set_text(out, FOCUS_ChargeFrequency, type->frequency);
    set_text(out, FOCUS_PricingCategory, type->pricing);
    if (type->usage && type->pricing != NULL && strcmp(type->pricing, "Standard") == 0 &&
        is_spot(state, row))
        set_text(out, FOCUS_PricingCategory, "Dynamic");
    if (plan.at == NULL && (reserved.at == NULL || strcmp(type->category, "Tax") == 0))
        return;
    out->of[FOCUS_CommitmentDiscountId] = plan.at != NULL ? plan : reserved;
    set_text(out, FOCUS_CommitmentDiscountCategory, plan.at != NULL ? "Spend" : "Usage");
    set_text(out, FOCUS_CommitmentDiscountType,
             plan.at != NULL ? "Savings Plan" : "Reserved Instance");
    if (type->pricing != NULL && strcmp(type->pricing, "Committed") == 0)
        set_text(out, FOCUS_CommitmentDiscountStatus, "Used");
}

static struct str instance_of(const struct cur_state *state, const struct bill_row *row)
{
    struct str type = cur_cell(state, row, CUR_instance_type);

    return type.at != NULL ? type : aws_usage_instance(cur_cell(state, row, CUR_usage_type));
}

static void put_detail(struct buf *out, const char *key, struct str value)
{
    if (value.at != NULL)
        bill_put(out, str_from(key), value);
}

/* A count, which JSON has without quotes. */
static void put_count(struct buf *out, const char *key, struct str value)
{
    struct decimal d;

    if (value.at == NULL || value.at[0] < '1' || value.at[0] > '9' || !decimal_parse(value, &d))
        return;
    buf_char(out, out->len == 0 ? '{' : ',');
    json_write_text(str_from(key), out);
    buf_char(out, ':');
    buf_add(out, value);
}

static bool set_details(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                        struct error *err)
{
    const struct cur_state *state = bill->state;
    struct buf *work = &bill->work;
    struct str tier = cur_cell(state, row, CUR_storage_class);

    if (tier.at == NULL)
        tier = cur_cell(state, row, CUR_volume);
    buf_clear(work);
    put_detail(work, "InstanceType", instance_of(state, row));
    put_count(work, "CoreCount", cur_cell(state, row, CUR_vcpu));
    put_count(work, "GpuCount", cur_cell(state, row, CUR_gpu));
    put_detail(work, "OperatingSystem", cur_cell(state, row, CUR_system));
    put_detail(work, "StorageClass", tier);
    return bill_object(bill, &out->of[FOCUS_SkuPriceDetails], err);
}

static bool set_times(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                      struct error *err)
{
    const struct cur_state *state = bill->state;
    struct str end = cur_cell(state, row, CUR_time_interval), start = str_cut(&end, '/');
    struct str from = cur_cell(state, row, CUR_start), to = cur_cell(state, row, CUR_end);
    struct str first = cur_cell(state, row, CUR_period_start);
    struct str last = cur_cell(state, row, CUR_period_end);

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

static enum bill_step cur_line(struct bill *bill, const struct bill_row *row,
                               struct bill_line *out, struct error *err)
{
    struct cur_state *state = bill->state;
    const struct cur_type *type;

    *out = (struct bill_line){.id = bill_cell(row, state->at[CUR_line_id])};
    if (!cur_product_map(bill, row, err))
        return BILL_STEP_FAILED;
    type = cur_type_of(cur_cell(state, row, CUR_type));
    copy_cells(state, row, type, out);
    bill_currency(bill, state->at[CUR_currency], out);
    set_parties(state, row, out);
    set_service(state, row, out);
    set_region(state, row, out);
    set_charge(state, row, type, out);
    return set_details(bill, row, out, err) && cur_tags(bill, row, out, err) &&
                   cur_costs(bill, row, out, err) && set_times(bill, row, out, err)
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
    .columns = columns,
    .line = cur_line,
};

const struct bill_reader bill_aws_cur2 = {
    .format = BILL_AWS_CUR2,
    .name = "aws-cur2",
    .title = "AWS CUR 2.0",
    .currency_column = "CurrencyCode",
    .end_column = "UsageEndDate",
    .recognize = recognize_2,
    .columns = columns,
    .line = cur_line,
};
