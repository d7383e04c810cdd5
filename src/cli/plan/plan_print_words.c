/* How the numbers and lines of a plan look. */
#include <math.h>

#include "cli/plan/plan_print.h"
#include "unit/shown.h"

#define LEFT 16        /* columns of a label, as view_label() */
#define NARROWEST 20   /* columns that text is wrapped to, however narrow the terminal */
#define TEXT_MAX 65536 /* bytes of one line, before it is wrapped */

void plan_view_gpus(const struct plan_row *row, struct buf *out)
{
    bool more = row->gpus > 0 && row->rented_gpus > row->gpus;

    if (more)
        buf_addf(out, "%lld of ", (long long)row->gpus);
    value_times((double)(more ? row->rented_gpus : row->gpus), row->accelerator, out);
}

bool plan_view_tight(const struct plan_row *row)
{
    return row->memory_high_gb > row->usable_gb; /* false when either is not known */
}

void plan_view_memory(const struct plan_row *row, struct buf *out)
{
    value_within(row->memory_gb, row->memory_low_gb, row->memory_high_gb, "GB", out);
    buf_adds(out, " of ");
    value_number(row->usable_gb, out);
}

void plan_view_dollars(double dollars, struct buf *out)
{
    usd_write_estimate(usd_from(fabs(dollars)), out);
}

bool plan_view_serving(const struct plan_result *res)
{
    return str_eq(res->kind, STR("infer"));
}

bool plan_view_role_is(const struct plan_row *row, const char *role)
{
    return str_eq(row->role, str_from(role));
}

const struct plan_row *plan_view_with_role(const struct plan_result *res, const char *role)
{
    const struct plan_row *rows = res->plans.at;

    for (size_t i = 0; i < res->plans.len; i++)
        if (plan_view_role_is(&rows[i], role))
            return &rows[i];
    return NULL;
}

struct buf plan_view_text(const struct plan_look *look)
{
    return buf_new(look->view->arena->alloc, TEXT_MAX);
}

const char *plan_view_bar_mark(const struct plan_look *look)
{
    return look->utf8 ? "\xe2\x96\x88" : "#";
}

void plan_view_bar(const char *mark, double share, size_t width, struct buf *out)
{
    double length = ceil(fmin(1, fmax(0, share)) * (double)width - 0.5); /* 0 for NaN */

    if (share > 0 && length < 1)
        length = 1;
    for (size_t i = 0; i < (size_t)length; i++)
        buf_adds(out, mark);
}

void plan_view_line(const struct plan_look *look, struct str label, enum term_style style,
                    struct buf *text)
{
    const struct view *view = look->view;
    size_t width = view->term.width;
    struct buf wrapped = buf_new(view->arena->alloc, 2 * (size_t)TEXT_MAX);
    struct view inner = *view;
    struct str rest;
    bool first = true;

    width = width > 0 && width < VIEW_WIDTH ? width : VIEW_WIDTH;
    inner.term.width = (unsigned)(width > LEFT + NARROWEST ? width - LEFT : NARROWEST);
    inner.out = &wrapped;
    if (text->len > 0)
        view_text(&inner, buf_text(text));
    rest = buf_text(&wrapped);
    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n');
        size_t columns = first ? term_columns(label) : 0;

        buf_adds(view->out, term_style_on(&view->term, style));
        if (first)
            buf_add_safe(view->out, label);
        buf_pad(view->out, ' ', columns < LEFT ? LEFT - columns : 1);
        buf_add(view->out, line);
        buf_adds(view->out, term_style_off(&view->term, style));
        buf_char(view->out, '\n');
        first = false;
    }
    buf_free_part(&wrapped, view->out);
    buf_free_part(text, view->out);
}

void plan_view_heading(const struct plan_look *look, const char *title)
{
    const struct term *term = &look->view->term;

    buf_addf(look->view->out, "\n%s%s%s\n", term_style_on(term, STYLE_BOLD), title,
             term_style_off(term, STYLE_BOLD));
}
