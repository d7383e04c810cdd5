/* Cost reports of Oracle Cloud. */
#include "bill/fields.h"

enum oci_field {
    OCI_REFERENCE,
    OCI_TENANT,
    OCI_START,
    OCI_END,
    OCI_SERVICE,
    OCI_COMPARTMENT,
    OCI_COMPARTMENT_NAME,
    OCI_REGION,
    OCI_DOMAIN,
    OCI_RESOURCE,
    OCI_QUANTITY,
    OCI_SKU,
    OCI_DESCRIPTION,
    OCI_PRICE,
    OCI_COST,
    OCI_COST_OVER,
    OCI_CURRENCY,
    OCI_UNIT,
    OCI_UNIT_READABLE,
    OCI_CORRECTION,
    OCI_FIELDS,
};

#define START_NAME "lineItem/intervalUsageStart"
#define END_NAME "lineItem/intervalUsageEnd"
#define COST_NAME "cost/myCost"

static const struct bill_field names[] = {
    {"lineItem/referenceNo", OCI_REFERENCE},
    {"lineItem/tenantId", OCI_TENANT},
    {START_NAME, OCI_START},
    {END_NAME, OCI_END},
    {"product/service", OCI_SERVICE},
    {"product/compartmentId", OCI_COMPARTMENT},
    {"product/compartmentName", OCI_COMPARTMENT_NAME},
    {"product/region", OCI_REGION},
    {"product/availabilityDomain", OCI_DOMAIN},
    {"product/resourceId", OCI_RESOURCE},
    {"usage/billedQuantity", OCI_QUANTITY},
    {"cost/productSku", OCI_SKU},
    {"product/Description", OCI_DESCRIPTION},
    {"cost/unitPrice", OCI_PRICE},
    {COST_NAME, OCI_COST},
    {"cost/myCostOverage", OCI_COST_OVER},
    {"cost/currencyCode", OCI_CURRENCY},
    {"cost/skuUnitDescription", OCI_UNIT},
    {"cost/billingUnitReadable", OCI_UNIT_READABLE},
    {"lineItem/isCorrection", OCI_CORRECTION},
};

static const unsigned amounts[] = {OCI_COST, BILL_FIELD_IGNORED};
static const struct bill_need needs[] = {{COST_NAME, {OCI_COST, BILL_FIELD_IGNORED}},
                                         {START_NAME, {OCI_START, BILL_FIELD_IGNORED}}};

static bool is_oci_tag(struct str column, struct buf *key)
{
    static const struct str head = {"tags/", 5};

    if (column.len <= head.len || !str_starts(column, head))
        return false;
    buf_add(key, (struct str){column.at + head.len, column.len - head.len});
    return true;
}

static const struct bill_fields fields = {.names = names,
                                          .name_count = ARRAY_LEN(names),
                                          .field_count = OCI_FIELDS,
                                          .amounts = amounts,
                                          .needs = needs,
                                          .need_count = ARRAY_LEN(needs),
                                          .tag = is_oci_tag};

static int oci_recognize(const struct bill_head *head)
{
    static const char *const marks[] = {
        "lineItem/intervalUsageStart", "cost/myCost",          "cost/productSku",
        "lineItem/tenantId",           "lineItem/referenceNo", NULL};

    return 20 * bill_head_count(head, marks);
}

static bool oci_columns(struct bill *bill, size_t first, struct error *err)
{
    bill->total_column = COST_NAME;
    return bill_fields_find(bill, first, &fields, err) &&
           (bill->json != NULL || bill_fields_check(bill, &fields, err));
}

/* Oracle's services are named in capitals. */
static const char *oci_category(struct str service)
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

static void copy_oci_cells(const struct bill *bill, struct bill_line *out)
{
    static const struct bill_copy copies[] = {
        {FOCUS_AvailabilityZone, OCI_DOMAIN},  {FOCUS_BillingCurrency, OCI_CURRENCY},
        {FOCUS_RegionId, OCI_REGION},          {FOCUS_ResourceId, OCI_RESOURCE},
        {FOCUS_ServiceName, OCI_SERVICE},      {FOCUS_SkuId, OCI_SKU},
        {FOCUS_SkuMeter, OCI_UNIT_READABLE},   {FOCUS_ChargeDescription, OCI_DESCRIPTION},
        {FOCUS_SubAccountId, OCI_COMPARTMENT}, {FOCUS_SubAccountName, OCI_COMPARTMENT_NAME},
        {FOCUS_BillingAccountId, OCI_TENANT},  {FOCUS_ConsumedQuantity, OCI_QUANTITY},
        {FOCUS_PricingQuantity, OCI_QUANTITY}, {FOCUS_ConsumedUnit, OCI_UNIT},
        {FOCUS_PricingUnit, OCI_UNIT},         {FOCUS_ContractedUnitPrice, OCI_PRICE},
    };

    bill_copy_fields(bill, copies, ARRAY_LEN(copies), out);
    bill_provider(out, STR("Oracle"));
    out->of[FOCUS_ServiceCategory] = str_from(oci_category(out->of[FOCUS_ServiceName]));
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    out->of[FOCUS_PricingCategory] = STR("Standard");
    if (str_eq_nocase(bill_field(bill, OCI_CORRECTION), STR("true")))
        out->of[FOCUS_ChargeClass] = STR("Correction");
}

/* myCost is what the line costs. Lines that only exceed a commitment may have no more than the
 * overage. */
static bool take_oci_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str text = bill_field_either(bill, OCI_COST, OCI_COST_OVER);

    out->billed = (struct decimal){0};
    if (text.at != NULL && !bill_amount(bill, COST_NAME, &text, &out->billed, err))
        return false;
    out->of[FOCUS_BilledCost] = out->of[FOCUS_EffectiveCost] =
        text.at != NULL ? text : STR("0");
    out->effective = out->list = out->contracted = out->billed;
    bill_sum_add(&bill->total, out->billed);
    return true;
}

static enum bill_step oci_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str start = bill_field_either(bill, OCI_START, OCI_END); /* one may be blank */
    struct str end = bill_field_either(bill, OCI_END, OCI_START);

    *out = (struct bill_line){.id = bill_field(bill, OCI_REFERENCE)};
    if (bill_row_blank(&bill->row))
        return BILL_STEP_SKIP;
    copy_oci_cells(bill, out);
    bill_currency(bill, OCI_CURRENCY, out);
    buf_clear(&bill->work);
    bill_put_tags(bill);
    if (!bill_object(bill, &out->of[FOCUS_Tags], err) || !take_oci_costs(bill, out, err) ||
        !bill_time(bill, &bill->times[0], START_NAME, start, &out->start, err) ||
        !bill_time(bill, &bill->times[1], END_NAME, end, &out->end, err))
        return BILL_STEP_FAILED;
    bill_month_of(out);
    return BILL_STEP_LINE;
}

const struct bill_reader bill_oci = {
    .format = BILL_OCI,
    .name = "oci",
    .title = "OCI cost report",
    .currency_column = "cost/currencyCode",
    .end_column = END_NAME,
    .recognize = oci_recognize,
    .columns = oci_columns,
    .line = oci_line,
};
