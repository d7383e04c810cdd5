#include "bill/fields.h"

#include <string.h>

#include "unit/time.h"

static const struct bill_field *find_bill_field(struct str column,
                                                const struct bill_fields *fields)
{
    for (size_t i = 0; i < fields->name_count; i++)
        if (bill_name_eq(column, str_from(fields->names[i].name)))
            return &fields->names[i];
    return NULL;
}

unsigned bill_field_of(struct str column, const struct bill_fields *fields)
{
    const struct bill_field *known = find_bill_field(column, fields);

    return known != NULL ? known->field : BILL_FIELD_IGNORED;
}

static bool is_amount_field(const struct bill_fields *fields, unsigned field)
{
    const unsigned *at = fields->amounts;

    while (*at != BILL_FIELD_IGNORED && *at != field)
        at++;
    return *at == field;
}

static bool make_bill_fields(struct bill *bill, size_t count, struct error *err)
{
    bill->at = arena_array(&bill->arena, size_t, count, err);
    for (size_t i = 0; bill->at != NULL && i < count; i++)
        bill->at[i] = BILL_NO_COLUMN;
    return bill->at != NULL;
}

/* `bill->work` is the key. */
static bool add_tag_column(struct bill *bill, size_t column, struct error *err)
{
    struct bill_tag tag = {.at = column};

    bill->tags = arena_grow(&bill->arena, bill->tags, bill->tag_count, sizeof *bill->tags,
                            &bill->tag_room, err);
    if (bill->tags == NULL || !buf_ok(&bill->work, err) ||
        !str_keep(buf_text(&bill->work), &bill->arena, &tag.key, err))
        return false;
    bill->tags[bill->tag_count++] = tag;
    return true;
}

static bool take_column(struct bill *bill, size_t column, const struct bill_fields *fields,
                        struct error *err)
{
    const struct bill_field *known;
    unsigned field;

    if (fields->claim != NULL && fields->claim(bill, bill->columns[column], &field)) {
        if (field == BILL_FIELD_IGNORED)
            bill_unused(bill, column);
        else if (bill->at[field] != BILL_NO_COLUMN)
            return bill_twice(bill, bill->at[field], column, err);
        else
            bill->at[field] = column;
        return true;
    }
    buf_clear(&bill->work);
    if (fields->tag != NULL && fields->tag(bill->columns[column], &bill->work))
        return add_tag_column(bill, column, err);
    known = find_bill_field(bill->columns[column], fields);
    if (known != NULL && known->field == BILL_FIELD_IGNORED)
        return true;
    if (known != NULL && bill->at[known->field] == BILL_NO_COLUMN)
        bill->at[known->field] = column;
    else if (known != NULL && is_amount_field(fields, known->field))
        return bill_twice(bill, bill->at[known->field], column, err);
    else
        bill_unused(bill, column);
    return true;
}

#define TAGS_COMPARED 256

static bool tags_differ(const struct bill *bill)
{
    for (size_t i = 0; i < bill->tag_count; i++)
        for (size_t k = 0; k <= i; k++)
            if (bill->tags[i].key.len == 0 || bill->tag_count > TAGS_COMPARED ||
                (k < i && str_eq(bill->tags[i].key, bill->tags[k].key)))
                return false;
    return true;
}

bool bill_fields_find(struct bill *bill, size_t first, const struct bill_fields *fields,
                      struct error *err)
{
    if (bill->at == NULL && !make_bill_fields(bill, fields->field_count, err))
        return false;
    for (size_t i = first; i < bill->column_count; i++)
        if (!take_column(bill, i, fields, err))
            return false;
    bill->tags_differ = tags_differ(bill);
    buf_clear(&bill->work);
    for (size_t i = 0; i < fields->name_count; i++)
        if (fields->names[i].field != BILL_FIELD_IGNORED &&
            !bill_has(bill, fields->names[i].field))
            bill_meant(bill, first, fields->names[i].name);
    return true;
}

bool bill_fields_check(const struct bill *bill, const struct bill_fields *fields,
                       struct error *err)
{
    const char *lacks[4];
    size_t count = 0;

    for (size_t i = 0; i < fields->need_count && count < ARRAY_LEN(lacks); i++) {
        const unsigned *field = fields->needs[i].fields;

        while (*field != BILL_FIELD_IGNORED && !bill_has(bill, *field))
            field++;
        if (*field == BILL_FIELD_IGNORED)
            lacks[count++] = fields->needs[i].name;
    }
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

bool bill_has(const struct bill *bill, unsigned field)
{
    return bill->at[field] != BILL_NO_COLUMN;
}

struct str bill_field(const struct bill *bill, unsigned field)
{
    return bill_cell(&bill->row, bill->at[field]);
}

struct str bill_field_words(const struct bill *bill, unsigned field)
{
    return bill_words(&bill->row, bill->at[field]);
}

struct str bill_field_either(const struct bill *bill, unsigned first, unsigned second)
{
    struct str cell = bill_field(bill, first);

