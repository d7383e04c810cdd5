#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

bool num_int(struct str text, int64_t *out)
{
    return num_fixed(text, 0, out) && memchr(text.at, '.', text.len) == NULL;
}

bool num_fixed(struct str text, unsigned digits, int64_t *out)
{
    struct decimal d;

    if (text.len == 0 || text.at[0] == '+' || memchr(text.at, 'e', text.len) != NULL ||
        memchr(text.at, 'E', text.len) != NULL)
        return false;
    return decimal_parse(text, &d) && decimal_fixed(d, digits, out);
}

bool num_double(struct str text, double *out)
{
    struct decimal d;

    if (!decimal_parse(text, &d))
        return false;
    *out = decimal_double(d);
    return true;
}

bool num_percent(struct str text, double *out)
{
    struct str number = text;
    double value;

    if (str_ends(number, STR("%")))
        number = str_trim((struct str){number.at, number.len - 1});
    if (!num_double(number, &value) || !(value > 0) || value > 10000)
        return false;
    *out = round(value * 100) / 10000;
    return *out > 0;
}

double num_percent_used(double share)
{
    double percent = floor(share * 100 + 1e-9); /* 0.58 * 100 is 57.99999999999999 */

    return share < 1 ? fmin(percent, 99) : percent;
}

int64_t num_common(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int num_compare(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

int num_by_value(const void *a, const void *b)
{
    return num_compare(*(const double *)a, *(const double *)b);
}

double num_known_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

double num_above_zero(double value)
{
    return value > 0 ? value : 0;
}

const char *num_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* snprintf() obeys the locale of a program that embeds us; its point may be several bytes. */
static void add_with_point(struct buf *out, const char *text)
{
    size_t before = strspn(text, "0123456789-"), point = strcspn(text + before, "0123456789e");

    buf_add(out, (struct str){text, before});
    if (point > 0)
        buf_char(out, '.');
    buf_adds(out, text + before + point);
}

void num_write(double value, struct buf *out)
{
    char text[40];

    if (!isfinite(value)) {
        buf_adds(out, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) /* allowed: both in the same locale */
            break;
    }
    add_with_point(out, text);
}

/* In the locale's own words, since strtod() obeys it, too. */
bool num_read(struct str text, double *out)
{
    char room[96], half[16];
    bool pointed = false;
    size_t len = 0;
    char *end;

    (void)snprintf(half, sizeof half, "%.1f", 0.5); /* "0.5": the point is what is between */
    if (text.len == 0 || text.len > 64)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\0' || strchr("0123456789+-eE.", text.at[i]) == NULL)
            return false;
        if (text.at[i] != '.') {
            room[len++] = text.at[i];
            continue;
        }
        if (pointed)
            return false;
        pointed = true;
        for (const char *at = half + 1; at[1] != '\0'; at++)
            room[len++] = *at;
    }
    room[len] = '\0';
    *out = strtod(room, &end); /* allowed: in the same locale */
    return end == room + len && isfinite(*out);
}

void num_write_fixed(double value, int decimals, struct buf *out)
{
    char text[400]; /* 309 digits of the largest double, a point and the decimals */

    if (isnan(value)) {
        buf_char(out, '?');
        return;
    }
    if (isinf(value)) {
        buf_adds(out, value < 0 ? "-inf" : "inf");
        return;
    }
    (void)snprintf(text, sizeof text, "%.*f", decimals, value);
    add_with_point(out, text);
}

/* To three digits: 1,009,876 is 1,010,000. */
static double three_digits(double value)
{
    double scale = value != 0 ? pow(10, floor(log10(fabs(value))) - 2) : 1;

    return scale > 0 && isfinite(scale) ? round(value / scale) * scale : value;
}

struct num_text num_about(double value)
{
    double shown = three_digits(value), size = fabs(shown);
    struct num_text t;

    if (isnan(value))
        (void)snprintf(t.text, sizeof t.text, "?");
    else if (size >= 1e12)
        (void)snprintf(t.text, sizeof t.text, "%.3g trillion", shown / 1e12);
    else if (size >= 1e9)
        (void)snprintf(t.text, sizeof t.text, "%.3g billion", shown / 1e9);
    else if (size >= 1e6)
        (void)snprintf(t.text, sizeof t.text, "%.3g million", shown / 1e6);
    else if (size >= 1e3)
        (void)snprintf(t.text, sizeof t.text, "%s%lld,%03lld", shown < 0 ? "-" : "",
                       llround(size) / 1000, llround(size) % 1000);
    else
        (void)snprintf(t.text, sizeof t.text, "%.3g", shown);
    return t;
}

struct num_text num_figures(double value)
{
    struct num_text t;

    if (!(fabs(value) < 9999.5))
        return num_about(value);
    (void)snprintf(t.text, sizeof t.text, "%.4g", value);
    return t;
}
