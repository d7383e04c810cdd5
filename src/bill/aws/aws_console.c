/* What Cost Explorer's page downloads: a row for each day or month, a column for each service
 * (or account, region, usage type...). */

#include "bill/aws/aws.h"
#include "bill/fields.h"
#include "unit/time.h"

/* What the columns are: the name of the first one. */
static const struct {
    const char *name;
    enum focus_column to; /* FOCUS_COUNT: a machine type */
} groups[] = {
    {"Service", FOCUS_ServiceName},
    {"Linked account", FOCUS_SubAccountId},
    {"Region", FOCUS_RegionId},
    {"Availability zone", FOCUS_AvailabilityZone},
    {"Usage type", FOCUS_SkuMeter},
    {"Usage type group", FOCUS_SkuMeter},
    {"API operation", FOCUS_ChargeDescription},
    {"Charge type", FOCUS_ChargeDescription},
    {"Legal entity", FOCUS_ChargeDescription},
    {"Resource", FOCUS_ResourceId},
    {"Instance type", FOCUS_COUNT},
};

struct console_state {
    enum focus_column to;
    bool tag;             /* the columns are values of a tag */
    struct str key;       /* its name */
    size_t column, total; /* the next of this row; the one that is the sum */
    struct decimal row;   /* of the columns so far */
    bool monthly;
    struct currency currency;
};

/* The name of a column without "($)" or " ($)". */
static struct str console_service_name(struct str column)
{
    (void)bill_unit_in(&column);
    return column;
}

static bool is_sum_column(struct str column)
{
    struct str name = console_service_name(column);

    return str_eq_nocase(name, STR("Total costs")) || str_eq_nocase(name, STR("Total cost"));
}

static int console_recognize(const struct bill_head *head)
{
    size_t money = 0;

    if (head->json || head->count < 2)
        return 0;
    for (size_t i = 1; i < head->count; i++)
        money += console_service_name(head->columns[i]).len < head->columns[i].len;
    return is_sum_column(head->columns[head->count - 1]) && money == head->count - 1 ? 90 : 0;
}

/* Dates of the rows among the first bytes: are all of them the first of a month? A single one
 * says so, too. */
static bool is_monthly(const struct bill *bill)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};

    while (text.len > 0) {
        struct str line = str_cut(&text, '\n'), first = str_cut(&line, ',');
        stamp at;

        first = str_trim(first);
        if (first.len > 2 && first.at[0] == '"')
            first = (struct str){first.at + 1, first.len - 2};
        if (bill_time_parse(first, &at, NULL, NULL) && stamp_month(at).s != at.s)
            return false;
    }
    return true;
}

static bool set_group(struct bill *bill, struct console_state *state, struct error *err)
{
    struct str name = bill->columns[0];

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (str_eq_nocase(name, str_from(groups[i].name))) {
            state->to = groups[i].to;
            return true;
        }
    if (str_has_nocase(name, STR("tag"))) { /* "Tag: team", "team (Tag)" */
        struct str rest = name, head = str_cut(&rest, ':');

        state->tag = true;
        state->key = rest.len > 0 ? str_trim(rest) : console_service_name(head);
        return true;
    }
    state->to = FOCUS_ServiceName;
    if (bill->column_count == 2) /* the sum alone */
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is nothing that costs are grouped by here",
              STR_ARG(name));
    error_hint(err,
               "group by service, linked account, region, usage type, instance type or tag");
    return false;
}

/* All columns are in the currency of their brackets. */
static bool set_currency(const struct bill *bill, struct console_state *state,
                         struct error *err)
{
    for (size_t i = 1; i < bill->column_count; i++) {
        struct str name = bill->columns[i], unit = bill_unit_in(&name);
        struct currency currency = bill_currency_of(unit);

        if (bill->options.currency.len > 0)
            currency = currency_from(bill->options.currency);
        if (currency_unset(currency)) {
            error_set(err, ERROR_INPUT, "'%.*s' in its columns is not a known currency",
                      STR_ARG(unit));
            error_hint(err, "--currency CODE says which it is");
            return false;
        }
        if (i > 1 && !currency_is(currency, state->currency))
            return error_fail(err, ERROR_INPUT, "its columns are in several currencies: '%.*s'",
                              STR_ARG(bill->columns[i]));
        state->currency = currency;
    }
    return true;
}

static bool console_columns(struct bill *bill, size_t first, struct error *err)
{
    struct console_state *state = arena_array(&bill->arena, struct console_state, 1, err);

    (void)first;
    if (state == NULL)
        return false;
    bill->state = state;
    state->column = 1;
    state->total = bill->column_count - 1;
    state->monthly = is_monthly(bill);
    bill->about.coarse = true;
    bill->total_column = "the columns";
    return set_currency(bill, state, err) && set_group(bill, state, err);
}

/* The page shortens names: "EC2-Instances", "S3". */
static struct str console_category(struct str name)
{
    struct aws_service service = aws_service_named(name);

