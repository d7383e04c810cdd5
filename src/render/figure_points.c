/* Figures of points: scattered, with labels that do not collide; predicted against measured. */
#include <math.h>

#include "base/arena.h"
#include "render/figure_internal.h"

#define USUAL_RADIUS 7.0
#define LEAST_RADIUS 5.0
#define MOST_RADIUS 26.0
#define WIDEST 1.3 /* a square shows best how far points are from the diagonal */
#define CROWD 150  /* points of which only the marked ones are labeled */
#define CROWD_RADIUS 3.5
#define MOST_BOXES 400 /* labels and points that are kept apart */

struct box {
    double x, y, width, height;
};

struct points_plot {
    const struct figure_frame *frame;
    struct figure_scale x, y;
    double left, right, top, bottom;
    double largest; /* size of a point */
    bool crowded;
    struct box taken[MOST_BOXES];
    size_t taken_count;
};

static void lay_points(struct points_plot *p, const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;

    p->frame = frame;
    p->top = frame->y + 26;
    p->right = frame->x + frame->width - 12;
    p->bottom = frame->y + frame->height - 44;
    p->y = scale_of(f, FIGURE_Y, p->bottom, p->top - p->bottom);
    p->left = frame->x + axis_room(&p->y, frame->out->alloc);
    p->x = scale_of(f, FIGURE_X, p->left, p->right - p->left);
    p->largest = 0;
    p->taken_count = 0;
    p->crowded = false;
    for (size_t i = 0, count = 0; i < f->series_count; i++) {
        for (size_t k = 0; k < f->series[i].len; k++)
            p->largest = fmax(p->largest, f->series[i].at[k].size);
        count += f->series[i].len;
        p->crowded = count > CROWD;
    }
}

static bool is_point_drawn(const struct points_plot *p, const struct figure_point *point)
{
    return isfinite(point->x) && isfinite(point->y) && !(p->x.log && point->x <= 0) &&
           !(p->y.log && point->y <= 0);
}

static double radius_of(const struct points_plot *p, const struct figure_point *point)
{
    if (!(p->largest > 0))
        return p->crowded && !point->marked ? CROWD_RADIUS : USUAL_RADIUS;
    return fmax(MOST_RADIUS * sqrt(fmax(point->size, 0) / p->largest), LEAST_RADIUS);
}

