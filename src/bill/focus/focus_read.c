/* Bills that are FOCUS already: the fast path. Cells are handed on as they are. */
#include <string.h>

#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "bill/internal.h"
#include "bill/map.h"

/* Where each column of FOCUS is in the file. */
struct focus_state {
    size_t at[FOCUS_COUNT];
    int there[FOCUS_COUNT]; /* the columns that it has: few of them, mostly */
    int there_count;
    size_t aws_usage, azure_details; /* columns of their own that name the machine */
};

/* Names of the same columns before FOCUS 1.0, which Oracle's report still has. */
static const struct {
    const char *name;
    enum focus_column column;
} earlier[] = {
    {"Provider", FOCUS_ProviderName},           {"Publisher", FOCUS_PublisherName},
    {"InvoiceIssuer", FOCUS_InvoiceIssuerName}, {"Region", FOCUS_RegionId},
    {"UsageQuantity", FOCUS_ConsumedQuantity},  {"UsageUnit", FOCUS_ConsumedUnit},
    {"ChargeType", FOCUS_ChargeCategory},       {"AmortizedCost", FOCUS_EffectiveCost},
};

static enum focus_column find_official(struct str name)
{
    for (int c = 0; c < FOCUS_COUNT; c++)
        if (bill_name_eq(name, str_from(focus_columns[c].name)))
            return (enum focus_column)c;
    return FOCUS_COUNT;
}

/* An earlier name counts where the column has no other. */
static enum focus_column find_focus_column(const struct bill *bill, struct str name)
{
    enum focus_column c = find_official(name);

    for (size_t i = 0; c == FOCUS_COUNT && i < ARRAY_LEN(earlier); i++)
        if (bill_name_eq(name, str_from(earlier[i].name)))
            c = earlier[i].column;
    if (c == FOCUS_COUNT || bill_name_eq(name, str_from(focus_columns[c].name)))
        return c;
    for (size_t i = 0; i < bill->column_count; i++)
        if (bill_name_eq(bill->columns[i], str_from(focus_columns[c].name)))
            return FOCUS_COUNT;
    return c;
}

/* Columns that no other format has under the same name. */
static int focus_recognize(const struct bill_head *head)
{
    static const char *const marks[] = {
        "BilledCost",      "EffectiveCost",     "ListCost",        "ContractedCost",
        "ChargeCategory",  "ChargePeriodStart", "ChargePeriodEnd", "BillingPeriodStart",
        "ServiceCategory", "InvoiceIssuerName", "InvoiceIssuer",   NULL};
    static const char *const others[] = {"ContractCommitmentId", "InvoiceDetailGrain",
                                         "BillingPeriodStatus", NULL};

    return bill_head_count(head, others) > 0 ? 0 : 10 * bill_head_count(head, marks);
}

/* The least version that has all of the columns. */
static const char *focus_version(const struct focus_state *state)
{
    static const char *const versions[] = {"1.0", "1.1", "1.2", "1.3", "1.4"};
    int version = 0;

    for (int c = 0; c < FOCUS_COUNT; c++)
        if (state->at[c] != BILL_NO_COLUMN && focus_columns[c].first > version)
            version = focus_columns[c].first;
    /* 1.3 asks for the old names of the provider beside the new ones; 1.4 has none of them. */
    if (version == 3 && state->at[FOCUS_ProviderName] == BILL_NO_COLUMN &&
        state->at[FOCUS_PublisherName] == BILL_NO_COLUMN)
        version = 4;
    return versions[version];
}

