/* figure_internal.h - between the files that draw figures. */
#ifndef RENDER_FIGURE_INTERNAL_H
#define RENDER_FIGURE_INTERNAL_H

#include "render/figure.h"
#include "render/svg.h"

#define FIGURE_COLORS 8
#define FIGURE_TEXT 15.0 /* size of type, in pixels */
#define FIGURE_SMALL 13.5
#define FIGURE_LEGEND 26.0 /* height of a line of the legend */

/* Where a figure is drawn, below its title. */
struct figure_frame {
    const struct figure *figure;
    double x, y, width, height;
    struct buf *out;
};

/* From values to pixels. */
struct figure_scale {
    double from, to;
    bool log;
    double start, length; /* pixels; a negative length goes up */
    enum figure_unit unit;
};

#define FIGURE_TICKS 12

double scale_position(const struct figure_scale *scale, double value);
/* At most FIGURE_TICKS round values within the scale, about `wanted` of them. */
size_t scale_ticks(const struct figure_scale *scale, size_t wanted, double *ticks);
/* The value of a tick, without decimals that it does not have. */
void tick_text(enum figure_unit unit, double value, struct buf *out);

/* The least and largest y (or x) with ranges, widened to the axis and to round values. */
enum figure_direction { FIGURE_X, FIGURE_Y };
struct figure_scale scale_of(const struct figure *figure, enum figure_direction which,
                             double start, double length);

/* A label under its tick or column, and within the figure, also in a font that is a little
 * wider. */
void draw_under(const struct figure_frame *frame, double x, double y, struct str text);

/* Axes with grid lines, ticks and labels; the room that the numbers of a y axis need. */
double axis_room(const struct figure_scale *y, const struct alloc *alloc);
void draw_y_axis(const struct figure_frame *frame, const struct figure_scale *y, double left,
                 double right);
void draw_x_axis(const struct figure_frame *frame, const struct figure_scale *x, double top,
                 double bottom);
void draw_limit(const struct figure_frame *frame, const struct figure_scale *y, double left,
                double right);

/* The class of a series: "s3", or "muted". `prefix` is a letter: s fills, l strokes. */
/* Lines for comparison are all gray: from the second on they are dashed. An attribute. */
const char *line_dashes(const struct figure *figure, size_t series);
void color_class(char prefix, const struct figure_series *series, size_t index, char *out);

/* "series, label: $12.4 (11 to 14), note": what a mark's title says. To be freed by
 * buf_free_part(). */
struct buf mark_text(const struct figure_frame *frame, const struct figure_series *series,
                     const struct figure_point *point);

bool point_has_range(const struct figure_point *point);

/* The drawing of each kind. */
void draw_bars(const struct figure_frame *frame);
void draw_waterfall(const struct figure_frame *frame);
void draw_columns(const struct figure_frame *frame);
void draw_lines(const struct figure_frame *frame);
void draw_areas(const struct figure_frame *frame);
void draw_scatter(const struct figure_frame *frame);
void draw_predicted(const struct figure_frame *frame);
void draw_donut(const struct figure_frame *frame);
void draw_gauge(const struct figure_frame *frame);
void draw_heat(const struct figure_frame *frame);
void draw_spans(const struct figure_frame *frame);
void draw_treemap(const struct figure_frame *frame);
void draw_facts(const struct figure_frame *frame);

#endif
