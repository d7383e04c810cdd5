#include "unit/shown.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "unit/time.h"

void value_time(stamp at, bool seconds, struct buf *out)
{
    char memory[64];
    struct buf text = buf_within(memory, sizeof memory);

    if (at.s < 0) {
        buf_char(out, '-');
        return;
    }
    stamp_write(at, &text); /* 2026-11-15T10:00:05Z */
    if (text.len < 19) {
        buf_char(out, '-');
        return;
    }
    buf_add(out, (struct str){text.at, 10});
    buf_char(out, ' ');
    buf_add(out, (struct str){text.at + 11, seconds ? 8 : 5});
}

/* ---- shares ---- */

#define NOISE 1e-8 /* a share that rounding leaves of no difference */

/* A little is not nothing, and nearly all is not all; 5 % that was given is not 5.0 %. */
static void write_percent(double share, bool plus, struct buf *out)
{
    double size = fabs(share) < NOISE ? 0 : fabs(share) * 100;
    bool round_one = fabs(size - round(size)) < NOISE;
    bool little = size > 0 && size < 9.95 && !round_one;
    bool nearly = size >= 99.5 && size < 100 && !round_one;
    const char *sign = !(size > 0) ? "" : share < 0 ? "-" : plus ? "+" : "";

    if (little && size < 0.05)
        buf_addf(out, "<%s0.1", sign);
    else if (nearly && size >= 99.95)
        buf_addf(out, ">%s99.9", sign);
    else
        buf_adds(out, sign);
    if ((little && size >= 0.05) || (nearly && size < 99.95))
        num_write_fixed(size, 1, out);
    else if (size >= 999.5)
        value_number(size, out);
    else if (!little && !nearly)
        num_write_fixed(round(size), 0, out);
}

void value_share(double share, struct buf *out)
{
    if (isnan(share)) {
        buf_char(out, '-');
        return;
    }
    write_percent(share, false, out);
    buf_adds(out, " %");
}

struct percent_text percent_text(double share)
{
    struct percent_text t = {0};
    struct buf text = buf_within(t.text, sizeof t.text);

    value_share(share, &text);
    t.text[text.len] = '\0';
    return t;
}

void value_used(double share, struct buf *out)
{
    if (isnan(share))
        buf_char(out, '-');
    else
        buf_addf(out, "%.0f %%", num_percent_used(share));
}

void value_share_range(double low, double high, struct buf *out)
{
    if (isnan(low)) {
        buf_adds(out, isnan(high) ? "" : "up to ");
    } else if (low < high) {
        write_percent(low, false, out);
        buf_adds(out, " to ");
    }
    value_share(high, out);
}

void value_change(double change, struct buf *out)
{
    if (isinf(change)) {
        buf_adds(out, "new");
    } else if (isnan(change)) {
        buf_char(out, '-');
    } else {
        write_percent(change, true, out);
        buf_adds(out, " %");
    }
}

/* ---- what there is of things ---- */

void value_times(double count, struct str name, struct buf *out)
{
    if (count > 0) /* false when unknown */
        buf_addf(out, "%sx ", num_figures(count).text);
    if (name.len > 0)
        buf_add_safe(out, name);
    else
        buf_char(out, '?');
}

void value_place(struct str provider, struct str region, struct str zone, struct buf *out)
{
    const struct str parts[] = {provider, region, zone};
    const char *before = "";

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i].len > 0) {
            buf_adds(out, before);
            buf_add_safe(out, parts[i]);
            before = "/";
        }
    if (before[0] == '\0')
        buf_char(out, '?');
}

/* ---- numbers ---- */

/* Decimals that leave three digits of a number of this size. */
static int decimals_for_number(double n)
{
    double size = fabs(n);
    int decimals;

    if (!(size > 0) || size >= 100)
        return 0;
    decimals = (int)fmin(9, fmax(0, 2 - floor(log10(size))));
    /* 9.996 is rounded to 10.0. */
    return decimals > 0 && round(size * pow(10, decimals)) >= 1000 ? decimals - 1 : decimals;
}

void value_count(double n, struct buf *out)
{
    char memory[400]; /* the longest double has 309 digits */
    struct buf digits = buf_within(memory, sizeof memory);
    size_t skip;

    if (!isfinite(n)) {
        buf_char(out, '?');
        return;
    }
    num_write_fixed(n, 0, &digits);
    skip = digits.len > 0 && digits.at[0] == '-';
    for (size_t i = 0; i < digits.len; i++) {
        if (i > skip && (digits.len - i) % 3 == 0)
            buf_char(out, ',');
        buf_char(out, digits.at[i]);
    }
}

void value_number(double n, struct buf *out)
{
    if (!isfinite(n)) {
        buf_char(out, '?');
    } else if (fabs(n) >= 999.5) {
        double unit = pow(10, floor(log10(fabs(n))) - 2);

        value_count(round(n / unit) * unit, out);
    } else {
        num_write_fixed(n, decimals_for_number(n), out);
    }
}

/* As it is shown, to three digits: 999.6 is 1,000, which the next unit says shorter. */
static double rounded_as_shown(double n)
{
    double unit = n > 0 && isfinite(n) ? pow(10, floor(log10(n)) - 2) : 1;

    return isfinite(n) ? round(n / unit) * unit : n;
}

