/* Tables of costs: people's own (docs/bills.md), grouped queries of any cloud, and what the
 * consoles of Azure and Google Cloud download. */

#include "bill/table.h"
#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "bill/list.h"
#include "bill/map.h"
#include "unit/time.h"

enum field {
    DATE,
    MONTH,
    END,
    COST,
    COST_USD,
    EFFECTIVE,
    LIST,
    CURRENCY,
    PROVIDER,
    ACCOUNT,
    ACCOUNT_NAME,
    SUB_ACCOUNT,
    SUB_ACCOUNT_NAME,
    SERVICE,
    SKU,
    SKU_ID,
    DESCRIPTION,
    REGION,
    ZONE,
    RESOURCE,
    RESOURCE_NAME,
    RESOURCE_GROUP,
    INSTANCE,
    QUANTITY,
    UNIT,
    CHARGE,
    CREDIT,
    PRICING,
    TAGS,
    FIELDS
};

static const struct bill_field names[] = {
    {"date", DATE},
    {"day", DATE},
    {"usage_date", DATE},
    {"usage_day", DATE},
    {"usage_start_date", DATE},
    {"usage_start_time", DATE},
    {"usage_start", DATE},
    {"line_item_usage_start_date", DATE},
    {"start_date", DATE},
    {"start", DATE},
    {"start_time", DATE},
    {"month", MONTH},
    {"billing_month", MONTH},
    {"usage_month", MONTH},
    {"invoice_month", MONTH},
    {"end", END},
    {"end_date", END},
    {"end_time", END},
    {"usage_end_date", END},
    {"usage_end_time", END},
    {"cost", COST},
    {"costs", COST},
    {"total_cost", COST},
    {"billed_cost", COST},
    {"net_cost", COST},
    {"unblended_cost", COST},
    {"line_item_unblended_cost", COST},
    {"pre_tax_cost", COST},
    {"cost_in_billing_currency", COST},
    {"spend", COST},
    {"amount", COST},
    {"cost_usd", COST_USD},
    {"cost_in_usd", COST_USD},
    {"pre_tax_cost_usd", COST_USD},
    {"effective_cost", EFFECTIVE},
    {"amortized_cost", EFFECTIVE},
    {"list_cost", LIST},
    {"currency", CURRENCY},
    {"currency_code", CURRENCY},
    {"billing_currency", CURRENCY},
    {"provider", PROVIDER},
    {"provider_name", PROVIDER},
    {"cloud", PROVIDER},
    {"vendor", PROVIDER},
    {"account", ACCOUNT},
    {"account_id", ACCOUNT},
    {"billing_account", ACCOUNT},
    {"billing_account_id", ACCOUNT},
    {"payer_account_id", ACCOUNT},
    {"bill_payer_account_id", ACCOUNT},
    {"account_name", ACCOUNT_NAME},
    {"billing_account_name", ACCOUNT_NAME},
    {"sub_account", SUB_ACCOUNT},
    {"sub_account_id", SUB_ACCOUNT},
    {"project_id", SUB_ACCOUNT},
    {"subscription_id", SUB_ACCOUNT},
    {"subscription", SUB_ACCOUNT},
    {"linked_account", SUB_ACCOUNT},
    {"usage_account_id", SUB_ACCOUNT},
    {"line_item_usage_account_id", SUB_ACCOUNT},
    {"sub_account_name", SUB_ACCOUNT_NAME},
    {"project_name", SUB_ACCOUNT_NAME},
    {"subscription_name", SUB_ACCOUNT_NAME},
    {"linked_account_name", SUB_ACCOUNT_NAME},
    {"service", SERVICE},
    {"service_name", SERVICE},
    {"service_description", SERVICE},
    {"product", SERVICE},
    {"product_name", SERVICE},
    {"product_code", SERVICE},
    {"line_item_product_code", SERVICE},
    {"meter_category", SERVICE},
    {"sku", SKU},
    {"sku_description", SKU},
    {"sku_name", SKU},
    {"usage_type", SKU},
    {"meter", SKU},
    {"meter_name", SKU},
    {"sku_id", SKU_ID},
    {"description", DESCRIPTION},
    {"charge_description", DESCRIPTION},
    {"region", REGION},
    {"region_id", REGION},
    {"location", REGION},
    {"resource_location", REGION},
    {"zone", ZONE},
    {"availability_zone", ZONE},
    {"resource", RESOURCE},
    {"resource_id", RESOURCE},
    {"instance_id", RESOURCE},
    {"resource_name", RESOURCE_NAME},
    {"resource_group", RESOURCE_GROUP},
    {"resource_group_name", RESOURCE_GROUP},
    {"instance", INSTANCE},
    {"instance_type", INSTANCE},
    {"machine_type", INSTANCE},
    {"quantity", QUANTITY},
    {"usage_amount", QUANTITY},
    {"usage_quantity", QUANTITY},
    {"usage", QUANTITY},
    {"unit", UNIT},
    {"usage_unit", UNIT},
    {"charge", CHARGE},
    {"charge_type", CHARGE},
    {"charge_category", CHARGE},
    {"cost_type", CHARGE},
    {"credit_type", CREDIT},
    {"pricing", PRICING},
    {"pricing_category", PRICING},
    {"purchase_option", PRICING},
    {"tags", TAGS},
    {"labels", TAGS},
};

