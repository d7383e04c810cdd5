/* What AWS's Bills page downloads, and its monthly report: line items of the payer and of
 * linked accounts, and below them totals of accounts, invoices and the statement, which are no
 * charges.
 *
 * With consolidated billing the items of linked accounts may be repeated as items of the payer.
 * Which of them count shows in the totals alone, at the end: so all rows are read first. */
#include <string.h>

#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "unit/time.h"

#define ROWS_MAX ((size_t)500000) /* a month of a page has hundreds */

enum field {
    RECORD_TYPE,
    PAYER,
    PAYER_NAME,
    LINKED,
    LINKED_NAME,
    INVOICE,
    PERIOD_START,
    PERIOD_END,
    CODE,
    PRODUCT,
    USAGE_TYPE,
    DESCRIPTION,
    START,
    END,
    QUANTITY,
    CURRENCY,
    BEFORE_TAX,
    TAX,
    TOTAL,
    FIELDS
};

static const struct bill_field names[] = {
    {"RecordType", RECORD_TYPE},
    {"PayerAccountId", PAYER},
    {"PayerAccountName", PAYER_NAME},
    {"LinkedAccountId", LINKED},
    {"LinkedAccountName", LINKED_NAME},
    {"InvoiceID", INVOICE},
    {"BillingPeriodStartDate", PERIOD_START},
    {"BillingPeriodEndDate", PERIOD_END},
    {"ProductCode", CODE},
    {"ProductName", PRODUCT},
    {"UsageType", USAGE_TYPE},
    {"ItemDescription", DESCRIPTION},
    {"UsageStartDate", START},
    {"UsageEndDate", END},
    {"UsageQuantity", QUANTITY},
    {"CurrencyCode", CURRENCY},
    {"Currency", CURRENCY},
    {"CostBeforeTax", BEFORE_TAX},
    {"TaxAmount", TAX},
    {"TotalCost", TOTAL},
    {"RecordID", BILL_FIELD_IGNORED},
    {"InvoiceDate", BILL_FIELD_IGNORED},
    {"TaxationAddress", BILL_FIELD_IGNORED},
    {"PayerPONumber", BILL_FIELD_IGNORED},
    {"SellerOfRecord", BILL_FIELD_IGNORED},
    {"Operation", BILL_FIELD_IGNORED},
    {"RateId", BILL_FIELD_IGNORED},
    {"BlendedRate", BILL_FIELD_IGNORED},
    {"Credits", BILL_FIELD_IGNORED}, /* part of the total */
    {"TaxType", BILL_FIELD_IGNORED},
};

static const unsigned amounts[] = {BEFORE_TAX, TAX, TOTAL, BILL_FIELD_IGNORED};
static const struct bill_need needs[] = {
    {"TotalCost", {TOTAL, BEFORE_TAX, BILL_FIELD_IGNORED}},
    {"UsageStartDate", {START, PERIOD_START, BILL_FIELD_IGNORED}},
};
static const struct bill_fields fields = {.names = names,
                                          .name_count = ARRAY_LEN(names),
                                          .field_count = FIELDS,
                                          .amounts = amounts,
                                          .needs = needs,
                                          .need_count = ARRAY_LEN(needs)};

enum record { RECORD_PAYER, RECORD_LINKED, RECORD_OTHER, RECORD_KINDS };
enum stated { STATED_STATEMENT, STATED_INVOICE, STATED_ACCOUNT, STATED_KINDS };

struct bills_row {
    struct str cells[FIELDS];
    struct decimal total, tax;
    enum record record;
    uint64_t line;
};

struct bills_state {
    unsigned cost; /* TOTAL, or BEFORE_TAX where there is none */
    struct bills_row *rows;
    size_t count, room, at;
    bool read, tax; /* all rows are here; the tax of the row at `at` is next */
    bool counts[RECORD_KINDS];
    struct decimal sums[RECORD_KINDS], stated[STATED_KINDS];
    size_t stated_rows[STATED_KINDS];
    int scale; /* most decimals of a row */
};