void value_large(double n, struct buf *out)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}};

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (rounded_as_shown(n / units[i].size) >= 1) { /* false for NaN */
            value_number(n / units[i].size, out);
            buf_addf(out, " %s", units[i].name);
            return;
        }
    value_number(n, out);
}

/* In the unit that suits the value, all three alike. */
static void write_scaled_range(double value, double low, double high, double scale,
                               const char *unit, struct buf *out)
{
    const double parts[] = {low / scale, high / scale};
    int decimals = decimals_for_number(value / scale);
    bool large = fabs(value / scale) >= 1000;

    if (large)
        value_number(value / scale, out);
    else
        num_write_fixed(value / scale, decimals, out);
    buf_addf(out, "%s%s", unit[0] != '\0' ? " " : "", unit);
    if (!isfinite(low) || !isfinite(high) || low >= high)
        return;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        buf_adds(out, i == 0 ? " (" : " to ");
        if (large)
            value_number(parts[i], out);
        else
            num_write_fixed(parts[i], decimals, out);
    }
    buf_char(out, ')');
}

void value_within(double value, double low, double high, const char *unit, struct buf *out)
{
    write_scaled_range(value, low, high, 1, unit, out);
}

void value_seconds_within(double value, double low, double high, struct buf *out)
{
    static const struct {
        double from, size; /* from this many seconds on */
        const char *name;
    } units[] = {{2 * 365.25 * 86400, 365.25 * 86400, "years"},
                 {3 * 86400, 86400, "days"},
                 {3600, 3600, "h"},
                 {60, 60, "min"},
                 {1, 1, "s"},
                 {1e-3, 1e-3, "ms"},
                 {0, 1e-6, "us"}};

    if (isinf(value) || value == 0) {
        buf_adds(out, value == 0 ? "0 s" : "never");
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (rounded_as_shown(value / units[i].size) >= units[i].from / units[i].size) {
            write_scaled_range(value, low, high, units[i].size, units[i].name, out);
            return;
        }
    buf_char(out, '?');
}

void value_seconds(double seconds, struct buf *out)
{
    value_seconds_within(seconds, NAN, NAN, out);
}

void value_span(span s, struct buf *out)
{
    const int64_t second = 1000000000;
    int64_t step = second;

    if (s.ns > 60 * second)
        step = (s.ns > 600 * second ? 60 : 10) * second;
    if (s.ns >= second)
        s.ns = (s.ns + step / 2) / step * step;
    span_write(s, out);
}

void value_hours(double hours, struct buf *out)
{
    value_seconds(hours * 3600, out);
}

void value_others(int64_t count, struct buf *out)
{
    buf_addf(out, "others (%lld)", (long long)count);
}

void value_exact(const struct money *m, struct buf *out)
{
    if (currency_unset(m->currency)) {
        buf_char(out, '?');
        return;
    }
    decimal_write(m->amount, out);
    buf_addf(out, " %s", m->currency.code);
}

void value_price(const struct money *m, struct buf *out)
{
    double value = decimal_double(m->amount);

    if (currency_unset(m->currency)) {
        buf_char(out, '?');
    } else if (currency_is(m->currency, currency_usd)) {
        usd_write(usd_from(value), out);
    } else {
        num_write_fixed(value, value < 1 ? 4 : 2, out);
        buf_addf(out, " %s", m->currency.code);
    }
}

void value_money_change(const struct money *m, struct buf *out)
{
    if (currency_unset(m->currency)) {
        buf_char(out, '-');
        return;
    }
    if (m->amount.coefficient > 0)
        buf_char(out, '+');
    money_write_cents(m, out);
}

void value_dollars(double dollars, struct buf *out)
{
    usd_write(usd_rounded(usd_from(dollars)), out);
}

/* Of them a usd still has all nano-dollars. */
#define DOLLARS_MOST 9e9

void value_estimate(double amount, struct currency currency, struct buf *out)
{
    bool dollars = currency_is(currency, currency_usd);

    if (!isfinite(amount)) {
        buf_char(out, '?');
    } else if (dollars && fabs(amount) < DOLLARS_MOST) {
        usd_write_estimate(usd_from(amount), out);
    } else if (fabs(amount) < 10) {
        const struct money m = {{(wide)llround(amount * 100), 2}, currency};

        money_write_cents(&m, out);
    } else if (fabs(amount) < 1e18) {
        value_number(amount, out);
        buf_addf(out, " %s", currency.code);
    } else {
        buf_addf(out, "%.3g %s", amount, currency.code);
    }
}

void value_estimate_change(usd amount, struct buf *out)
{
    if (amount.nano > 0)
        buf_char(out, '+');
    usd_write_estimate(amount, out);
}

void value_estimate_range(usd low, usd high, struct buf *out)
{
    if (low.nano == MONEY_UNKNOWN) {
        buf_adds(out, high.nano == MONEY_UNKNOWN ? "" : "up to ");
    } else if (low.nano < high.nano) {
        usd_write_estimate(low, out);
        buf_adds(out, " to ");
    }
    usd_write_estimate(high, out);
}

void value_unchanged(double share, struct buf *out)
{
    if (!(share > 0))
        return;
    buf_adds(out, ", unchanged with ");
    value_share(share, out);
    buf_adds(out, " probability");
}
