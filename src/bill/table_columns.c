/* Columns of tables of costs: what they are called, which is the amount, and what the user says
 * of them with --map. */
#include "bill/table_fields.h"

#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "bill/provider.h"
#include "bill/table.h"
#include "unit/time.h"

static const struct bill_field names[] = {
    {"date", TABLE_DATE},
    {"day", TABLE_DATE},
    {"usage_date", TABLE_DATE},
    {"usage_date_utc", TABLE_DATE},
    {"usage_day", TABLE_DATE},
    {"usage_start_date", TABLE_DATE},
    {"usage_start_time", TABLE_DATE},
    {"usage_start", TABLE_DATE},
    {"line_item_usage_start_date", TABLE_DATE},
    {"start_date", TABLE_DATE},
    {"start", TABLE_DATE},
    {"interval_start", TABLE_DATE},
    {"start_time", TABLE_DATE},
    {"starting_at", TABLE_DATE},
    {"time", TABLE_DATE},
    {"timestamp", TABLE_DATE},
    {"created_at", TABLE_DATE},
    {"month", TABLE_MONTH},
    {"billing_month", TABLE_MONTH},
    {"usage_month", TABLE_MONTH},
    {"invoice_month", TABLE_MONTH},
    {"end", TABLE_END},
    {"end_date", TABLE_END},
    {"end_time", TABLE_END},
    {"usage_end_date", TABLE_END},
    {"usage_end_time", TABLE_END},
    {"ending_at", TABLE_END},
    {"interval_end", TABLE_END},
    {"cost", TABLE_COST},
    {"costs", TABLE_COST},
    {"total_cost", TABLE_COST},
    {"billed_cost", TABLE_COST},
    {"unblended_cost", TABLE_COST},
    {"line_item_unblended_cost", TABLE_COST},
    {"pre_tax_cost", TABLE_COST},
    {"cost_in_billing_currency", TABLE_COST},
    {"spend", TABLE_COST},
    {"amount", TABLE_COST},
    {"amount_value", TABLE_COST}, /* {"amount":{"value":...}} */
    {"amount_usd", TABLE_COST_USD},
    {"amount_cents", TABLE_CENTS},
    {"amount_in_cents", TABLE_CENTS},
    {"cost_cents", TABLE_CENTS},
    {"cost_in_cents", TABLE_CENTS},
    {"total_cents", TABLE_CENTS},
    {"total_cost_cents", TABLE_CENTS},
    {"total_cost_in_cents", TABLE_CENTS},
    {"total_amount_cents", TABLE_CENTS},
    {"net_cost", TABLE_NET},
    {"net_amount", TABLE_NET},
    {"net", TABLE_NET},
    {"cost_after_credits", TABLE_NET},
    {"cost_after_discounts", TABLE_NET},
    {"subtotal", TABLE_SUBTOTAL},
    {"unrounded_subtotal", TABLE_UNROUNDED},
    {"total", TABLE_TOTAL},
    {"total_amount", TABLE_TOTAL},
    {"amount_due", TABLE_TOTAL},
    {"savings", TABLE_SAVINGS},
    {"savings_programs", TABLE_SAVINGS},
    {"other_savings", TABLE_SAVINGS},
    {"promotions_and_others", TABLE_SAVINGS},
    {"promotions", TABLE_SAVINGS},
    {"discount", TABLE_SAVINGS},
    {"discounts", TABLE_SAVINGS},
    {"credits", TABLE_SAVINGS},
    {"credit", TABLE_SAVINGS},
    {"negotiated_savings", TABLE_NEGOTIATED},
    {"cost_usd", TABLE_COST_USD},
    {"cost_in_usd", TABLE_COST_USD},
    {"pre_tax_cost_usd", TABLE_COST_USD},
    {"effective_cost", TABLE_EFFECTIVE},
    {"amortized_cost", TABLE_EFFECTIVE},
    {"list_cost", TABLE_LIST},
    {"currency", TABLE_CURRENCY},
    {"currency_code", TABLE_CURRENCY},
    {"amount_currency", TABLE_CURRENCY},
    {"billing_currency", TABLE_CURRENCY},
    {"provider", TABLE_PROVIDER},
    {"provider_name", TABLE_PROVIDER},
    {"cloud", TABLE_PROVIDER},
    {"vendor", TABLE_PROVIDER},
    {"account", TABLE_ACCOUNT},
    {"account_id", TABLE_ACCOUNT},
    {"billing_account", TABLE_ACCOUNT},
    {"billing_account_id", TABLE_ACCOUNT},
    {"payer_account_id", TABLE_ACCOUNT},
    {"bill_payer_account_id", TABLE_ACCOUNT},
    {"account_name", TABLE_ACCOUNT_NAME},
    {"billing_account_name", TABLE_ACCOUNT_NAME},
    {"sub_account", TABLE_SUB_ACCOUNT},
    {"sub_account_id", TABLE_SUB_ACCOUNT},
    {"project_id", TABLE_SUB_ACCOUNT},
    {"subscription_id", TABLE_SUB_ACCOUNT},
    {"subscription", TABLE_SUB_ACCOUNT},
    {"linked_account", TABLE_SUB_ACCOUNT},
    {"usage_account_id", TABLE_SUB_ACCOUNT},
    {"line_item_usage_account_id", TABLE_SUB_ACCOUNT},
    {"sub_account_name", TABLE_SUB_ACCOUNT_NAME},
    {"project_name", TABLE_SUB_ACCOUNT_NAME},
    {"subscription_name", TABLE_SUB_ACCOUNT_NAME},
    {"linked_account_name", TABLE_SUB_ACCOUNT_NAME},
    {"service", TABLE_SERVICE},
    {"service_name", TABLE_SERVICE},
    {"service_description", TABLE_SERVICE},
    {"product", TABLE_SERVICE},
    {"product_name", TABLE_SERVICE},
    {"product_code", TABLE_SERVICE},
    {"line_item_product_code", TABLE_SERVICE},
    {"meter_category", TABLE_SERVICE},
    {"sku", TABLE_SKU},
    {"sku_description", TABLE_SKU},
    {"sku_name", TABLE_SKU},
    {"usage_type", TABLE_SKU},
    {"meter", TABLE_SKU},
    {"meter_name", TABLE_SKU},
    {"sku_id", TABLE_SKU_ID},
    {"description", TABLE_DESCRIPTION},
    {"charge_description", TABLE_DESCRIPTION},
    {"line_item", TABLE_DESCRIPTION},
    {"region", TABLE_REGION},
    {"region_id", TABLE_REGION},
    {"location", TABLE_REGION},
    {"resource_location", TABLE_REGION},
    {"zone", TABLE_ZONE},
    {"availability_zone", TABLE_ZONE},
    {"resource", TABLE_RESOURCE},
    {"resource_id", TABLE_RESOURCE},
    {"instance_id", TABLE_RESOURCE},
    {"pod_id", TABLE_RESOURCE},
    {"resource_name", TABLE_RESOURCE_NAME},
    {"resource_group", TABLE_RESOURCE_GROUP},
    {"resource_group_name", TABLE_RESOURCE_GROUP},
    {"instance", TABLE_INSTANCE},
    {"instance_type", TABLE_INSTANCE},
    {"machine_type", TABLE_INSTANCE},
    {"instance_type_name", TABLE_INSTANCE},
    {"gpu", TABLE_GPU},
    {"gpu_type", TABLE_GPU},
    {"gpu_type_id", TABLE_GPU},
    {"gpu_name", TABLE_GPU},
    {"gpu_model", TABLE_GPU},
    {"gpu_display_name", TABLE_GPU},
    {"accelerator", TABLE_GPU},
    {"accelerator_type", TABLE_GPU},
    {"quantity", TABLE_QUANTITY},
    {"usage_amount", TABLE_QUANTITY},
    {"usage_quantity", TABLE_QUANTITY},
    {"usage", TABLE_QUANTITY},
    {"unit", TABLE_UNIT},
    {"usage_unit", TABLE_UNIT},
    {"charge", TABLE_CHARGE},
    {"charge_type", TABLE_CHARGE},
    {"charge_category", TABLE_CHARGE},
    {"cost_type", TABLE_CHARGE},
    {"type", TABLE_KIND},
    {"transaction_type", TABLE_KIND},
    {"credit_type", TABLE_CREDIT},
    {"pricing", TABLE_PRICING},
    {"pricing_category", TABLE_PRICING},
    {"purchase_option", TABLE_PRICING},
    {"tags", TABLE_TAGS},
    {"labels", TABLE_TAGS},
};