static int bills_recognize(const struct bill_head *head)
{
    static const char *const known[] = {
        "PayerAccountId",  "LinkedAccountId", "ProductCode",   "ProductName", "UsageType",
        "ItemDescription", "InvoiceID",       "CostBeforeTax", "TotalCost",   NULL};

    if (!bill_head_has(head, "RecordType") ||
        (!bill_head_has(head, "TotalCost") && !bill_head_has(head, "CostBeforeTax")))
        return 0;
    return bill_head_count(head, known) >= 3 ? 92 : 0;
}

static bool bills_columns(struct bill *bill, size_t first, struct error *err)
{
    struct bills_state *state = arena_array(&bill->arena, struct bills_state, 1, err);

    if (state == NULL || !bill_fields_find(bill, first, &fields, err) ||
        !bill_fields_check(bill, &fields, err))
        return false;
    state->cost = bill_has(bill, TOTAL) ? TOTAL : BEFORE_TAX;
    bill->state = state;
    bill->about.coarse = true;
    bill->total_column = state->cost == TOTAL ? "TotalCost" : "CostBeforeTax";
    return true;
}

/* ---- all rows, and what they come to ---- */

static bool add_to_stated_sum(struct decimal *sum, struct decimal amount, struct error *err)
{
    return decimal_add(*sum, amount, sum) ||
           error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
}

/* A sum of the file's own. False when the row is none. */
static bool is_stated(struct str type, enum stated *out)
{
    static const char *const types[] = {"StatementTotal", "InvoiceTotal", "AccountTotal"};

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (bill_name_eq(type, str_from(types[i]))) {
            *out = (enum stated)i;
            return true;
        }
    return false;
}

static bool keep_bills_row(struct bill *bill, struct bills_state *state,
                           const struct bills_row *row, struct error *err)
{
    struct bills_row *kept;

    if (state->count == ROWS_MAX)
        return error_fail(err, ERROR_INPUT,
                          "it has more than %zu rows: import the Cost and "
                          "Usage Report instead",
                          ROWS_MAX);
    state->rows = arena_grow(&bill->arena, state->rows, state->count, sizeof state->rows[0],
                             &state->room, err);
    if (state->rows == NULL)
        return false;
    kept = &state->rows[state->count++];
    *kept = *row;
    for (unsigned f = 0; f < FIELDS; f++)
        if (row->cells[f].at != NULL &&
            !str_keep(row->cells[f], &bill->arena, &kept->cells[f], err))
            return false;
    state->scale = row->total.scale > state->scale ? row->total.scale : state->scale;
    return add_to_stated_sum(&state->sums[row->record], row->total, err);
}

static bool take_bills_row(struct bill *bill, struct error *err)
{
    struct bills_state *state = bill->state;
    struct bills_row row = {.line = bill->row.line, .record = RECORD_OTHER};
    struct str type = bill_field(bill, RECORD_TYPE), text = bill_field(bill, state->cost);
    enum stated stated;

    if (bill_row_blank(&bill->row) || text.at == NULL) /* notes, such as EstimatedDisclaimer */
        return true;
    if (!bill_amount(bill, bill->total_column, &text, &row.total, err))
        return false;
    if (is_stated(type, &stated)) {
        state->stated_rows[stated]++;
        return add_to_stated_sum(&state->stated[stated], row.total, err);
    }
    if (bill_name_eq(type, STR("PayerLineItem")))
        row.record = RECORD_PAYER;
    else if (bill_name_eq(type, STR("LinkedLineItem")))
        row.record = RECORD_LINKED;
    for (unsigned f = 0; f < FIELDS; f++)
        row.cells[f] = bill_field(bill, f);
    row.cells[state->cost] = text;
    if (state->cost == TOTAL && row.cells[TAX].at != NULL &&
        !bill_amount(bill, "TaxAmount", &row.cells[TAX], &row.tax, err))
        return false;
    return keep_bills_row(bill, state, &row, err);
}

/* Is the sum of these records what the file states? But for what rounding can make of it. */
static bool is_bills_sum(const struct bills_state *state, const bool counts[RECORD_KINDS],
                         struct decimal stated, size_t stated_rows, struct error *err)
{
    struct decimal off = {-stated.coefficient, stated.scale},
                   limit = {(wide)stated_rows + 1, 2},
                   rounding = {5 * (wide)state->count, state->scale + 1};

