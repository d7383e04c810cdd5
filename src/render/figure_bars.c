/* Figures of bars: lying, as a waterfall of changes, and upright in stacks. */
#include <math.h>

#include "render/figure_internal.h"

#define LABEL_SHARE 0.4 /* of the width, that labels may take */
#define BOLD_WIDER 1.08
#define THICK 0.66 /* of a row */
#define ROW_MOST 30.0
#define ROW_LEAST 21.0

/* ---- rows: bars and waterfalls ---- */

struct bar_rows {
    const struct figure_frame *frame;
    const struct figure_series *series;
    size_t shown;
    double row;   /* height of one */
    double label; /* width of the labels */
    struct figure_scale scale;
};

static struct buf bar_value_text(const struct bar_rows *b, const struct figure_point *p,
                                 bool signs)
{
    struct buf text = buf_new(b->frame->out->alloc, BUF_MAX_OUTPUT);

    if (signs && p->y > 0)
        buf_char(&text, '+');
    if (signs && p->y < 0)
        buf_adds(&text, "\xe2\x88\x92"); /* a minus as wide as the plus */
    figure_value(b->frame->figure->y.unit, signs ? fabs(p->y) : p->y, &text);
    if (p->note.len > 0) {
        buf_adds(&text, "  ");
        buf_add(&text, p->note);
    }
    return text;
}

/* Marked labels are bold, which takes more room. */
static double label_size(const struct figure_point *p)
{
    return p->marked ? FIGURE_TEXT * BOLD_WIDER : FIGURE_TEXT;
}

/* Labels, values and bars share the width: no value may be cut. */
static struct bar_rows lay_rows(const struct figure_frame *frame)
{
    const struct figure_series *s = frame->figure->series;
    struct bar_rows b = {.frame = frame, .series = s, .shown = s->len};
    double values = 0, room;

    b.row = fmin(fmax(frame->height / (double)s->len, ROW_LEAST), ROW_MOST);
    if ((double)s->len * b.row > frame->height + 1)
        b.shown = (size_t)fmax(frame->height / b.row, 2) - 1;
    for (size_t i = 0; i < b.shown; i++) {
        struct buf text = bar_value_text(&b, &s->at[i], true);

        b.label = fmax(b.label, svg_text_width(s->at[i].label, label_size(&s->at[i])));
        values = fmax(values, svg_text_width(buf_text(&text), FIGURE_TEXT));
        buf_free(&text);
    }
    b.label = fmin(b.label, frame->width * LABEL_SHARE);
    room = frame->width - b.label - values - 30;
    b.scale = scale_of(frame->figure, FIGURE_Y, frame->x + b.label + 12, fmax(room, 40));
    return b;
}

static void draw_row_label(const struct bar_rows *b, size_t i, double y)
{
    const struct figure_point *p = &b->series->at[i];

    svg_text_cut(b->frame->out, b->frame->x + b->label, y + b->row * 0.5 + 5,
                 p->marked ? "end strong" : "end", p->label, label_size(p), b->label);
}

static void draw_rest(const struct bar_rows *b, double y)
{
    size_t rest = b->series->len - b->shown;
    struct buf text;

    if (rest == 0)
        return;
    text = buf_new(b->frame->out->alloc, BUF_MAX_OUTPUT);
    buf_addf(&text, "and %zu more", rest);
    svg_text(b->frame->out, b->frame->x + b->label + 12, y + 15, "note", buf_text(&text));
    buf_free_part(&text, b->frame->out);
}

static void draw_range(const struct bar_rows *b, const struct figure_point *p, double middle)
{
    double low = scale_position(&b->scale, p->low), high = scale_position(&b->scale, p->high);
    struct buf *out = b->frame->out;

    svg_line(out, low, middle, high, middle, "range");
    svg_line(out, low, middle - 4, low, middle + 4, "range");
    svg_line(out, high, middle - 4, high, middle + 4, "range");
}

/* A box between two values, and the value beside it. */
static void draw_box(const struct bar_rows *b, const struct figure_point *p, double y,
                     double from, double to, const char *class)
{
    double left = scale_position(&b->scale, fmin(from, to));
    double right = scale_position(&b->scale, fmax(from, to));
    struct buf title = mark_text(b->frame, b->series, p);

    svg_rect(b->frame->out, left, y + b->row * (1 - THICK) / 2, fmax(right - left, 1),
             b->row * THICK, class, buf_text(&title));
    buf_free_part(&title, b->frame->out);
}

static void draw_value(const struct bar_rows *b, const struct figure_point *p, double y,
                       double right, bool signs)
{
    struct buf text = bar_value_text(b, p, signs);

    svg_text(b->frame->out, right + 8, y + b->row * 0.5 + 5, p->marked ? "strong" : NULL,
             buf_text(&text));
    buf_free_part(&text, b->frame->out);
}

static const char *bar_class(const struct figure_point *p)
{
    return p->muted ? "muted" : p->marked ? "s2" : "s0";
}