/* Columns that are tags by themselves: what 'stint costs' asks by. */
static const char *const own_tags[] = {
    "team",        "project", "environment", "experiment", "cost_center",
    "cost_center", "model",   "phase",       "owner",      NULL};

/* "tag:team", "tags/team", "label:team" and the above are tags. */
static bool is_table_tag(struct str column, struct buf *key)
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

static bool map_claims(const struct bill *bill, struct str column, unsigned *field);

static const unsigned amounts[] = {TABLE_COST,     TABLE_COST_USD,  TABLE_EFFECTIVE,
                                   TABLE_LIST,     TABLE_CENTS,     TABLE_NET,
                                   TABLE_SUBTOTAL, TABLE_UNROUNDED, BILL_FIELD_IGNORED};
static const struct bill_fields fields = {.names = names,
                                          .name_count = ARRAY_LEN(names),
                                          .field_count = TABLE_FIELDS,
                                          .amounts = amounts,
                                          .claim = map_claims,
                                          .tag = is_table_tag};

/* ---- what the user says ---- */

/* What --map knows by this name: that of the field in the documentation. */
static unsigned mapped_field(struct str name)
{
    static const struct bill_field more[] = {
        {"cost_cents", TABLE_CENTS}, {"rate", TABLE_RATE}, {"hours", TABLE_HOURS}};

    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        if (bill_name_eq(name, str_from(more[i].name)))
            return more[i].field;
    return bill_field_of(name, &fields);
}