/* Columns that are tags by themselves: what 'stint costs' asks by. */
static const char *const own_tags[] = {
    "team",        "project", "environment", "experiment", "cost_center",
    "cost_centre", "model",   "phase",       "owner",      NULL};

/* "tag:team", "tags/team", "label:team" and the above are tags. */
static bool is_tag(struct str column, struct buf *key)
{
    static const char *const heads[] = {"tag:", "tags/", "label:"};

    for (const char *const *tag = own_tags; *tag != NULL; tag++)
        if (bill_name_eq(column, str_from(*tag))) {
            buf_add(key, column);
            return true;
        }
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        struct str head = str_from(heads[i]);

        if (str_starts(column, head)) {
            buf_add(key, (struct str){column.at + head.len, column.len - head.len});
            return true;
        }
    }
    return false;
}

static const unsigned amounts[] = {COST, COST_USD, EFFECTIVE, LIST, BILL_FIELD_IGNORED};
static const struct bill_need needs[] = {
    {"cost", {COST, COST_USD, BILL_FIELD_IGNORED}},
    {"date", {DATE, MONTH, BILL_FIELD_IGNORED}},
};
static const struct bill_fields fields = {.names = names,
                                          .name_count = ARRAY_LEN(names),
                                          .field_count = FIELDS,
                                          .amounts = amounts,
                                          .needs = needs,
                                          .need_count = ARRAY_LEN(needs),
                                          .tag = is_tag};

enum flavor { FLAVOR_OWN, FLAVOR_AZURE, FLAVOR_GCP };

struct table_state {
    enum flavor flavor;
    bool query;                     /* JSON of Azure's query */
    struct currency currency;       /* of the cost column's name; empty: none */
    stamp period_start, period_end; /* of the line before */
};

/* ---- which it is ---- */

/* "Cost ($)" is "Cost" in dollars: the text in the brackets, or nothing. */
static struct str unit_in(struct str *name)
{
    size_t open = name->len;
    struct str unit;

    if (name->len < 3 || name->at[name->len - 1] != ')')
        return (struct str){0};
    while (open > 0 && name->at[open - 1] != '(')
        open--;
    if (open == 0)
        return (struct str){0};
    unit = (struct str){name->at + open, name->len - open - 1};
    *name = str_trim((struct str){name->at, open - 1});
    return unit;
}

