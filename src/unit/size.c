#include "unit/size.h"

#include <stdio.h>

#include "base/decimal.h"
#include "base/num.h"

static const struct {
    const char *suffix;
    uint64_t bytes;
} units[] = {
    {"KiB", UINT64_C(1) << 10},      {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},      {"TiB", UINT64_C(1) << 40},
    {"PiB", UINT64_C(1) << 50},      {"kB", UINT64_C(1000)},
    {"MB", UINT64_C(1000000)},       {"GB", UINT64_C(1000000000)},
    {"TB", UINT64_C(1000000000000)}, {"PB", UINT64_C(1000000000000000)},
};

bool bytes_parse(struct str text, bytes *out, struct error *err)
{
    text = str_trim(text);
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        struct str suffix = str_from(units[i].suffix), number = text;
        int64_t milli; /* thousandths, so that 1.5GiB is exact */
        wide total;

        if (!str_ends(text, suffix))
            continue;
        number.len -= suffix.len;
        if (!num_fixed(str_trim(number), 3, &milli) || milli < 0)
            break;
        total = (wide)milli * (wide)units[i].bytes / 1000;
        if (total > (wide)UINT64_MAX)
            return error_fail(err, ERROR_INPUT, "size '%.*s' is too large", STR_ARG(text));
        out->n = (uint64_t)total;
        return true;
    }
    error_set(err, ERROR_INPUT, "'%.*s' is not a size", STR_ARG(text));
    error_hint(err, "give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3");
    return false;
}

bool bytes_per_second_parse(struct str text, bytes *out, struct error *err)
{
    static const struct {
        const char *suffix, *unit;
    } bits[] = {{"kbit/s", "kB"}, {"Mbit/s", "MB"}, {"Gbit/s", "GB"},
                {"kbps", "kB"},   {"Mbps", "MB"},   {"Gbps", "GB"},
                {"kb/s", "kB"},   {"Mb/s", "MB"},   {"Gb/s", "GB"}};
    struct str rest = str_trim(text);
    char bytes_text[64];

    for (size_t i = 0; i < ARRAY_LEN(bits); i++) {
        struct str suffix = str_from(bits[i].suffix);

        if (!str_ends(rest, suffix) || rest.len - suffix.len > 40)
            continue;
        rest.len -= suffix.len;
        (void)snprintf(bytes_text, sizeof bytes_text, "%.*s%s", STR_ARG(rest), bits[i].unit);
        if (!bytes_parse(str_from(bytes_text), out, err))
            return false;
        out->n /= 8;
        return true;
    }
    if (str_ends(rest, STR("/s")))
        rest.len -= 2;
    if (bytes_parse(rest, out, err))
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is not a bandwidth", STR_ARG(text));
    error_hint(err, "give the unit in full: 100MB/s, 1Gbit/s");
    return false;
}

void bytes_write(bytes size, struct buf *out)
{
    size_t unit = ARRAY_LEN(units);
    double value;
    int decimals = 0;

    while (unit > 5 && units[unit - 1].bytes > size.n)
        unit--;
    if (unit == 5) {
        buf_addf(out, "%u B", (unsigned)size.n);
        return;
    }
    value = (double)size.n / (double)units[unit - 1].bytes;
    while (decimals < 2 && value * (decimals == 0 ? 1 : 10) !=
                               (double)(uint64_t)(value * (decimals == 0 ? 1 : 10)))
        decimals++;
    num_write_fixed(value, decimals, out);
    buf_addf(out, " %s", units[unit - 1].suffix);
}

double bytes_gb(bytes size)
{
    return (double)size.n / 1e9;
}

bytes bytes_from(double measured)
{
    if (!(measured >= 0 && measured < 1e19))
        return BYTES_UNKNOWN;
    return (bytes){(uint64_t)measured};
}