static bool is_own_tag(struct str name)
{
    for (const char *const *tag = own_tags; *tag != NULL; tag++)
        if (bill_name_eq(name, str_from(*tag)))
            return true;
    return false;
}

bool bill_map_knows(struct str field)
{
    return mapped_field(field) != BILL_FIELD_IGNORED || is_own_tag(field);
}

/* The mapping of this column; NULL when there is none. With or without its unit: "Cost ($)". */
static const struct bill_mapping *mapping_of(const struct bill_options *options,
                                             struct str column)
{
    struct str plain = column;

    (void)bill_unit_in(&plain);
    for (size_t i = 0; i < options->map_count; i++)
        if (bill_name_eq(options->map[i].column, column) ||
            bill_name_eq(options->map[i].column, plain))
            return &options->map[i];
    return NULL;
}

/* Columns that the user maps, and those whose place they take: a cost that is mapped leaves no
 * other column to be one. */
static bool map_claims(const struct bill *bill, struct str column, unsigned *field)
{
    const struct bill_mapping *mapping = mapping_of(&bill->options, column);
    unsigned by_name = bill_field_of(column, &fields);

    if (mapping != NULL && !is_own_tag(mapping->field)) {
        *field = mapped_field(mapping->field);
        return true;
    }
    *field = BILL_FIELD_IGNORED;
    for (size_t i = 0; by_name != BILL_FIELD_IGNORED && i < bill->options.map_count; i++) {
        unsigned taken = mapped_field(bill->options.map[i].field);
        bool amount = taken == TABLE_COST || taken == TABLE_CENTS || taken == TABLE_RATE;

        if (taken == by_name || (amount && by_name >= TABLE_COST && by_name <= TABLE_SAVINGS))
            return true;
    }
    return false;
}

/* Columns of tags get the names that they are asked by. */
static void rename_tags(struct bill *bill, size_t first)
{
    for (size_t i = first; i < bill->column_count; i++) {
        const struct bill_mapping *mapping = mapping_of(&bill->options, bill->columns[i]);

        if (mapping != NULL && is_own_tag(mapping->field))
            bill->columns[i] = mapping->field;
    }
}

