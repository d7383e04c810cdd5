/* Which Azure export a file is: whose columns, and whether it is amortised. */
#include "bill/azure/azure.h"

static int field_of(struct str column)
{
    struct str english = azure_english(column);

    for (size_t i = 0; i < azure_name_count; i++)
        if (bill_name_eq(english, str_from(azure_names[i].name)) ||
            bill_name_eq(column, str_from(azure_names[i].name)))
            return azure_names[i].field;
    return BILL_FIELD_IGNORED;
}

/* By columns that other clouds do not have: meters, and a cost. */
static int recognise(const struct bill_head *head)
{
    static const enum azure_field marks[] = {
        AZURE_CATEGORY, AZURE_SUBCATEGORY,  AZURE_METER_ID, AZURE_METER,
        AZURE_CONSUMED, AZURE_SUBSCRIPTION, AZURE_LOCATION, AZURE_INFO,
        AZURE_UNIT,     AZURE_RESOURCE,     AZURE_DATE,
    };
    bool has[AZURE_FIELDS] = {false}, cost = false;
    int count = 0;

    for (size_t i = 0; i < head->count; i++) {
        int field = field_of(head->columns[i]);

        if (field != BILL_FIELD_IGNORED)
            has[field] = true;
    }
    for (int f = AZURE_COST; f <= AZURE_COST_USD; f++)
        cost = cost || has[f];
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        count += has[marks[i]];
    if (!has[AZURE_CATEGORY] && !has[AZURE_METER_ID] && !has[AZURE_CONSUMED])
        return 0;
    return cost ? (count < 10 ? 10 * count : 95) : 5 * count;
}

static void set_cost(struct bill *bill, struct azure_state *state)
{
    static const char *const cost_names[] = {
        "CostInBillingCurrency", "Cost",     "PreTaxCost", "ExtendedCost",
        "CostInPricingCurrency", "CostInUsd"};

    state->cost = AZURE_COST;
    while (state->cost < AZURE_COST_USD && state->at[state->cost] == BILL_NO_COLUMN)
        state->cost++;
    state->cost_name = cost_names[state->cost - AZURE_COST];
    bill->total_column = state->cost_name;
}

static const char *version_of(const struct azure_state *state)
{
    if (state->at[AZURE_MCA] != BILL_NO_COLUMN || state->at[AZURE_COST_USD] != BILL_NO_COLUMN)
        return "MCA";
    if (state->at[AZURE_EA] != BILL_NO_COLUMN ||
        state->at[AZURE_COST_EXTENDED] != BILL_NO_COLUMN)
        return "EA";
    return state->at[AZURE_COST_PRETAX] != BILL_NO_COLUMN ? "PAYG" : "";
}

/* Rows of a CSV file that are among the first bytes. One that is cut off there says nothing. */
static bool head_amortised(struct bill *bill, bool *out, struct error *err)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    struct csv_options options = {.alloc = bill->alloc};
    struct csv *csv = csv_open_text(text, &options, err);
    struct csv_row row;
    struct error ignored;
    bool header = true;

    if (csv == NULL)
        return false;
    while (!*out && csv_next(csv, &row, &ignored)) {
        struct bill_row cells = {row.fields, row.count, row.line};

        *out = !header && azure_row_amortised(bill->state, &cells);
        header = false;
    }
    csv_close(csv);
    return true;
}

/* The user says it, or the file's name, or the file. */
static bool set_amounts(struct bill *bill, struct azure_state *state, struct error *err)
{
    struct str name = str_from(bill->options.name);
    bool amortised = bill->options.amortised;

    state->told = amortised || bill->options.actual;
    if (!state->told) {
        amortised = str_has_nocase(name, STR("amortized")) ||
                    str_has_nocase(name, STR("amortised")) ||
                    str_has_nocase(name, STR("amortizedcost"));
        if (!amortised && bill->csv != NULL && !head_amortised(bill, &amortised, err))
            return false;
    }
    bill->about.amounts = amortised ? BILL_AMORTISED : BILL_BOTH;
    return true;
}

static bool check_needed(struct bill *bill, const struct azure_state *state, struct error *err)
{
    const char *lacks[2];
    size_t count = 0;

    if (state->at[state->cost] == BILL_NO_COLUMN)
        lacks[count++] = "CostInBillingCurrency";
    if (state->at[AZURE_DATE] == BILL_NO_COLUMN)
        lacks[count++] = "Date";
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

static bool columns(struct bill *bill, size_t first, struct error *err)
{
    static const int amounts[] = {AZURE_COST,          AZURE_COST_PLAIN,   AZURE_COST_PRETAX,
                                  AZURE_COST_EXTENDED, AZURE_COST_PRICING, AZURE_COST_USD,
                                  AZURE_LIST_COST,     BILL_FIELD_IGNORED};
    const struct bill_fields fields = {azure_names, azure_name_count, amounts};
    struct azure_state *state = bill->state;

    if (first == 0) {
        state = arena_array(&bill->arena, struct azure_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        for (int f = 0; f < AZURE_FIELDS; f++)
            state->at[f] = BILL_NO_COLUMN;
        state->german = bill->semicolons;
    }
    for (size_t i = first; i < bill->column_count; i++) {
        state->german = state->german || azure_german(bill->columns[i]);
        bill->columns[i] = azure_english(bill->columns[i]);
    }
    if (!bill_fields_find(bill, first, &fields, state->at, err))
        return false;
    set_cost(bill, state);
    bill->about.version = version_of(state);
    bill->about.coarse = state->at[AZURE_RESOURCE] == BILL_NO_COLUMN &&
                         state->at[AZURE_RESOURCE_NAME] == BILL_NO_COLUMN;
    if (bill->json == NULL && !check_needed(bill, state, err))
        return false;
    return first > 0 || set_amounts(bill, state, err);
}

const struct bill_reader bill_azure = {
    .format = BILL_AZURE,
    .name = "azure",
    .title = "Azure cost export (EA, MCA, pay as you go)",
    .recognise = recognise,
    .columns = columns,
    .line = azure_line,
};