    for (int k = 0; k < RECORD_KINDS; k++)
        if (counts[k] && !add_to_stated_sum(&off, state->sums[k], err))
            return false;
    if (!add_to_stated_sum(&limit, rounding, err))
        return false;
    off.coefficient = off.coefficient < 0 ? -off.coefficient : off.coefficient;
    return decimal_cmp(off, limit) <= 0;
}

static bool refuse_sum(const struct bill *bill, const struct bills_state *state,
                       enum stated which, struct error *err)
{
    static const char *const titles[] = {"StatementTotal", "InvoiceTotal", "AccountTotal"};
    struct buf text = buf_new(bill->alloc, 512);
    struct decimal all = {0};

    for (int k = 0; k < RECORD_KINDS; k++)
        if (!add_to_stated_sum(&all, state->sums[k], err))
            return false;
    decimal_write(all, &text);
    buf_addf(&text, ", but its %s is ", titles[which]);
    decimal_write(state->stated[which], &text);
    error_set(err, ERROR_INPUT, "its line items come to %.*s", (int)text.len,
              text.len > 0 ? text.at : "");
    error_hint(err, "it may be cut short, or edited: download it again; --force imports its "
                    "line items");
    buf_free(&text);
    return false;
}

/* Items of the payer and of linked accounts may be the same money: the totals tell. */
static bool choose_records(const struct bill *bill, struct bills_state *state,
                           struct error *err)
{
    static const bool choices[][RECORD_KINDS] = {
        {true, true, true}, {false, true, true}, {true, false, true}};
    enum stated which = STATED_STATEMENT;

    while (which < STATED_KINDS && state->stated_rows[which] == 0)
        which++;
    memcpy(state->counts, choices[0], sizeof state->counts);
    if (which == STATED_KINDS) {
        struct decimal payer = state->sums[RECORD_PAYER], linked = state->sums[RECORD_LINKED];

        state->counts[RECORD_PAYER] = payer.coefficient == 0 || decimal_cmp(payer, linked) != 0;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(choices); i++) {
        if (!is_bills_sum(state, choices[i], state->stated[which], state->stated_rows[which],
                          err)) {
            if (err->kind != ERROR_NONE)
                return false;
            continue;
        }
        memcpy(state->counts, choices[i], sizeof state->counts);
        return true;
    }
    return bill->options.repeats || refuse_sum(bill, state, which, err);
}

static bool read_bills_rows(struct bill *bill, struct error *err)
{
    struct bills_state *state = bill->state;
    enum bill_step step;

    while ((step = bill_rows_next(bill, err)) == BILL_STEP_LINE)
        if (!take_bills_row(bill, err))
            return false;
    state->read = true;
    return step == BILL_STEP_END && choose_records(bill, state, err);
}

/* ---- lines ---- */

/* "2026/05/31 23:59:59" is the last second. */
static bool take_end(struct bill *bill, const char *name, struct str text, stamp *out,
                     struct error *err)
{
    if (!bill_time(bill, &bill->times[1], name, text, out, err))
        return false;
    out->s += text.len <= 10 ? SECONDS_PER_DAY : out->s % 60 == 59 ? 1 : 0;
    return true;
}

static bool take_bills_times(struct bill *bill, const struct bills_row *row,
                             struct bill_line *out, struct error *err)
{
    const struct str *cells = row->cells;
    struct str start = cells[START].at != NULL ? cells[START] : cells[PERIOD_START];
    struct str end = cells[START].at != NULL ? cells[END] : cells[PERIOD_END];
    struct bill_line period = {0};

    if (!bill_time(bill, &bill->times[0], "UsageStartDate", start, &out->start, err))
        return false;
    period.start = out->start;
    if (cells[PERIOD_START].at != NULL &&
        !bill_time(bill, &bill->times[2], "BillingPeriodStartDate", cells[PERIOD_START],
                   &period.start, err))
        return false;
    bill_month_of(&period);
    out->period_start = period.period_start;
    out->period_end = period.period_end;
    out->end = out->period_end;
    if (end.at != NULL && !take_end(bill, "UsageEndDate", end, &out->end, err))
        return false;
    if (out->end.s <= out->start.s)
        out->end.s = out->start.s + SECONDS_PER_DAY;
    return true;
}