static struct currency currency_in(struct str unit)
{
    static const struct {
        const char *sign;
        struct currency code;
    } signs[] = {{"$", {"USD"}},        {"US$", {"USD"}},      {"\xe2\x82\xac", {"EUR"}},
                 {"\xc2\xa3", {"GBP"}}, {"\xc2\xa5", {"JPY"}}, {"\xe2\x82\xb9", {"INR"}},
                 {"A$", {"AUD"}},       {"CA$", {"CAD"}}};

    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (str_eq(unit, str_from(signs[i].sign)))
            return signs[i].code;
    return currency_none;
}

static unsigned field_of(struct str column)
{
    (void)unit_in(&column);
    return bill_field_of(column, &fields);
}

static bool is_query(const struct bill_head *head)
{
    return head->json && azure_query_is(head->text) &&
           (bill_head_has(head, "properties") || bill_head_has(head, "columns"));
}

static enum flavor flavor_of(const struct str *columns, size_t count)
{
    static const char *const azure[] = {
        "UsageDate",     "CostUSD",     "PreTaxCost", "BillingMonth",
        "ResourceGroup", "ServiceName", NULL};
    static const char *const gcp[] = {"Service description", "SKU description",  "SKU ID",
                                      "Cost type",           "Usage start date", NULL};
    const struct bill_head head = {.columns = columns, .count = count};

    if (bill_head_count(&head, azure) >= 2 &&
        (bill_head_has(&head, "UsageDate") || bill_head_has(&head, "BillingMonth")))
        return FLAVOR_AZURE;
    return bill_head_count(&head, gcp) >= 4 ? FLAVOR_GCP : FLAVOR_OWN;
}

/* A cost, a date, and what it is for. Weak, since any table may have such names. */
static int table_recognize(const struct bill_head *head)
{
    static const char *const meters[] = {"MeterId", "MeterCategory", "ConsumedService", NULL};
    bool has[FIELDS] = {false};

    if (is_query(head))
        return 60;
    if (bill_head_count(head, meters) > 0) /* an export of Azure's, however short */
        return 0;
    for (size_t i = 0; i < head->count; i++) {
        unsigned field = field_of(head->columns[i]);

        if (field != BILL_FIELD_IGNORED)
            has[field] = true;
    }
    if ((!has[COST] && !has[COST_USD]) || (!has[DATE] && !has[MONTH]))
        return 0;
    switch (flavor_of(head->columns, head->count)) {
    case FLAVOR_GCP:
        return 70;
    case FLAVOR_AZURE:
        return 45;
    case FLAVOR_OWN:
        break;
    }
    /* Grouped answers of BigQuery have no resources, and seldom name their owner. */
    if (has[RESOURCE] || (has[PROVIDER] && !has[SKU] && !has[SKU_ID] && !has[SUB_ACCOUNT]))
        return 35;
    return has[SERVICE] || has[PROVIDER] || has[SKU] ? 25 : 0;
}

/* ---- columns ---- */

static bool make_state(struct bill *bill, bool query, struct error *err)
{
    struct table_state *state = arena_array(&bill->arena, struct table_state, 1, err);

    if (state == NULL)
        return false;
    state->query = query;
    state->period_start = STAMP_UNKNOWN;
    bill->state = state;
    return true;
}

/* "Cost ($)" is known as "Cost"; its currency is kept. */
static void drop_unit(struct bill *bill, struct table_state *state, size_t column)
{
    struct str name = bill->columns[column], unit = unit_in(&name);
    unsigned field = bill_field_of(name, &fields);

    if (field == BILL_FIELD_IGNORED)
        return;
    if (field == COST)
        state->currency = currency_in(unit);
    bill->columns[column] = name;
}

static bool table_columns(struct bill *bill, size_t first, struct error *err)
{
    static const char *const versions[] = {"", "Azure cost analysis", "GCP cost table"};
    struct table_state *state;

    if (bill->state == NULL && !make_state(bill, false, err))
        return false;
    state = bill->state;
    for (size_t i = first; i < bill->column_count; i++)
        drop_unit(bill, state, i);
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    state->flavor = state->query ? FLAVOR_AZURE : flavor_of(bill->columns, bill->column_count);
    bill->about.version = state->query ? "Azure query" : versions[state->flavor];
    bill->about.coarse = !bill_has(bill, RESOURCE);
    bill->total_column = bill_has(bill, COST) ? "cost" : "cost_usd";
    return (bill->json != NULL && !state->query) || bill_fields_check(bill, &fields, err);
}

