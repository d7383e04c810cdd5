/* AWS Cost and Usage Reports: 1 (slashes, or Athena's underscores) and 2.0 (maps). */
#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "doc/json_write.h"

const char *const cur_names[CUR_COUNT] = {
#define CUR_NAME(name, label) [CUR_##name] = (label),
    CUR_COLUMNS(CUR_NAME)
#undef CUR_NAME
};

struct str cur_cell(const struct cur_state *state, const struct bill_row *row,
                    enum cur_column column)
{
    struct str cell = bill_cell(row, state->at[column]);

    return cell.at != NULL ? cell : state->product[column];
}

static int recognise_any(const struct bill_head *head)
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

static int recognise_1(const struct bill_head *head)
{
    return is_second(head) ? 0 : recognise_any(head);
}

static int recognise_2(const struct bill_head *head)
{
    return is_second(head) ? recognise_any(head) : 0;
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

static void set(struct bill_line *out, enum focus_column c, const char *text)
{
    out->of[c] = text != NULL ? str_from(text) : (struct str){0};
}

static void set_parties(const struct cur_state *state, const struct bill_row *row,
                        struct bill_line *out)
{
    struct str issuer = cur_cell(state, row, CUR_invoicing_entity);
    struct str publisher = cur_cell(state, row, CUR_legal_entity);

    set(out, FOCUS_ProviderName, "AWS");
    set(out, FOCUS_ServiceProviderName, "AWS");
    set(out, FOCUS_HostProviderName, "AWS");
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
    set(out, FOCUS_ServiceCategory, service.category);
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
    set(out, FOCUS_ChargeCategory, type->category);
    set(out, FOCUS_ChargeClass, type->class);
    set(out, FOCUS_ChargeFrequency, type->frequency);
    set(out, FOCUS_PricingCategory, type->pricing);
    if (type->usage && type->pricing != NULL && strcmp(type->pricing, "Standard") == 0 &&
        is_spot(state, row))
        set(out, FOCUS_PricingCategory, "Dynamic");
    if (plan.at == NULL && (reserved.at == NULL || strcmp(type->category, "Tax") == 0))
        return;
    out->of[FOCUS_CommitmentDiscountId] = plan.at != NULL ? plan : reserved;
    set(out, FOCUS_CommitmentDiscountCategory, plan.at != NULL ? "Spend" : "Usage");
    set(out, FOCUS_CommitmentDiscountType,
        plan.at != NULL ? "Savings Plan" : "Reserved Instance");
    if (type->pricing != NULL && strcmp(type->pricing, "Committed") == 0)
        set(out, FOCUS_CommitmentDiscountStatus, "Used");
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

static enum bill_step line(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                           struct error *err)
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
    .recognise = recognise_1,
    .columns = columns,
    .line = line,
};

const struct bill_reader bill_aws_cur2 = {
    .format = BILL_AWS_CUR2,
    .name = "aws-cur2",
    .title = "AWS CUR 2.0",
    .currency_column = "CurrencyCode",
    .end_column = "UsageEndDate",
    .recognise = recognise_2,
    .columns = columns,
    .line = line,
};