    if (service.name != NULL)
        return str_from(service.category);
    return str_starts(name, STR("EC2")) ? STR("Compute") : bill_category(name);
}

static void put_console_name(struct bill *bill, const struct console_state *state,
                             struct str name, struct bill_line *out, struct error *err,
                             bool *ok)
{
    *ok = true;
    if (str_has_nocase(name, STR("No ")) && name.at[0] == 'N') /* "No tag key: team" */
        return;
    if (state->tag) {
        buf_clear(&bill->work);
        bill_put(&bill->work, state->key, name);
        *ok = bill_object(bill, &out->of[FOCUS_Tags], err);
    } else if (state->to == FOCUS_COUNT) {
        *ok = bill_instance_type(bill, name, &out->of[FOCUS_SkuPriceDetails], err);
    } else {
        out->of[state->to] = name;
    }
    if (state->to == FOCUS_ServiceName)
        out->of[FOCUS_ServiceCategory] = console_category(name);
    if (str_eq_nocase(name, STR("Tax")))
        out->of[FOCUS_ChargeCategory] = STR("Tax");
}

static bool put_console_line(struct bill *bill, const struct bill_row *row, size_t column,
                             struct bill_line *out, struct error *err)
{
    const struct console_state *state = bill->state;
    struct str cost = bill_cell(row, column);
    bool ok = true;

    *out = (struct bill_line){.line = row->line};
    if (!bill_time(bill, &bill->times[0], "the date", bill_cell(row, 0), &out->start, err) ||
        !bill_amount(bill, bill->columns[column].at, &cost, &out->billed, err))
        return false;
    out->end.s = out->start.s + (bill_cell(row, 0).len > 10 ? 3600 : SECONDS_PER_DAY);
    bill_month_of(out);
    if (state->monthly)
        out->end = out->period_end;
    bill_sum_add(&bill->total, out->billed);
    out->effective = out->list = out->contracted = out->billed;
    out->of[FOCUS_BilledCost] = out->of[FOCUS_EffectiveCost] = cost;
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_BillingCurrency] = currency_text(&state->currency);
    bill_provider(out, STR("AWS"));
    if (column != state->total)
        put_console_name(bill, state, console_service_name(bill->columns[column]), out, err,
                         &ok);
    return ok;
}

/* Rows that begin with no date are sums ("Service total") or names of accounts. */
static bool is_dated(const struct bill_row *row)
{
    stamp at;

    return bill_time_parse(bill_cell(row, 0), &at, NULL, NULL);
}

/* The next cell of the row that has an amount. Where there is nothing but the sum, the sum. */
static size_t next_cell(const struct console_state *state, const struct bill_row *row,
                        size_t from)
{
    size_t end = state->total > 1 ? state->total : state->total + 1;

    while (from < end && bill_cell(row, from).at == NULL)
        from++;
    return from < end ? from : SIZE_MAX;
}

/* The page rounds each cell: as far apart as that can make the sum and its parts. */
static bool check_console_row(struct bill *bill, const struct bill_row *row, struct error *err)
{
    const struct console_state *state = bill->state;
    struct str text = bill_cell(row, state->total);
    struct decimal total, off, limit = {(wide)bill->column_count, 2};

    if (state->total == 1 || text.at == NULL || bill->options.repeats)
        return true;
    if (!bill_amount(bill, "the total", &text, &total, err))
        return false;
    off = (struct decimal){-total.coefficient, total.scale};
    if (!decimal_add(state->row, off, &off))
        return true;
    off.coefficient = off.coefficient < 0 ? -off.coefficient : off.coefficient;
    if (decimal_cmp(off, limit) <= 0)
        return true;
    (void)bill_refuse(bill, "the total", text, "is not the sum of the columns", err);
    error_hint(err, "columns may be missing: download it again; --force imports what is there");
    return false;
}

static enum bill_step console_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct bill_row *row = &bill->row;
    struct console_state *state = bill->state;
    size_t at = is_dated(row) ? next_cell(state, row, state->column) : SIZE_MAX;

    *out = (struct bill_line){0};
    if (state->column == 1)
        state->row = (struct decimal){0};
    state->column = 1;
    if (at == SIZE_MAX)
        return BILL_STEP_SKIP;
    if (!put_console_line(bill, row, at, out, err))
        return BILL_STEP_FAILED;
    if (!decimal_add(state->row, out->billed, &state->row)) {
        (void)error_fail(err, ERROR_INPUT, "the sum of a row has too many digits");
        return BILL_STEP_FAILED;
    }
    if (next_cell(state, row, at + 1) == SIZE_MAX)
        return check_console_row(bill, row, err) ? BILL_STEP_LINE : BILL_STEP_FAILED;
    state->column = at + 1;
    return BILL_STEP_AGAIN;
}

const struct bill_reader bill_aws_console = {
    .format = BILL_AWS_CONSOLE,
    .name = "aws-console",
    .title = "Cost Explorer's CSV",
    .recognize = console_recognize,
    .columns = console_columns,
    .line = console_line,
};