/* ---- a row ---- */

static bool take_other(struct bill *bill, enum field f, const char *name,
                       enum focus_column column, struct bill_line *out, struct decimal *amount,
                       struct error *err)
{
    out->of[column] = bill_field(bill, f);
    *amount = out->billed;
    return out->of[column].at == NULL || bill_amount(bill, name, &out->of[column], amount, err);
}

static bool take_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct table_state *state = bill->state;
    bool dollars = !bill_has(bill, COST);
    struct str cost = bill_field(bill, dollars ? COST_USD : COST);

    if (!bill_amount(bill, dollars ? "cost_usd" : "cost", &cost, &out->billed, err))
        return false;
    bill_sum_add(&bill->total, out->billed);
    out->of[FOCUS_BilledCost] = cost;
    if (!take_other(bill, EFFECTIVE, "effective_cost", FOCUS_EffectiveCost, out,
                    &out->effective, err) ||
        !take_other(bill, LIST, "list_cost", FOCUS_ListCost, out, &out->list, err))
        return false;
    if (out->of[FOCUS_EffectiveCost].at == NULL)
        out->of[FOCUS_EffectiveCost] = cost;
    out->list_known = out->of[FOCUS_ListCost].at != NULL;
    out->contracted = out->billed;
    out->of[FOCUS_BillingCurrency] = dollars ? STR("USD") : bill_field(bill, CURRENCY);
    if (out->of[FOCUS_BillingCurrency].at == NULL && !currency_unset(state->currency))
        out->of[FOCUS_BillingCurrency] = currency_text(&state->currency);
    bill_currency(bill, CURRENCY, out);
    return true;
}

static bool take_month(struct bill *bill, struct str month, struct bill_line *out,
                       struct error *err)
{
    if (bill_month_parse(month, &out->period_start, &out->period_end))
        return true;
    if (!bill_time(bill, &bill->times[1], "month", month, &out->period_start, err))
        return false;
    out->period_start = stamp_month(out->period_start);
    out->period_end = stamp_next_month(out->period_start);
    return true;
}

/* A date is a day; a time with hours is one hour, unless there is an end. An end that is a date
 * is the last day, as people write it. */
static bool take_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct table_state *state = bill->state;
    struct str date = bill_field(bill, DATE), month = bill_field(bill, MONTH),
               end = bill_field(bill, END);

    if (month.at != NULL && !take_month(bill, month, out, err))
        return false;
    if (date.at == NULL && month.at == NULL)
        return bill_refuse(bill, "date", date, "", err);
    out->start = out->period_start;
    out->end = out->period_end;
    if (date.at != NULL) {
        if (!bill_time(bill, &bill->times[0], "date", date, &out->start, err))
            return false;
        out->end.s = out->start.s + (date.len > 10 ? 3600 : SECONDS_PER_DAY);
        if (end.at != NULL) {
            if (!bill_time(bill, &bill->times[2], "end", end, &out->end, err))
                return false;
            out->end.s += end.len > 10 ? 0 : SECONDS_PER_DAY;
        }
        if (month.at == NULL)
            bill_month_of(out);
    }
    state->period_start = out->period_start;
    state->period_end = out->period_end;
    return true;
}

static struct str charge_of(struct str type)
{
    static const char *const known[] = {"Usage", "Purchase", "Tax", "Credit", "Adjustment"};

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_has_nocase(type, str_from(known[i])))
            return str_from(known[i]);
    if (str_has_nocase(type, STR("refund")) || str_has_nocase(type, STR("round")))
        return STR("Adjustment");
    return STR("Usage");
}

