/* The billing export of Google Cloud, CSV and JSON, as lines of FOCUS. */

#include "bill/fields.h"
#include "bill/list.h"
#include "unit/time.h"

enum gcp_field {
    GCP_ACCOUNT,
    GCP_SERVICE,
    GCP_SERVICE_ID,
    GCP_SKU,
    GCP_SKU_ID,
    GCP_START,
    GCP_END,
    GCP_PROJECT,
    GCP_PROJECT_NUMBER,
    GCP_PROJECT_NAME,
    GCP_PROJECT_LABELS,
    GCP_LABELS,
    GCP_SYSTEM_LABELS,
    GCP_TAGS,
    GCP_LOCATION,
    GCP_REGION,
    GCP_ZONE,
    GCP_RESOURCE,
    GCP_RESOURCE_ID,
    GCP_COST,
    GCP_COST_AT_LIST,
    GCP_CURRENCY,
    GCP_AMOUNT,
    GCP_UNIT,
    GCP_PRICED_AMOUNT,
    GCP_PRICED_UNIT,
    GCP_CREDITS,
    GCP_CREDITS_AMOUNT,
    GCP_INVOICE_MONTH,
    GCP_COST_TYPE,
    GCP_CORRECTION,
    GCP_SELLER,
    GCP_PRICE,
    GCP_LIST_PRICE,
    GCP_MODEL,
    GCP_FIELDS,
};

/* Net of credits is what is paid; before them what was agreed on; at list prices what the
 * file has, else the same. */
static bool map_gcp_costs(struct bill *bill, struct bill_line *out,
                          struct bill_credits *credits, struct error *err)
{
    struct str cost = bill_field(bill, GCP_COST), list = bill_field(bill, GCP_COST_AT_LIST);

    if (!bill_amount(bill, "cost", &cost, &out->contracted, err))
        return false;
    bill_sum_add(&bill->total, out->contracted);
    if (!bill_credits(bill, bill_field_either(bill, GCP_CREDITS, GCP_CREDITS_AMOUNT), credits,
                      err))
        return false;
    out->of[FOCUS_ContractedCost] = cost;
    out->of[FOCUS_ListCost] = list.at != NULL ? list : cost;
    out->list = out->contracted;
    out->list_known = out->contracted_known = true;
    if (list.at != NULL &&
        !bill_amount(bill, "cost_at_list", &out->of[FOCUS_ListCost], &out->list, err))
        return false;
    out->billed = out->contracted;
    out->of[FOCUS_BilledCost] = cost;
    if (credits->any) {
        if (!decimal_add(out->contracted, credits->sum, &out->billed))
            return bill_refuse(bill, "cost", cost, "and its credits have too many digits", err);
        if (!bill_decimal_text(bill, out->billed, &out->of[FOCUS_BilledCost], err))
            return false;
    }
    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    return true;
}

static bool map_gcp_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str start = bill_field(bill, GCP_START), end = bill_field(bill, GCP_END),
               month = bill_field(bill, GCP_INVOICE_MONTH);

    if (!bill_time(bill, &bill->times[0], "usage_start_time", start, &out->start, err))
        return false;
    /* Usage is billed by the hour; what has only a date, by the day. */
    out->end.s = out->start.s + (start.len <= 10 ? SECONDS_PER_DAY : 3600);
    if (end.at != NULL &&
        !bill_time(bill, &bill->times[1], "usage_end_time", end, &out->end, err))
        return false;
    if (month.at == NULL)
        bill_month_of(out);
    else if (!bill_month_parse(month, &out->period_start, &out->period_end))
        return bill_refuse(bill, "invoice.month", month, "is not a month such as 202603", err);
    return true;
}

static void map_gcp_charge(const struct bill *bill, const struct bill_credits *credits,
                           struct bill_line *out)
{
    struct str type = bill_field(bill, GCP_COST_TYPE), sku = bill_field_words(bill, GCP_SKU),
               model = bill_field_words(bill, GCP_MODEL);
    struct str *of = out->of;
    bool usage = false;

