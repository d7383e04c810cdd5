/* Cost reports of Oracle Cloud. */
#include <string.h>

#include "bill/fields.h"

#define OCI_COLUMNS(X) \
    X(reference, "lineItem/referenceNo") \
    X(tenant, "lineItem/tenantId") \
    X(start, "lineItem/intervalUsageStart") \
    X(end, "lineItem/intervalUsageEnd") \
    X(service, "product/service") \
    X(compartment, "product/compartmentId") \
    X(compartment_name, "product/compartmentName") \
    X(region, "product/region") \
    X(domain, "product/availabilityDomain") \
    X(resource, "product/resourceId") \
    X(quantity, "usage/billedQuantity") \
    X(sku, "cost/productSku") \
    X(description, "product/Description") \
    X(price, "cost/unitPrice") \
    X(cost, "cost/myCost") \
    X(cost_over, "cost/myCostOverage") \
    X(currency, "cost/currencyCode") \
    X(unit, "cost/skuUnitDescription") \
    X(unit_readable, "cost/billingUnitReadable") \
    X(correction, "lineItem/isCorrection")

enum oci_column {
#define OCI_ENUM(name, label) OCI_##name,
    OCI_COLUMNS(OCI_ENUM)
#undef OCI_ENUM
        OCI_COUNT
};

static const char *const names[OCI_COUNT] = {
#define OCI_NAME(name, label) [OCI_##name] = (label),
    OCI_COLUMNS(OCI_NAME)
#undef OCI_NAME
};

#define TAG_HEAD "tags/"

struct oci_state {
    size_t at[OCI_COUNT];
};

static int recognize(const struct bill_head *head)
{
    static const char *const marks[] = {
        "lineItem/intervalUsageStart", "cost/myCost",          "cost/productSku",
        "lineItem/tenantId",           "lineItem/referenceNo", NULL};

    return 20 * bill_head_count(head, marks);
}

