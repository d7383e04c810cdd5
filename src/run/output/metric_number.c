/* Numbers as programs print them: see metric_internal.h. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "run/output/metric_internal.h"

#define NUMBER_MOST 64 /* bytes: a longer one is none */

static size_t count_digits(struct str text, size_t from)
{
    size_t i = from;

    while (i < text.len && is_digit(text.at[i]))
        i++;
    return i - from;
}

/* Bytes of "np." and the like, where the constants of libraries are. */
static size_t module_length(struct str text)
{
    static const char *const modules[] = {"np.", "numpy.", "math.", "torch.", "jnp.", "cp."};

    for (size_t i = 0; i < ARRAY_LEN(modules); i++)
        if (str_starts(text, str_from(modules[i])))
            return strlen(modules[i]);
    return 0;
}

/* Bytes of what C libraries write behind "nan": "(ind)", "(0x8000000000000)". */
static size_t payload_length(struct str text)
{
    size_t i = 1;

    if (text.len == 0 || text.at[0] != '(')
        return 0;
    while (i < text.len && is_name_character(text.at[i]))
        i++;
    return i < text.len && text.at[i] == ')' ? i + 1 : 0;
}

/* "nan", "inf", "infinity", Microsoft's "1.#QNAN0" and no more letters: bytes of it. */
static size_t no_number(struct str text, double *out)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", (double)INFINITY}, {"inf", (double)INFINITY},
                 {"nan", (double)NAN},           {"1.#qnan", (double)NAN},
                 {"1.#snan", (double)NAN},       {"1.#ind", (double)NAN},
                 {"1.#inf", (double)INFINITY}};
    size_t from = module_length(text);
    struct str rest = {text.at + from, text.len - from};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t len = strlen(words[i].word);

        if (rest.len < len ||
            !str_eq_nocase((struct str){rest.at, len}, str_from(words[i].word)))
            continue;
        if (words[i].word[0] == '1') /* as many digits as were asked for */
            len += count_digits(rest, len);
        if (rest.len > len && is_name_character(rest.at[len]))
            continue;
        *out = words[i].value;
        return from + len + payload_length((struct str){rest.at + len, rest.len - len});
    }
    return 0;
}

/* Bytes of digits, a point and an exponent from `from` on; 0 when there is no digit. */
static size_t number_extent(struct str text, size_t from)
{
    size_t i = from, digits = count_digits(text, i), exponent;

    i += digits;
    if (i < text.len && text.at[i] == '.') {
        size_t decimals = count_digits(text, i + 1);

        if (digits + decimals > 0)
            i += 1 + decimals;
        digits += decimals;
    }
    if (digits == 0)
        return 0;
    if (i < text.len && (text.at[i] == 'e' || text.at[i] == 'E')) {
        exponent = i + 1;
        if (exponent < text.len && (text.at[exponent] == '-' || text.at[exponent] == '+'))
            exponent++;
        if (count_digits(text, exponent) > 0)
            i = exponent + count_digits(text, exponent);
    }
    return i - from;
}

/* Digits and a point, few enough that the result is the nearest double: its division by a power
 * of ten rounds once. Most numbers are such. */
static bool quick_number(struct str digits, double *out)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int64_t value = 0;
    size_t point = digits.len;

    if (digits.len > 15)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.at[i] == '.')
            point = i + 1;
        else if (is_digit(digits.at[i]))
            value = value * 10 + (digits.at[i] - '0');
        else
            return false;
    }
    *out = (double)value / powers[digits.len - point];
    return true;
}

bool number_take(struct str *text, double *out)
{
    bool minus = text->len > 0 && text->at[0] == '-';
    size_t sign = minus || (text->len > 0 && text->at[0] == '+'), len;
    struct str rest = *text, digits;

    if (sign > 0)
        step_over(&rest, sign);
    len = no_number(rest, out);
    if (len == 0) {
        len = number_extent(rest, 0);
        digits = (struct str){rest.at, len};
        if (len == 0 || len > NUMBER_MOST)
            return false;
        if (digits.at[len - 1] == '.')
            digits.len--; /* "3." */
        if (!quick_number(digits, out) &&
            !num_double(digits, out)) /* too large or too small for a decimal */
            *out = str_has_nocase(digits, STR("e-")) ? 0 : (double)INFINITY;
    }
    if (minus)
        *out = -*out;
    step_over(text, sign + len);
    return true;
}

double number_take_scale(struct str *text)
{
    static const char letters[] = "kKMGT";
    static const double factors[] = {1e3, 1e3, 1e6, 1e9, 1e12};

    for (size_t i = 0; i + 1 < sizeof letters; i++) {
        if (text->len > 0 && text->at[0] == letters[i] &&
            (text->len == 1 || !is_letter(text->at[1]))) {
            step_over(text, 1);
            return factors[i];
        }
    }
    return 1;
}

/* "3 days, ", "1 day, ": in seconds, and stepped over. */
static double take_metric_days(struct str *text)
{
    struct str rest = *text;
    double days;

    if (!number_take(&rest, &days))
        return 0;
    skip_metric_blanks(&rest);
    if (!str_starts(rest, STR("day")))
        return 0;
    step_over(&rest, 3);
    while (rest.len > 0 && (rest.at[0] == 's' || rest.at[0] == ',' || rest.at[0] == ' '))
        step_over(&rest, 1);
    *text = rest;
    return days * 86400;
}

bool number_take_time(struct str *text, double *out)
{
    struct str rest = *text;
    double seconds = take_metric_days(&rest), part, sum = 0;
    int parts = 0;

    do {
        if (rest.len == 0 || !is_digit(rest.at[0]) || !number_take(&rest, &part))
            return false;
        sum = sum * 60 + part;
        parts++;
    } while (parts < 3 && rest.len > 1 && rest.at[0] == ':' && is_digit(rest.at[1]) &&
             (step_over(&rest, 1), true));
    if (parts < 2)
        return false;
    *out = seconds + sum;
    *text = rest;
    return true;
}
