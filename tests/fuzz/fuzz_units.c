/* Any bytes are either a value or refused with a reason; a value that is written exactly reads
 * back as the same value. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

#define TEXT_MAX 512
#define SIGNIFICANT_MAX 38 /* digits that always fit in 128 bits */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* A refusal has a reason; success leaves the error alone. */
static void check_error(bool ok, const struct error *err)
{
    if (ok)
        require(err->kind == ERROR_NONE && err->text[0] == '\0' && err->hint[0] == '\0');
    else
        require(err->kind == ERROR_INPUT && err->text[0] != '\0');
}

static struct str written(const struct buf *out)
{
    struct error err;

    require(buf_ok(out, &err) && out->len > 0);
    return buf_text(out);
}

static size_t significant_digits(struct str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] >= '0' && text.at[i] <= '9' && (count > 0 || text.at[i] != '0'))
            count++;
    return count;
}

static void try_decimal(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    struct decimal d, back, sum;

    if (decimal_parse(text, &d)) {
        require(d.scale >= DECIMAL_MIN_SCALE && d.scale <= DECIMAL_MAX_SCALE);
        require(decimal_cmp(d, d) == 0);
        decimal_write(d, &out);
        if (decimal_parse(written(&out), &back)) {
            require(decimal_cmp(d, back) == 0 && decimal_cmp(back, d) == 0);
            require(d.scale < 0 ||
                    (back.scale == d.scale && back.coefficient == d.coefficient));
            require(decimal_double(back) == decimal_double(d));
        } else {
            require(significant_digits(buf_text(&out)) > SIGNIFICANT_MAX);
        }
        back = (struct decimal){-d.coefficient, d.scale};
        require(decimal_add(d, back, &sum) && sum.coefficient == 0);
        require(decimal_cmp(d, back) == -decimal_cmp(back, d));
    }
    buf_free(&out);
}

static void try_num(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    int64_t integer = 0, fixed = 0;
    double real, back;

    if (num_int(text, &integer))
        require(num_fixed(text, 0, &fixed) && fixed == integer);
    if (num_fixed(text, 9, &fixed))
        require(num_double(text, &real) && fabs(real * 1e9 - (double)fixed) <= 4096);
    if (num_double(text, &real)) {
        require(isfinite(real) && num_compare(real, real) == 0);
        num_write(real, &out);
        require(!num_double(written(&out), &back) || back == real);
        buf_char(&out, '\0');
        require(strtod(buf_text(&out).at, NULL) == real);
    }
    buf_free(&out);
}

static void try_money(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    struct error err = {0}, again = {0};
    struct money m, back;
    usd amount, same;
    bool ok = money_parse(text, &m, &err);

    check_error(ok, &err);
    if (ok) {
        require(strlen(m.currency.code) == 3);
        money_write(&m, &out);
        if (significant_digits(written(&out)) <= SIGNIFICANT_MAX) {
            require(money_parse(buf_text(&out), &back, &again));
            require(decimal_cmp(m.amount, back.amount) == 0);
            require(currency_is(m.currency, back.currency));
        }
    }
    buf_clear(&out);
    err = (struct error){0};
    if (usd_parse(text, &amount, &err)) {
        require(ok && amount.nano != MONEY_UNKNOWN);
        buf_char(&out, '$');
        nano_write(amount.nano, &out);
        require(usd_parse(written(&out), &same, &again) && same.nano == amount.nano);
        check_error(true, &err);
    } else {
        check_error(false, &err);
    }
    buf_free(&out);
}

static void try_rates(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    struct error err = {0}, err_kwh = {0}, again = {0};
    usd_per_hour price, same;
    usd_per_kwh electricity, same_kwh;
    bool ok = usd_per_hour_parse(text, &price, &err);

    check_error(ok, &err);
    if (ok) {
        require(price.nano >= 0);
        buf_char(&out, '$');
        nano_write(price.nano, &out);
        buf_adds(&out, "/hr");
        require(usd_per_hour_parse(written(&out), &same, &again) && same.nano == price.nano);
    }
    buf_clear(&out);
    ok = usd_per_kwh_parse(text, &electricity, &err_kwh);
    check_error(ok, &err_kwh);
    if (ok) {
        require(electricity.nano >= 0);
        buf_char(&out, '$');
        nano_write(electricity.nano, &out);
        buf_adds(&out, "/kWh");
        require(usd_per_kwh_parse(written(&out), &same_kwh, &again));
        require(same_kwh.nano == electricity.nano);
    }
    buf_free(&out);
}

/* Written sizes are rounded, by no more than the last of their two decimals is worth. */
static void try_size(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    struct error err = {0}, again = {0};
    bytes size, back;
    bool ok = bytes_parse(text, &size, &err);

    check_error(ok, &err);
    if (ok) {
        bytes_write(size, &out);
        if (size.n >= 1000 && bytes_parse(written(&out), &back, &again))
            require(fabs((double)back.n - (double)size.n) <= (double)size.n * 0.0051);
    }
    buf_free(&out);
}

/* What span_write() leaves out: under a second nothing from a millisecond on, under an hour
 * parts of seconds, beyond it parts of minutes. */
static int64_t span_resolution(span s)
{
    if (s.ns < 1000000000)
        return 1000000;
    return s.ns < SPAN_HOUR ? 1000000000 : 60 * INT64_C(1000000000);
}

static void try_span(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    struct error err = {0}, again = {0};
    span s, back;
    bool ok = span_parse(text, &s, &err);

    check_error(ok, &err);
    if (ok) {
        require(s.ns >= 0);
        span_write(s, &out);
        require(span_parse(written(&out), &back, &again));
        require(back.ns == s.ns - s.ns % span_resolution(s));
        require(span_in_hours(s) >= 0);
    }
    buf_free(&out);
}

static void try_date(struct str text)
{
    struct buf out = buf_new(&alloc_system, TEXT_MAX);
    stamp at, at_back;
    day d, d_back;

    if (day_parse(text, &d)) {
        day_write(d, &out);
        require(str_eq(written(&out), text)); /* there is one way to write a day */
        require(day_parse(buf_text(&out), &d_back) && d_back.n == d.n);
        require(stamp_parse(text, &at) && day_of(at).n == d.n);
        buf_clear(&out);
    }
    if (stamp_parse(text, &at)) {
        stamp_write(at, &out);
        require(stamp_parse(written(&out), &at_back) && at_back.s == at.s);
        require(str_starts(buf_text(&out), text) || str_eq(buf_text(&out), text));
    }
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    try_decimal(text);
    try_num(text);
    try_money(text);
    try_rates(text);
    try_size(text);
    try_span(text);
    try_date(text);
    return 0;
}
