/* A run as rows of characters. */
#include <math.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/num.h"
#include "render/timeline.h"

#define LABEL 15       /* columns before the picture */
#define TRAILER 24     /* and after it: what it cost, when it was done */
#define LEAST 20       /* of the picture itself */
#define UNLIMITED 72   /* of it, when the output is no terminal */
#define AXIS_COLUMNS 8 /* that a mark of the axis takes at least */

const char *const timeline_words[TIMELINE_WHATS] = {"done", "waiting", "starting", "spot",
                                                    "on-demand"};

struct glyphs {
    const char *what[TIMELINE_WHATS];
    const char *up, *down;
    const char *levels[9];
};

static const struct glyphs ascii = {
    {" ", ".", "+", "#", "D"}, "=", " ", {" ", "1", "2", "3", "4", "5", "6", "7", "8"}};
static const struct glyphs blocks = {
    {" ", "·", "▒", "█", "▓"}, "━", " ", {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}};

static const enum term_style styles[TIMELINE_WHATS] = {STYLE_PLAIN, STYLE_DIM, STYLE_DIM,
                                                       STYLE_GOOD, STYLE_WARN};

struct canvas {
    const struct timeline *timeline;
    const struct term *term;
    const struct glyphs *glyphs;
    size_t columns;
    struct buf *out;
};

/* The ticks of a column: at least one. */
static size_t first_tick(const struct canvas *c, size_t column)
{
    return column * c->timeline->ticks / c->columns;
}

static size_t end_tick(const struct canvas *c, size_t column)
{
    size_t end = first_tick(c, column + 1);

    return end > first_tick(c, column) ? end : first_tick(c, column) + 1;
}

/* What filled most of the column. */
static enum timeline_what most(const struct canvas *c, const uint8_t *what, size_t column)
{
    size_t counts[TIMELINE_WHATS] = {0};
    enum timeline_what best = TIMELINE_DONE;

    for (size_t i = first_tick(c, column); i < end_tick(c, column); i++)
        counts[what[i]]++;
    for (int w = 0; w < TIMELINE_WHATS; w++)
        if (counts[w] > counts[best])
            best = (enum timeline_what)w;
    return best;
}

static void label(const struct canvas *c, struct str text)
{
    struct str shown = term_cut(text, LABEL - 1);

    buf_add_safe(c->out, shown);
    buf_pad(c->out, ' ', LABEL - term_columns(shown));
}

static void write_text_axis(const struct canvas *c)
{
    static const double steps[] = {0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672};
    double hours = (double)c->timeline->ticks * c->timeline->tick_h;
    double step = steps[ARRAY_LEN(steps) - 1];
    size_t at = 0;

    for (size_t i = ARRAY_LEN(steps); i-- > 0;)
        if (steps[i] / hours * (double)c->columns >= AXIS_COLUMNS)
            step = steps[i];
    label(c, STR("hours"));
    for (size_t i = 0; i < c->columns && (double)i * step < hours; i++) {
        double h = (double)i * step;
        size_t column = (size_t)(h / hours * (double)c->columns);
        char mark[24];
        int len = snprintf(mark, sizeof mark, "|%g", h);

        if (column < at || column + (size_t)len > c->columns)
            continue;
        buf_pad(c->out, ' ', column - at);
        buf_adds(c->out, mark);
        at = column + (size_t)len;
    }
    buf_char(c->out, '\n');
}

static void write_spot(const struct canvas *c)
{
    label(c, STR("spot there"));
    for (size_t i = 0; i < c->columns; i++) {
        size_t up = 0;

        for (size_t t = first_tick(c, i); t < end_tick(c, i); t++)
            up += c->timeline->up[t];
        buf_adds(c->out,
                 2 * up > end_tick(c, i) - first_tick(c, i) ? c->glyphs->up : c->glyphs->down);
    }
    buf_char(c->out, '\n');
}

static void write_timeline_what(const struct canvas *c, const struct timeline_row *row)
{
    enum term_style now = STYLE_PLAIN;

    label(c, row->name);
    for (size_t i = 0; i < c->columns; i++) {
        enum timeline_what what = most(c, row->what, i);

        if (styles[what] != now) {
            buf_adds(c->out, term_style_off(c->term, now));
            now = styles[what];
            buf_adds(c->out, term_style_on(c->term, now));
        }
        buf_adds(c->out, c->glyphs->what[what]);
    }
    buf_adds(c->out, term_style_off(c->term, now));
    buf_adds(c->out, "  $");
    num_write_fixed(row->usd, 2, c->out);
    buf_char(c->out, '\n');
}

static void write_timeline_done(const struct canvas *c, const struct timeline_row *row)
{
    buf_adds(c->out, term_style_on(c->term, STYLE_DIM));
    label(c, STR("  work done"));
    for (size_t i = 0; i < c->columns; i++) {
        double share = (double)row->done[end_tick(c, i)];

        buf_adds(c->out, c->glyphs->levels[(size_t)(fmin(fmax(share, 0), 1) * 8 + 1e-6)]);
    }
    buf_adds(c->out, "  ");
    if (row->late) {
        buf_adds(c->out, "LATE");
    } else {
        buf_adds(c->out, "done at ");
        num_write_fixed(row->end_h, 1, c->out);
        buf_adds(c->out, " h");
    }
    buf_adds(c->out, term_style_off(c->term, STYLE_DIM));
    buf_char(c->out, '\n');
}

void timeline_text(const struct timeline *timeline, const struct term *term, bool utf8,
                   struct buf *out)
{
    struct canvas c = {.timeline = timeline,
                       .term = term,
                       .glyphs = utf8 ? &blocks : &ascii,
                       .columns = UNLIMITED,
                       .out = out};

    if (timeline->ticks == 0)
        return;
    if (term->width > 0)
        c.columns =
            term->width > LABEL + TRAILER + LEAST ? term->width - LABEL - TRAILER : LEAST;
    if (c.columns > timeline->ticks)
        c.columns = timeline->ticks;
    buf_add_safe(out, timeline->title);
    buf_adds(out, "\n\n");
    write_text_axis(&c);
    write_spot(&c);
    for (size_t i = 0; i < timeline->row_count; i++) {
        write_timeline_what(&c, &timeline->rows[i]);
        write_timeline_done(&c, &timeline->rows[i]);
    }
    buf_char(out, '\n');
    for (int w = TIMELINE_WHATS - 1; w > TIMELINE_DONE; w--)
        buf_addf(out, "%s%s%s %s%s", term_style_on(term, styles[w]), c.glyphs->what[w],
                 term_style_off(term, styles[w]), timeline_words[w], w > 1 ? "   " : "");
    buf_addf(out, "   %s to %s: work done, in eighths\n", c.glyphs->levels[1],
             c.glyphs->levels[8]);
}
