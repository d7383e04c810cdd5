#include "base/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GAP 2          /* blanks between columns */
#define SHRINK_LIMIT 8 /* a column is never cut below this */

struct table_row {
    struct table_row *next;
    enum term_style style;
    struct str cells[];
};

struct table table_new(const struct table_column *columns, size_t count, struct arena *arena)
{
    return (struct table){.columns = columns,
                          .column_count = count < TABLE_MAX_COLUMNS ? count : TABLE_MAX_COLUMNS,
                          .arena = arena};
}

static struct table_row *row_for_next_cell(struct table *t)
{
    struct error ignored;
    struct table_row *row;

    if (t->last != NULL && t->next < t->column_count)
        return t->last;
    row = arena_get(t->arena, 1, sizeof *row + t->column_count * sizeof row->cells[0],
                    alignof(struct table_row), &ignored);
    if (row == NULL)
        return NULL;
    if (t->last != NULL)
        t->last->next = row;
    else
        t->first = row;
    t->last = row;
    t->next = 0;
    return row;
}

void table_text(struct table *t, struct str text)
{
    struct table_row *row = t->failed ? NULL : row_for_next_cell(t);
    struct error ignored;
    char *copy = row != NULL ? arena_array(t->arena, char, text.len + 1, &ignored) : NULL;
    size_t used = 0;

    if (copy == NULL) {
        t->failed = true;
        return;
    }
    while (text.len > 0) {
        size_t bad = str_unsafe(text), len = bad > 0 ? bad : str_character(text);

        memcpy(copy + used, bad > 0 ? "?" : text.at, bad > 0 ? 1 : len);
        used += bad > 0 ? 1 : len;
        text.at += len;
        text.len -= len;
    }
    row->cells[t->next++] = (struct str){copy, used};
}

void table_cell(struct table *t, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    table_text(t, str_from(text));
}

void table_style(struct table *t, enum term_style style)
{
    if (t->last != NULL)
        t->last->style = style;
}

static void measure_columns(const struct table *t, size_t *widths)
{
    for (size_t c = 0; c < t->column_count; c++) {
        if (t->columns[c].hidden)
            continue; /* its width stays 0 */
        widths[c] = term_columns(str_from(t->columns[c].title));
        for (const struct table_row *row = t->first; row != NULL; row = row->next) {
            size_t columns = term_columns(row->cells[c]);

            widths[c] = columns > widths[c] ? columns : widths[c];
        }
    }
}

static size_t total_width(const struct table *t, const size_t *widths)
{
    size_t total = 0;

    for (size_t c = 0; c < t->column_count; c++)
        total += widths[c] > 0 ? widths[c] + GAP : 0;
    return total > 0 ? total - GAP : 0;
}

/* Drop optional columns, last first; then cut the widest column that may shrink, again and
 * again. A width of 0 leaves the column out. */
static void fit_columns(const struct table *t, size_t *widths, size_t limit)
{
    for (size_t c = t->column_count; c-- > 0 && total_width(t, widths) > limit;)
        if (t->columns[c].optional)
            widths[c] = 0;
    while (total_width(t, widths) > limit) {
        size_t widest = t->column_count;

        for (size_t c = 0; c < t->column_count; c++)
            if (t->columns[c].shrink && widths[c] > SHRINK_LIMIT &&
                (widest == t->column_count || widths[c] > widths[widest]))
                widest = c;
        if (widest == t->column_count)
            break;
        widths[widest]--;
    }
}

static void write_table_cell(struct buf *out, struct str text, size_t width, bool right,
                             bool last)
{
    size_t columns = term_columns(text);

    if (columns > width) {
        buf_add(out, term_cut(text, width - 1));
        buf_char(out, '~');
        return;
    }
    if (right)
        buf_pad(out, ' ', width - columns);
    buf_add(out, text);
    if (!right && !last)
        buf_pad(out, ' ', width - columns);
}

static size_t last_shown(const struct table *t, const size_t *widths)
{
    size_t last = 0;

    for (size_t c = 0; c < t->column_count; c++)
        if (widths[c] > 0)
            last = c;
    return last;
}

/* `cells`: NULL for the titles. */
static void write_table_row(const struct table *t, const size_t *widths,
                            const struct str *cells, const struct term *term,
                            enum term_style style, struct buf *out)
{
    size_t last = last_shown(t, widths);

    buf_adds(out, term_style_on(term, style));
    for (size_t c = 0; c <= last; c++) {
        struct str text = cells != NULL ? cells[c] : str_from(t->columns[c].title);
        enum term_style own = cells != NULL ? t->columns[c].style : STYLE_PLAIN;

        if (widths[c] == 0)
            continue;
        if (own != STYLE_PLAIN) {
            buf_adds(out, term_style_off(term, style));
            buf_adds(out, term_style_on(term, own));
        }
        write_table_cell(out, text, widths[c], t->columns[c].right, c == last);
        if (own != STYLE_PLAIN) {
            buf_adds(out, term_style_off(term, own));
            buf_adds(out, term_style_on(term, style));
        }
        if (c != last)
            buf_pad(out, ' ', GAP);
    }
    buf_adds(out, term_style_off(term, style));
    buf_char(out, '\n');
}

bool table_shows(const struct table *t, const struct term *term, size_t column)
{
    size_t widths[TABLE_MAX_COLUMNS] = {0};

    if (t->failed)
        return false;
    measure_columns(t, widths);
    if (term->width > 0)
        fit_columns(t, widths, term->width);
    return widths[column] > 0;
}

void table_write(const struct table *t, const struct term *term, struct buf *out)
{
    size_t widths[TABLE_MAX_COLUMNS] = {0};

    if (t->failed) {
        out->failed = ERROR_MEMORY;
        return;
    }
    measure_columns(t, widths);
    if (term->width > 0)
        fit_columns(t, widths, term->width);

    write_table_row(t, widths, NULL, term, STYLE_BOLD, out);
    for (const struct table_row *row = t->first; row != NULL; row = row->next)
        write_table_row(t, widths, row->cells, term, row->style, out);
}
