/* figure.h - figures: small descriptions of pictures, and the one writer that draws them.
 *
 * A figure says what is shown (kind, series of points, axes with their units, where the numbers
 * come from); how it looks is the writer's. Figures stand alone or beside each other on a
 * sheet. The result is an SVG document with selectable text, a <title> on every mark and the
 * same bytes everywhere, readable at half its size, by the color-blind, on light and dark
 * backgrounds and in print.
 *
 *     static const struct figure_point bars[] = {
 *         {.label = STR("aws"), .y = 12.4, .low = 11, .high = 14},
 *         {.label = STR("runpod"), .y = 9.9, .low = 9, .high = 11, .marked = true}};
 *     struct figure_series series = {.at = bars, .len = 2};
 *     struct figure f = {.kind = FIGURE_BARS, .title = STR("Cost by provider"),
 *                        .y = {.unit = FIGURE_USD}, .series = &series, .series_count = 1};
 *     figure_svg(&(struct figure_sheet){.figures = &f, .count = 1, .footer = source}, out);
 */
#ifndef RENDER_FIGURE_H
#define RENDER_FIGURE_H

#include "base/buf.h"

enum figure_kind {
    FIGURE_BARS,      /* one bar each: label, y, range; the marked ones stand out */
    FIGURE_WATERFALL, /* changes from the first to the last, which are totals */
    FIGURE_COLUMNS,   /* upright and stacked: points of all series by their position */
    FIGURE_LINES,     /* over x; ranges as bands; a y that is NaN is a gap */
    FIGURE_AREAS,     /* likewise, stacked */
    FIGURE_SCATTER,   /* x, y, size; labels that do not collide; marked ones are joined */
    FIGURE_PREDICTED, /* x measured, y predicted, both logarithmic, with the diagonal */
    FIGURE_DONUT,     /* parts of a total, which is in its middle */
    FIGURE_GAUGE,     /* one point on a scale with bands */
    FIGURE_HEAT,      /* y in cells: x is the column, the series the row */
    FIGURE_SPANS,     /* from x to y: when something was; the series is the row */
    FIGURE_TREEMAP,   /* y as area; the series is the color */
    FIGURE_FACTS,     /* the first in large type, the others as a list of label and text */
    FIGURE_KINDS,
};

enum figure_unit {
    FIGURE_NUMBER,
    FIGURE_USD,
    FIGURE_SECONDS,
    FIGURE_SHARE, /* 0 to 1, shown as percent */
    FIGURE_BYTES,
    FIGURE_WATTS,
    FIGURE_JOULES,
    FIGURE_GRAMS, /* of CO2e */
    FIGURE_TIME,  /* seconds since 1970: dates */
    FIGURE_UNITS,
};

struct figure_axis {
    struct str label; /* "cost", with its unit where the values do not show it */
    enum figure_unit unit;
    double from, to; /* both 0: as the values need */
    bool log;
    bool free; /* values far from zero need not be shown from there: a loss of 11.28 to 11.30 */
    const struct str *names; /* of 1, 2, ... along x, instead of numbers; NULL: none */
    size_t name_count;
};

struct figure_point {
    struct str label;
    struct str note;  /* beside its value: "cheapest", "estimated" */
    double x, y;      /* NaN: unknown, and shown as such */
    double low, high; /* its range; both 0: none */
    double size;      /* of a scattered point, as area; 0: the usual */
    bool marked;
    bool muted; /* of bars: for comparison, gray */
};

struct figure_series {
    struct str name;
    const struct figure_point *at;
    size_t len;
    bool muted; /* for comparison: gray */
};

/* Up to `to` (the last: all the rest) the scale of a gauge has this meaning. */
struct figure_band {
    double to;
    struct str name;
    enum figure_mood { FIGURE_GOOD, FIGURE_FAIR, FIGURE_BAD } mood;
};

struct figure {
    enum figure_kind kind;
    struct str title;
    struct str note; /* below the title: what it says, in a sentence */
    struct figure_axis x, y;
    const struct figure_series *series;
    size_t series_count;
    const struct figure_band *bands; /* of a gauge */
    size_t band_count;
    const struct str *columns; /* names of the columns of a heat map; NULL: hours of a day */
    double limit;              /* a line at this y: a budget; 0: none */
    struct str limit_name;
    /* Of lines: the plot is an element of its own, with the ends of its x axis, so that a
     * script can tell what was pointed at. */
    bool zoom;
};

struct figure_sheet {
    struct str title;    /* above all; empty: none */
    struct str subtitle; /* below it */
    const struct figure *figures;
    size_t count;
    size_t columns;    /* figures beside each other; 0: one */
    struct str footer; /* source and date of what is shown */
};

/* The size of its document, in CSS pixels. */
struct figure_size {
    double width, height;
};
struct figure_size figure_sheet_size(const struct figure_sheet *sheet);

/* A complete document. Fails as `out` does. */
void figure_svg(const struct figure_sheet *sheet, struct buf *out);

/* For a page with several: one figure as an SVG element on the page's own background, narrow
 * when it is `beside` others; one that is alone is drawn twice, wide and for a phone, and the
 * style sheet shows one of them. The style sheet is shared by all, and its classes are not the
 * page's to use. */
void figure_svg_inline(const struct figure *figure, bool beside, struct buf *out);
void figure_css(struct buf *out);

/* A value as its axis shows it: "$12.4", "1h30min", "35 %"; "?" when unknown. */
void figure_value(enum figure_unit unit, double value, struct buf *out);

#endif