/* ---- which it is ---- */

static unsigned table_field_of(struct str column)
{
    (void)bill_unit_in(&column);
    return bill_field_of(column, &fields);
}

bool table_inherits(struct str key)
{
    switch (table_field_of(key)) {
    case TABLE_DATE:
    case TABLE_MONTH:
    case TABLE_END:
    case TABLE_CURRENCY:
    case TABLE_PROVIDER:
    case TABLE_ACCOUNT:
    case TABLE_ACCOUNT_NAME:
    case TABLE_SUB_ACCOUNT:
    case TABLE_SUB_ACCOUNT_NAME:
    case TABLE_REGION:
        return true;
    default:
        return false;
    }
}

static bool is_query(const struct bill_head *head)
{
    return head->json && azure_query_is(head->text) &&
           (bill_head_has(head, "properties") || bill_head_has(head, "columns"));
}

/* Which fields the columns are. */
static void find_fields(const struct bill_head *head, bool has[TABLE_FIELDS])
{
    memset(has, 0, TABLE_FIELDS * sizeof has[0]);
    for (size_t i = 0; i < head->count; i++) {
        unsigned field = table_field_of(head->columns[i]);

        if (field != BILL_FIELD_IGNORED)
            has[field] = true;
    }
}

/* Google's console reports a subtotal beside the cost that savings are subtracted from. */
static bool is_report(const bool has[TABLE_FIELDS])
{
    return has[TABLE_UNROUNDED] ||
           (has[TABLE_SUBTOTAL] && (has[TABLE_SAVINGS] || has[TABLE_NEGOTIATED]));
}

static enum table_flavor flavor_of(const struct bill_head *head)
{
    static const char *const azure[] = {
        "UsageDate",     "CostUSD",     "PreTaxCost", "BillingMonth",
        "ResourceGroup", "ServiceName", NULL};
    static const char *const gcp[] = {"Service description", "SKU description",  "SKU ID",
                                      "Cost type",           "Usage start date", NULL};
    static const char *const anthropic[] = {"cost_type",      "workspace_id",  "service_tier",
                                            "context_window", "inference_geo", NULL};
    bool has[TABLE_FIELDS];

    find_fields(head, has);
    if (bill_head_count(head, azure) >= 2 &&
        (bill_head_has(head, "UsageDate") || bill_head_has(head, "BillingMonth")))
        return TABLE_AZURE;
    if (is_report(has))
        return TABLE_GCP_REPORT;
    if (bill_head_has(head, "timeBilledMs"))
        return TABLE_RUNPOD;
    if (bill_head_has(head, "amount.value") && bill_head_has(head, "line_item"))
        return TABLE_OPENAI;
    if (bill_head_has(head, "starting_at") && bill_head_has(head, "amount") &&
        bill_head_count(head, anthropic) >= 2)
        return TABLE_ANTHROPIC;
    return bill_head_count(head, gcp) >= 4 ? TABLE_GCP : TABLE_OWN;
}

static bool month_given(const struct bill_options *options)
{
    return options != NULL && options->month_start.s != options->month_end.s;
}

/* All columns that the user maps are there. */
static bool has_mapped(const struct bill_head *head)
{
    for (size_t i = 0; i < head->options->map_count; i++) {
        bool found = false;

        for (size_t c = 0; c < head->count && !found; c++) {
            struct str plain = head->columns[c];

            (void)bill_unit_in(&plain);
            found = bill_name_eq(head->options->map[i].column, head->columns[c]) ||
                    bill_name_eq(head->options->map[i].column, plain);
        }
        if (!found)
            return false;
    }
    return true;
}

static bool has_cost(const bool has[TABLE_FIELDS])
{
    return has[TABLE_COST] || has[TABLE_COST_USD] || has[TABLE_CENTS] || has[TABLE_NET] ||
           has[TABLE_SUBTOTAL] || has[TABLE_UNROUNDED] || has[TABLE_TOTAL];
}

