/* The billing export of Google Cloud, standard or detailed: flattened CSV, or JSON objects. */
#include "bill/fields.h"
#include "bill/gcp/gcp.h"

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

static const int amounts[] = {GCP_COST, GCP_COST_AT_LIST, GCP_CREDITS_AMOUNT,
                              BILL_FIELD_IGNORED};
static const struct bill_fields fields = {names, ARRAY_LEN(names), amounts};

static const char *const flatten[] = {
    "service",  "sku",   "project",         "location",          "usage",        "invoice",
    "resource", "price", "adjustment_info", "consumption_model", "subscription", NULL};

/* The nested form shows members at its top, the flat form all of them. */
static int recognise(const struct bill_head *head)
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
    return a >= 5 ? 11 * a : 0; /* nobody else has so many of them: one is misspelt */
}

static int recognise_csv(const struct bill_head *head)
{
    return head->json ? 0 : recognise(head);
}

static int recognise_json(const struct bill_head *head)
{
    return head->json ? recognise(head) : 0;
}

static bool columns(struct bill *bill, size_t first, struct error *err)
{
    static const enum gcp_field needed[] = {GCP_COST, GCP_START};
    struct gcp_state *state = bill->state;
    const char *lacks[ARRAY_LEN(needed)];
    size_t count = 0;

    if (first == 0) {
        state = arena_array(&bill->arena, struct gcp_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        for (int f = 0; f < GCP_FIELDS; f++)
            state->at[f] = BILL_NO_COLUMN;
    }
    if (!bill_fields_find(bill, first, &fields, state->at, err))
        return false;
    bill->total_column = state->at[GCP_CREDITS] != BILL_NO_COLUMN ||
                                 state->at[GCP_CREDITS_AMOUNT] != BILL_NO_COLUMN
                             ? "cost and credits.amount"
                             : "cost";
    bill->about.version = state->at[GCP_RESOURCE] != BILL_NO_COLUMN ||
                                  state->at[GCP_RESOURCE_ID] != BILL_NO_COLUMN
                              ? "detailed"
                              : "standard";
    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        if (state->at[needed[i]] == BILL_NO_COLUMN)
            lacks[count++] = needed[i] == GCP_COST ? "cost" : "usage_start_time";
    return bill->json != NULL || count == 0 || bill_lacks(bill, lacks, count, err);
}

const struct bill_reader bill_gcp_csv = {
    .format = BILL_GCP_CSV,
    .name = "gcp-csv",
    .title = "Google Cloud billing export (CSV)",
    .currency_column = "currency",
    .end_column = "usage_end_time",
    .recognise = recognise_csv,
    .columns = columns,
    .line = gcp_line,
    .flatten = flatten,
};

const struct bill_reader bill_gcp_json = {
    .format = BILL_GCP_NDJSON,
    .name = "gcp-ndjson",
    .title = "Google Cloud billing export (JSON)",
    .currency_column = "currency",
    .end_column = "usage_end_time",
    .recognise = recognise_json,
    .columns = columns,
    .line = gcp_line,
    .flatten = flatten,
};
