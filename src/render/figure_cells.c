/* Figures of cells: a heat map, spans of time, a treemap, and a list of facts. */
#include <math.h>
#include <stdio.h>

#include "render/figure_internal.h"

#define SHADES 6
#define ROW 30.0
#define MOST_ROWS 40

/* ---- labels of rows, one a series ---- */

static size_t rows_of(const struct figure *f)
{
    return f->series_count < MOST_ROWS ? f->series_count : MOST_ROWS;
}

static double row_labels_width(const struct figure_frame *frame)
{
    double widest = 0;

    for (size_t i = 0; i < rows_of(frame->figure); i++)
        widest = fmax(widest, svg_text_width(frame->figure->series[i].name, FIGURE_SMALL));
    return fmin(widest, frame->width * 0.35);
}

static void draw_row_name(const struct figure_frame *frame, size_t row, double labels, double y,
                          double height)
{
    svg_text_cut(frame->out, frame->x + labels, y + height / 2 + 5, "end small",
                 frame->figure->series[row].name, FIGURE_SMALL, labels);
}

/* ---- heat map ---- */

struct heat {
    const struct figure_frame *frame;
    size_t columns;
    double left, each, row, least, most;
};

static struct heat lay_heat(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    struct heat h = {.frame = frame, .least = INFINITY, .most = -INFINITY};

    for (size_t i = 0; i < rows_of(f); i++)
        for (size_t k = 0; k < f->series[i].len; k++) {
            const struct figure_point *p = &f->series[i].at[k];

            if (p->x >= 0 && p->x < 1000 && (size_t)p->x + 1 > h.columns)
                h.columns = (size_t)p->x + 1;
            if (isfinite(p->y)) {
                h.least = fmin(h.least, p->y);
                h.most = fmax(h.most, p->y);
            }
        }
    h.columns = h.columns > 0 ? h.columns : 1;
    h.row = fmin(ROW, (frame->height - 44) / (double)rows_of(f));
    h.left = frame->x + row_labels_width(frame) + 10;
    h.each = (frame->x + frame->width - h.left) / (double)h.columns;
    return h;
}

static void draw_cell(const struct heat *h, const struct figure_series *s,
                      const struct figure_point *p, double y)
{
    double span = h->most - h->least, share = span > 0 ? (p->y - h->least) / span : 0.5;
    struct buf title = mark_text(h->frame, s, p);
    char class[16] = "unknown";

    if (isfinite(p->y))
        (void)snprintf(class, sizeof class, "h%d", (int)fmin(share * SHADES, SHADES - 1));
    svg_rect(h->frame->out, h->left + p->x * h->each, y, h->each - 1.5, h->row - 1.5, class,
             buf_text(&title));
    buf_free_part(&title, h->frame->out);
}

static void draw_column_names(const struct heat *h, double y)
{
    const struct str *names = h->frame->figure->columns;
    double widest = 0;
    size_t every;

    for (size_t i = 0; i < h->columns && names != NULL; i++)
        widest = fmax(widest, svg_text_width(names[i], FIGURE_SMALL));
    every = names != NULL ? (size_t)fmax(ceil((widest + 8) / h->each), 1) : 3;
    for (size_t i = 0; i < h->columns; i += every) {
        char hour[8];

        (void)snprintf(hour, sizeof hour, "%02zu", i % 24);
        svg_text(h->frame->out, h->left + ((double)i + 0.5) * h->each, y, "mid small",
                 names != NULL ? names[i] : str_from(hour));
    }
}

/* From the least to the most, with their values at both ends. */
static void draw_shades(const struct heat *h, double y)
{
    enum figure_unit unit = h->frame->figure->y.unit;
    struct buf from = buf_new(h->frame->out->alloc, BUF_MAX_OUTPUT);
    struct buf to = buf_new(h->frame->out->alloc, BUF_MAX_OUTPUT);
    double right = h->frame->x + h->frame->width, end;

    figure_value(unit, h->least, &from);
    figure_value(unit, h->most, &to);
    end = right - svg_text_width(buf_text(&to), FIGURE_SMALL) - 8;
    svg_text(h->frame->out, right, y, "end small", buf_text(&to));
    for (int i = 0; i < SHADES; i++) {
        char class[16];

        (void)snprintf(class, sizeof class, "h%d", i);
        svg_rect(h->frame->out, end - (SHADES - i) * 22.0, y - 12, 22, 14, class, STR(""));
    }
    svg_text(h->frame->out, end - SHADES * 22.0 - 8, y, "end small", buf_text(&from));
    buf_free_part(&to, h->frame->out);
    buf_free_part(&from, h->frame->out);
}