static bool has_date(const struct bill_head *head, const bool has[TABLE_FIELDS])
{
    return has[TABLE_DATE] || has[TABLE_MONTH] || month_given(head->options);
}

/* A cost, a date, and what it is for. Weak, since any table may have such names. */
int table_recognize(const struct bill_head *head)
{
    static const char *const meters[] = {"MeterId", "MeterCategory", "ConsumedService", NULL};
    bool has[TABLE_FIELDS];
    bool cost, date, whose = head->options != NULL && head->options->provider.len > 0;

    if (is_query(head))
        return 60;
    if (head->options != NULL && head->options->map_count > 0)
        return has_mapped(head) ? 95 : 0;
    if (bill_head_count(head, meters) > 0) /* an export of Azure's, however short */
        return 0;
    find_fields(head, has);
    cost = has_cost(has);
    date = has_date(head, has);
    switch (flavor_of(head)) {
    case TABLE_GCP_REPORT: /* its days may be in its name */
        return 75;
    case TABLE_GCP:
        return cost && date ? 70 : 0;
    case TABLE_AZURE:
        return cost && date ? 45 : 0;
    case TABLE_RUNPOD:
    case TABLE_OPENAI:
    case TABLE_ANTHROPIC:
        return cost && date ? 65 : 0;
    case TABLE_OWN:
        break;
    }
    if (!cost || !date)
        return 0;
    /* Grouped answers of BigQuery have no resources, and seldom name their owner. */
    if (has[TABLE_RESOURCE] || (has[TABLE_PROVIDER] && !has[TABLE_SKU] && !has[TABLE_SKU_ID] &&
                                !has[TABLE_SUB_ACCOUNT]))
        return 35;
    return has[TABLE_SERVICE] || has[TABLE_PROVIDER] || has[TABLE_SKU] || has[TABLE_GPU] ||
                   has[TABLE_INSTANCE] || whose
               ? 25
               : 0;
}

/* ---- what it lacks ---- */

/* "'time', 'amount', 'podId'", as far as they fit. */
static void list_columns(const struct str *columns, size_t count, char *room, size_t size)
{
    size_t len = 0;

    room[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(room + len, size - len, "%s'%.*s'", i == 0 ? "" : ", ",
                         STR_ARG(columns[i]));

        if (n < 0 || (size_t)n >= size - len - 4) {
            (void)snprintf(room + len, size - len, "%s", i == 0 ? "" : " ...");
            return;
        }
        len += (size_t)n;
    }
}

static bool refuse_lack(const char *what, const struct str *columns, size_t count,
                        struct error *err)
{
    char list[240];

    list_columns(columns, count, list, sizeof list);
    error_set(err, ERROR_INPUT, "there is no %s among its columns: %s", what, list);
    if (strcmp(what, "date") == 0)
        error_hint(err,
                   "--map date=COLUMN, or --month 2026-05 if all charges are from one month");
    else
        error_hint(err, "--map %s=COLUMN names it", what);
    return false;
}

bool bill_table_near(const struct bill_head *head)
{
    bool has[TABLE_FIELDS];

    find_fields(head, has);
    if (head->options != NULL && head->options->provider.len > 0) /* the user says that it is */
        return has_cost(has) || has_date(head, has);
    return has_cost(has) && has_date(head, has);
}

static bool refuse_both_lacking(const struct bill_head *head, struct error *err)
{
    char list[240];

    list_columns(head->columns, head->count, list, sizeof list);
    error_set(err, ERROR_INPUT, "there is no cost and no date among its columns: %s", list);
    error_hint(err, "--map cost=COLUMN and --map date=COLUMN name them");
    return true;
}

