/* Tables of costs: people's own (docs/reference/bills.md), grouped queries of any cloud, and
 * what the consoles of Azure and Google Cloud and the interfaces of GPU clouds return. */

#include "bill/table.h"

#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/list.h"
#include "bill/map.h"
#include "bill/table_fields.h"
#include "unit/time.h"

/* ---- a row ---- */

/* "-1,234,567.8": every comma has three digits after it. "78,80" has a decimal comma. */
static bool has_groups(struct str text)
{
    size_t digits = 0, commas = 0, i = 0;

    while (i < text.len && !is_digit(text.at[i]) && text.at[i] != ',') /* sign, currency */
        i++;
    for (; i < text.len && (is_digit(text.at[i]) || text.at[i] == ','); i++) {
        if (text.at[i] != ',') {
            digits++;
            continue;
        }
        if (digits == 0 || digits > 3 || (commas > 0 && digits != 3))
            return false;
        commas++;
        digits = 0;
    }
    return digits == 3 && memchr(text.at + i, ',', text.len - i) == NULL;
}

/* Numbers of Google's console are grouped by commas even where no decimals follow:
 * "260,580". With any other comma the amount is refused as everywhere. */
static bool ungroup_cell(struct bill *bill, struct str *text, struct error *err)
{
    const struct table_state *state = bill->state;

    if (text->len == 0 || memchr(text->at, ',', text->len) == NULL ||
        (state->flavor != TABLE_GCP_REPORT && state->flavor != TABLE_GCP) || !has_groups(*text))
        return true;
    buf_clear(&bill->work);
    for (size_t i = 0; i < text->len; i++)
        if (text->at[i] != ',')
            buf_char(&bill->work, text->at[i]);
    return bill_text_work(bill, text, err);
}

static bool take_other(struct bill *bill, enum table_field f, const char *name,
                       enum focus_column column, struct bill_line *out, struct decimal *amount,
                       struct error *err)
{
    out->of[column] = bill_field(bill, f);
    *amount = out->billed;
    if (!ungroup_cell(bill, &out->of[column], err))
        return false;
    return out->of[column].at == NULL || bill_amount(bill, name, &out->of[column], amount, err);
}

/* The price of an hour times the hours, both exact. */
static bool multiply_rate(struct bill *bill, struct str *cost, struct decimal *out,
                          struct error *err)
{
    struct str rate = bill_field(bill, TABLE_RATE), hours = bill_field(bill, TABLE_HOURS);
    struct decimal price, time;

    if (!bill_amount(bill, "rate", &rate, &price, err) ||
        !bill_amount(bill, "hours", &hours, &time, err))
        return false;
    if (!decimal_multiply(price, time, out))
        return bill_refuse(bill, "rate", rate, "times its hours has too many digits", err);
    return bill_decimal_text(bill, *out, cost, err);
}

/* What was paid: `*cost` as text, without its unit. */
static bool read_cost(struct bill *bill, struct str *cost, struct decimal *out,
                      struct error *err)
{
    const struct table_state *state = bill->state;
    bool cents = state->cost == TABLE_CENTS || state->flavor == TABLE_ANTHROPIC;

    if (state->cost == TABLE_RATE)
        return multiply_rate(bill, cost, out, err);
    *cost = bill_field(bill, state->cost);
    if (!ungroup_cell(bill, cost, err) ||
        !bill_amount(bill, bill->total_column, cost, out, err))
        return false;
    if (!cents)
        return true;
    if (!decimal_multiply(*out, (struct decimal){1, 2}, out))
        return bill_refuse(bill, bill->total_column, *cost, "has too many digits", err);
    return bill_decimal_text(bill, *out, cost, err);
}

static void add_to_sums(struct table_state *state, struct decimal amount, bool tax)
{
    struct decimal *sum = tax ? &state->tax : &state->sum;

    state->sums_lost |= !decimal_add(*sum, amount, sum);
    state->scale = amount.scale > state->scale ? amount.scale : state->scale;
    state->lines++;
}

