/* A run as an SVG document: bars of what ran, and below each how far the work was ahead of
 * an even pace, or behind. */
#include <math.h>

#include "base/attr.h"
#include "base/num.h"
#include "render/svg.h"
#include "render/timeline.h"

#define WIDTH 960.0
#define LEFT 112.0
#define RIGHT 128.0
#define TOP 106.0 /* title, source, legend, axis */
#define LEGEND 54.0
#define SPOT_H 14.0 /* of the band that shows what was available */
#define BAR_H 18.0
#define WORK_H 34.0
#define ROW_H (BAR_H + WORK_H + 22.0)
#define MOST_POINTS 480
#define MOST_MARKS 1000

struct page {
    const struct timeline *timeline;
    double per_tick, bottom;
    double scale; /* hours of work, from the middle of a strip to its edge */
    struct buf *out;
};

/* Grays that can be read on white and on black; colors that the color-blind can distinguish. */
static void write_timeline_head(const struct page *p)
{
    buf_adds(p->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    svg_number(p->out, WIDTH);
    buf_char(p->out, ' ');
    svg_number(p->out, p->bottom + 16);
    buf_adds(p->out, "\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>");
    svg_escape(p->out, p->timeline->title);
    buf_adds(
        p->out,
        "</title>\n<style>\n"
        "text { fill: #5b5b5b } .name { font-weight: 600 } .end { text-anchor: end }\n"
        ".mid { text-anchor: middle } .small { font-size: 11px }\n"
        ".spot { fill: #1b9e77 } .on-demand { fill: #d95f02 } .starting { fill: #7570b3 }\n"
        ".there { fill: #80b1d3 } .band { fill: #888; fill-opacity: .12 }\n"
        ".grid { stroke: #888; stroke-opacity: .25 } .limit { stroke: #c0392b }\n"
        ".even { stroke: #888; stroke-dasharray: 4 3 }\n"
        ".work { fill: #888; fill-opacity: .28; stroke: #777; stroke-width: 1.2 }\n"
        ".late { fill: #c0392b; font-weight: 600 }\n"
        "@media (prefers-color-scheme: dark) { text { fill: #b8b8b8 } }\n</style>\n");
}

static void write_legend(const struct page *p)
{
    static const struct {
        const char *class, *text;
    } entries[] = {{"there", "spot available"},
                   {"spot", "on spot"},
                   {"on-demand", "on demand"},
                   {"starting", "starting"},
                   {"band", "waiting, or done"}};
    double x = LEFT;

    for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
        svg_rect(p->out, x, LEGEND, 14, 12, entries[i].class, STR(""));
        svg_text(p->out, x + 20, LEGEND + 11, NULL, str_from(entries[i].text));
        x += 44 + 6.6 * (double)str_from(entries[i].text).len;
    }
    svg_line(p->out, x, LEGEND + 6, x + 18, LEGEND + 6, "even");
    svg_text(p->out, x + 24, LEGEND + 11, NULL, STR("even pace to the deadline"));
}

static double x_of(const struct page *p, double hours)
{
    return LEFT + hours / p->timeline->tick_h * p->per_tick;
}

static void write_svg_axis(const struct page *p)
{
    static const double steps[] = {0.25, 0.5, 1, 2, 4, 6, 12, 24, 48, 96, 168, 336, 672};
    double hours = (double)p->timeline->ticks * p->timeline->tick_h;
    double step = steps[ARRAY_LEN(steps) - 1], limit = x_of(p, p->timeline->deadline_h);

    for (size_t i = ARRAY_LEN(steps); i-- > 0;)
        if (hours / steps[i] <= 14)
            step = steps[i];
    for (size_t i = 0; i < MOST_MARKS && (double)i * step <= hours; i++) {
        struct buf *out = p->out;
        double h = (double)i * step;

        svg_line(out, x_of(p, h), TOP - 8, x_of(p, h), p->bottom, "grid");
        if (limit - x_of(p, h) < 60) /* the deadline is written there */
            continue;
        buf_adds(out, "<text class=\"mid small\"");
        svg_attribute(out, "x", x_of(p, h));
        svg_attribute(out, "y", TOP - 14);
        buf_char(out, '>');
        svg_number(out, h);
        buf_adds(out, " h</text>\n");
    }
    svg_line(p->out, limit, TOP - 8, limit, p->bottom, "limit");
    buf_adds(p->out, "<text class=\"end small\"");
    svg_attribute(p->out, "x", limit + 30);
    svg_attribute(p->out, "y", TOP - 14);
    buf_adds(p->out, ">deadline ");
    svg_number(p->out, p->timeline->deadline_h);
    buf_adds(p->out, " h</text>\n");
}

/* Neighbors that are the same become one box. */
static void write_band(const struct page *p, const uint8_t *at, double y, double height,
                       const char *const *classes)
{
    size_t ticks = p->timeline->ticks;

    svg_rect(p->out, LEFT, y, (double)ticks * p->per_tick, height, "band", STR(""));
    for (size_t i = 0, end; i < ticks; i = end) {
        end = i + 1;
        while (end < ticks && at[end] == at[i])
            end++;
        if (classes[at[i]] != NULL)
            svg_rect(p->out, LEFT + (double)i * p->per_tick, y, (double)(end - i) * p->per_tick,
                     height, classes[at[i]], STR(""));
    }
}