static bool check_needed(const struct bill *bill, const struct oci_state *state,
                         struct error *err)
{
    static const enum oci_column needed[] = {OCI_cost, OCI_start};
    const char *lacks[ARRAY_LEN(needed)];
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        if (state->at[needed[i]] == BILL_NO_COLUMN)
            lacks[count++] = names[needed[i]];
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

static bool is_tag(struct str column)
{
    return column.len > sizeof TAG_HEAD - 1 && str_starts(column, STR(TAG_HEAD));
}

/* What this column is taken for; one that is not needed is noted. */
static bool take_column(struct bill *bill, struct oci_state *state, size_t at,
                        struct error *err)
{
    if (is_tag(bill->columns[at]))
        return true;
    for (int c = 0; c < OCI_COUNT; c++) {
        if (!bill_name_eq(bill->columns[at], str_from(names[c])))
            continue;
        if (state->at[c] == BILL_NO_COLUMN) {
            state->at[c] = at;
            return true;
        }
        if (c == OCI_cost)
            return bill_twice(bill, state->at[c], at, err);
    }
    bill_unused(bill, at);
    return true;
}

static bool columns(struct bill *bill, size_t first, struct error *err)
{
    struct oci_state *state = bill->state;

    if (first == 0) {
        state = arena_array(&bill->arena, struct oci_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        bill->total_column = "cost/myCost";
        for (int c = 0; c < OCI_COUNT; c++)
            state->at[c] = BILL_NO_COLUMN;
    }
    for (size_t i = first; i < bill->column_count; i++)
        if (!take_column(bill, state, i, err))
            return false;
    for (int c = 0; c < OCI_COUNT; c++)
        if (state->at[c] == BILL_NO_COLUMN)
            bill_meant(bill, first, names[c]);
    return bill->json != NULL || check_needed(bill, state, err);
}

/* Oracle's services are named in capitals. */
static const char *category_of(struct str service)
{
    static const struct {
        const char *word, *category;
    } words[] = {
        {"COMPUTE", "Compute"},
        {"OKE", "Compute"},
        {"CONTAINER", "Compute"},
        {"FUNCTIONS", "Compute"},
        {"BLOCK", "Storage"},
        {"OBJECT", "Storage"},
        {"FILE", "Storage"},
        {"STORAGE", "Storage"},
        {"DATABASE", "Databases"},
        {"MYSQL", "Databases"},
        {"NOSQL", "Databases"},
        {"POSTGRES", "Databases"},
        {"NETWORK", "Networking"},
        {"LOAD", "Networking"},
        {"DNS", "Networking"},
        {"FASTCONNECT", "Networking"},
        {"VAULT", "Security"},
        {"WAF", "Security"},
        {"KMS", "Security"},
        {"DATA_SCIENCE", "AI and Machine Learning"},
        {"DATASCIENCE", "AI and Machine Learning"},
        {"GENERATIVE", "AI and Machine Learning"},
        {"AI_", "AI and Machine Learning"},
        {"ANALYTICS", "Analytics"},
        {"DATA_INTEGRATION", "Analytics"},
        {"STREAMING", "Integration"},
        {"INTEGRATION", "Integration"},
        {"QUEUE", "Integration"},
        {"TELEMETRY", "Management and Governance"},
        {"MONITORING", "Management and Governance"},
        {"LOGGING", "Management and Governance"},
        {"NOTIFICATION", "Integration"},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_has_nocase(service, str_from(words[i].word)))
            return words[i].category;
    return "Other";
}

static struct str cell(const struct bill *bill, enum oci_column c)
{
    const struct oci_state *state = bill->state;

    return bill_cell(&bill->row, state->at[c]);
}

static void copy_cells(const struct bill *bill, struct bill_line *out)
{
    static const struct {
        enum focus_column to;
        enum oci_column from;
    } copies[] = {
        {FOCUS_AvailabilityZone, OCI_domain},  {FOCUS_BillingCurrency, OCI_currency},
        {FOCUS_RegionId, OCI_region},          {FOCUS_ResourceId, OCI_resource},
        {FOCUS_ServiceName, OCI_service},      {FOCUS_SkuId, OCI_sku},
        {FOCUS_SkuMeter, OCI_unit_readable},   {FOCUS_ChargeDescription, OCI_description},
        {FOCUS_SubAccountId, OCI_compartment}, {FOCUS_SubAccountName, OCI_compartment_name},
        {FOCUS_BillingAccountId, OCI_tenant},  {FOCUS_ConsumedQuantity, OCI_quantity},
        {FOCUS_PricingQuantity, OCI_quantity}, {FOCUS_ConsumedUnit, OCI_unit},
        {FOCUS_PricingUnit, OCI_unit},         {FOCUS_ContractedUnitPrice, OCI_price},
    };

    for (size_t i = 0; i < ARRAY_LEN(copies); i++)
        out->of[copies[i].to] = cell(bill, copies[i].from);
    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] =
        out->of[FOCUS_InvoiceIssuerName] = out->of[FOCUS_ServiceProviderName] =
            out->of[FOCUS_HostProviderName] = STR("Oracle");
    out->of[FOCUS_ServiceCategory] = str_from(category_of(out->of[FOCUS_ServiceName]));
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    out->of[FOCUS_PricingCategory] = STR("Standard");
    if (str_eq_nocase(cell(bill, OCI_correction), STR("true")))
        out->of[FOCUS_ChargeClass] = STR("Correction");
}

static bool take_tags(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                      struct error *err)
{
    struct buf *work = &bill->work;

    buf_clear(work);
    for (size_t i = 0; i < row->count; i++) {
        struct str name = bill->columns[i], value;

        if (!is_tag(name))
            continue;
        value = bill_words(row, i);
        if (value.at == NULL)
            continue;
        name = (struct str){name.at + sizeof TAG_HEAD - 1, name.len - (sizeof TAG_HEAD - 1)};
        bill_put(work, name, value);
    }
    return bill_object(bill, &out->of[FOCUS_Tags], err);
}

/* myCost is what the line costs. Lines that only exceed a commitment may have no more than the
 * overage. */
static bool take_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str text = cell(bill, OCI_cost);

    if (text.at == NULL)
        text = cell(bill, OCI_cost_over);
    out->billed = (struct decimal){0};
    if (text.at != NULL && !bill_amount(bill, "cost/myCost", &text, &out->billed, err))
        return false;
    out->of[FOCUS_BilledCost] = out->of[FOCUS_EffectiveCost] =
        text.at != NULL ? text : STR("0");
    out->effective = out->list = out->contracted = out->billed;
    bill_sum_add(&bill->total, out->billed);
    return true;
}

static enum bill_step oci_line(struct bill *bill, const struct bill_row *row,
                               struct bill_line *out, struct error *err)
{
    const struct oci_state *state = bill->state;
    struct str start = cell(bill, OCI_start), end = cell(bill, OCI_end);

    *out = (struct bill_line){.id = cell(bill, OCI_reference)};
    if (bill_row_blank(row))
        return BILL_STEP_SKIP;
    copy_cells(bill, out);
    bill_currency(bill, state->at[OCI_currency], out);
    if (start.at == NULL) /* one of them may be blank */
        start = end;
    if (end.at == NULL)
        end = start;
    if (!take_costs(bill, out, err) || !take_tags(bill, row, out, err) ||
        !bill_time(bill, &bill->times[0], names[OCI_start], start, &out->start, err) ||
        !bill_time(bill, &bill->times[1], names[OCI_end], end, &out->end, err))
        return BILL_STEP_FAILED;
    bill_month_of(out);
    return BILL_STEP_LINE;
}

const struct bill_reader bill_oci = {
    .format = BILL_OCI,
    .name = "oci",
    .title = "OCI cost report",
    .currency_column = "cost/currencyCode",
    .end_column = "lineItem/intervalUsageEnd",
    .recognize = recognize,
    .columns = columns,
    .line = oci_line,
};
