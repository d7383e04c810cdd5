/* Amounts of bills: exact, whoever wrote them, or refused. */
#include <string.h>

#include "base/characters.h"
#include "bill/internal.h"

/* Without zeros at its end, which may be why it did not fit. */
static struct str without_zeros(struct str text)
{
    const char *point = memchr(text.at, '.', text.len);

    if (point == NULL || memchr(point, 'e', (size_t)(text.at + text.len - point)) != NULL ||
        memchr(point, 'E', (size_t)(text.at + text.len - point)) != NULL)
        return text;
    while (text.len > 0 && text.at[text.len - 1] == '0')
        text.len--;
    return text;
}

/* "1,234,567.89": groups of three, and a point after them, so that the commas cannot be
 * decimals. Digits go to `out`. */
static bool ungroup_amount(struct str text, struct buf *out)
{
    const char *point = memchr(text.at, '.', text.len);
    size_t whole = point == NULL ? 0 : (size_t)(point - text.at), lead = 0;

    while (lead < whole && is_digit(text.at[lead]))
        lead++;
    if (lead == 0 || lead > 3 || lead == whole || (whole - lead) % 4 != 0)
        return false;
    buf_add(out, (struct str){text.at, lead});
    for (size_t i = lead; i < whole; i += 4) {
        if (text.at[i] != ',' || !is_digit(text.at[i + 1]) || !is_digit(text.at[i + 2]) ||
            !is_digit(text.at[i + 3]))
            return false;
        buf_add(out, (struct str){text.at + i + 1, 3});
    }
    buf_add(out, (struct str){point, text.len - whole});
    return true;
}

/* A currency's sign before or after the number: "$5", "CA$5", "5 EUR" with the sign of
 * euros. */
static struct str without_sign(struct str text)
{
    static const char *const signs[] = {"US$",          "CA$",      "A$",       "$",
                                        "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xe2\x82\xb9"};

    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        struct str sign = str_from(signs[i]);

        if (text.len <= sign.len)
            continue;
        if (str_starts(text, sign))
            return str_trim((struct str){text.at + sign.len, text.len - sign.len});
        if (str_ends(text, sign))
            return str_trim((struct str){text.at, text.len - sign.len});
    }
    return text;
}

/* What people make of a number: a sign of a currency, brackets for less than nothing,
 * groups. */
static bool respell(struct bill *bill, struct str text, struct str *out, struct error *err)
{
    struct str rest = str_trim(text);
    bool negative = false;

    if (rest.len > 2 && rest.at[0] == '(' && rest.at[rest.len - 1] == ')') {
        negative = true;
        rest = (struct str){rest.at + 1, rest.len - 2};
    } else if (rest.len > 1 && rest.at[0] == '-') {
        negative = true;
        rest = (struct str){rest.at + 1, rest.len - 1};
    }
    rest = without_sign(rest);
    if (!negative && rest.len > 1 && rest.at[0] == '-') { /* "$-5" */
        negative = true;
        rest = (struct str){rest.at + 1, rest.len - 1};
    }
    buf_clear(&bill->work);
    if (negative)
        buf_char(&bill->work, '-');
    if (memchr(rest.at, ',', rest.len) == NULL)
        buf_add(&bill->work, rest);
    else if (!ungroup_amount(rest, &bill->work)) {
        buf_clear(&bill->work);
        *out = (struct str){0};
        return true;
    }
    return bill_text_work(bill, out, err);
}

static bool refuse_amount(const struct bill *bill, const char *column, struct str text,
                          struct error *err)
{
    bool digits = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        digits &= is_digit(text.at[i]) || strchr("+-.eE", text.at[i]) != NULL;
    if (digits && text.len > 38)
        return bill_refuse(bill, column, text, "has more than 38 digits or 60 decimals", err);
    (void)bill_refuse(bill, column, text, "is not an amount", err);
    if (text.len > 0 && memchr(text.at, ',', text.len) != NULL)
        error_hint(err, "a comma may group digits or be a decimal point: write 1234.56");
    return false;
}

bool bill_amount(struct bill *bill, const char *column, struct str *text, struct decimal *out,
                 struct error *err)
{
    struct str plain;

    if (decimal_parse(*text, out))
        return true;
    if (text->len == 0)
        return bill_refuse(bill, column, *text, "is not an amount", err);
    if (decimal_parse(without_zeros(*text), out))
        return true;
    if (!respell(bill, *text, &plain, err))
        return false;
    if (plain.len == 0 || !decimal_parse(without_zeros(plain), out))
        return refuse_amount(bill, column, *text, err);
    *text = plain;
    return true;
}

void bill_sum_add(struct bill_sum *sum, struct decimal amount)
{
    if (amount.scale >= 0 && amount.scale < BILL_SUM_SCALES) {
        wide *at = &sum->of[amount.scale];

        if (!__builtin_add_overflow(*at, amount.coefficient, at))
            return;
    } else if (decimal_add(sum->rest, amount, &sum->rest)) {
        return;
    }
    sum->overflow = true;
}

bool bill_sum_total(const struct bill_sum *sum, struct decimal *out)
{
    struct decimal total = sum->rest;

    for (int scale = 0; scale < BILL_SUM_SCALES; scale++)
        if (sum->of[scale] != 0 &&
            !decimal_add(total, (struct decimal){sum->of[scale], scale}, &total))
            return false;
    *out = total;
    return !sum->overflow;
}