bool bill_table_explains(const struct bill_head *head, struct error *err)
{
    bool has[TABLE_FIELDS], cost, date;
    char list[240];

    for (size_t i = 0; head->options != NULL && i < head->options->map_count; i++) {
        const struct bill_mapping *m = &head->options->map[i];
        struct bill_options one = {.map = m, .map_count = 1};
        const struct bill_head with = {
            .columns = head->columns, .count = head->count, .options = &one};

        if (has_mapped(&with))
            continue;
        list_columns(head->columns, head->count, list, sizeof list);
        error_set(err, ERROR_INPUT, "--map %.*s=%.*s: there is no column '%.*s' among %s",
                  STR_ARG(m->field), STR_ARG(m->column), STR_ARG(m->column), list);
        return true;
    }
    if (head->count < 2)
        return false;
    find_fields(head, has);
    cost = has_cost(has);
    date = has_date(head, has);
    if (cost && date) {
        error_set(err, ERROR_INPUT, "this table of costs does not name a provider");
        error_hint(err, "--provider NAME names it, or a column 'provider' or 'service'");
        return true;
    }
    if (!cost && !date && head->options != NULL && head->options->provider.len > 0)
        return refuse_both_lacking(head, err); /* the user says that it is such a table */
    if (!cost && !date)
        return false;
    (void)refuse_lack(cost ? "date" : "cost", head->columns, head->count, err);
    return true;
}

/* ---- the amount ---- */

/* Several columns may be what is paid: the user knows which. */
static bool refuse_choice(const struct bill *bill, unsigned a, unsigned b, struct error *err)
{
    struct str first = bill->columns[bill->at[a]], second = bill->columns[bill->at[b]];

    error_set(err, ERROR_INPUT, "the amount may be '%.*s' or '%.*s'", STR_ARG(first),
              STR_ARG(second));
    error_hint(err, "--map 'cost=%.*s' or --map 'cost=%.*s' says which is paid", STR_ARG(first),
               STR_ARG(second));
    return false;
}

static bool refuse_parts(const struct bill *bill, unsigned cost, struct error *err)
{
    struct str column = bill->columns[bill->at[cost]],
               part = bill->columns[bill->at[TABLE_SAVINGS]];

    error_set(err, ERROR_INPUT, "'%.*s' may be before or after '%.*s'", STR_ARG(column),
              STR_ARG(part));
    error_hint(err, "--map 'cost=%.*s' if it has the amount to pay", STR_ARG(column));
    return false;
}

static bool is_mapped(const struct bill *bill, unsigned field)
{
    for (size_t i = 0; i < bill->options.map_count; i++)
        if (mapped_field(bill->options.map[i].field) == field)
            return true;
    return false;
}

/* Azure's page has the billing currency and dollars. Without a column that names the currency
 * only the dollars are certain. */
static bool prefers_dollars(const struct bill *bill, const struct table_state *state)
{
    return bill_has(bill, TABLE_COST_USD) &&
           (!bill_has(bill, TABLE_COST) ||
            (!bill_has(bill, TABLE_CURRENCY) && bill->options.currency.len == 0 &&
             currency_unset(state->currency)));
}

static bool choose_cost(const struct bill *bill, struct table_state *state, struct error *err)
{
    static const unsigned one_of[] = {TABLE_COST, TABLE_SUBTOTAL, TABLE_CENTS, TABLE_TOTAL};
    bool parts = bill_has(bill, TABLE_SAVINGS) || bill_has(bill, TABLE_NEGOTIATED);
    unsigned found = TABLE_FIELDS;

    if (is_mapped(bill, TABLE_RATE)) {
        state->cost = TABLE_RATE;
        return true;
    }
    if (bill_has(bill, TABLE_NET) && bill_has(bill, TABLE_TOTAL))
        return refuse_choice(bill, TABLE_NET, TABLE_TOTAL, err);
    if (bill_has(bill, TABLE_UNROUNDED) || bill_has(bill, TABLE_NET)) {
        state->cost = bill_has(bill, TABLE_UNROUNDED) ? TABLE_UNROUNDED : TABLE_NET;
        return true;
    }
    if (bill_has(bill, TABLE_SUBTOTAL) && parts) {
        state->cost = TABLE_SUBTOTAL;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(one_of); i++) {
        if (!bill_has(bill, one_of[i]))
            continue;
        if (found != TABLE_FIELDS)
            return refuse_choice(bill, found, one_of[i], err);
        found = one_of[i];
    }
    if (found == TABLE_FIELDS || (found == TABLE_COST && prefers_dollars(bill, state)))
        found = TABLE_COST_USD;
    state->cost = found;
    if (bill_has(bill, found) && bill_has(bill, TABLE_SAVINGS) && !is_mapped(bill, found))
        return refuse_parts(bill, found, err);
    return true;
}