void draw_heat(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    struct heat h = lay_heat(frame);
    double bottom = frame->y + (double)rows_of(f) * h.row;

    for (size_t i = 0; i < rows_of(f); i++) {
        double y = frame->y + (double)i * h.row;

        draw_row_name(frame, i, h.left - frame->x - 10, y, h.row);
        for (size_t k = 0; k < f->series[i].len; k++)
            if (f->series[i].at[k].x >= 0 && f->series[i].at[k].x < (double)h.columns)
                draw_cell(&h, &f->series[i], &f->series[i].at[k], y);
    }
    draw_column_names(&h, bottom + 16);
    if (h.least <= h.most)
        draw_shades(&h, bottom + 38);
}

/* ---- spans ---- */

/* The scale of x and y together: both are times. */
static struct figure_scale spans_scale(const struct figure_frame *frame, double left)
{
    const struct figure *f = frame->figure;
    struct figure_scale s = scale_of(f, FIGURE_X, left, frame->x + frame->width - left - 8);

    for (size_t i = 0; i < f->series_count && !(f->x.to > f->x.from); i++)
        for (size_t k = 0; k < f->series[i].len; k++)
            if (isfinite(f->series[i].at[k].y))
                s.to = fmax(s.to, f->series[i].at[k].y);
    return s;
}

static struct buf span_title(const struct figure_frame *frame, const struct figure_series *s,
                             const struct figure_point *p)
{
    struct buf text = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, s->name);
    buf_adds(&text, p->label.len > 0 ? ", " : "");
    buf_add(&text, p->label);
    buf_adds(&text, ": ");
    figure_value(frame->figure->x.unit, p->x, &text);
    buf_adds(&text, " to ");
    figure_value(frame->figure->x.unit, p->y, &text);
    buf_adds(&text, p->note.len > 0 ? ", " : "");
    buf_add(&text, p->note);
    return text;
}

static void draw_span(const struct figure_frame *frame, const struct figure_scale *x,
                      size_t row, const struct figure_point *p, double y, double height)
{
    const struct figure_series *s = &frame->figure->series[row];
    double left = scale_position(x, p->x), right = scale_position(x, p->y);
    struct buf title = span_title(frame, s, p);
    char class[16];

    color_class('s', s, p->size >= 1 && p->size <= FIGURE_COLORS ? (size_t)p->size - 1 : row,
                class);
    svg_rect(frame->out, left, y + height * 0.16, fmax(right - left, 1.5), height * 0.68,
             p->marked ? "bad" : class, buf_text(&title));
    buf_free_part(&title, frame->out);
    if (svg_text_width(p->label, FIGURE_SMALL) + 10 < right - left)
        svg_text(frame->out, left + 5, y + height / 2 + 5, "small on", p->label);
}

void draw_spans(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    double labels = row_labels_width(frame), left = frame->x + labels + 10;
    double row = fmin(ROW, (frame->height - 44) / (double)rows_of(f));
    struct figure_scale x = spans_scale(frame, left);

    draw_x_axis(frame, &x, frame->y, frame->y + (double)rows_of(f) * row);
    for (size_t i = 0; i < rows_of(f); i++) {
        double y = frame->y + (double)i * row;

        draw_row_name(frame, i, labels, y, row);
        for (size_t k = 0; k < f->series[i].len; k++)
            if (isfinite(f->series[i].at[k].x) && isfinite(f->series[i].at[k].y))
                draw_span(frame, &x, i, &f->series[i].at[k], y, row);
    }
}

/* ---- treemap ---- */

#define MOST_TILES 200

struct tile {
    const struct figure_point *point;
    size_t series;
    double area;
};

struct tiles {
    struct tile at[MOST_TILES]; /* largest first */
    size_t count;
};

static void add_tile(struct tiles *t, struct tile tile)
{
    size_t i;

    if (!(tile.area > 0) || (t->count == MOST_TILES && tile.area <= t->at[MOST_TILES - 1].area))
        return;
    i = t->count < MOST_TILES ? t->count++ : MOST_TILES - 1;
    for (; i > 0 && t->at[i - 1].area < tile.area; i--)
        t->at[i] = t->at[i - 1];
    t->at[i] = tile;
}

/* The worst proportion of the tiles of one strip: the nearer to 1, the nearer to squares. */
static double worst_shape(const struct tile *at, size_t count, double sum, double side)
{
    double largest = at[0].area, least = at[count - 1].area;

    return fmax(side * side * largest / (sum * sum), sum * sum / (side * side * least));
}

