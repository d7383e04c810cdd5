/* What a plan stands on, what was assumed, and what was written. */
#include <math.h>

#include "cli/estimate_print.h"
#include "cli/plan_print.h"

#define TAB 4 /* blanks in its place */

static void counted(struct buf *out, int64_t n, const char *what)
{
    if (n < 0)
        return;
    buf_adds(out, out->len > 0 ? ", " : "");
    if (n < 1000000)
        count_write((double)n, out);
    else
        large_write((double)n, out);
    buf_adds(out, what);
}

void plan_print_source(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->prices_to.n != DAY_UNKNOWN.n) {
        buf_adds(&text, "of ");
        if (res->prices_from.n != DAY_UNKNOWN.n && res->prices_from.n != res->prices_to.n) {
            day_write(res->prices_from, &text);
            buf_adds(&text, " to ");
        }
        day_write(res->prices_to, &text);
        plan_view_line(look, STR("prices"), STYLE_DIM, &text);
        text = plan_view_text(look);
    }
    counted(&text, res->offers, res->offers == 1 ? " offer" : " offers");
    if (res->places > 0 && res->offers >= 0) {
        buf_adds(&text, " at ");
        count_write((double)res->places, &text);
        buf_adds(&text, res->places == 1 ? " price" : " prices");
    }
    counted(&text, res->settings, " settings computed");
    counted(&text, res->pruned, " ruled out");
    if (res->search_ms > 0 && text.len > 0) { /* a clock that stands still says nothing */
        buf_adds(&text, ", ");
        seconds_write(res->search_ms / 1000, &text);
    }
    if (text.len > 0)
        plan_view_line(look, STR("searched"), STYLE_DIM, &text);
    else
        plan_view_drop(look, &text);
}

void plan_print_notes(const struct plan_look *look)
{
    if (look->res->notes.len > 0)
        buf_char(look->view->out, '\n');
    for (size_t i = 0; i < look->res->notes.len; i++) {
        struct buf text = plan_view_text(look);

        buf_add(&text, look->res->notes.at[i]);
        plan_view_line(look, STR("note"), STYLE_PLAIN, &text);
    }
}

/* What was written, and what that changes, line by line as `diff -u` has it. */
void plan_print_written(const struct plan_look *look)
{
    const struct view *view = look->view;
    struct str rest = look->res->diff;

    if (look->res->saved.len > 0) {
        struct buf text = plan_view_text(look);

        buf_char(view->out, '\n');
        buf_add(&text, look->res->saved);
        plan_view_line(look, STR("saved"), STYLE_PLAIN, &text);
    }
    if (rest.len > 0)
        plan_view_heading(look, "CONFIGURATION");
    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n');
        enum term_style style = str_starts(line, STR("+"))   ? STYLE_GOOD
                                : str_starts(line, STR("-")) ? STYLE_WARN
                                                             : STYLE_PLAIN;

        buf_adds(view->out, term_style_on(&view->term, style));
        while (line.len > 0) { /* a tab would be shown as '?' */
            struct str piece = str_cut(&line, '\t');

            buf_add_safe(view->out, piece);
            buf_pad(view->out, ' ',
                    line.at != NULL && line.at > piece.at + piece.len ? TAB : 0);
        }
        buf_adds(view->out, term_style_off(&view->term, style));
        buf_char(view->out, '\n');
    }
}