/* A column that comes with a later object must not change what was read. */
static bool keep_cost(const struct bill *bill, struct table_state *state, struct error *err)
{
    size_t before = state->cost_column;
    unsigned field = state->cost;

    if (!choose_cost(bill, state, err))
        return false;
    state->cost_column = bill->at[state->cost];
    if (state->lines == 0 || before == state->cost_column)
        return true;
    return refuse_choice(bill, field, state->cost, err);
}

/* ---- days of a file that has none ---- */

/* Dates in a text, "2026-05-01" or "20260501": the first two. */
static size_t find_column_dates(struct str text, day out[2])
{
    size_t count = 0;

    for (size_t i = 0; i + 8 <= text.len && count < 2; i++) {
        char iso[] = "YYYY-MM-DD";
        struct str rest = {text.at + i, text.len - i};
        bool dashes = rest.len >= 10 && rest.at[4] == '-' && rest.at[7] == '-';
        size_t len = dashes ? 10 : 8;

        if (i > 0 && is_digit(text.at[i - 1]))
            continue;
        memcpy(iso, rest.at, 4);
        memcpy(iso + 5, rest.at + (dashes ? 5 : 4), 2);
        memcpy(iso + 8, rest.at + (dashes ? 8 : 6), 2);
        if ((rest.len > len && is_digit(rest.at[len])) ||
            !day_parse((struct str){iso, 10}, &out[count]))
            continue;
        count++;
        i += len - 1;
    }
    return count;
}

/* "Start date,2026-06-01" and "End date,..." in the title above the header. */
static size_t title_dates(const struct bill *bill, day out[2])
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    size_t count = 0;

    for (int n = 0; n < 20 && text.len > 0 && count < 2; n++) {
        struct str line = str_cut(&text, '\n');

        if (str_has_nocase(line, count == 0 ? STR("start date") : STR("end date")))
            count += find_column_dates(line, &out[count]) > 0;
    }
    return count;
}

static bool find_period(struct bill *bill, struct table_state *state, struct error *err)
{
    const char *name = bill->options.name != NULL ? bill->options.name : "";
    const char *slash = strrchr(name, '/');
    day days[2];
    struct str text;

    if (title_dates(bill, days) < 2 &&
        find_column_dates(str_from(slash != NULL ? slash + 1 : name), days) < 2)
        return refuse_lack("date", bill->columns, bill->column_count, err);
    state->month_start.s = days[0].n * SECONDS_PER_DAY;
    state->month_end.s = (days[1].n + 1) * (int64_t)SECONDS_PER_DAY;
    buf_clear(&bill->work);
    day_write(days[0], &bill->work);
    buf_adds(&bill->work, " to ");
    day_write(days[1], &bill->work);
    if (!buf_ok(&bill->work, err))
        return false;
    text = buf_text(&bill->work);
    if (days[1].n < days[0].n ||
        stamp_month(state->month_start).s != stamp_month((stamp){state->month_end.s - 1}).s) {
        error_set(err, ERROR_INPUT, "it has no dates and covers several months: %.*s",
                  STR_ARG(text));
        error_hint(err, "group the report by day or by month, or --month 2026-05");
        return false;
    }
    return str_keep(text, &bill->arena, &bill->about.period, err);
}

