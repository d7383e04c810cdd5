/* Traces as .trc. */
#include <math.h>

#include "base/num.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

static void write_price(const char *key, double price, struct buf *out)
{
    buf_adds(out, key);
    if (isnan(price))
        buf_char(out, '-');
    else
        num_write(price, out);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void write_series(const struct trace *t, struct buf *out)
{
    double now = NAN;

    buf_char(out, 'p');
    for (size_t i = 0; i < t->ticks; i++) {
        if (same(t->price[i], now))
            continue;
        now = t->price[i];
        buf_addf(out, " %zu", i);
        write_price(":", now, out);
    }
    buf_char(out, '\n');
}

void trace_write(const struct trace *t, struct buf *out)
{
    buf_addf(out, "trace %.*s", (int)t->id.len, t->id.at);
    buf_addf(out, " gap=%d n=%zu nodes=%d start=", (int)t->gap, t->ticks, (int)t->nodes);
    if (t->start.s < 0)
        buf_char(out, '-');
    else
        stamp_write(t->start, out);
    write_price(" od=", t->on_demand, out);
    if (t->price != NULL)
        buf_adds(out, " spot=series");
    else
        write_price(" spot=", t->spot, out);
    if (t->from_prices)
        buf_adds(out, " from=prices");
    buf_adds(out, "\na ");
    for (size_t i = 0; i < t->ticks; i++)
        buf_char(out, trace_digits[t->nodes_at[i]]);
    buf_char(out, '\n');
    if (t->price != NULL)
        write_series(t, out);
}
