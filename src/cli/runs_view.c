#include "cli/runs_view.h"

#include <math.h>

#include "cli/number_view.h"

void runs_when(struct str at, bool seconds, struct buf *out)
{
    if (at.len < 19) {
        buf_char(out, '-');
        return;
    }
    buf_add(out, (struct str){at.at, 10});
    buf_char(out, ' ');
    buf_add(out, (struct str){at.at + 11, seconds ? 8 : 5});
}

void runs_why(const struct ledger_run *run, struct buf *out)
{
    bool failed = run->state == RUN_FAILED;

    if (run->reason.len > 0)
        buf_add_safe(out, run->reason);
    else if (failed && run->status > 128 && run->status < 128 + 65)
        buf_addf(out, "signal %d", run->status - 128);
    else if (failed && run->status >= 0)
        buf_addf(out, "exit %d", run->status);
    if (str_eq(run->start.origin, STR("added")))
        buf_addf(out, "%sadded", out->len > 0 ? ", " : "");
    if (run->attempt_count > 1)
        buf_addf(out, "%s%d attempts", out->len > 0 ? ", " : "", run->attempt_count);
}

/* The mean of what is known of a part; NaN when nothing is. */
static double mean_of(const double *values, size_t from, size_t to)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = from; i < to; i++)
        if (isfinite(values[i])) {
            sum += values[i];
            known++;
        }
    return known > 0 ? sum / (double)known : NAN;
}

void runs_bars(const double *values, size_t count, size_t columns, bool utf8, struct buf *out)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", ".", "-", ":", "=", "+", "*", "#"};
    size_t bars = count < columns ? count : columns;
    double low = NAN, high = NAN;

    for (size_t i = 0; i < bars; i++) {
        double mean = mean_of(values, i * count / bars, (i + 1) * count / bars);

        low = fmin(low, mean); /* of a NaN and a number fmin() is the number */
        high = fmax(high, mean);
    }
    for (size_t i = 0; i < bars; i++) {
        double mean = mean_of(values, i * count / bars, (i + 1) * count / bars);
        double part = high > low ? (mean - low) / (high - low) : 0.5;

        if (isnan(mean))
            buf_char(out, ' ');
        else
            buf_adds(out, (utf8 ? blocks : plain)[(size_t)(part * 7.999)]);
    }
}

void runs_metric(double value, struct buf *out)
{
    if (isfinite(value))
        buf_addf(out, "%.5g", value);
    else
        buf_char(out, '?');
}

void runs_span(span s, struct buf *out)
{
    if (s.ns < 0)
        buf_char(out, '?');
    else
        span_write(s, out);
}

void runs_cell(struct table *t, struct buf *text)
{
    if (text->len == 0)
        buf_char(text, '-');
    if (text->failed != ERROR_NONE)
        t->failed = true;
    table_text(t, buf_text(text));
    buf_free(text);
}

void view_share(struct buf *out, struct str pays, int64_t sharers, double share, bool now)
{
    if (str_eq(pays, STR("inside"))) {
        buf_adds(out, ", paid by the run that it is inside of");
        return;
    }
    if (!str_eq(pays, STR("fixed")) && sharers <= 1)
        return;
    if (!str_eq(pays, STR("fixed")))
        buf_addf(out, ", shared by %s%lld runs:", now ? "" : "up to ", (long long)sharers);
    else
        buf_char(out, ',');
    if (isnan(share))
        buf_adds(out, " ? of it");
    else
        buf_addf(out, " %.3g %% of it", share * 100);
}

/* What the driver itself holds of a device is no other process. */
#define DRIVER_BYTES 1.5e9

bool view_shares_device(double device, double run)
{
    return device > run * 1.05 + DRIVER_BYTES;
}

void view_device_memory(struct buf *out, double device, double total, double run)
{
    bool shares = view_shares_device(device, run);

    if (isnan(device))
        return;
    if (shares)
        buf_addf(out, ", %.1f GB used by the run; device", run / 1e9);
    buf_addf(out, shares ? " %.1f" : ", %.1f", device / 1e9);
    if (!isnan(total))
        buf_addf(out, " of %.1f", total / 1e9);
    buf_adds(out, " GB");
}
