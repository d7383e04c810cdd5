#include "cli/spot_view.h"

#include <math.h>

#include "base/num.h"
#include "unit/time.h"

void spot_share(struct buf *out, double share)
{
    if (isnan(share))
        buf_char(out, '?');
    else if (share > 0 && share < 0.0005)
        buf_adds(out, "<0.1");
    else if (share < 1 && share > 0.9995)
        buf_adds(out, ">99.9");
    else
        num_write_fixed(share * 100, share < 0.0995 && share > 0 ? 1 : 0, out);
}

void spot_percent(struct buf *out, double share)
{
    spot_share(out, share);
    if (!isnan(share))
        buf_adds(out, " %");
}

void spot_risk(struct buf *out, double risk, double low, double high)
{
    spot_percent(out, risk);
    if (isnan(low) || isnan(high))
        return;
    buf_adds(out, " (");
    spot_share(out, low);
    buf_char(out, '-');
    spot_share(out, high);
    buf_char(out, ')');
}

void spot_span(struct buf *out, span s)
{
    int64_t second = 1000000000, step = second;

    if (s.ns > 60 * second)
        step = (s.ns > 600 * second ? 60 : 10) * second;
    if (s.ns >= second)
        s.ns = (s.ns + step / 2) / step * step;
    span_write(s, out);
}

void spot_time(struct buf *out, double hours)
{
    if (hours < 1)
        span_write(span_hours(hours), out);
    else
        buf_addf(out, "%.6g h", hours);
}

void spot_note(const struct view *view, const char *before, struct str text)
{
    struct buf safe = buf_new(view->arena->alloc, 400);

    buf_adds(&safe, before);
    buf_add_safe(&safe, text);
    view_wrap(buf_text(&safe), 2, 0, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&safe, view->out);
}

void spot_hours(struct buf *out, double hours)
{
    if (isinf(hours))
        buf_adds(out, "never");
    else if (isnan(hours))
        buf_char(out, '-');
    else if (hours < 0.995)
        buf_addf(out, "%.0f min", hours * 60);
    else
        buf_addf(out, "%.*f h", hours < 9.95 ? 1 : 0, hours);
}

void spot_observed(struct buf *out, double days, double span_days)
{
    if (!(span_days > 0))
        buf_char(out, '-');
    else if (span_days - days < 0.5)
        buf_addf(out, "%.0f d", days);
    else
        buf_addf(out, "%.0f of %.0f d", days, span_days);
}
