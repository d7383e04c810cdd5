/* Round figures: parts of a total as a ring, and a value on a scale with bands. */
#include <math.h>

#include "render/figure_internal.h"

#define PI 3.14159265358979323846
#define HOLE 0.62 /* of the radius */

/* Angles go clockwise from the top, in turns. */
static double across(double x, double radius, double turns)
{
    return x + radius * sin(2 * PI * turns);
}

static double down(double y, double radius, double turns)
{
    return y - radius * cos(2 * PI * turns);
}

static void add_arc(struct buf *out, double x, double y, double radius, double to, bool large,
                    bool clockwise)
{
    buf_char(out, 'A');
    svg_number(out, radius);
    buf_char(out, ' ');
    svg_number(out, radius);
    buf_addf(out, " 0 %d %d ", large, clockwise);
    svg_number(out, across(x, radius, to));
    buf_char(out, ' ');
    svg_number(out, down(y, radius, to));
}

/* A ring, by its middle and its outer radius. */
struct ring {
    double x, y, radius;
};

/* A piece of a ring. One that goes around completely is two halves. */
static void draw_piece(struct buf *out, const struct ring *ring, double from, double to,
                       const char *class, struct str title)
{
    double x = ring->x, y = ring->y, radius = ring->radius;
    double hole = radius * HOLE, middle = (from + to) / 2;

    buf_addf(out, "<path class=\"%s\" d=\"", class);
    svg_point(out, 'M', across(x, radius, from), down(y, radius, from));
    add_arc(out, x, y, radius, middle, false, true);
    add_arc(out, x, y, radius, to, false, true);
    svg_point(out, 'L', across(x, hole, to), down(y, hole, to));
    add_arc(out, x, y, hole, middle, false, false);
    add_arc(out, x, y, hole, from, false, false);
    buf_adds(out, "Z\">");
    svg_title(out, title);
    buf_adds(out, "</path>\n");
}

/* ---- donut ---- */

struct donut {
    const struct figure_frame *frame;
    const struct figure_series *parts;
    struct ring ring;
    double total;
};

static void draw_part_line(const struct donut *d, size_t i, double y)
{
    const struct figure_point *p = &d->parts->at[i];
    double left = d->ring.x + d->ring.radius + 28, right = d->frame->x + d->frame->width;
    struct buf text = buf_new(d->frame->out->alloc, BUF_MAX_OUTPUT);
    double width;
    char class[16];

    color_class('s', d->parts, i, class);
    svg_rect(d->frame->out, left, y - 12, 14, 14, class, p->label);
    figure_value(d->frame->figure->y.unit, p->y, &text);
    if (d->total > 0 && p->y > 0) {
        buf_adds(&text, " (");
        figure_value(FIGURE_SHARE, p->y / d->total, &text);
        buf_char(&text, ')');
    }
    width = svg_text_width(buf_text(&text), FIGURE_TEXT);
    svg_text_cut(d->frame->out, left + 22, y, NULL, p->label, FIGURE_TEXT,
                 right - left - width - 34);
    svg_text(d->frame->out, right, y, "end", buf_text(&text));
    buf_free_part(&text, d->frame->out);
}

static void draw_total(const struct donut *d)
{
    struct buf text = buf_new(d->frame->out->alloc, BUF_MAX_OUTPUT);

    figure_value(d->frame->figure->y.unit, d->total, &text);
    svg_text(d->frame->out, d->ring.x, d->ring.y + 7, "title mid", buf_text(&text));
    buf_free_part(&text, d->frame->out);
}

void draw_donut(const struct figure_frame *frame)
{
    struct donut d = {.frame = frame, .parts = frame->figure->series};
    double from = 0, line = 27, top;
    size_t lines = (size_t)fmax(frame->height / line, 1);

    d.ring.radius = fmin(frame->height, frame->width * 0.42) / 2 - 4;
    d.ring.x = frame->x + d.ring.radius + 4;
    d.ring.y = frame->y + frame->height / 2;
    for (size_t i = 0; i < d.parts->len; i++)
        d.total += d.parts->at[i].y > 0 ? d.parts->at[i].y : 0;
    if (d.total <= 0)
        svg_circle(frame->out, d.ring.x, d.ring.y, d.ring.radius * (1 + HOLE) / 2, "ring axis",
                   STR(""));
    for (size_t i = 0; i < d.parts->len; i++) {
        const struct figure_point *p = &d.parts->at[i];
        double to = from + (p->y > 0 ? p->y / d.total : 0);
        struct buf title = mark_text(frame, d.parts, p);
        char class[16];

        color_class('s', d.parts, i, class);
        if (to > from)
            draw_piece(frame->out, &d.ring, from, to, class, buf_text(&title));
        buf_free_part(&title, frame->out);
        from = to;
    }
    draw_total(&d);
    lines = lines < d.parts->len ? lines : d.parts->len;
    top = d.ring.y - (double)lines * line / 2 + 18;
    for (size_t i = 0; i < lines; i++)
        draw_part_line(&d, i, top + (double)i * line);
}

