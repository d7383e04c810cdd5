/* Figures over an axis: lines with their ranges, and areas upon each other. */
#include <math.h>

#include "render/figure_internal.h"

#define MOST_POINTS 800 /* of a line; more are not seen */

struct lines_plot {
    const struct figure_frame *frame;
    struct figure_scale x, y;
    double left, right, bottom;
};

static struct lines_plot lay_plot(const struct figure_frame *frame)
{
    struct lines_plot p = {.frame = frame,
                           .right = frame->x + frame->width - 8,
                           .bottom = frame->y + frame->height - 44};

    p.y = scale_of(frame->figure, FIGURE_Y, p.bottom, frame->y + 22 - p.bottom);
    p.left = frame->x + axis_room(&p.y, frame->out->alloc);
    p.x = scale_of(frame->figure, FIGURE_X, p.left, p.right - p.left);
    return p;
}

/* Of a long series only so many points are drawn. */
static size_t stride_of(const struct figure_series *s)
{
    return s->len / MOST_POINTS + 1;
}

static void add_path_point(const struct lines_plot *p, char command, double x, double y)
{
    svg_point(p->frame->out, command, scale_position(&p->x, x), scale_position(&p->y, y));
}

static void draw_line(const struct lines_plot *p, const struct figure_series *s, size_t index)
{
    struct buf *out = p->frame->out;
    bool begun = false, any = false;
    char class[16];

    color_class('l', s, index, class);
    buf_addf(out, "<path class=\"line %s\"%s d=\"", class,
             line_dashes(p->frame->figure, index));
    for (size_t i = 0; i < s->len; i += stride_of(s)) {
        if (isnan(s->at[i].y) || isnan(s->at[i].x)) {
            begun = false;
            continue;
        }
        add_path_point(p, begun ? 'L' : 'M', s->at[i].x, s->at[i].y);
        begun = any = true;
    }
    if (!any) /* a path needs a point to be one */
        svg_point(out, 'M', p->left, p->bottom);
    buf_adds(out, "\">");
    svg_title(out, s->name);
    buf_adds(out, "</path>\n");
}

/* From each low to each high of neighbors that have a range. */
static void draw_band(const struct lines_plot *p, const struct figure_series *s, size_t first,
                      size_t end, size_t index)
{
    struct buf *out = p->frame->out;
    char class[16];

    color_class('s', s, index, class);
    buf_addf(out, "<path class=\"band %s\" d=\"", class);
    for (size_t i = first; i < end; i++)
        add_path_point(p, i == first ? 'M' : 'L', s->at[i].x, s->at[i].high);
    for (size_t i = end; i-- > first;)
        add_path_point(p, 'L', s->at[i].x, s->at[i].low);
    buf_adds(out, "Z\"/>\n");
}

static void draw_bands(const struct lines_plot *p, const struct figure_series *s, size_t index)
{
    for (size_t i = 0, end; i < s->len; i = end) {
        end = i;
        while (end < s->len && point_has_range(&s->at[end]))
            end++;
        if (end > i + 1)
            draw_band(p, s, i, end, index);
        end += end == i;
    }
}

/* Dots carry the titles, where they do not cover each other. */
static void draw_dots(const struct lines_plot *p, const struct figure_series *s, size_t index)
{
    bool roomy = (double)s->len * 9 < p->x.length;
    char class[16];

    color_class('s', s, index, class);
    for (size_t i = 0; i < s->len && roomy; i++) {
        struct buf title;

        if (isnan(s->at[i].y) || isnan(s->at[i].x))
            continue;
        title = mark_text(p->frame, s, &s->at[i]);
        svg_circle(p->frame->out, scale_position(&p->x, s->at[i].x),
                   scale_position(&p->y, s->at[i].y), s->at[i].marked ? 5.5 : 3.5, class,
                   buf_text(&title));
        buf_free_part(&title, p->frame->out);
    }
}

static void draw_plot_mark(const struct lines_plot *p)
{
    double top = p->frame->y + 22;

    buf_adds(p->frame->out, "<rect class=\"plot\"");
    svg_attribute(p->frame->out, "x", p->left);
    svg_attribute(p->frame->out, "y", top);
    svg_attribute(p->frame->out, "width", p->right - p->left);
    svg_attribute(p->frame->out, "height", p->bottom - top);
    buf_addf(p->frame->out, " data-low=\"%.3f\" data-high=\"%.3f\"/>\n", p->x.from, p->x.to);
}

void draw_lines(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    struct lines_plot p = lay_plot(frame);

    draw_y_axis(frame, &p.y, p.left, p.right);
    draw_x_axis(frame, &p.x, frame->y + 22, p.bottom);
    for (size_t i = 0; i < f->series_count; i++)
        draw_bands(&p, &f->series[i], i);
    for (size_t i = 0; i < f->series_count; i++)
        draw_line(&p, &f->series[i], i);
    for (size_t i = 0; i < f->series_count; i++)
        draw_dots(&p, &f->series[i], i);
    draw_limit(frame, &p.y, p.left, p.right);
    if (f->zoom)
        draw_plot_mark(&p);
}

/* ---- areas ---- */

/* The sum of the series below one, at a position. Unknown adds nothing. */
static double sum_below(const struct figure *f, size_t series, size_t at)
{
    double sum = 0;

    for (size_t i = 0; i < series; i++)
        if (at < f->series[i].len && f->series[i].at[at].y > 0)
            sum += f->series[i].at[at].y;
    return sum;
}

static void draw_area(const struct lines_plot *p, size_t series)
{
    const struct figure *f = p->frame->figure;
    const struct figure_series *s = &f->series[series];
    struct buf *out = p->frame->out;
    size_t step = stride_of(s), last = (s->len - 1) / step * step;
    char class[16];

    color_class('s', s, series, class);
    buf_addf(out, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < s->len; i += step)
        add_path_point(p, i == 0 ? 'M' : 'L', s->at[i].x, sum_below(f, series + 1, i));
    for (size_t i = last;; i -= step) {
        add_path_point(p, 'L', s->at[i].x, sum_below(f, series, i));
        if (i == 0)
            break;
    }
    buf_adds(out, "Z\">");
    svg_title(out, s->name);
    buf_adds(out, "</path>\n");
}

/* The scale of the sums. */
static void scale_areas(struct lines_plot *p)
{
    const struct figure *f = p->frame->figure;
    struct figure tallest = *f;
    struct figure_point top = {.y = 0};
    struct figure_series one = {.at = &top, .len = 1};

    for (size_t i = 0; i < f->series[0].len; i++)
        top.y = fmax(top.y, sum_below(f, f->series_count, i));
    tallest.series = &one;
    tallest.series_count = 1;
    p->y = scale_of(&tallest, FIGURE_Y, p->bottom, p->y.length);
}

void draw_areas(const struct figure_frame *frame)
{
    struct lines_plot p = lay_plot(frame);

    scale_areas(&p);
    p.left = frame->x + axis_room(&p.y, frame->out->alloc);
    p.x.start = p.left;
    p.x.length = p.right - p.left;
    draw_y_axis(frame, &p.y, p.left, p.right);
    draw_x_axis(frame, &p.x, frame->y + 22, p.bottom);
    for (size_t i = 0; i < frame->figure->series_count; i++)
        if (frame->figure->series[i].len > 0)
            draw_area(&p, i);
    draw_limit(frame, &p.y, p.left, p.right);
}
