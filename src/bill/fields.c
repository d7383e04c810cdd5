#include "bill/fields.h"

#include <string.h>

#include "unit/time.h"

static const struct bill_field *find_field(struct str column, const struct bill_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++)
        if (bill_name_eq(column, str_from(fields->names[i].name)))
            return &fields->names[i];
    return NULL;
}

static bool is_amount(const struct bill_fields *fields, int field)
{
    const int *at = fields->amounts;

    while (*at != BILL_FIELD_IGNORED && *at != field)
        at++;
    return *at == field;
}

bool bill_fields_find(struct bill *bill, size_t first, const struct bill_fields *fields,
                      size_t *at, struct error *err)
{
    for (size_t i = first; i < bill->column_count; i++) {
        const struct bill_field *known = find_field(bill->columns[i], fields);

        if (known != NULL && known->field == BILL_FIELD_IGNORED)
            continue;
        if (known != NULL && at[known->field] == BILL_NO_COLUMN)
            at[known->field] = i;
        else if (known != NULL && is_amount(fields, known->field))
            return bill_twice(bill, at[known->field], i, err);
        else
            bill_unused(bill, i);
    }
    for (size_t i = 0; i < fields->count; i++)
        if (fields->names[i].field != BILL_FIELD_IGNORED &&
            at[fields->names[i].field] == BILL_NO_COLUMN)
            bill_meant(bill, first, fields->names[i].name);
    return true;
}

bool bill_row_blank(const struct bill_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (str_trim(row->cells[i]).len > 0)
            return false;
    return true;
}

bool bill_month_parse(struct str text, stamp *start, stamp *end)
{
    char iso[] = "YYYY-MM-01";
    day d;

    if (text.len >= 2 && str_ends(text, STR(".0")))
        text.len -= 2;
    if (text.len != 6 && !(text.len == 7 && text.at[4] == '-'))
        return false;
    memcpy(iso, text.at, 4);
    memcpy(iso + 5, text.at + text.len - 2, 2);
    if (!day_parse((struct str){iso, 10}, &d))
        return false;
    start->s = d.n * SECONDS_PER_DAY;
    *end = stamp_next_month(*start);
    return true;
}

bool bill_decimal_text(struct bill *bill, struct decimal amount, struct str *out,
                       struct error *err)
{
    buf_clear(&bill->work);
    decimal_write(amount, &bill->work);
    return bill_text_work(bill, out, err);
}

void bill_provider(struct bill_line *line, struct str name)
{
    line->of[FOCUS_ProviderName] = name;
    line->of[FOCUS_InvoiceIssuerName] = name;
    line->of[FOCUS_ServiceProviderName] = name;
    line->of[FOCUS_HostProviderName] = name;
    if (line->of[FOCUS_PublisherName].at == NULL)
        line->of[FOCUS_PublisherName] = name;
}

bool bill_instance_type(struct bill *bill, struct str type, struct str *out, struct error *err)
{
    buf_clear(&bill->work);
    bill_put(&bill->work, STR("InstanceType"), type);
    return bill_object(bill, out, err);
}

void bill_currency(struct bill *bill, size_t column, struct bill_line *line)
{
    if (line->of[FOCUS_BillingCurrency].at != NULL || column != BILL_NO_COLUMN ||
        bill->options.currency.len > 0)
        return;
    line->of[FOCUS_BillingCurrency] = STR("USD");
    bill->about.dollars = true;
}