    of[FOCUS_ChargeFrequency] = STR("One-Time");
    if (str_eq_nocase(type, STR("tax"))) {
        of[FOCUS_ChargeCategory] = STR("Tax");
    } else if (str_eq_nocase(type, STR("adjustment")) ||
               str_eq_nocase(type, STR("rounding_error"))) {
        of[FOCUS_ChargeCategory] = STR("Adjustment");
    } else if (str_eq_nocase(type, STR("credit"))) {
        of[FOCUS_ChargeCategory] = STR("Credit");
    } else if (str_starts(sku,
                          STR("Commitment"))) { /* "Commitment v1: Cpu in ... for 1 Year" */
        of[FOCUS_ChargeCategory] = STR("Purchase");
        of[FOCUS_ChargeFrequency] = STR("Recurring");
        of[FOCUS_PricingCategory] = STR("Committed");
    } else {
        usage = true;
        of[FOCUS_ChargeCategory] = STR("Usage");
        of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    }
    if (str_has_nocase(bill_field(bill, GCP_CORRECTION), STR("correction")))
        of[FOCUS_ChargeClass] = STR("Correction");
    if (!usage)
        return;
    if (str_has_nocase(sku, STR("preemptible")) || str_starts(sku, STR("Spot ")) ||
        str_has_nocase(sku, STR(" spot ")))
        of[FOCUS_PricingCategory] = STR("Dynamic");
    else if (credits->committed || str_has_nocase(model, STR("CUD")) ||
             str_has_nocase(model, STR("commit")))
        of[FOCUS_PricingCategory] = STR("Committed");
    else
        of[FOCUS_PricingCategory] = STR("Standard");
}

static void map_gcp_commitment(const struct bill_credits *credits, struct bill_line *out)
{
    struct str *of = out->of;

    if (!credits->committed)
        return;
    of[FOCUS_CommitmentDiscountId] = credits->id;
    of[FOCUS_CommitmentDiscountName] = credits->name;
    of[FOCUS_CommitmentDiscountCategory] = credits->spend ? STR("Spend") : STR("Usage");
    of[FOCUS_CommitmentDiscountType] = STR("Committed Use Discount");
    of[FOCUS_CommitmentDiscountStatus] = STR("Used");
}

