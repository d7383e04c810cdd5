/* Amounts and dates as Azure's portals write them in their users' languages. */
#include <string.h>

#include "bill/azure.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "-1.234,56" or "1,5" as "-1234.56": points only between groups of three, before the one
 * comma. */
static bool from_commas(struct str text, struct buf *out)
{
    const char *comma = memchr(text.at, ',', text.len);
    size_t whole = (size_t)(comma - text.at), group = 0;
    bool grouped = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (i == whole) {
            if (grouped && group != 3)
                return false;
            buf_char(out, '.');
        } else if (c == '.' && i < whole) {
            if (group == 0 || group > 3 || (grouped && group != 3))
                return false;
            grouped = true;
            group = 0;
        } else if (is_digit(c) || (c == '-' && i == 0)) {
            group += is_digit(c);
            buf_char(out, c);
        } else {
            return false;
        }
    }
    return true;
}

static bool comma_amount(struct bill *bill, const char *column, struct str *text,
                         struct decimal *out, struct error *err)
{
    struct str plain;

    buf_clear(&bill->work);
    if (!from_commas(*text, &bill->work))
        return bill_refuse(bill, column, *text, "is no amount", err);
    if (!bill_text_work(bill, &plain, err))
        return false;
    if (!decimal_parse(plain, out))
        return bill_refuse(bill, column, *text, "is no amount", err);
    *text = plain;
    return true;
}

bool azure_amount(struct bill *bill, const char *column, struct str *text, struct decimal *out,
                  struct error *err)
{
    struct azure_state *state = bill->state;
    bool comma = text->len > 0 && memchr(text->at, ',', text->len) != NULL;

    if (!state->german)
        return bill_amount(bill, column, text, out, err);
    if (comma)
        state->commas = true;
    else if (text->len > 0 && memchr(text->at, '.', text->len) != NULL)
        state->points = true;
    if (state->commas && state->points) {
        (void)bill_refuse(bill, column, *text,
                          comma ? "has a decimal comma, but numbers before it a point"
                                : "has a decimal point, but numbers before it a comma",
                          err);
        error_hint(err, "export it again in English, or write all numbers alike");
        return false;
    }
    return comma ? comma_amount(bill, column, text, out, err)
                 : bill_amount(bill, column, text, out, err);
}

/* "21.09.2023", and a time of day after it, as "2023-09-21...". */
static bool day_first(struct bill *bill, struct str text, struct str *out, struct error *err)
{
    struct str rest = text, dd = str_cut(&rest, '.'), month = str_cut(&rest, '.');
    struct str year = {rest.at, rest.len < 4 ? rest.len : 4};

    buf_clear(&bill->work);
    buf_addf(&bill->work, "%.*s-%s%.*s-%s%.*s", STR_ARG(year), month.len < 2 ? "0" : "",
             STR_ARG(month), dd.len < 2 ? "0" : "", STR_ARG(dd));
    buf_add(&bill->work, (struct str){rest.at + year.len, rest.len - year.len});
    return bill_text_work(bill, out, err);
}

bool azure_time(struct bill *bill, size_t cache, const char *column, struct str text,
                stamp *out, struct error *err)
{
    struct str iso = text;
    size_t point = 0;

    while (point < text.len && is_digit(text.at[point]))
        point++;
    if ((point == 1 || point == 2) && point < text.len && text.at[point] == '.' &&
        !day_first(bill, text, &iso, err))
        return false;
    return bill_time(bill, &bill->times[cache], column, iso, out, err);
}