/* Before savings: what Google's reports call cost. */
static bool take_contracted(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct table_state *state = bill->state;
    struct str *text = &out->of[FOCUS_ContractedCost];

    out->contracted = out->billed;
    if (state->flavor != TABLE_GCP_REPORT)
        return true;
    *text = bill_field(bill, TABLE_COST);
    out->contracted_known = text->at != NULL;
    return text->at == NULL || (ungroup_cell(bill, text, err) &&
                                bill_amount(bill, "cost", text, &out->contracted, err));
}

static bool take_table_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct table_state *state = bill->state;
    struct str cost;

    if (!read_cost(bill, &cost, &out->billed, err))
        return false;
    bill_sum_add(&bill->total, out->billed);
    out->of[FOCUS_BilledCost] = cost;
    if (!take_other(bill, TABLE_EFFECTIVE, "effective_cost", FOCUS_EffectiveCost, out,
                    &out->effective, err) ||
        !take_other(bill, TABLE_LIST, "list_cost", FOCUS_ListCost, out, &out->list, err) ||
        !take_contracted(bill, out, err))
        return false;
    if (out->of[FOCUS_EffectiveCost].at == NULL)
        out->of[FOCUS_EffectiveCost] = cost;
    out->list_known = out->of[FOCUS_ListCost].at != NULL;
    out->of[FOCUS_BillingCurrency] =
        state->cost == TABLE_COST_USD ? STR("USD") : bill_field(bill, TABLE_CURRENCY);
    if (out->of[FOCUS_BillingCurrency].at == NULL && !currency_unset(state->currency))
        out->of[FOCUS_BillingCurrency] = currency_text(&state->currency);
    bill_currency(bill, TABLE_CURRENCY, out);
    return true;
}