/* Quantities mean nothing for taxes and adjustments, whatever the file has there. */
static bool map_gcp_quantities(struct bill *bill, struct bill_line *out, struct error *err)
{
    static const struct {
        enum gcp_field from;
        enum focus_column to;
        const char *name;
    } amounts[] = {
        {GCP_AMOUNT, FOCUS_ConsumedQuantity, "usage.amount"},
        {GCP_PRICED_AMOUNT, FOCUS_PricingQuantity, "usage.amount_in_pricing_units"},
        {GCP_PRICE, FOCUS_ContractedUnitPrice, "price.effective_price"},
        {GCP_LIST_PRICE, FOCUS_ListUnitPrice, "price.list_price"},
    };
    struct str *of = out->of, category = of[FOCUS_ChargeCategory];
    struct decimal ignored;

    if (!str_eq(category, STR("Usage")) && !str_eq(category, STR("Purchase")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(amounts); i++) {
        struct str text = bill_field(bill, amounts[i].from);

        if (text.at == NULL ||
            (amounts[i].to == FOCUS_ConsumedQuantity && !str_eq(category, STR("Usage"))))
            continue;
        if (!bill_amount(bill, amounts[i].name, &text, &ignored, err))
            return false;
        of[amounts[i].to] = text;
    }
    if (of[FOCUS_ConsumedQuantity].at != NULL)
        of[FOCUS_ConsumedUnit] = bill_field_words(bill, GCP_UNIT);
    if (of[FOCUS_PricingQuantity].at != NULL)
        of[FOCUS_PricingUnit] = bill_field_words(bill, GCP_PRICED_UNIT);
    return true;
}

/* "//compute.googleapis.com/projects/1/zones/z/instance/123": an instance. */
static struct str gcp_machine_type(struct str id)
{
    struct str rest = id, last = {0}, before = {0};

    while (rest.len > 0) {
        before = last;
        last = str_cut(&rest, '/');
    }
    return before.len > 0 ? before : (struct str){0};
}

static void map_gcp_place(const struct bill *bill, struct bill_line *out)
{
    struct str *of = out->of, seller = bill_field_words(bill, GCP_SELLER);

    of[FOCUS_BillingAccountId] = bill_field_words(bill, GCP_ACCOUNT);
    of[FOCUS_BillingAccountType] = STR("Billing Account");
    of[FOCUS_SubAccountId] = bill_field_words(bill, GCP_PROJECT);
    if (of[FOCUS_SubAccountId].at == NULL)
        of[FOCUS_SubAccountId] = bill_field(bill, GCP_PROJECT_NUMBER);
    of[FOCUS_SubAccountName] = bill_field_words(bill, GCP_PROJECT_NAME);
    if (of[FOCUS_SubAccountId].at != NULL)
        of[FOCUS_SubAccountType] = STR("Project");
    of[FOCUS_RegionId] = bill_field_either(bill, GCP_REGION, GCP_LOCATION);
    of[FOCUS_RegionName] = bill_field_either(bill, GCP_LOCATION, GCP_REGION);
    of[FOCUS_AvailabilityZone] = bill_field(bill, GCP_ZONE);
    of[FOCUS_ResourceName] = bill_field_words(bill, GCP_RESOURCE);
    of[FOCUS_ResourceId] = bill_words_either(bill, GCP_RESOURCE_ID, GCP_RESOURCE);
    of[FOCUS_ResourceType] = gcp_machine_type(bill_field_words(bill, GCP_RESOURCE_ID));
    if (seller.at != NULL)
        of[FOCUS_PublisherName] = seller;
    bill_provider(out, STR("Google Cloud"));
}

static void map_gcp_service(struct bill *bill, struct bill_line *out)
{
    struct str *of = out->of;

    of[FOCUS_ServiceName] = bill_words_either(bill, GCP_SERVICE, GCP_SERVICE_ID);
    of[FOCUS_ServiceCategory] = bill_service_category(bill, of[FOCUS_ServiceName]);
    of[FOCUS_ChargeDescription] = bill_field_words(bill, GCP_SKU);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Tax")))
        return;
    of[FOCUS_SkuId] = bill_field(bill, GCP_SKU_ID);
    of[FOCUS_SkuPriceId] = bill_field(bill, GCP_SKU_ID);
    of[FOCUS_SkuMeter] = bill_field_words(bill, GCP_SKU);
}

static bool map_gcp_tags(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct bill_list lists[] = {
        {"labels", bill_field_words(bill, GCP_LABELS)},
        {"tags", bill_field_words(bill, GCP_TAGS)},
        {"project.labels", bill_field_words(bill, GCP_PROJECT_LABELS)},
    };
    struct str machine;

    if (!bill_list_tags(bill, lists, ARRAY_LEN(lists), &out->of[FOCUS_Tags], err) ||
        !bill_list_value(bill, bill_field_words(bill, GCP_SYSTEM_LABELS),
                         STR("compute.googleapis.com/machine_spec"), &machine, err))
        return false;
    if (machine.at == NULL)
        return true;
    return bill_instance_type(bill, machine, &out->of[FOCUS_SkuPriceDetails], err);
}

static enum bill_step gcp_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bill_credits credits = {0};

    *out = (struct bill_line){0};
    if (bill_row_blank(&bill->row))
        return BILL_STEP_SKIP;
    if (!map_gcp_costs(bill, out, &credits, err) || !map_gcp_times(bill, out, err))
        return BILL_STEP_FAILED;
    out->of[FOCUS_BillingCurrency] = bill_field(bill, GCP_CURRENCY);
    bill_currency(bill, GCP_CURRENCY, out);
    map_gcp_charge(bill, &credits, out);
    map_gcp_commitment(&credits, out);
    map_gcp_place(bill, out);
    map_gcp_service(bill, out);
    return map_gcp_quantities(bill, out, err) && map_gcp_tags(bill, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

/* The billing export of Google Cloud, standard or detailed: flattened CSV, or JSON objects. */

static const struct bill_field names[] = {
    {"billing_account_id", GCP_ACCOUNT},
    {"service.description", GCP_SERVICE},
    {"service.id", GCP_SERVICE_ID},
    {"sku.description", GCP_SKU},
    {"sku.id", GCP_SKU_ID},
    {"usage_start_time", GCP_START},
    {"usage_end_time", GCP_END},
    {"project.id", GCP_PROJECT},
    {"project.number", GCP_PROJECT_NUMBER},
    {"project.name", GCP_PROJECT_NAME},
    {"project.labels", GCP_PROJECT_LABELS},
    {"labels", GCP_LABELS},
    {"system_labels", GCP_SYSTEM_LABELS},
    {"tags", GCP_TAGS},
    {"location.location", GCP_LOCATION},
    {"location.region", GCP_REGION},
    {"location.zone", GCP_ZONE},
    {"resource.name", GCP_RESOURCE},
    {"resource.global_name", GCP_RESOURCE_ID},
    {"cost", GCP_COST},
    {"cost_at_list", GCP_COST_AT_LIST},
    {"currency", GCP_CURRENCY},
    {"usage.amount", GCP_AMOUNT},
    {"usage.unit", GCP_UNIT},
    {"usage.amount_in_pricing_units", GCP_PRICED_AMOUNT},
    {"usage.pricing_unit", GCP_PRICED_UNIT},
    {"credits", GCP_CREDITS},
    {"credits.amount", GCP_CREDITS_AMOUNT},
    {"invoice.month", GCP_INVOICE_MONTH},
    {"cost_type", GCP_COST_TYPE},
    {"adjustment_info.type", GCP_CORRECTION},
    {"seller_name", GCP_SELLER},
    {"price.effective_price", GCP_PRICE},
    {"price.list_price", GCP_LIST_PRICE},
    {"consumption_model.description", GCP_MODEL},
    {"export_time", BILL_FIELD_IGNORED},
    {"partition_date", BILL_FIELD_IGNORED},
    {"partition_time", BILL_FIELD_IGNORED},
    {"project.ancestry_numbers", BILL_FIELD_IGNORED},
    {"project.ancestors", BILL_FIELD_IGNORED},
    {"location.country", BILL_FIELD_IGNORED},
};

static const unsigned amounts[] = {GCP_COST, GCP_COST_AT_LIST, GCP_CREDITS_AMOUNT,
                                   BILL_FIELD_IGNORED};
static const struct bill_need needs[] = {
    {"cost", {GCP_COST, BILL_FIELD_IGNORED}},
    {"usage_start_time", {GCP_START, BILL_FIELD_IGNORED}},
};
static const struct bill_fields fields = {.names = names,
                                          .name_count = ARRAY_LEN(names),
                                          .field_count = GCP_FIELDS,
                                          .amounts = amounts,
                                          .needs = needs,
                                          .need_count = ARRAY_LEN(needs)};

static const char *const flatten[] = {
    "service",  "sku",   "project",         "location",          "usage",        "invoice",
    "resource", "price", "adjustment_info", "consumption_model", "subscription", NULL};

/* The nested form shows members at its top, the flat form all of them. */
static int gcp_recognize(const struct bill_head *head)
{
    static const char *const flat[] = {"billing_account_id",  "usage_start_time", "sku.id",
                                       "service.description", "invoice.month",    "cost_type",
                                       "usage_end_time",      "export_time",      NULL};
    static const char *const nested[] = {
        "billing_account_id", "usage_start_time", "sku",         "service", "invoice",
        "cost_type",          "usage_end_time",   "export_time", NULL};
    int a = bill_head_count(head, flat), b = bill_head_count(head, nested);

    a = a > b ? a : b;
    if (bill_head_has(head, "cost") && bill_head_has(head, "usage_start_time"))
        return 12 * a;
    return a >= 5 ? 11 * a : 0; /* no other format has so many of them: one is misspelt */
}

static int recognize_csv(const struct bill_head *head)
{
    return head->json ? 0 : gcp_recognize(head);
}

static int recognize_json(const struct bill_head *head)
{
    return head->json ? gcp_recognize(head) : 0;
}

static bool gcp_columns(struct bill *bill, size_t first, struct error *err)
{
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    bill->total_column = bill_has(bill, GCP_CREDITS) || bill_has(bill, GCP_CREDITS_AMOUNT)
                             ? "cost and credits.amount"
                             : "cost";
    bill->about.version = bill_has(bill, GCP_RESOURCE) || bill_has(bill, GCP_RESOURCE_ID)
                              ? "detailed"
                              : "standard";
    return bill->json != NULL || bill_fields_check(bill, &fields, err);
}

const struct bill_reader bill_gcp_csv = {
    .format = BILL_GCP_CSV,
    .name = "gcp-csv",
    .title = "Google Cloud billing export (CSV)",
    .currency_column = "currency",
    .end_column = "usage_end_time",
    .recognize = recognize_csv,
    .columns = gcp_columns,
    .line = gcp_line,
    .flatten = flatten,
};

const struct bill_reader bill_gcp_json = {
    .format = BILL_GCP_NDJSON,
    .name = "gcp-ndjson",
    .title = "Google Cloud billing export (JSON)",
    .currency_column = "currency",
    .end_column = "usage_end_time",
    .recognize = recognize_json,
    .columns = gcp_columns,
    .line = gcp_line,
    .flatten = flatten,
};