/* Hours of work that a row is ahead of an even pace at a tick; negative: behind. */
static double ticks_ahead(const struct timeline *t, const struct timeline_row *row, size_t tick)
{
    double even = fmin((double)tick * t->tick_h / t->deadline_h, 1);

    return ((double)row->done[tick] - even) * t->work_h;
}

/* The tick at which the work was done: from there on it is neither ahead nor behind. */
static size_t timeline_row_end(const struct timeline *t, const struct timeline_row *row)
{
    size_t end = 0;

    while (end < t->ticks && row->what[end] != TIMELINE_DONE)
        end++;
    return end;
}

/* The same scale for all rows, so that they can be compared. */
static double timeline_scale(const struct timeline *t)
{
    double most = t->tick_h;

    for (size_t r = 0; r < t->row_count; r++) {
        size_t end = timeline_row_end(t, &t->rows[r]);

        for (size_t i = 0; i <= end; i++) {
            double lead = fabs(ticks_ahead(t, &t->rows[r], i));

            most = lead > most ? lead : most;
        }
    }
    return most;
}

static void write_work(const struct page *p, const struct timeline_row *row, double y)
{
    size_t ticks = timeline_row_end(p->timeline, row), step = ticks / MOST_POINTS + 1;
    double middle = y + WORK_H / 2;

    buf_adds(p->out, "<path class=\"work\" d=\"M");
    svg_number(p->out, LEFT);
    buf_char(p->out, ' ');
    svg_number(p->out, middle);
    for (size_t i = 0; i <= ticks; i = i < ticks && i + step > ticks ? ticks : i + step) {
        buf_adds(p->out, "L");
        svg_number(p->out, LEFT + (double)i * p->per_tick);
        buf_char(p->out, ' ');
        svg_number(p->out, middle - ticks_ahead(p->timeline, row, i) / p->scale * WORK_H / 2);
    }
    buf_adds(p->out, "V");
    svg_number(p->out, middle);
    buf_adds(p->out, "Z\"/>\n");
    svg_line(p->out, LEFT, middle, LEFT + (double)p->timeline->ticks * p->per_tick, middle,
             "even");
}

/* "+3.1 h" at the top of the strip, "-3.1 h" at its bottom. */
static void write_scale(const struct page *p, double y, const char *sign)
{
    buf_adds(p->out, "<text class=\"end small\"");
    svg_attribute(p->out, "x", LEFT - 10);
    svg_attribute(p->out, "y", y);
    buf_addf(p->out, ">%s", sign);
    num_write_fixed(p->scale, 1, p->out);
    buf_adds(p->out, " h</text>\n");
}

static void write_timeline_row(const struct page *p, const struct timeline_row *row, double y)
{
    static const char *const classes[TIMELINE_WHATS] = {NULL, NULL, "starting", "spot",
                                                        "on-demand"};
    double right = LEFT + (double)p->timeline->ticks * p->per_tick + 10;

    svg_text(p->out, LEFT - 10, y + 13, "name end", row->name);
    write_scale(p, y + BAR_H + 12, "ahead +");
    write_scale(p, y + BAR_H + 4 + WORK_H, "behind -");
    write_band(p, row->what, y, BAR_H, classes);
    write_work(p, row, y + BAR_H + 4);
    buf_adds(p->out, "<text class=\"name\"");
    svg_attribute(p->out, "x", right);
    svg_attribute(p->out, "y", y + 13);
    buf_adds(p->out, ">$");
    num_write_fixed(row->usd, 2, p->out);
    buf_adds(p->out, "</text>\n");
    buf_addf(p->out, "<text class=\"small%s\"", row->late ? " late" : "");
    svg_attribute(p->out, "x", right);
    svg_attribute(p->out, "y", y + BAR_H + 16);
    buf_adds(p->out, row->late ? ">late" : ">done at ");
    if (!row->late) {
        num_write_fixed(row->end_h, 1, p->out);
        buf_adds(p->out, " h");
    }
    buf_adds(p->out, "</text>\n");
}

void timeline_svg(const struct timeline *timeline, struct buf *out)
{
    static const char *const there[] = {NULL, "there"};
    struct page p = {.timeline = timeline, .out = out};
    double y = TOP + SPOT_H + 16;

    p.per_tick = timeline->ticks > 0 ? (WIDTH - LEFT - RIGHT) / (double)timeline->ticks : 0;
    p.scale = timeline_scale(timeline);
    p.bottom = TOP + SPOT_H + 16 + (double)timeline->row_count * ROW_H;
    write_timeline_head(&p);
    svg_text(out, LEFT, 22, "name", timeline->title);
    svg_text(out, LEFT, 40, "small", timeline->source);
    write_legend(&p);
    write_svg_axis(&p);
    svg_text(out, LEFT - 10, TOP + 11, "end", STR("spot there"));
    write_band(&p, timeline->up, TOP, SPOT_H, there);
    for (size_t i = 0; i < timeline->row_count; i++)
        write_timeline_row(&p, &timeline->rows[i], y + (double)i * ROW_H);
    buf_adds(out, "</svg>\n");
}
