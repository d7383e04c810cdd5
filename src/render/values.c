#include "render/values.h"

#include <math.h>

#include "base/num.h"
#include "unit/time.h"

void value_time(stamp at, bool seconds, struct buf *out)
{
    struct buf text = buf_new(out->alloc, 64);

    if (at.s < 0) {
        buf_char(out, '-');
        return;
    }
    stamp_write(at, &text); /* 2026-11-15T10:00:05Z */
    if (text.failed != ERROR_NONE || text.len < 19) {
        out->failed = ERROR_MEMORY;
    } else {
        buf_add(out, (struct str){text.at, 10});
        buf_char(out, ' ');
        buf_add(out, (struct str){text.at + 11, seconds ? 8 : 5});
    }
    buf_free(&text);
}

static void write_signed_percent(double share, const char *sign, struct buf *out)
{
    double size = fabs(share) * 100;

    if (size > 0 && size < 0.05) {
        buf_addf(out, "<%s0.1", sign);
    } else {
        buf_adds(out, sign);
        num_write_fixed(size, size > 0 && size < 9.95 ? 1 : 0, out);
    }
    buf_adds(out, " %");
}

void value_share(double share, struct buf *out)
{
    if (isnan(share))
        buf_char(out, '-');
    else
        write_signed_percent(share, share < 0 ? "-" : "", out);
}

void value_used(double share, struct buf *out)
{
    if (isnan(share))
        buf_char(out, '-');
    else
        buf_addf(out, "%.0f %%", num_percent_used(share));
}

void value_change(double change, struct buf *out)
{
    if (isinf(change))
        buf_adds(out, "new");
    else if (isnan(change))
        buf_char(out, '-');
    else
        write_signed_percent(change, change > 0 ? "+" : change < 0 ? "-" : "", out);
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