static bool check_focus_columns(const struct bill *bill, const struct focus_state *state,
                                struct error *err)
{
    static const enum focus_column needed[] = {FOCUS_BilledCost, FOCUS_EffectiveCost,
                                               FOCUS_BillingAccountId, FOCUS_BillingCurrency,
                                               FOCUS_ChargePeriodStart};
    const char *lacks[ARRAY_LEN(needed) + 1];
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        if (state->at[needed[i]] == BILL_NO_COLUMN &&
            (needed[i] != FOCUS_BillingCurrency || bill->options.currency.len == 0))
            lacks[count++] = focus_columns[needed[i]].name;
    if (state->at[FOCUS_ProviderName] == BILL_NO_COLUMN &&
        state->at[FOCUS_ServiceProviderName] == BILL_NO_COLUMN &&
        state->at[FOCUS_InvoiceIssuerName] == BILL_NO_COLUMN)
        lacks[count++] = "ProviderName";
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

static bool find_focus_columns(struct bill *bill, size_t first, struct error *err)
{
    struct focus_state *state = bill->state;

    if (first == 0) {
        state = arena_array(&bill->arena, struct focus_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        bill->total_column = "BilledCost";
        for (int c = 0; c < FOCUS_COUNT; c++)
            state->at[c] = BILL_NO_COLUMN;
        state->aws_usage = state->azure_details = BILL_NO_COLUMN;
    }
    for (size_t i = first; i < bill->column_count; i++) {
        enum focus_column c = find_focus_column(bill, bill->columns[i]);

        if (c != FOCUS_COUNT && state->at[c] != BILL_NO_COLUMN &&
            focus_columns[c].kind == FOCUS_DECIMAL)
            return bill_twice(bill, state->at[c], i, err);
        if (bill_name_eq(bill->columns[i], STR("x_UsageType")))
            state->aws_usage = i;
        if (bill_name_eq(bill->columns[i], STR("x_SkuDetails")))
            state->azure_details = i;
        if (c == FOCUS_COUNT || state->at[c] != BILL_NO_COLUMN)
            bill_unused(bill, i);
        else
            state->at[c] = i;
    }
    state->there_count = 0;
    for (int c = 0; c < FOCUS_COUNT; c++)
        if (state->at[c] == BILL_NO_COLUMN)
            bill_meant(bill, first, focus_columns[c].name);
        else
            state->there[state->there_count++] = c;
    bill->about.version = focus_version(state);
    return bill->json != NULL || check_focus_columns(bill, state, err);
}

static bool free_text(enum focus_column c)
{
    static const bool is_free[FOCUS_COUNT] = {
        [FOCUS_ChargeDescription] = true, [FOCUS_ResourceName] = true,
        [FOCUS_SubAccountName] = true,    [FOCUS_BillingAccountName] = true,
        [FOCUS_ResourceId] = true,        [FOCUS_AllocatedResourceName] = true,
    };

    return is_free[c];
}

/* A short cell, which may say that there is none. */
static bool says_none(struct str cell, enum focus_column c)
{
    if (str_eq(cell, STR("NULL")))
        return true;
    return !free_text(c) &&
           (str_eq_nocase(cell, STR("null")) || str_eq_nocase(cell, STR("n/a")) ||
            (focus_columns[c].kind != FOCUS_TEXT &&
             (str_eq_nocase(cell, STR("nan")) || str_eq_nocase(cell, STR("none")))));
}

static void take_cells(const struct focus_state *state, const struct bill_row *row,
                       struct bill_line *out)
{
    memset(out->of, 0, sizeof out->of);
    for (int i = 0; i < state->there_count; i++) {
        int c = state->there[i];
        struct str cell;

        if (state->at[c] >= row->count)
            continue;
        cell = row->cells[state->at[c]];
        if (cell.len > 4 ||
            (cell.len > 0 && (cell.len <= 2 || !says_none(cell, (enum focus_column)c))))
            out->of[c] = cell;
    }
}

/* One of the costs other than the billed one: often the same text. */
static bool other_cost(struct bill *bill, enum focus_column c, struct bill_line *line,
                       struct decimal *out, struct error *err)
{
    struct str *text = &line->of[c];
    struct str billed = line->of[FOCUS_BilledCost];

    if (text->at == NULL ||
        (text->len == billed.len && memcmp(text->at, billed.at, text->len) == 0)) {
        *out = line->billed;
        return true;
    }
    return bill_amount(bill, focus_columns[c].name, text, out, err);
}

static bool take_focus_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    if (!bill_amount(bill, "BilledCost", &out->of[FOCUS_BilledCost], &out->billed, err))
        return false;
    bill_sum_add(&bill->total, out->billed);
    out->list_known = out->of[FOCUS_ListCost].at != NULL;
    out->contracted_known = out->of[FOCUS_ContractedCost].at != NULL;
    return other_cost(bill, FOCUS_EffectiveCost, out, &out->effective, err) &&
           other_cost(bill, FOCUS_ListCost, out, &out->list, err) &&
           other_cost(bill, FOCUS_ContractedCost, out, &out->contracted, err);
}

static bool take_focus_time(struct bill *bill, enum focus_column c, size_t cache,
                            const struct bill_line *line, stamp *out, struct error *err)
{
    return bill_time(bill, &bill->times[cache], focus_columns[c].name, line->of[c], out, err);
}

/* A charge without dates is one of its billing period; without an end, of its start. */
static void fill_focus_dates(struct bill_line *out)
{
    struct str *of = out->of;
    bool from_period =
        of[FOCUS_ChargePeriodStart].at == NULL && of[FOCUS_BillingPeriodStart].at != NULL;

    if (from_period)
        of[FOCUS_ChargePeriodStart] = of[FOCUS_BillingPeriodStart];
    if (of[FOCUS_ChargePeriodEnd].at == NULL)
        of[FOCUS_ChargePeriodEnd] = from_period && of[FOCUS_BillingPeriodEnd].at != NULL
                                        ? of[FOCUS_BillingPeriodEnd]
                                        : of[FOCUS_ChargePeriodStart];
}

static bool take_focus_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    fill_focus_dates(out);
    if (!take_focus_time(bill, FOCUS_ChargePeriodStart, 0, out, &out->start, err) ||
        !take_focus_time(bill, FOCUS_ChargePeriodEnd, 1, out, &out->end, err))
        return false;
    if (out->of[FOCUS_BillingPeriodStart].at == NULL ||
        out->of[FOCUS_BillingPeriodEnd].at == NULL) {
        bill_month_of(out);
        return true;
    }
    return take_focus_time(bill, FOCUS_BillingPeriodStart, 2, out, &out->period_start, err) &&
           take_focus_time(bill, FOCUS_BillingPeriodEnd, 3, out, &out->period_end, err);
}

