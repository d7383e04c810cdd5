#include "cli/view.h"

#include "op/config.h"
#include "op/market.h"
#include "op/op.h"

void view_rows(const struct view *view, const struct op *op, const void *result,
               const char *name, const struct columns *columns)
{
    struct table_rows rows = field_rows(op->result, name, result);

    columns_print(columns, &rows, &view->term, view->arena, view->out);
}

void view_price_age(const struct view *view, const struct price_age *age)
{
    bool one = age->total == 1;

    buf_addf(view->out, "%lld price%s, read ", (long long)age->total, one ? "" : "s");
    if (age->newest.n != age->oldest.n) {
        buf_adds(view->out, "between ");
        day_write(age->oldest, view->out);
        buf_adds(view->out, " and ");
    } else {
        buf_adds(view->out, "on ");
    }
    day_write(age->newest, view->out);
    buf_addf(view->out, "; %s %lld day%s old\n", one ? "it is" : "the newest is",
             (long long)age->newest_days, age->newest_days == 1 ? "" : "s");
}

void view_outliers(const struct view *view)
{
    buf_adds(view->out,
             "! far below the same GPU's prices in other regions: not chosen until a "
             "second import confirms it\n");
}

void view_worth_checking(const struct view *view)
{
    buf_adds(view->out,
             "~ the price is too old to be ranked with the others: worth checking\n");
}

void view_moment(const struct view *view, stamp at)
{
    if (at.s > 0)
        stamp_write_short(at, view->out);
}

void view_label(const struct view *view, const char *name)
{
    buf_addf(view->out, "%-16s", name);
}

void view_wrap(struct str text, size_t left, size_t column, struct buf *out)
{
    term_wrap(text, left, column, VIEW_WIDTH, out);
}

size_t view_width(const struct term *term)
{
    return term->width > 0 && term->width < VIEW_WIDTH ? term->width : VIEW_WIDTH;
}

void view_text(const struct view *view, struct str text)
{
    term_wrap(text, 0, 0, view_width(&view->term), view->out);
    buf_char(view->out, '\n');
}

void view_not_used(const struct view *view, const struct strs *keys)
{
    const struct str label = STR("not used: ");
    struct buf text = buf_new(view->arena->alloc, keys->len * 200 + 1);

    for (size_t i = 0; i < keys->len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add_safe(&text, keys->at[i]);
    }
    if (text.len > 0) {
        buf_char(view->out, '\n');
        buf_add(view->out, label);
        view_wrap(buf_text(&text), label.len, label.len, view->out);
        buf_char(view->out, '\n');
    }
    buf_free_part(&text, view->out);
}

void view_steps(const struct view *view, const struct rows *steps)
{
    const struct config_step *at = steps->at;
    int width = 0;

    for (size_t i = 0; i < steps->len; i++)
        width = (int)at[i].command.len > width ? (int)at[i].command.len : width;
    for (size_t i = 0; i < steps->len; i++)
        buf_addf(view->out, "  %-*.*s  # %.*s\n", width, STR_ARG(at[i].command),
                 STR_ARG(at[i].purpose));
}

bool view_aside(const void *result)
{
    (void)result;
    return true;
}