void draw_bars(const struct figure_frame *frame)
{
    struct bar_rows b = lay_rows(frame);

    for (size_t i = 0; i < b.shown; i++) {
        const struct figure_point *p = &b.series->at[i];
        double y = frame->y + (double)i * b.row, right = scale_position(&b.scale, 0);

        draw_row_label(&b, i, y);
        if (!isnan(p->y)) {
            draw_box(&b, p, y, 0, p->y, bar_class(p));
            right = scale_position(&b.scale, fmax(p->y, 0));
        }
        if (point_has_range(p)) {
            draw_range(&b, p, y + b.row / 2);
            right = fmax(right, scale_position(&b.scale, p->high));
        }
        draw_value(&b, p, y, right, false);
    }
    draw_rest(&b, frame->y + (double)b.shown * b.row);
}

/* The scale of running sums. */
static void scale_sums(struct bar_rows *b)
{
    double sum = 0, least = 0, most = 0;

    for (size_t i = 0; i < b->series->len; i++) {
        const struct figure_point *p = &b->series->at[i];

        sum = i == 0 || i + 1 == b->series->len ? p->y : sum + p->y;
        least = fmin(least, sum);
        most = fmax(most, sum);
    }
    b->scale.from = least;
    b->scale.to = most > least ? most : least + 1;
}

void draw_waterfall(const struct figure_frame *frame)
{
    struct bar_rows b = lay_rows(frame);
    double sum = 0;

    b.shown = b.series->len;
    b.row = fmin(b.row, frame->height / (double)b.shown);
    scale_sums(&b);
    for (size_t i = 0; i < b.shown; i++) {
        const struct figure_point *p = &b.series->at[i];
        bool total = i == 0 || i + 1 == b.shown;
        double y = frame->y + (double)i * b.row, from = total ? 0 : sum;
        double to = total ? p->y : sum + p->y, edge = scale_position(&b.scale, to);

        draw_row_label(&b, i, y);
        draw_box(&b, p, y, from, to, total ? "s0" : p->y > 0 ? "bad" : "good");
        draw_value(&b, p, y, scale_position(&b.scale, fmax(from, to)), !total);
        if (i + 1 < b.shown)
            svg_line(frame->out, edge, y + b.row * (1 + THICK) / 2, edge,
                     y + b.row * (3 - THICK) / 2, "even");
        sum = to;
    }
}

/* ---- columns ---- */

struct columns_plot {
    const struct figure_frame *frame;
    size_t count; /* columns */
    double left, each, bottom;
    struct figure_scale scale;
};

static double stack_height(const struct figure *f, size_t column)
{
    double sum = 0;

    for (size_t i = 0; i < f->series_count; i++)
        if (column < f->series[i].len && f->series[i].at[column].y > 0)
            sum += f->series[i].at[column].y;
    return sum;
}

/* A figure whose values are the heights of the stacks, for the scale. */
static struct figure_scale stack_scale(const struct figure_frame *frame, size_t count,
                                       double bottom)
{
    struct figure tallest = *frame->figure;
    struct figure_point top = {.y = 0};
    struct figure_series one = {.at = &top, .len = 1};

    for (size_t c = 0; c < count; c++)
        top.y = fmax(top.y, stack_height(frame->figure, c));
    tallest.series = &one;
    tallest.series_count = 1;
    return scale_of(&tallest, FIGURE_Y, bottom, frame->y + 22 - bottom);
}

static void draw_column_labels(const struct columns_plot *c)
{
    const struct figure_series *named = c->frame->figure->series;
    double widest = 0;
    size_t every;

    for (size_t i = 0; i < named->len; i++)
        widest = fmax(widest, svg_text_width(named->at[i].label, FIGURE_SMALL));
    every = (size_t)fmax(ceil((widest + 10) / c->each), 1);
    for (size_t i = 0; i < named->len; i += every)
        draw_under(c->frame, c->left + ((double)i + 0.5) * c->each, c->bottom + 20,
                   named->at[i].label);
}

static void draw_column(const struct columns_plot *c, size_t column)
{
    const struct figure *f = c->frame->figure;
    double sum = 0, gap = c->each > 6 ? c->each * 0.16 : c->each * 0.05;

    for (size_t i = 0; i < f->series_count; i++) {
        const struct figure_point *p;
        double bottom = scale_position(&c->scale, sum), top;
        struct buf title;
        char class[16];

        if (column >= f->series[i].len || !(f->series[i].at[column].y > 0))
            continue;
        p = &f->series[i].at[column];
        top = scale_position(&c->scale, sum + p->y);
        color_class('s', &f->series[i], i, class);
        title = mark_text(c->frame, &f->series[i], p);
        svg_rect(c->frame->out, c->left + (double)column * c->each + gap / 2, top,
                 c->each - gap, bottom - top, class, buf_text(&title));
        buf_free_part(&title, c->frame->out);
        sum += p->y;
    }
}

void draw_columns(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    struct columns_plot c = {.frame = frame, .bottom = frame->y + frame->height - 30};

    for (size_t i = 0; i < f->series_count; i++)
        c.count = f->series[i].len > c.count ? f->series[i].len : c.count;
    c.scale = stack_scale(frame, c.count, c.bottom);
    c.left = frame->x + axis_room(&c.scale, frame->out->alloc);
    c.each = (frame->x + frame->width - c.left) / (double)c.count;
    draw_y_axis(frame, &c.scale, c.left, frame->x + frame->width);
    for (size_t i = 0; i < c.count; i++)
        draw_column(&c, i);
    draw_column_labels(&c);
    draw_limit(frame, &c.scale, c.left, frame->x + frame->width);
}
