/* Reading values of every type into a record: see field.h. */
#include "doc/field.h"

#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

#define NANO 9 /* decimals of a price */

static bool refuse_field(const struct field *field, struct str text, const char *what,
                         struct error *err)
{
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not %s", field->name, STR_ARG(text),
                      what);
}

static bool refuse_empty_field(const struct field *field, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "%s: the value is empty", field->name);
}

static bool parse_flag(const struct field *field, struct str text, bool *out, struct error *err)
{
    bool yes = str_eq_nocase(text, STR("yes")) || str_eq_nocase(text, STR("true"));

    if (!yes && !str_eq_nocase(text, STR("no")) && !str_eq_nocase(text, STR("false")))
        return refuse_field(field, text, "yes or no", err);
    *out = yes;
    return true;
}

/* Which of the names it is; -1 when it is none. */
static int64_t index_of_name(const struct field *field, struct str text)
{
    const char *name;

    for (size_t i = 0; (name = field_name_at(field, i)) != NULL; i++)
        if (name[0] != '\0' && str_eq_nocase(text, str_from(name)))
            return (int64_t)i;
    return -1;
}

static bool refuse_field_name(const struct field *field, struct str text, struct error *err)
{
    struct suggestion s = {.wanted = text};
    const char *name;
    char room[256] = "";
    size_t used = 0;

    for (size_t i = 0; (name = field_choice(field, i)) != NULL; i++) {
        suggestion_try(&s, str_from(name));
        if (used < sizeof room)
            used += (size_t)snprintf(room + used, sizeof room - used, "%s%s",
                                     used > 0 ? ", " : "", name);
    }
    for (size_t i = 0; field->others != NULL && field->others[i] != NULL; i += 2)
        if (str_eq_nocase(text, str_from(field->others[i])))
            s.best = str_from(field->others[i + 1]);
    error_set(err, ERROR_INPUT, "%s: '%.*s' is not one of %s", field->name, STR_ARG(text),
              room);
    (void)suggestion_hint(&s, err);
    return false;
}

static bool parse_choice(const struct field *field, struct str text, struct str *out,
                         struct error *err)
{
    int64_t at = index_of_name(field, text);

    if (at < 0)
        return refuse_field_name(field, text, err);
    *out = str_from(field->choices[at]);
    return true;
}

static bool parse_enum(const struct field *field, struct str text, void *record,
                       struct error *err)
{
    int64_t at = index_of_name(field, text);

    return (at >= 0 && field_put_integer(field, at, record)) ||
           refuse_field_name(field, text, err);
}

static bool parse_currency(const struct field *field, struct str text, struct currency *out,
                           struct error *err)
{
    if (currency_parse(text, out))
        return true;
    (void)refuse_field(field, text, "a currency", err);
    error_hint(err, "write its code: USD, EUR");
    return false;
}

static bool parse_chars(const struct field *field, struct str text, char *out,
                        struct error *err)
{
    if (text.len >= field->width)
        return error_fail(err, ERROR_INPUT, "%s: '%.*s' is longer than %zu characters",
                          field->name, STR_ARG(text), field->width - 1);
    memcpy(out, text.at, text.len);
    memset(out + text.len, 0, field->width - text.len);
    return true;
}

static bool parse_time(const struct field *field, struct str text, stamp *out,
                       struct error *err)
{
    if (stamp_parse_typed(text, out))
        return true;
    (void)refuse_field(field, text, "a time", err);
    error_hint(err, "write it as 2026-11-15 or 2026-11-15T10:00:00Z");
    return false;
}

/* Commas part a list; not what is a document itself, such as a job in place of its file, nor
 * the name of a file: Google's reports are called "Reports, 2026-05-01 ...". */
static bool is_one_text(const struct field *field, struct str text)
{
    return field->whole ||
           (field->operand && field->value != NULL && strcmp(field->value, "FILE") == 0) ||
           (field->operand && (str_trim(text).at[0] == '{' || memchr(text.at, '\n', text.len)));
}

static bool parse_texts(const struct field *field, struct str text, struct strs *list,
                        struct arena *arena, struct error *err)
{
    bool one = is_one_text(field, text);
    size_t count = list->len + 1;
    struct str *all;

    for (size_t i = 0; i < text.len && !one; i++)
        count += text.at[i] == ',';
    all = arena_array(arena, struct str, count, err);
    if (all == NULL)
        return false;
    if (list->len > 0)
        memcpy(all, list->at, list->len * sizeof all[0]);
    count = list->len;
    while (text.len > 0) {
        struct str item = str_trim(one ? text : str_cut(&text, ','));

        if (one)
            text.len = 0;
        if (item.len > 0)
            all[count++] = item;
    }
    *list = (struct strs){all, count};
    return true;
}

static bool parse_field_count(const struct field *field, struct str text, void *record,
                              struct error *err)
{
    int64_t n;

    if (!num_int(text, &n)) {
        (void)refuse_field(field, text, "a whole number", err);
        if (text.len > 0 && is_digit(text.at[0]))
            error_hint(err, "write digits only, without a unit");
        return false;
    }
    if (n < 0 || (n == 0 && field->positive))
        return refuse_field(field, text, field->positive ? "1 or more" : "0 or more", err);
    if (!field_put_integer(field, n, record))
        return refuse_field(field, text, "a number that fits", err);
    return true;
}

static bool parse_field_number(const struct field *field, struct str text, double *out,
                               struct error *err)
{
    double n;

    if (!num_double(text, &n))
        return refuse_field(field, text, "a number", err);
    if (n < 0 || (n == 0 && field->positive))
        return refuse_field(field, text, field->positive ? "above zero" : "zero or more", err);
    *out = n * (field->divisor > 0 ? field->divisor : 1);
    return true;
}