static bool boxes_overlap(const struct box *a, const struct box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static bool is_free(const struct points_plot *p, const struct box *box)
{
    if (p->taken_count == MOST_BOXES || box->x < p->left ||
        box->x + box->width > p->right + 12 || box->y < p->top - 20 ||
        box->y + box->height > p->bottom)
        return false;
    for (size_t i = 0; i < p->taken_count; i++)
        if (boxes_overlap(box, &p->taken[i]))
            return false;
    return true;
}

static void take_box(struct points_plot *p, struct box box)
{
    if (p->taken_count < MOST_BOXES)
        p->taken[p->taken_count++] = box;
}

/* Beside, above or below its point, where nothing else is; nowhere when there is no room: the
 * title has it. */
static void draw_label(struct points_plot *p, const struct figure_point *point)
{
    double x = scale_position(&p->x, point->x), y = scale_position(&p->y, point->y);
    double r = radius_of(p, point) + (point->marked ? 7 : 4),
           w = svg_text_width(point->label, FIGURE_SMALL), h = 17;
    const struct box places[] = {{x + r, y - h / 2, w, h},
                                 {x - r - w, y - h / 2, w, h},
                                 {x - w / 2, y - r - h, w, h},
                                 {x - w / 2, y + r, w, h},
                                 {x + r * 0.7, y - r - h / 2, w, h},
                                 {x + r * 0.7, y + r - h / 2, w, h},
                                 {x - r * 0.7 - w, y - r - h / 2, w, h},
                                 {x - r * 0.7 - w, y + r - h / 2, w, h}};

    if (point->label.len == 0 || (p->crowded && !point->marked))
        return;
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (is_free(p, &places[i])) {
            svg_text(p->frame->out, places[i].x, places[i].y + 13,
                     point->marked ? "small strong clear" : "small clear", point->label);
            take_box(p, places[i]);
            return;
        }
}

static void draw_point(const struct points_plot *p, const struct figure_series *s, size_t index,
                       const struct figure_point *point)
{
    const struct figure *f = p->frame->figure;
    double x = scale_position(&p->x, point->x), y = scale_position(&p->y, point->y);
    struct buf title = mark_text(p->frame, s, point);
    char class[24], color[16];

    buf_adds(&title, " at ");
    figure_value(f->x.unit, point->x, &title);
    color_class('s', s, index, color);
    (void)snprintf(class, sizeof class, "dot %s", color);
    svg_circle(p->frame->out, x, y, radius_of(p, point), class, buf_text(&title));
    if (point->marked)
        svg_circle(p->frame->out, x, y, radius_of(p, point) + 2.5, "ring range", STR(""));
    buf_free_part(&title, p->frame->out);
}

/* The marked ones of all series, from left to right: a front. */
static void draw_points_front(const struct points_plot *p)
{
    const struct figure *f = p->frame->figure;
    double after = -INFINITY;
    bool begun = false;

    for (;;) {
        const struct figure_point *next = NULL;

        for (size_t i = 0; i < f->series_count; i++)
            for (size_t k = 0; k < f->series[i].len; k++) {
                const struct figure_point *q = &f->series[i].at[k];

                if (q->marked && is_point_drawn(p, q) && q->x > after &&
                    (next == NULL || q->x < next->x))
                    next = q;
            }
        if (next == NULL)
            break;
        if (!begun)
            buf_adds(p->frame->out, "<path class=\"even ring\" d=\"");
        svg_point(p->frame->out, begun ? 'L' : 'M', scale_position(&p->x, next->x),
                  scale_position(&p->y, next->y));
        begun = true;
        after = next->x;
    }
    if (begun)
        buf_adds(p->frame->out, "\"/>\n");
}

/* Points first, so that no label is put on one; the marked ones are labeled first. */
static void draw_points(struct points_plot *p)
{
    const struct figure *f = p->frame->figure;

    for (size_t i = 0; i < f->series_count; i++)
        for (size_t k = 0; k < f->series[i].len; k++) {
            const struct figure_point *q = &f->series[i].at[k];
            double r = radius_of(p, q);

            if (!is_point_drawn(p, q))
                continue;
            draw_point(p, &f->series[i], i, q);
            if (p->crowded && !q->marked)
                continue;
            take_box(p, (struct box){scale_position(&p->x, q->x) - r,
                                     scale_position(&p->y, q->y) - r, 2 * r, 2 * r});
        }
    for (int marked = 1; marked >= 0; marked--)
        for (size_t i = 0; i < f->series_count; i++)
            for (size_t k = 0; k < f->series[i].len; k++)
                if (f->series[i].at[k].marked == (marked != 0) &&
                    is_point_drawn(p, &f->series[i].at[k]))
                    draw_label(p, &f->series[i].at[k]);
}

void draw_scatter(const struct figure_frame *frame)
{
    struct points_plot p;

    lay_points(&p, frame);
    draw_y_axis(frame, &p.y, p.left, p.right);
    draw_x_axis(frame, &p.x, p.top, p.bottom);
    draw_points_front(&p);
    draw_points(&p);
    draw_limit(frame, &p.y, p.left, p.right);
}

/* ---- predicted against measured ---- */

/* Both axes have the same scale, so that what is right is on the diagonal. */
static void share_scale(struct points_plot *p)
{
    double from = fmin(p->x.from, p->y.from), to = fmax(p->x.to, p->y.to);

    p->x.length = fmin(p->x.length, fabs(p->y.length) * WIDEST);
    p->right = p->left + p->x.length;

    p->x.from = p->y.from = from;
    p->x.to = p->y.to = to;
}

/* Where predicted is so many times what was measured. */
static void draw_ratio(const struct points_plot *p, double ratio, const char *class)
{
    double from = p->x.from, to = p->x.to;
    double first = fmax(from, from / ratio), last = fmin(to, to / ratio);

    svg_line(p->frame->out, scale_position(&p->x, first), scale_position(&p->y, first * ratio),
             scale_position(&p->x, last), scale_position(&p->y, last * ratio), class);
}

void draw_predicted(const struct figure_frame *frame)
{
    struct figure f = *frame->figure;
    struct figure_frame logarithmic = *frame;
    struct points_plot p;

    f.x.log = f.y.log = true;
    logarithmic.figure = &f;
    lay_points(&p, &logarithmic);
    share_scale(&p);
    draw_y_axis(&logarithmic, &p.y, p.left, p.right);
    draw_x_axis(&logarithmic, &p.x, p.top, p.bottom);
    draw_ratio(&p, 1, "axis");
    draw_ratio(&p, 1.25, "even");
    draw_ratio(&p, 1 / 1.25, "even");
    draw_points(&p);
}