/* The month of --month, or the days that a report without dates is named by. */
static bool set_period(struct bill *bill, struct table_state *state, struct error *err)
{
    bool dated = bill_has(bill, TABLE_DATE) || bill_has(bill, TABLE_MONTH);

    bill->about.month_unused = dated && month_given(&bill->options);
    if (dated || state->month_start.s != state->month_end.s)
        return true;
    if (month_given(&bill->options)) {
        state->month_start = bill->options.month_start;
        state->month_end = bill->options.month_end;
        return true;
    }
    if (bill->json != NULL && !state->query) /* a later object may have one */
        return true;
    return find_period(bill, state, err);
}

/* ---- columns ---- */

/* "Cost ($)" is known as "Cost"; its currency is kept. */
static bool drop_unit(struct bill *bill, struct table_state *state, size_t column,
                      struct error *err)
{
    struct str name = bill->columns[column], unit = bill_unit_in(&name);
    const struct bill_mapping *mapping = mapping_of(&bill->options, bill->columns[column]);
    unsigned field =
        mapping != NULL ? mapped_field(mapping->field) : bill_field_of(name, &fields);
    struct currency currency;

    if (field == BILL_FIELD_IGNORED && mapping == NULL)
        return true;
    bill->columns[column] = name;
    if (field < TABLE_COST || field > TABLE_LIST || field == TABLE_COST_USD || unit.len == 0)
        return true;
    currency = bill_currency_of(unit);
    if (currency_unset(currency) && bill->options.currency.len == 0 && field != TABLE_LIST)
        state->odd_unit = unit;
    if (!currency_unset(currency) && !currency_unset(state->currency) &&
        !currency_is(currency, state->currency))
        return error_fail(err, ERROR_INPUT, "its columns are in several currencies: %.*s",
                          STR_ARG(unit));
    if (!currency_unset(currency))
        state->currency = currency;
    return true;
}

static const char *cost_name(unsigned field)
{
    switch (field) {
    case TABLE_COST_USD:
        return "cost_usd";
    case TABLE_UNROUNDED:
        return "unrounded subtotal";
    case TABLE_SUBTOTAL:
        return "subtotal";
    case TABLE_NET:
        return "net cost";
    case TABLE_TOTAL:
        return "total";
    case TABLE_CENTS:
        return "cents";
    case TABLE_RATE:
        return "rate x hours";
    default:
        return "cost";
    }
}

static bool check_columns(const struct bill *bill, const struct table_state *state,
                          struct error *err)
{
    if (state->odd_unit.len > 0 && !bill_has(bill, TABLE_CURRENCY)) {
        error_set(err, ERROR_INPUT, "'%.*s' in its columns is not a known currency",
                  STR_ARG(state->odd_unit));
        error_hint(err, "--currency CODE says which it is");
        return false;
    }
    if (bill->json != NULL && !state->query)
        return true;
    if (!bill_has(bill, state->cost))
        return refuse_lack("cost", bill->columns, bill->column_count, err);
    if (state->cost == TABLE_RATE && !bill_has(bill, TABLE_HOURS))
        return refuse_lack("hours", bill->columns, bill->column_count, err);
    return true;
}

static const char *const versions[] = {
    "", "Azure cost analysis", "GCP cost table", "GCP report", "RunPod", "OpenAI", "Anthropic"};

bool table_columns(struct bill *bill, size_t first, struct error *err)
{
    struct table_state *state = bill->state;
    struct bill_head head;

    if (state == NULL) {
        state = arena_array(&bill->arena, struct table_state, 1, err);
        if (state == NULL)
            return false;
        state->period_start = STAMP_UNKNOWN;
        bill->state = state;
    }
    rename_tags(bill, first);
    for (size_t i = first; i < bill->column_count; i++)
        if (!drop_unit(bill, state, i, err))
            return false;
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    head = (struct bill_head){.columns = bill->columns, .count = bill->column_count};
    state->flavor = state->query ? TABLE_AZURE : flavor_of(&head);
    bill->about.version = state->query ? "Azure query" : versions[state->flavor];
    bill->about.coarse = !bill_has(bill, TABLE_RESOURCE);
    if (!keep_cost(bill, state, err))
        return false;
    bill->total_column = cost_name(state->cost);
    return check_columns(bill, state, err) && set_period(bill, state, err);
}