static struct str pricing_of(struct str pricing)
{
    if (str_has_nocase(pricing, STR("spot")) || str_has_nocase(pricing, STR("preempt")) ||
        str_eq_nocase(pricing, STR("Dynamic")))
        return STR("Dynamic");
    if (str_has_nocase(pricing, STR("reserv")) || str_has_nocase(pricing, STR("saving")) ||
        str_has_nocase(pricing, STR("commit")))
        return STR("Committed");
    return pricing.at != NULL ? STR("Standard") : (struct str){0};
}

/* Who is paid: as the file has it, or as the names of services show. */
static struct str provider_of(const struct bill *bill)
{
    const struct table_state *state = bill->state;
    struct str provider = bill_field(bill, PROVIDER), service = bill_field(bill, SERVICE);

    if (provider.at != NULL)
        return provider;
    if (state->flavor != FLAVOR_OWN)
        return state->flavor == FLAVOR_AZURE ? STR("Microsoft") : STR("Google Cloud");
    if (str_starts(service, STR("Amazon")) || str_starts(service, STR("AWS")) ||
        str_starts(service, STR("EC2")) || aws_service_of(service).name != NULL ||
        aws_service_named(service).name != NULL)
        return STR("AWS");
    if (str_starts(service, STR("Microsoft.")) || str_starts(service, STR("Azure")))
        return STR("Microsoft");
    if (str_starts(service, STR("Google")) || str_eq_nocase(service, STR("Compute Engine")) ||
        str_starts(service, STR("Vertex")) || str_eq_nocase(service, STR("BigQuery")) ||
        str_eq_nocase(service, STR("Cloud Storage")))
        return STR("Google Cloud");
    return (struct str){0};
}

static bool refuse_provider(const struct bill *bill, struct error *err)
{
    (void)bill_refuse(bill, "provider", (struct str){0}, "", err);
    error_hint(err, "a column 'provider' names who is paid; names of services show it for AWS, "
                    "Azure and Google Cloud alone");
    return false;
}

static bool take_tags(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bill_list lists[] = {{"tags", bill_field(bill, TAGS)}, {"columns", {0}}};
    struct str group = bill_field(bill, RESOURCE_GROUP);

    buf_clear(&bill->work);
    if (group.at != NULL)
        bill_put(&bill->work, STR("resource_group"), group);
    bill_put_tags(bill);
    return bill_object(bill, &lists[1].text, err) &&
           bill_list_tags(bill, lists, ARRAY_LEN(lists), &out->of[FOCUS_Tags], err);
}

static bool take_rest(struct bill *bill, struct bill_line *out, struct error *err)
{
    static const struct bill_copy copies[] = {
        {FOCUS_BillingAccountId, ACCOUNT},
        {FOCUS_BillingAccountName, ACCOUNT_NAME},
        {FOCUS_SubAccountId, SUB_ACCOUNT},
        {FOCUS_SubAccountName, SUB_ACCOUNT_NAME},
        {FOCUS_ServiceName, SERVICE},
        {FOCUS_SkuMeter, SKU},
        {FOCUS_SkuId, SKU_ID},
        {FOCUS_ChargeDescription, DESCRIPTION},
        {FOCUS_RegionId, REGION},
        {FOCUS_AvailabilityZone, ZONE},
        {FOCUS_ResourceId, RESOURCE},
        {FOCUS_ResourceName, RESOURCE_NAME},
        {FOCUS_ConsumedQuantity, QUANTITY},
        {FOCUS_ConsumedUnit, UNIT},
    };
    struct str *of = out->of, provider = provider_of(bill),
               instance = bill_field(bill, INSTANCE);
    struct decimal ignored;

    if (provider.at == NULL)
        return refuse_provider(bill, err);
    bill_copy_fields(bill, copies, ARRAY_LEN(copies), out);
    if (of[FOCUS_ConsumedQuantity].at != NULL &&
        !bill_amount(bill, "quantity", &of[FOCUS_ConsumedQuantity], &ignored, err))
        return false;
    if (of[FOCUS_SubAccountId].at == NULL)
        of[FOCUS_SubAccountId] = of[FOCUS_SubAccountName];
    if (of[FOCUS_ChargeDescription].at == NULL)
        of[FOCUS_ChargeDescription] = of[FOCUS_SkuMeter];
    of[FOCUS_ServiceCategory] = bill_category(of[FOCUS_ServiceName]);
    of[FOCUS_ChargeCategory] = bill_field(bill, CREDIT).at != NULL
                                   ? STR("Credit")
                                   : charge_of(bill_field(bill, CHARGE));
    of[FOCUS_PricingCategory] = pricing_of(bill_field(bill, PRICING));
    bill_provider(out, provider);
    if (instance.at != NULL &&
        !bill_instance_type(bill, instance, &of[FOCUS_SkuPriceDetails], err))
        return false;
    return take_tags(bill, out, err);
}