    return cell.at != NULL ? cell : bill_field(bill, second);
}

struct str bill_words_either(const struct bill *bill, unsigned first, unsigned second)
{
    struct str words = bill_field_words(bill, first);

    return words.at != NULL ? words : bill_field_words(bill, second);
}

void bill_copy_fields(const struct bill *bill, const struct bill_copy *copies, size_t count,
                      struct bill_line *out)
{
    for (size_t i = 0; i < count; i++)
        out->of[copies[i].to] = bill_field(bill, copies[i].from);
}

void bill_put_tags(struct bill *bill)
{
    for (size_t i = 0; i < bill->tag_count; i++) {
        struct str value = bill_words(&bill->row, bill->tags[i].at);

        if (value.at != NULL)
            bill_put(&bill->work, bill->tags[i].key, value);
    }
}

bool bill_row_blank(const struct bill_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (str_trim(row->cells[i]).len > 0)
            return false;
    return true;
}

/* "Jun 2026", "June 2026": the number of the month, or 0. The year becomes `*text`. */
static int take_month_name(struct str *text)
{
    struct str year = *text, word = str_cut(&year, ' ');

    for (int i = 0; i < 12; i++) {
        struct str name = str_from(month_names[i]);

        if (word.len < 3 || word.len > name.len)
            continue;
        if (!str_eq_nocase(word, (struct str){name.at, word.len}) ||
            (word.len != 3 && word.len != name.len))
            continue;
        *text = str_trim(year);
        return i + 1;
    }
    return 0;
}

bool bill_month_parse(struct str text, stamp *start, stamp *end)
{
    char iso[] = "YYYY-MM-01";
    int named = take_month_name(&text);
    day d;

    if (named > 0) {
        if (text.len != 4)
            return false;
        memcpy(iso, text.at, 4);
        iso[5] = (char)('0' + named / 10);
        iso[6] = (char)('0' + named % 10);
        if (!day_parse((struct str){iso, 10}, &d))
            return false;
        start->s = d.n * SECONDS_PER_DAY;
        *end = stamp_next_month(*start);
        return true;
    }
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

struct str bill_unit_in(struct str *name)
{
    size_t open = name->len;
    struct str unit;

    if (name->len < 3 || name->at[name->len - 1] != ')')
        return (struct str){0};
    while (open > 0 && name->at[open - 1] != '(')
        open--;
    if (open <= 1)
        return (struct str){0};
    unit = (struct str){name->at + open, name->len - open - 1};
    *name = str_trim((struct str){name->at, open - 1});
    return unit;
}

struct currency bill_currency_of(struct str unit)
{
    static const struct {
        const char *sign;
        struct currency code;
    } signs[] = {{"$", {"USD"}},   {"US$", {"USD"}},          {"\xe2\x82\xac", {"EUR"}},
                 {"A$", {"AUD"}},  {"\xc2\xa3", {"GBP"}},     {"\xc2\xa5", {"JPY"}},
                 {"AU$", {"AUD"}}, {"\xe2\x82\xb9", {"INR"}}, {"CA$", {"CAD"}},
                 {"C$", {"CAD"}},  {"CN\xc2\xa5", {"CNY"}},   {"JP\xc2\xa5", {"JPY"}},
                 {"NZ$", {"NZD"}}, {"HK$", {"HKD"}},          {"NT$", {"TWD"}},
                 {"MX$", {"MXN"}}, {"R$", {"BRL"}},           {"\xe2\x82\xa9", {"KRW"}},
                 {"S$", {"SGD"}},  {"\xe2\x82\xaa", {"ILS"}}, {"z\xc5\x82", {"PLN"}},
                 {"Rp", {"IDR"}},  {"\xe2\x82\xab", {"VND"}}, {"\xe0\xb8\xbf", {"THB"}},
                 {"R", {"ZAR"}},   {"K\xc4\x8d", {"CZK"}},    {"Ft", {"HUF"}}};

    struct currency code;

    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (str_eq(unit, str_from(signs[i].sign)))
            return signs[i].code;
    return currency_parse(unit, &code) ? code : currency_none;
}

void bill_currency(struct bill *bill, unsigned field, struct bill_line *line)
{
    if (line->of[FOCUS_BillingCurrency].at != NULL || bill_has(bill, field) ||
        bill->options.currency.len > 0)
        return;
    line->of[FOCUS_BillingCurrency] = STR("USD");
    bill->about.dollars = true;
}