static void take_words(struct bill *bill, const struct bills_row *row, struct bill_line *out)
{
    const struct str *cells = row->cells;
    struct aws_service service = aws_service_named(cells[PRODUCT]);
    struct str *of = out->of;

    if (service.name == NULL && cells[CODE].at != NULL)
        service = aws_service_of(cells[CODE]);
    of[FOCUS_BillingAccountId] = cells[PAYER].at != NULL ? cells[PAYER] : cells[LINKED];
    of[FOCUS_BillingAccountName] = cells[PAYER_NAME];
    of[FOCUS_SubAccountId] = cells[LINKED].at != NULL ? cells[LINKED] : cells[PAYER];
    of[FOCUS_SubAccountName] = cells[LINKED_NAME];
    of[FOCUS_InvoiceId] = cells[INVOICE];
    of[FOCUS_ServiceName] = cells[PRODUCT].at != NULL ? cells[PRODUCT] : cells[CODE];
    of[FOCUS_ServiceCategory] = service.name != NULL ? str_from(service.category)
                                                     : bill_category(of[FOCUS_ServiceName]);
    of[FOCUS_SkuMeter] = cells[USAGE_TYPE];
    of[FOCUS_ChargeDescription] = cells[DESCRIPTION];
    of[FOCUS_BillingCurrency] = cells[CURRENCY];
    bill_currency(bill, CURRENCY, out);
    bill_provider(out, STR("AWS"));
}

static bool put_bills_amount(struct bill *bill, struct decimal amount, struct bill_line *out,
                             struct error *err)
{
    out->billed = out->effective = out->list = out->contracted = amount;
    bill_sum_add(&bill->total, amount);
    if (!bill_decimal_text(bill, amount, &out->of[FOCUS_BilledCost], err))
        return false;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    return true;
}

static bool put_usage(struct bill *bill, const struct bills_row *row, struct decimal amount,
                      struct bill_line *out, struct error *err)
{
    struct str instance = aws_usage_instance(row->cells[USAGE_TYPE]);
    bool credit =
        amount.coefficient < 0 && str_has_nocase(row->cells[DESCRIPTION], STR("credit"));
    struct decimal ignored;

    out->of[FOCUS_ChargeCategory] = credit ? STR("Credit") : STR("Usage");
    out->of[FOCUS_ConsumedQuantity] = row->cells[QUANTITY];
    if (row->cells[QUANTITY].at != NULL &&
        !bill_amount(bill, "UsageQuantity", &out->of[FOCUS_ConsumedQuantity], &ignored, err))
        return false;
    if (instance.len > 0 &&
        !bill_instance_type(bill, instance, &out->of[FOCUS_SkuPriceDetails], err))
        return false;
    return put_bills_amount(bill, amount, out, err);
}

/* A row is what was used, and its tax as a charge of its own. */
static enum bill_step bills_next(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bills_state *state = bill->state;
    struct bills_row *row;
    struct decimal net, tax;
    bool ok;

    if (!state->read && !read_bills_rows(bill, err))
        return BILL_STEP_FAILED;
    while (state->at < state->count && !state->counts[state->rows[state->at].record])
        state->at++;
    if (state->at == state->count)
        return BILL_STEP_END;
    row = &state->rows[state->at];
    bill->row.line = row->line;
    *out = (struct bill_line){.line = row->line};
    tax = (struct decimal){-row->tax.coefficient, row->tax.scale};
    net = row->total;
    if (!take_bills_times(bill, row, out, err) || !add_to_stated_sum(&net, tax, err))
        return BILL_STEP_FAILED;
    take_words(bill, row, out);
    if (state->tax) {
        out->of[FOCUS_ChargeCategory] = STR("Tax");
        ok = put_bills_amount(bill, row->tax, out, err);
        state->tax = false;
    } else {
        ok = put_usage(bill, row, net, out, err);
        state->tax = row->tax.coefficient != 0;
    }
    state->at += !state->tax;
    return ok ? BILL_STEP_LINE : BILL_STEP_FAILED;
}

const struct bill_reader bill_aws_bills = {
    .format = BILL_AWS_BILLS,
    .name = "aws-bills",
    .title = "AWS Bills page",
    .currency_column = "CurrencyCode",
    .recognize = bills_recognize,
    .columns = bills_columns,
    .next = bills_next,
};