/* Consoles end their tables in sums. */
static bool is_total(const struct bill *bill)
{
    if (bill_field(bill, DATE).at != NULL &&
        !str_has_nocase(bill_field(bill, DATE), STR("total")))
        return false;
    if (bill_field(bill, MONTH).at != NULL)
        return false;
    for (size_t i = 0; i < bill->row.count; i++) {
        struct str text = str_trim(bill->row.cells[i]);

        if (str_eq_nocase(text, STR("Total")) || str_eq_nocase(text, STR("Grand total")) ||
            str_eq_nocase(text, STR("Subtotal")))
            return true;
    }
    return false;
}

/* "Rounding error" below Google's table: it has no date, and is of the month of the lines. */
static bool is_rounding(const struct bill *bill)
{
    const struct table_state *state = bill->state;

    if (state->flavor != FLAVOR_GCP || bill_field(bill, DATE).at != NULL ||
        state->period_start.s == STAMP_UNKNOWN.s)
        return false;
    for (size_t i = 0; i < bill->row.count; i++)
        if (str_has_nocase(bill->row.cells[i], STR("rounding")))
            return true;
    return false;
}

static enum bill_step take_rounding(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct table_state *state = bill->state;

    if (!take_costs(bill, out, err) || !take_rest(bill, out, err))
        return BILL_STEP_FAILED;
    out->of[FOCUS_ChargeCategory] = STR("Adjustment");
    out->of[FOCUS_ChargeDescription] = STR("Rounding error");
    out->start = out->period_start = state->period_start;
    out->end = out->period_end = state->period_end;
    return BILL_STEP_LINE;
}

static enum bill_step take_row(struct bill *bill, struct bill_line *out, struct error *err)
{
    *out = (struct bill_line){.line = bill->row.line};
    if (bill_row_blank(&bill->row) || is_total(bill))
        return BILL_STEP_SKIP;
    if (is_rounding(bill))
        return take_rounding(bill, out, err);
    return take_costs(bill, out, err) && take_times(bill, out, err) && take_rest(bill, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

static bool open_json(struct bill *bill, struct error *err)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    enum bill_step step;

    if (azure_query_is(text)) {
        if (!make_state(bill, true, err) || !azure_query_open(bill, err))
            return false;
        return table_columns(bill, 0, err);
    }
    step = bill_rows_next(bill, err);
    bill->again = true;
    return step == BILL_STEP_END ? error_fail(err, ERROR_INPUT, "it is empty")
                                 : step == BILL_STEP_LINE;
}

static enum bill_step table_next(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct table_state *state = bill->state;
    enum bill_step step = BILL_STEP_LINE;

    if (!bill->again)
        step = state->query ? azure_query_next(bill, err) : bill_rows_next(bill, err);
    bill->again = false;
    return step == BILL_STEP_LINE ? take_row(bill, out, err) : step;
}

const struct bill_reader bill_table = {
    .format = BILL_TABLE,
    .name = "table",
    .title = "cost table",
    .currency_column = "currency",
    .end_column = "end",
    .recognize = table_recognize,
    .columns = table_columns,
    .open = open_json,
    .next = table_next,
};