/* ---- gauge ---- */

#define GAUGE_FROM (-0.32) /* turns from the top */
#define GAUGE_TO 0.32

static const char *const moods[] = {
    [FIGURE_GOOD] = "good", [FIGURE_FAIR] = "fair", [FIGURE_BAD] = "bad"};

struct gauge {
    const struct figure_frame *frame;
    struct ring ring;
    double from, to; /* of the scale */
};

static double turn_of(const struct gauge *g, double value)
{
    double share = (value - g->from) / (g->to - g->from);

    return GAUGE_FROM + (GAUGE_TO - GAUGE_FROM) * fmin(fmax(share, 0), 1);
}

static const struct figure_band *draw_gauge_bands(const struct gauge *g, double value)
{
    const struct figure *f = g->frame->figure;
    const struct figure_band *in = NULL;
    double from = g->from;

    for (size_t i = 0; i < f->band_count; i++) {
        const struct figure_band *b = &f->bands[i];
        double to = i + 1 < f->band_count ? b->to : g->to;

        draw_piece(g->frame->out, &g->ring, turn_of(g, from) + 0.003, turn_of(g, to) - 0.003,
                   moods[b->mood], b->name);
        if (in == NULL && (value < to || i + 1 == f->band_count))
            in = b;
        from = to;
    }
    return in;
}

static void draw_needle(const struct gauge *g, double value)
{
    double turn = turn_of(g, value), tip = g->ring.radius * 1.04,
           base = g->ring.radius * HOLE * 0.88;

    buf_adds(g->frame->out, "<path class=\"range\" stroke-width=\"4\" d=\"");
    svg_point(g->frame->out, 'M', across(g->ring.x, base, turn), down(g->ring.y, base, turn));
    svg_point(g->frame->out, 'L', across(g->ring.x, tip, turn), down(g->ring.y, tip, turn));
    buf_adds(g->frame->out, "\"/>\n");
}

static void draw_gauge_end(const struct gauge *g, double value)
{
    double turn = turn_of(g, value), radius = g->ring.radius * (1 + HOLE) / 2;
    struct buf text = buf_new(g->frame->out->alloc, BUF_MAX_OUTPUT);

    tick_text(g->frame->figure->y.unit, value, &text);
    svg_text(g->frame->out, across(g->ring.x, radius, turn), down(g->ring.y, radius, turn) + 22,
             "mid small", buf_text(&text));
    buf_free_part(&text, g->frame->out);
}

void draw_gauge(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    const struct figure_point *p = &f->series->at[0];
    struct gauge g = {.frame = frame, .from = f->y.from, .to = f->y.to};
    const struct figure_band *in;
    struct buf text = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);

    if (!(g.to > g.from))
        g.to = g.from + 1;
    g.ring.radius = fmin(frame->height * 0.58, frame->width * 0.36);
    g.ring.x = frame->x + frame->width / 2;
    g.ring.y = frame->y + g.ring.radius + 10;
    in = draw_gauge_bands(&g, p->y);
    figure_value(f->y.unit, p->y, &text);
    svg_text(frame->out, g.ring.x, g.ring.y + 6, "large mid", buf_text(&text));
    buf_free_part(&text, frame->out);
    if (!isnan(p->y)) {
        draw_needle(&g, p->y);
        if (in != NULL)
            svg_text(frame->out, g.ring.x, g.ring.y + 32, "mid strong", in->name);
    }
    svg_text(frame->out, g.ring.x, g.ring.y + g.ring.radius * 0.43 + 50, "note mid", p->note);
    draw_gauge_end(&g, g.from);
    draw_gauge_end(&g, g.to);
}