static bool take_table_month(struct bill *bill, struct str month, struct bill_line *out,
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

/* A time, also as seconds or milliseconds since 1970: "1730419200", "1730419200000". `*whole`:
 * it is a date without a time. */
static bool take_table_time(struct bill *bill, size_t cache, const char *name, struct str text,
                            stamp *out, bool *whole, struct error *err)
{
    struct decimal number;
    int64_t count;

    *whole = text.len <= 10 && memchr(text.at, '.', text.len) == NULL;
    if (text.len < 10 || !decimal_parse(text, &number) || number.scale > 18 ||
        number.scale < 0 || number.coefficient < 0)
        return bill_time(bill, &bill->times[cache], name, text, out, err);
    for (int n = number.scale; n > 0; n--)
        number.coefficient /= 10;
    count = number.coefficient < 100000000000000 ? (int64_t)number.coefficient : 0;
    out->s = count >= 100000000000 ? count / 1000 : count;
    *whole = false;
    return out->s >= 86400 * 365 || bill_refuse(bill, name, text, "is not a time", err);
}

/* A file without dates: all of it is of the month, or of the days, that is named elsewhere. */
static bool take_table_period(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct table_state *state = bill->state;

    if (state->month_start.s == state->month_end.s) {
        (void)bill_refuse(bill, "date", (struct str){0}, "", err);
        if (!bill_has(bill, TABLE_DATE) && !bill_has(bill, TABLE_MONTH))
            error_hint(
                err, "--map date=COLUMN, or --month 2026-05 if all charges are from one month");
        return false;
    }
    out->start = state->month_start;
    out->end = state->month_end;
    bill_month_of(out);
    return true;
}

/* RunPod's records are of days or hours, and begin on one: those at midnight are of the day. */
static int64_t period_length(const struct bill *bill, stamp start, bool whole)
{
    const struct table_state *state = bill->state;

    if (whole || (state->flavor == TABLE_RUNPOD && start.s % SECONDS_PER_DAY == 0))
        return SECONDS_PER_DAY;
    return 3600;
}

/* A date is a day; a time with hours is one hour, unless there is an end. An end that is a date
 * is the last day, as people write it. */
static bool take_table_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct table_state *state = bill->state;
    struct str date = bill_field(bill, TABLE_DATE), month = bill_field(bill, TABLE_MONTH),
               end = bill_field(bill, TABLE_END);
    bool whole;

    if (month.at != NULL && !take_table_month(bill, month, out, err))
        return false;
    if (date.at == NULL && month.at == NULL && !take_table_period(bill, out, err))
        return false;
    if (month.at != NULL) {
        out->start = out->period_start;
        out->end = out->period_end;
    }
    if (date.at != NULL) {
        if (!take_table_time(bill, 0, "date", date, &out->start, &whole, err))
            return false;
        out->end.s = out->start.s + period_length(bill, out->start, whole);
        if (end.at != NULL) {
            if (!take_table_time(bill, 2, "end", end, &out->end, &whole, err))
                return false;
            out->end.s += whole ? SECONDS_PER_DAY : 0;
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

/* Lists of GPU clouds have what was paid in beside what was charged: a deposit is no cost, nor
 * a negative one. */
static bool is_payment(const struct bill *bill)
{
    static const char *const words[] = {"payment", "deposit",  "top-up", "top up",
                                        "topup",   "recharge", "funds"};
    const struct str types[] = {bill_field(bill, TABLE_KIND), bill_field(bill, TABLE_CHARGE)};

    for (size_t t = 0; t < ARRAY_LEN(types); t++)
        for (size_t i = 0; i < ARRAY_LEN(words); i++)
            if (str_has_nocase(types[t], str_from(words[i])))
                return true;
    return false;
}

/* "12.5" as the type of a charge is the charge itself, unless another column was named. */
static bool check_charge(const struct bill *bill, struct error *err)
{
    struct str charge = bill_field(bill, TABLE_CHARGE);
    struct decimal number;

    if (charge.at == NULL || bill->options.map_count > 0 || !decimal_parse(charge, &number))
        return true;
    (void)bill_refuse(bill, "charge", charge, "is a number, and no type of charge", err);
    error_hint(err, "--map cost=COLUMN names the amount that is paid");
    return false;
}

static struct str table_pricing(struct str pricing)
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
    struct str provider = bill_field(bill, TABLE_PROVIDER),
               service = bill_field(bill, TABLE_SERVICE);

    if (bill->options.provider.len > 0)
        return bill->options.provider;
    if (provider.at != NULL)
        return provider;
    switch (state->flavor) {
    case TABLE_OWN:
        break;
    case TABLE_AZURE:
        return STR("Microsoft");
    case TABLE_GCP:
    case TABLE_GCP_REPORT:
        return STR("Google Cloud");
    case TABLE_RUNPOD:
        return STR("RunPod");
    case TABLE_OPENAI:
        return STR("OpenAI");
    case TABLE_ANTHROPIC:
        return STR("Anthropic");
    }
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
    error_hint(err, "set the provider with --provider NAME or a column 'provider'; it is "
                    "recognized from service names only for AWS, Azure and Google Cloud");
    return false;
}

static bool take_tags(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bill_list lists[] = {{"tags", bill_field(bill, TABLE_TAGS)}, {"columns", {0}}};
    struct str group = bill_field(bill, TABLE_RESOURCE_GROUP);

    buf_clear(&bill->work);
    if (group.at != NULL)
        bill_put(&bill->work, STR("resource_group"), group);
    bill_put_tags(bill);
    if (lists[0].text.at == NULL && group.at == NULL && bill->tags_differ)
        return bill_object(bill, &out->of[FOCUS_Tags], err);
    return bill_object(bill, &lists[1].text, err) &&
           bill_list_tags(bill, lists, ARRAY_LEN(lists), &out->of[FOCUS_Tags], err);
}

/* The machine type and the GPU, as SkuPriceDetails has them. */
static bool take_table_machine(struct bill *bill, struct str *out, struct error *err)
{
    struct str instance = bill_field(bill, TABLE_INSTANCE), gpu = bill_field(bill, TABLE_GPU);

    buf_clear(&bill->work);
    if (instance.at != NULL)
        bill_put(&bill->work, STR("InstanceType"), instance);
    if (gpu.at != NULL)
        bill_put(&bill->work, STR("x_GpuName"), gpu);
    return bill_object(bill, out, err);
}

static bool take_table_rest(struct bill *bill, struct bill_line *out, struct error *err)
{
    static const struct bill_copy copies[] = {
        {FOCUS_BillingAccountId, TABLE_ACCOUNT},
        {FOCUS_BillingAccountName, TABLE_ACCOUNT_NAME},
        {FOCUS_SubAccountId, TABLE_SUB_ACCOUNT},
        {FOCUS_SubAccountName, TABLE_SUB_ACCOUNT_NAME},
        {FOCUS_ServiceName, TABLE_SERVICE},
        {FOCUS_SkuMeter, TABLE_SKU},
        {FOCUS_SkuId, TABLE_SKU_ID},
        {FOCUS_ChargeDescription, TABLE_DESCRIPTION},
        {FOCUS_RegionId, TABLE_REGION},
        {FOCUS_AvailabilityZone, TABLE_ZONE},
        {FOCUS_ResourceId, TABLE_RESOURCE},
        {FOCUS_ResourceName, TABLE_RESOURCE_NAME},
        {FOCUS_ConsumedQuantity, TABLE_QUANTITY},
        {FOCUS_ConsumedUnit, TABLE_UNIT},
    };
    struct str *of = out->of, provider = provider_of(bill);
    struct decimal ignored;

    if (provider.at == NULL)
        return refuse_provider(bill, err);
    bill_copy_fields(bill, copies, ARRAY_LEN(copies), out);
    if (!ungroup_cell(bill, &of[FOCUS_ConsumedQuantity], err))
        return false;
    if (of[FOCUS_ConsumedQuantity].at != NULL &&
        !bill_amount(bill, "quantity", &of[FOCUS_ConsumedQuantity], &ignored, err))
        return false;
    if (of[FOCUS_SubAccountId].at == NULL)
        of[FOCUS_SubAccountId] = of[FOCUS_SubAccountName];
    if (of[FOCUS_ChargeDescription].at == NULL)
        of[FOCUS_ChargeDescription] = of[FOCUS_SkuMeter];
    of[FOCUS_ServiceCategory] = bill_service_category(bill, of[FOCUS_ServiceName]);
    of[FOCUS_ChargeCategory] = bill_field(bill, TABLE_CREDIT).at != NULL
                                   ? STR("Credit")
                                   : charge_of(bill_field(bill, TABLE_CHARGE));
    of[FOCUS_PricingCategory] = table_pricing(bill_field(bill, TABLE_PRICING));
    bill_provider(out, provider);
    if (!take_table_machine(bill, &of[FOCUS_SkuPriceDetails], err))
        return false;
    return take_tags(bill, out, err);
}

/* ---- rows below the table ---- */

enum footer { FOOTER_NONE, FOOTER_SUBTOTAL, FOOTER_TAX, FOOTER_TOTAL };

/* What a row is about: none of these is in a sum below the table. */
static bool is_line_named(const struct bill *bill)
{
    static const unsigned fields[] = {TABLE_MONTH, TABLE_SKU_ID, TABLE_RESOURCE, TABLE_ACCOUNT,
                                      TABLE_SUB_ACCOUNT};
    struct str date = bill_field(bill, TABLE_DATE);

    if (date.at != NULL && !str_has_nocase(date, STR("total")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (bill_field(bill, fields[i]).at != NULL &&
            !str_has_nocase(bill_field(bill, fields[i]), STR("total")))
            return true;
    return false;
}

/* Consoles end their tables in sums, whose label may be in any column. `*at`: which. */
static enum footer footer_of(const struct bill *bill, size_t *at)
{
    static const struct {
        const char *label;
        enum footer kind;
    } known[] = {{"Subtotal", FOOTER_SUBTOTAL},
                 {"Total", FOOTER_TOTAL},
                 {"Grand total", FOOTER_TOTAL},
                 {"Filtered total", FOOTER_TOTAL},
                 {"Invoice total", FOOTER_TOTAL},
                 {"Tax", FOOTER_TAX},
                 {"Taxes", FOOTER_TAX}};
    const struct table_state *state = bill->state;

    if (is_line_named(bill))
        return FOOTER_NONE;
    for (*at = 0; *at < bill->row.count; (*at)++)
        for (size_t i = 0; i < ARRAY_LEN(known); i++)
            if (str_eq_nocase(str_trim(bill->row.cells[*at]), str_from(known[i].label)))
                return known[i].kind == FOOTER_TAX && state->flavor == TABLE_OWN
                           ? FOOTER_NONE /* a charge as any other */
                           : known[i].kind;
    return FOOTER_NONE;
}

/* The amount of such a row: where the column has it, or the last number after the label. */
static bool footer_amount(struct bill *bill, size_t label, struct decimal *out,
                          struct error *err)
{
    const struct table_state *state = bill->state;
    struct error ignored = {0};
    struct str text = {0};

    if (state->cost != TABLE_RATE && state->cost_column > label)
        text = bill_field(bill, state->cost);
    for (size_t i = bill->row.count; i-- > label + 1 && text.at == NULL;)
        text = bill_cell(&bill->row, i);
    if (!ungroup_cell(bill, &text, err))
        return false;
    if (text.at != NULL && bill_amount(bill, bill->total_column, &text, out, &ignored))
        return true;
    *out = DECIMAL_UNKNOWN;
    return true;
}

static void set_tax(struct bill *bill, struct decimal amount, struct bill_line *out)
{
    const struct table_state *state = bill->state;

    out->billed = out->effective = out->list = out->contracted = amount;
    bill_sum_add(&bill->total, amount);
    out->of[FOCUS_ChargeDescription] = STR("Tax");
    out->start = out->period_start = state->period_start;
    out->end = out->period_end = state->period_end;
    out->of[FOCUS_BillingCurrency] = currency_text(&state->line_currency);
    bill_provider(out, provider_of(bill));
    out->of[FOCUS_ChargeCategory] = STR("Tax");
    out->of[FOCUS_ServiceCategory] = STR("Other");
}

/* A sum is kept for the end; tax is a charge of the month. */
static enum bill_step take_footer(struct bill *bill, enum footer kind, size_t label,
                                  struct bill_line *out, struct error *err)
{
    struct table_state *state = bill->state;
    struct table_stated *stated = kind == FOOTER_TOTAL ? &state->total : &state->subtotal;
    struct decimal amount;

    if (!footer_amount(bill, label, &amount, err))
        return BILL_STEP_FAILED;
    if (!decimal_known(amount))
        return BILL_STEP_SKIP;
    if (kind != FOOTER_TAX) {
        *stated = (struct table_stated){amount, bill->row.line};
        return BILL_STEP_SKIP;
    }
    if (amount.coefficient == 0 || state->period_start.s == STAMP_UNKNOWN.s)
        return BILL_STEP_SKIP;
    set_tax(bill, amount, out);
    add_to_sums(state, amount, true);
    if (!bill_decimal_text(bill, amount, &out->of[FOCUS_BilledCost], err))
        return BILL_STEP_FAILED;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    return BILL_STEP_LINE;
}

/* As far apart as the rounding of each line, and of the sum, can make them. */
static bool is_about(const struct table_state *state, struct decimal stated, struct decimal sum)
{
    struct decimal difference, rounding, half = {5, stated.scale + 1};

    stated.coefficient = -stated.coefficient;
    if (!decimal_add(sum, stated, &difference) ||
        !decimal_multiply((struct decimal){state->lines, 0},
                          (struct decimal){5, state->scale + 1}, &rounding) ||
        !decimal_add(rounding, half, &rounding))
        return true;
    if (difference.coefficient < 0)
        difference.coefficient = -difference.coefficient;
    return decimal_cmp(difference, rounding) <= 0;
}

static bool check_stated(const struct bill *bill, const struct table_stated *stated,
                         bool with_tax, struct error *err)
{
    const struct table_state *state = bill->state;
    struct decimal all;
    struct buf text;

    if (stated->line == 0 || state->sums_lost || bill->options.repeats ||
        is_about(state, stated->sum, state->sum) ||
        (with_tax && decimal_add(state->sum, state->tax, &all) &&
         is_about(state, stated->sum, all)))
        return true;
    text = buf_new(bill->alloc, 512);
    decimal_write(stated->sum, &text);
    buf_adds(&text, ", but its rows come to ");
    decimal_write(state->sum, &text);
    error_set(err, ERROR_INPUT, "line %llu: its total is %.*s (%s)",
              (unsigned long long)stated->line, (int)text.len, text.len > 0 ? text.at : "",
              bill->total_column);
    error_hint(err, "it may be cut short, or edited: fetch it again; --force imports its rows");
    buf_free(&text);
    return false;
}

static enum bill_step finish_table(const struct bill *bill, struct error *err)
{
    const struct table_state *state = bill->state;

    return state == NULL || (check_stated(bill, &state->subtotal, false, err) &&
                             check_stated(bill, &state->total, true, err))
               ? BILL_STEP_END
               : BILL_STEP_FAILED;
}

/* "Rounding error" below Google's table: it has no date, and is of the month of the lines. */
static bool is_rounding_line(const struct bill *bill)
{
    const struct table_state *state = bill->state;

    if (state->flavor != TABLE_GCP || bill_field(bill, TABLE_DATE).at != NULL ||
        state->period_start.s == STAMP_UNKNOWN.s)
        return false;
    for (size_t i = 0; i < bill->row.count; i++)
        if (str_has_nocase(bill->row.cells[i], STR("rounding")))
            return true;
    return false;
}

static enum bill_step take_rounding(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct table_state *state = bill->state;

    if (!take_table_costs(bill, out, err) || !take_table_rest(bill, out, err))
        return BILL_STEP_FAILED;
    add_to_sums(state, out->billed, false);
    out->of[FOCUS_ChargeCategory] = STR("Adjustment");
    out->of[FOCUS_ChargeDescription] = STR("Rounding error");
    out->start = out->period_start = state->period_start;
    out->end = out->period_end = state->period_end;
    return BILL_STEP_LINE;
}

static enum bill_step take_table_row(struct bill *bill, struct bill_line *out,
                                     struct error *err)
{
    struct table_state *state = bill->state;
    enum footer footer;
    size_t label;

    *out = (struct bill_line){.line = bill->row.line};
    if (bill_row_blank(&bill->row))
        return BILL_STEP_SKIP;
    footer = footer_of(bill, &label);
    if (footer != FOOTER_NONE)
        return take_footer(bill, footer, label, out, err);
    if (is_rounding_line(bill))
        return take_rounding(bill, out, err);
    if (is_payment(bill)) {
        bill->about.payments++;
        return BILL_STEP_SKIP;
    }
    if (!check_charge(bill, err))
        return BILL_STEP_FAILED;
    if (!take_table_costs(bill, out, err) || !take_table_times(bill, out, err) ||
        !take_table_rest(bill, out, err))
        return BILL_STEP_FAILED;
    state->line_currency = currency_from(out->of[FOCUS_BillingCurrency]);
    add_to_sums(state, out->billed, str_eq(out->of[FOCUS_ChargeCategory], STR("Tax")));
    return BILL_STEP_LINE;
}

static bool open_json_table(struct bill *bill, struct error *err)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    enum bill_step step;

    if (azure_query_is(text)) {
        struct table_state *state = arena_array(&bill->arena, struct table_state, 1, err);

        if (state == NULL || !azure_query_open(bill, err))
            return false;
        state->query = true;
        state->period_start = STAMP_UNKNOWN;
        bill->state = state;
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
    if (step == BILL_STEP_END)
        return finish_table(bill, err);
    return step == BILL_STEP_LINE ? take_table_row(bill, out, err) : step;
}

static const char *const whole_objects[] = {"tags", "labels", NULL};

const struct bill_reader bill_table = {
    .format = BILL_TABLE,
    .name = "table",
    .title = "cost table",
    .currency_column = "currency",
    .end_column = "end",
    .recognize = table_recognize,
    .flatten_but = whole_objects,
    .columns = table_columns,
    .open = open_json_table,
    .next = table_next,
};
