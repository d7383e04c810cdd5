/* What a plan is based on, what was assumed, and what was written. */
#include <math.h>

#include "cli/estimate_print.h"
#include "cli/plan_print.h"

#define TAB 4 /* blanks in its place */

static void counted(struct buf *out, int64_t n, const char *one, const char *many)
{
    if (n < 1000000)
        count_write((double)n, out);
    else
        large_write((double)n, out);
    buf_adds(out, n == 1 ? one : many);
}

/* "searched 689 offers and 12,119 configurations in 44 ms" */
static void search_line(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->offers < 0) {
        plan_view_drop(look, &text);
        return;
    }
    counted(&text, res->offers, " offer", " offers");
    if (res->settings >= 0) {
        buf_adds(&text, " and ");
        counted(&text, res->settings, " configuration", " configurations");
    }
    if (res->search_ms > 0) { /* a clock that does not move measures nothing */
        buf_adds(&text, " in ");
        seconds_write(res->search_ms / 1000, &text);
    }
    plan_view_line(look, STR("searched"), STYLE_DIM, &text);
}

void plan_print_source(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->prices_to.n == DAY_UNKNOWN.n) {
        plan_view_drop(look, &text);
    } else {
        buf_adds(&text, "from ");
        if (res->prices_from.n != DAY_UNKNOWN.n && res->prices_from.n != res->prices_to.n) {
            day_write(res->prices_from, &text);
            buf_adds(&text, " to ");
        }
        day_write(res->prices_to, &text);
        plan_view_line(look, STR("prices"), STYLE_DIM, &text);
    }
    search_line(look);
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