/* Nearly all are JSON objects already. */
static bool take_maps(struct bill *bill, struct bill_line *out, struct error *err)
{
    static const enum focus_column maps[] = {FOCUS_Tags, FOCUS_SkuPriceDetails};

    for (size_t i = 0; i < ARRAY_LEN(maps); i++) {
        struct str *map = &out->of[maps[i]];

        if (map->len > 0 && !(map->len > 1 && map->at[0] == '{' && map->at[1] == '"') &&
            !bill_map_normal(bill, map, err))
            return false;
    }
    return true;
}

static bool note_type(void *ctx, struct str key, struct str value, struct error *err)
{
    struct buf *out = ctx;

    (void)err;
    if (str_eq(key, STR("ServiceType")) && value.len > 0 && out->len == 0)
        bill_put(out, STR("InstanceType"), value);
    return true;
}

/* Before 1.1 there were no details of a SKU: AWS and Azure name the machine in columns of their
 * own. */
static bool take_focus_machine(struct bill *bill, const struct bill_row *row,
                               struct bill_line *out, struct error *err)
{
    const struct focus_state *state = bill->state;
    struct str details = bill_cell(row, state->azure_details);
    struct str type = aws_usage_instance(bill_cell(row, state->aws_usage));
    struct error ignored = {0};

    if (out->of[FOCUS_SkuPriceDetails].len > 2)
        return true;
    if (type.len > 0)
        return bill_instance_type(bill, type, &out->of[FOCUS_SkuPriceDetails], err);
    if (details.len == 0 || details.at[0] != '{')
        return true;
    buf_clear(&bill->work);
    if (!bill_map(bill, "x_SkuDetails", details, note_type, &bill->work, &ignored)) {
        buf_clear(&bill->work);
        if (ignored.kind == ERROR_MEMORY)
            *err = ignored;
        return ignored.kind != ERROR_MEMORY;
    }
    return bill->work.len == 0 || bill_object(bill, &out->of[FOCUS_SkuPriceDetails], err);
}

static enum bill_step focus_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct bill_row *row = &bill->row;
    take_cells(bill->state, row, out);
    if (out->of[FOCUS_BilledCost].at == NULL && bill_row_blank(row))
        return BILL_STEP_SKIP;
    if (out->of[FOCUS_ProviderName].at == NULL)
        out->of[FOCUS_ProviderName] = out->of[FOCUS_ServiceProviderName].at != NULL
                                          ? out->of[FOCUS_ServiceProviderName]
                                          : out->of[FOCUS_InvoiceIssuerName];
    return take_focus_costs(bill, out, err) && take_focus_times(bill, out, err) &&
                   take_maps(bill, out, err) && take_focus_machine(bill, row, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

const struct bill_reader bill_focus = {
    .format = BILL_FOCUS,
    .name = "focus",
    .title = "FOCUS 1.0 to 1.4",
    .recognize = focus_recognize,
    .columns = find_focus_columns,
    .line = focus_line,
};