static bool parse_field_share(const struct field *field, struct str text, double *out,
                              struct error *err)
{
    bool percent = text.len > 0 && text.at[text.len - 1] == '%';
    struct str number = {text.at, text.len - percent};
    double n;

    if (!num_double(str_trim(number), &n) || n < 0 || n > (percent ? 100 : 1)) {
        (void)refuse_field(field, text, "a share from 0 to 1", err);
        error_hint(err, "write it as 20%% or 0.2");
        return false;
    }
    *out = percent ? n / 100 : n;
    return true;
}

/* Money in a column that names its unit: a plain decimal. */
static bool parse_plain_money(const struct field *field, struct str text, int64_t *nano,
                              struct error *err)
{
    struct decimal d;

    if (!decimal_parse(text, &d))
        return refuse_field(field, text, "a price", err);
    if (d.coefficient < 0 || (d.coefficient == 0 && field->positive))
        return refuse_field(field, text,
                            field->positive ? "a price above zero" : "zero or more", err);
    if (!decimal_fixed(d, NANO, nano))
        return refuse_field(field, text,
                            decimal_double(d) > 9.2e9 ? "a price below 9.2 billion dollars"
                                                      : "a price with at most 9 decimals",
                            err);
    return true;
}

static bool parse_per_gb(struct str text, usd_per_gb *out, struct error *err)
{
    struct str unit = text, price = str_cut(&unit, '/');
    usd amount;

    if (!str_eq(str_trim(unit), STR("GB"))) {
        error_set(err, ERROR_INPUT, "'%.*s' is not a price of data", STR_ARG(text));
        error_hint(err, "write it per gigabyte: 0.09usd/GB");
        return false;
    }
    if (!usd_parse(price, &amount, err))
        return false;
    out->nano = amount.nano;
    return true;
}

static bool parse_spelled_money(const struct field *field, struct str text, void *to,
                                struct error *err)
{
    const int64_t *nano = to;
    bool ok;

    if (field->type == FIELD_USD)
        ok = usd_parse(text, to, err);
    else if (field->type == FIELD_RATE)
        ok = usd_per_hour_parse(text, to, err);
    else if (field->type == FIELD_PER_KWH)
        ok = usd_per_kwh_parse(text, to, err);
    else
        ok = parse_per_gb(text, to, err);
    if (ok && (*nano < 0 || (*nano == 0 && field->positive)))
        return refuse_field(field, text, field->positive ? "above zero" : "zero or more", err);
    if (!ok)
        error_context(err, "%s", field->name);
    return ok;
}

static bool parse_span(const struct field *field, struct str text, span *out, struct error *err)
{
    double number;

    if ((field->hours || field->seconds) && num_double(str_trim(text), &number) && number >= 0)
        *out = span_hours(field->hours ? number : number / 3600);
    else
        return span_parse(text, out, err);
    return true;
}

static bool parse_with_unit(const struct field *field, struct str text, void *to,
                            struct error *err)
{
    bool ok = true;

    if (field->type == FIELD_MONEY) {
        ok = money_parse(text, to, err);
        if (ok && ((const struct money *)to)->amount.coefficient < 0)
            return refuse_field(field, text, "zero or more", err);
    } else if (field->type == FIELD_BYTES) {
        ok = field->per_second ? bytes_per_second_parse(text, to, err)
                               : bytes_parse(text, to, err);
        if (ok && field->positive && ((const bytes *)to)->n == 0)
            return refuse_field(field, text, "above zero", err);
    } else if (field->type == FIELD_SPAN) {
        ok = parse_span(field, text, to, err);
        if (ok && field->positive && ((const span *)to)->ns <= 0)
            return refuse_field(field, text, "above zero", err);
    } else if (!day_parse(text, to)) {
        (void)refuse_field(field, text, "a day", err);
        error_hint(err, "write it as 2026-11-15");
        return false;
    }
    if (!ok)
        error_context(err, "%s", field->name);
    return ok;
}

bool field_parse(const struct field *field, enum field_form form, struct str text, void *record,
                 struct arena *arena, struct error *err)
{
    void *to = (unsigned char *)record + field->offset;

    if (str_trim(text).len == 0)
        return form == FIELD_PLAIN || refuse_empty_field(field, err);
    switch (field->type) {
    case FIELD_FLAG:
        return parse_flag(field, text, to, err);
    case FIELD_TEXT:
        *(struct str *)to = text;
        return true;
    case FIELD_TEXTS:
        return parse_texts(field, text, to, arena, err);
    case FIELD_CHOICE:
        return parse_choice(field, text, to, err);
    case FIELD_COUNT:
        return parse_field_count(field, text, record, err);
    case FIELD_ENUM:
        return parse_enum(field, text, record, err);
    case FIELD_CURRENCY:
        return parse_currency(field, text, to, err);
    case FIELD_CHARS:
        return parse_chars(field, text, to, err);
    case FIELD_TIME:
        return parse_time(field, text, to, err);
    case FIELD_DECIMAL:
        return decimal_parse(text, to) || refuse_field(field, text, "a number", err);
    case FIELD_NUMBER:
        return parse_field_number(field, text, to, err);
    case FIELD_SHARE:
        return parse_field_share(field, text, to, err);
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        return form == FIELD_PLAIN ? parse_plain_money(field, text, to, err)
                                   : parse_spelled_money(field, text, to, err);
    case FIELD_MONEY:
    case FIELD_BYTES:
    case FIELD_SPAN:
    case FIELD_DAY:
        return parse_with_unit(field, text, to, err);
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        break;
    }
    return refuse_field(field, text, "a list of keys and values", err);
}
