/* Amounts and dates as Azure's portals write them in their users' languages. */
#include <string.h>

#include "base/characters.h"
#include "bill/azure/azure.h"

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

/* "21.09.2023", and a time of day after it: the three numbers, and the rest. */
static bool is_day_first(struct str text, struct str parts[3], struct str *after)
{
    for (int i = 0; i < 3; i++) {
        size_t len = 0, most = i < 2 ? 2 : 4;

        while (len < most && len < text.len && is_digit(text.at[len]))
            len++;
        if (len == 0 || (i == 2 && len < 4) ||
            (i < 2 && (len == text.len || text.at[len] != '.')))
            return false;
        parts[i] = (struct str){text.at, len};
        len += i < 2;
        text = (struct str){text.at + len, text.len - len};
    }
    *after = text;
    return true;
}

bool azure_time(struct bill *bill, size_t cache, const char *column, struct str text,
                stamp *out, struct error *err)
{
    struct str part[3], after, iso;

    if (!is_day_first(text, part, &after))
        return bill_time(bill, &bill->times[cache], column, text, out, err);
    buf_clear(&bill->work);
    buf_addf(&bill->work, "%.*s-%s%.*s-%s%.*s", STR_ARG(part[2]), part[1].len < 2 ? "0" : "",
             STR_ARG(part[1]), part[0].len < 2 ? "0" : "", STR_ARG(part[0]));
    buf_add(&bill->work, after);
    if (!bill_text_work(bill, &iso, err))
        return false;
    return bill_time_parse(iso, out, &bill->about.zoneless, NULL) ||
           bill_refuse(bill, column, text, "is no time", err);
}
