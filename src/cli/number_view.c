#include "cli/number_view.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

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

void count_write(double n, struct buf *out)
{
    struct buf digits = buf_new(out->alloc, 400); /* the longest double has 309 */
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
    buf_free_part(&digits, out);
}

void number_write(double n, struct buf *out)
{
    if (!isfinite(n)) {
        buf_char(out, '?');
    } else if (fabs(n) >= 999.5) {
        double unit = pow(10, floor(log10(fabs(n))) - 2);

        count_write(round(n / unit) * unit, out);
    } else {
        num_write_fixed(n, decimals_for_number(n), out);
    }
}

void large_write(double n, struct buf *out)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}};

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (n >= units[i].size) { /* false for NaN */
            number_write(n / units[i].size, out);
            buf_addf(out, " %s", units[i].name);
            return;
        }
    number_write(n, out);
}

/* In the unit that suits the value, all three alike. */
static void scaled_range(struct guess g, double scale, const char *unit, struct buf *out)
{
    int decimals = decimals_for_number(g.value / scale);

    if (fabs(g.value / scale) >= 1000)
        number_write(g.value / scale, out);
    else
        num_write_fixed(g.value / scale, decimals, out);
    buf_addf(out, "%s%s", unit[0] != '\0' ? " " : "", unit);
    if (!isfinite(g.low) || !isfinite(g.high) || g.low >= g.high)
        return;
    buf_adds(out, " (");
    if (fabs(g.value / scale) >= 1000) {
        number_write(g.low / scale, out);
        buf_adds(out, " to ");
        number_write(g.high / scale, out);
    } else {
        num_write_fixed(g.low / scale, decimals, out);
        buf_adds(out, " to ");
        num_write_fixed(g.high / scale, decimals, out);
    }
    buf_char(out, ')');
}

void range_write(struct guess g, const char *unit, struct buf *out)
{
    scaled_range(g, 1, unit, out);
}

void seconds_range_write(struct guess s, struct buf *out)
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

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (s.value >= units[i].from) {
            scaled_range(s, units[i].size, units[i].name, out);
            return;
        }
    buf_char(out, '?');
}

void seconds_write(double seconds, struct buf *out)
{
    seconds_range_write((struct guess){.value = seconds, .low = NAN, .high = NAN}, out);
}

void dollars_write(double dollars, struct buf *out)
{
    usd_write(usd_rounded(usd_from(dollars)), out);
}

void unchanged_write(double share, struct buf *out)
{
    if (share >= 0.995)
        buf_adds(out, ", unchanged with more than 99 % probability");
    else if (share > 0)
        buf_addf(out, ", unchanged with %.0f %% probability", 100 * share);
}

void percent_write(double share, struct buf *out)
{
    if (fabs(share) < 10)
        num_write(round(share * 1000) / 10, out);
    else
        number_write(share * 100, out);
    buf_adds(out, " %");
}
