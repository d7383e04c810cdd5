#include "cli/spot_view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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

static void cell_from(struct table *t, struct buf *text)
{
    if (text->failed != ERROR_NONE)
        t->failed = true;
    table_text(t, buf_text(text));
    buf_free(text);
}

void spot_share_cell(struct table *t, double share)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    spot_share(&text, share);
    buf_adds(&text, isnan(share) ? "" : " %");
    cell_from(t, &text);
}

void spot_risk_cell(struct table *t, double risk, double low, double high)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    spot_share(&text, risk);
    if (!isnan(risk))
        buf_adds(&text, " %");
    if (!isnan(low) && !isnan(high)) {
        buf_adds(&text, " (");
        spot_share(&text, low);
        buf_char(&text, '-');
        spot_share(&text, high);
        buf_char(&text, ')');
    }
    cell_from(t, &text);
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

void spot_span_cell(struct table *t, span s)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (s.ns < 0)
        buf_char(&text, '-');
    else
        spot_span(&text, s);
    cell_from(t, &text);
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
    buf_free(&safe);
}

void spot_hours_cell(struct table *t, double hours)
{
    if (isinf(hours))
        table_cell(t, "never");
    else if (isnan(hours))
        table_cell(t, "-");
    else
        table_cell(t, "%.*f h", hours < 9.95 ? 1 : 0, hours);
}

void spot_line(const struct view *view, const char *name, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    view_label(view, name);
    buf_add_safe(view->out, str_from(text));
    buf_char(view->out, '\n');
}