static void draw_tile(const struct figure_frame *frame, const struct tile *t, double x,
                      double y, double width, double height)
{
    const struct figure_series *s = &frame->figure->series[t->series];
    struct buf title = mark_text(frame, s, t->point), value;
    /* Yellow and light blue need dark letters. */
    const char *ink = t->series % FIGURE_COLORS == 1 || t->series % FIGURE_COLORS == 5 ||
                              t->series % FIGURE_COLORS == 4
                          ? "small under"
                          : "small on";
    char class[16];

    color_class('s', s, t->series, class);
    svg_rect(frame->out, x, y, fmax(width - 2, 0.5), fmax(height - 2, 0.5), class,
             buf_text(&title));
    buf_free_part(&title, frame->out);
    if (width < 60 || height < 24)
        return;
    svg_text_cut(frame->out, x + 7, y + 18, ink, t->point->label, FIGURE_SMALL, width - 14);
    if (height < 42)
        return;
    value = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);
    figure_value(frame->figure->y.unit, t->point->y, &value);
    svg_text_cut(frame->out, x + 7, y + 36, ink, buf_text(&value), FIGURE_SMALL, width - 14);
    buf_free_part(&value, frame->out);
}

/* One strip along the shorter side of what is left: "squarified" (Bruls, Huizing, van Wijk). */
static size_t draw_strip(const struct figure_frame *frame, const struct tile *at, size_t count,
                         double *x, double *y, double *width, double *height)
{
    bool upright = *width >= *height;
    double side = upright ? *height : *width, sum = 0, along = 0, thick;
    size_t n = 0;

    while (n < count && (n == 0 || worst_shape(at, n + 1, sum + at[n].area, side) <=
                                       worst_shape(at, n, sum, side)))
        sum += at[n++].area;
    thick = sum / side;
    for (size_t i = 0; i < n; i++) {
        double length = at[i].area / thick;

        if (upright)
            draw_tile(frame, &at[i], *x, *y + along, thick, length);
        else
            draw_tile(frame, &at[i], *x + along, *y, length, thick);
        along += length;
    }
    *(upright ? x : y) += thick;
    *(upright ? width : height) -= thick;
    return n;
}

void draw_treemap(const struct figure_frame *frame)
{
    const struct figure *f = frame->figure;
    double x = frame->x, y = frame->y, width = frame->width, height = frame->height - 8;
    double sum = 0, scale;
    struct tiles t = {.count = 0};

    for (size_t i = 0; i < f->series_count; i++)
        for (size_t k = 0; k < f->series[i].len; k++)
            add_tile(&t, (struct tile){&f->series[i].at[k], i, f->series[i].at[k].y});
    for (size_t i = 0; i < t.count; i++)
        sum += t.at[i].area;
    scale = sum > 0 ? width * height / sum : 0;
    for (size_t i = 0; i < t.count; i++)
        t.at[i].area *= scale;
    for (size_t i = 0; i < t.count && width > 1 && height > 1;)
        i += draw_strip(frame, t.at + i, t.count - i, &x, &y, &width, &height);
}

/* ---- facts ---- */

static void draw_fact(const struct figure_frame *frame, const struct figure_point *p, double y)
{
    double label = svg_text_width(p->label, FIGURE_TEXT) + 16;

    svg_text_cut(frame->out, frame->x, y, NULL, p->label, FIGURE_TEXT, frame->width * 0.6);
    svg_text_cut(frame->out, frame->x + frame->width, y, "end strong", p->note,
                 FIGURE_TEXT * 1.06, fmax(frame->width - label, frame->width * 0.4));
    svg_line(frame->out, frame->x, y + 10, frame->x + frame->width, y + 10, "grid");
}

/* The first in large type. Texts are the notes of the points; without one it is the value. */
void draw_facts(const struct figure_frame *frame)
{
    const struct figure_series *s = frame->figure->series;
    double y = frame->y + 34;

    for (size_t i = 0; i < s->len && y < frame->y + frame->height; i++) {
        struct figure_point p = s->at[i];
        struct buf value = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);

        if (p.note.len == 0) {
            figure_value(frame->figure->y.unit, p.y, &value);
            p.note = buf_text(&value);
        }
        if (i == 0) {
            svg_text_cut(frame->out, frame->x, y, "large", p.note, 36, frame->width);
            svg_text(frame->out, frame->x, y + 26, "note", p.label);
        } else {
            draw_fact(frame, &p, y);
        }
        y += i == 0 ? 66 : 36;
        buf_free_part(&value, frame->out);
    }
}
