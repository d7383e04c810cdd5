/* Values, scales and axes of figures. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "render/figure_internal.h"
#include "unit/energy.h"
#include "unit/shown.h"
#include "unit/size.h"
#include "unit/time.h"

#define TICK_LENGTH 5.0
#define JOULES_PER_WH 3600.0
#define MOST_WHOLE 9e18
#define YEAR 31536000.0   /* s: the longest step of time, once or more often */
#define FAR_FROM_ZERO 0.5 /* of the largest value */

/* ---- values ---- */

/* Of a finite value, as near as an integer is. */
static int64_t clamped_whole(double value)
{
    return (int64_t)fmin(fmax(value, -MOST_WHOLE), MOST_WHOLE);
}

/* Without what binary fractions add: so many digits of it. */
static double rounded(double value, int digits)
{
    double scale = value != 0 ? pow(10, digits - 1 - (int)floor(log10(fabs(value)))) : 1;

    return isfinite(scale) && scale > 0 ? round(value * scale) / scale : value;
}

/* Thousands apart by commas: "1,250", "2.5 million", "10 billion". */
static void write_grouped(double value, struct buf *out)
{
    if (fabs(value) >= 1e9) {
        num_write(rounded(value / 1e9, 12), out);
        buf_adds(out, " billion");
    } else if (fabs(value) >= 1e6) {
        num_write(rounded(value / 1e6, 12), out);
        buf_adds(out, " million");
    } else if (fabs(value) >= 1000 && value == floor(value)) {
        buf_addf(out, "%lld,%03lld", (long long)value / 1000, llabs((long long)value % 1000));
    } else {
        num_write(value, out);
    }
}

static void write_axis_number(double value, struct buf *out)
{
    write_grouped(fabs(value) < 1000 || fabs(value) >= 1e6 ? rounded(value, 3) : round(value),
                  out);
}

void figure_value(enum figure_unit unit, double value, struct buf *out)
{
    if (!isfinite(value)) {
        buf_char(out, '?');
        return;
    }
    switch (unit) {
    case FIGURE_USD:
        usd_write_estimate(usd_from(value), out);
        break;
    case FIGURE_SECONDS:
        span_write((span){clamped_whole(value * 1e9)}, out);
        break;
    case FIGURE_SHARE:
        value_share(value, out);
        break;
    case FIGURE_BYTES:
        bytes_write(bytes_from(value), out);
        break;
    case FIGURE_WATTS:
        watt_write((watt){value}, out);
        break;
    case FIGURE_JOULES:
        joule_write((joule){value}, out);
        break;
    case FIGURE_GRAMS:
        gram_co2_write((gram_co2){value}, out);
        break;
    case FIGURE_TIME:
        value_time((stamp){clamped_whole(value)}, false, out);
        break;
    case FIGURE_NUMBER:
    case FIGURE_UNITS:
    default:
        write_axis_number(value, out);
        break;
    }
}

void tick_text(enum figure_unit unit, double value, struct buf *out)
{
    double clean = rounded(value, 12);

    if (unit == FIGURE_USD) {
        buf_adds(out, clean < 0 ? "-$" : "$");
        write_grouped(fabs(clean), out);
    } else if (unit == FIGURE_SHARE) {
        num_write(rounded(clean * 100, 12), out);
        buf_adds(out, " %");
    } else if (unit == FIGURE_TIME && clamped_whole(value) % SECONDS_PER_DAY != 0) {
        value_time((stamp){clamped_whole(value)}, false, out);
    } else if (unit == FIGURE_TIME) {
        stamp_write_short((stamp){clamped_whole(value)}, out);
    } else if (unit == FIGURE_NUMBER) {
        write_grouped(clean, out);
    } else if (value == 0) {
        buf_char(out, '0');
    } else {
        figure_value(unit, value, out);
    }
}

/* ---- scales ---- */

double scale_position(const struct figure_scale *s, double value)
{
    double share = s->log ? log(value / s->from) / log(s->to / s->from)
                          : (value - s->from) / (s->to - s->from);

    return s->start + fmin(fmax(share, 0), 1) * s->length;
}

/* Steps between ticks, in the unit of the value. */
static const double second_steps[] = {
    1e-3,   2e-3,   5e-3,   0.01,    0.02,    0.05,     0.1,     0.2,   0.5,
    1,      2,      5,      10,      20,      30,       60,      120,   300,
    600,    1200,   1800,   3600,    7200,    14400,    21600,   43200, 86400,
    172800, 432000, 864000, 2592000, 5184000, 12960000, 31536000};
static const double time_steps[] = {1,      5,       15,      60,      300,     900,
                                    3600,   10800,   21600,   43200,   86400,   172800,
                                    604800, 1209600, 2419200, 7257600, 31536000};

/* The least of a list that is not below; its last if all are. */
static double step_from(const double *steps, size_t count, double least)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i] >= least)
            return steps[i];
    return steps[count - 1];
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double least)
{
    double power = pow(10, floor(log10(least))), lead = least / power;

    return (lead <= 1.0000001 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

static double axis_step(enum figure_unit unit, double range, size_t wanted)
{
    double least = range / (double)wanted;

    if (!(least > 0))
        return 1;
    switch (unit) {
    case FIGURE_SECONDS:
        return step_from(second_steps, ARRAY_LEN(second_steps), least);
    case FIGURE_TIME:
        if (least > YEAR)
            return ceil(least / YEAR) * YEAR;
        return step_from(time_steps, ARRAY_LEN(time_steps), least);
    case FIGURE_JOULES:
        return round_step(least / JOULES_PER_WH) * JOULES_PER_WH;
    case FIGURE_NUMBER:
    case FIGURE_USD:
    case FIGURE_SHARE:
    case FIGURE_BYTES:
    case FIGURE_WATTS:
    case FIGURE_GRAMS:
    case FIGURE_UNITS:
    default:
        return round_step(least);
    }
}

static size_t log_ticks(const struct figure_scale *s, size_t wanted, double *ticks)
{
    int first = (int)ceil(log10(s->from) - 1e-9), last = (int)floor(log10(s->to) + 1e-9);
    int step = (last - first) / (int)wanted + 1;
    size_t n = 0;

    for (int e = first; e <= last && n < FIGURE_TICKS; e += step)
        ticks[n++] = pow(10, e);
    if (n < 2) { /* within a decade: its ends */
        ticks[0] = s->from;
        ticks[1] = s->to;
        n = 2;
    }
    return n;
}

size_t scale_ticks(const struct figure_scale *s, size_t wanted, double *ticks)
{
    double step = axis_step(s->unit, s->to - s->from, wanted), first;
    size_t n = 0;

    if (s->log)
        return log_ticks(s, wanted, ticks);
    first = ceil(s->from / step - 1e-9);
    for (; n < FIGURE_TICKS && (first + (double)n) * step <= s->to + step * 1e-6; n++)
        ticks[n] = (first + (double)n) * step;
    return n;
}

struct extent {
    double least, most;
};

static void extend(struct extent *e, double value, bool log)
{
    if (!isfinite(value) || (log && value <= 0))
        return;
    e->least = fmin(e->least, value);
    e->most = fmax(e->most, value);
}

static struct extent extent_of(const struct figure *f, enum figure_direction which, bool log)
{
    struct extent e = {INFINITY, -INFINITY};

    for (size_t i = 0; i < f->series_count; i++)
        for (size_t k = 0; k < f->series[i].len; k++) {
            const struct figure_point *p = &f->series[i].at[k];

            extend(&e, which == FIGURE_X ? p->x : p->y, log);
            if (which == FIGURE_Y && point_has_range(p)) {
                extend(&e, p->low, log);
                extend(&e, p->high, log);
            }
        }
    if (which == FIGURE_Y && f->limit > 0)
        extend(&e, f->limit, log);
    return e.least <= e.most ? e : (struct extent){0, 1};
}

/* Widened to the ticks around, so that no mark is at the edge. */
static void widen_axis(struct figure_scale *s, bool amounts, bool zero)
{
    double step;

    if (s->log) {
        s->from = pow(10, floor(log10(s->from) * 4 - 1e-9) / 4);
        s->to = pow(10, ceil(log10(s->to) * 4 + 1e-9) / 4);
        if (s->to <= s->from * 1.001)
            s->to = s->from * 10;
        return;
    }
    if (amounts && zero && s->unit != FIGURE_TIME) {
        s->from = fmin(s->from, 0);
        s->to = fmax(s->to, 0);
    }
    if (s->to <= s->from) /* a moment has no length of its own: a minute after it */
        s->to = s->from + (s->unit == FIGURE_TIME ? 60 : fmax(fabs(s->from), 1));
    if (!amounts)
        return;
    step = axis_step(s->unit, s->to - s->from, 5);
    s->from = floor(s->from / step + 1e-9) * step;
    s->to = ceil(s->to / step - 1e-9) * step;
}

/* Metrics, and scattered points of a plain number, that are all far from zero fill their figure
 * without it. Money, time and energy begin at zero. */
static bool begins_at_zero(const struct figure *f, const struct figure_axis *axis,
                           const struct extent *e)
{
    bool free = axis->free || (f->kind == FIGURE_SCATTER && axis->unit == FIGURE_NUMBER);
    double near = fmin(fabs(e->least), fabs(e->most)),
           far = fmax(fabs(e->least), fabs(e->most));

    return !free || e->least == e->most || e->least * e->most <= 0 ||
           near < FAR_FROM_ZERO * far;
}

struct figure_scale scale_of(const struct figure *f, enum figure_direction which, double start,
                             double length)
{
    const struct figure_axis *axis = which == FIGURE_X ? &f->x : &f->y;
    struct extent e = extent_of(f, which, axis->log);
    struct figure_scale s = {.from = axis->log && e.least <= 0 ? 0.1 : e.least,
                             .to = axis->log && e.most <= 0 ? 1 : e.most,
                             .log = axis->log,
                             .start = start,
                             .length = length,
                             .unit = axis->unit};

    if (axis->to > axis->from) {
        s.from = axis->from;
        s.to = axis->to;
    } else {
        widen_axis(&s, which == FIGURE_Y || f->kind == FIGURE_SCATTER,
                   begins_at_zero(f, axis, &e));
    }
    return s;
}

/* ---- axes ---- */

double axis_room(const struct figure_scale *y, const struct alloc *alloc)
{
    double ticks[FIGURE_TICKS], most = 0;
    size_t n = scale_ticks(y, 5, ticks);

    for (size_t i = 0; i < n; i++) {
        struct buf text = buf_new(alloc, BUF_MAX_OUTPUT);

        tick_text(y->unit, ticks[i], &text);
        most = fmax(most, svg_text_width(buf_text(&text), FIGURE_SMALL));
        buf_free(&text);
    }
    return most + 14;
}

void draw_y_axis(const struct figure_frame *frame, const struct figure_scale *y, double left,
                 double right)
{
    double ticks[FIGURE_TICKS];
    size_t n = scale_ticks(y, 5, ticks);

    for (size_t i = 0; i < n; i++) {
        struct buf text = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);
        double at = scale_position(y, ticks[i]);

        svg_line(frame->out, left, at, right, at, ticks[i] == 0 ? "axis" : "grid");
        tick_text(y->unit, ticks[i], &text);
        svg_text(frame->out, left - 8, at + 5, "end small", buf_text(&text));
        buf_free_part(&text, frame->out);
    }
    if (frame->figure->y.label.len > 0)
        svg_text(frame->out, frame->x, y->start + y->length - 12, "note",
                 frame->figure->y.label);
}

/* As many as have room beside each other. */
static size_t x_ticks(const struct figure_scale *x)
{
    double each = x->unit == FIGURE_TIME ? 130 : 80;

    return (size_t)fmin(fmax(x->length / each, 2), 8);
}

/* A moment after another tick: the date only where it is another. Within minutes, seconds. */
static void time_tick(const double *ticks, size_t i, size_t n, struct buf *out)
{
    bool seconds = n > 1 && ticks[1] - ticks[0] < 60;
    struct buf full = buf_new(out->alloc, 64);
    struct str text;

    if (clamped_whole(ticks[i]) % SECONDS_PER_DAY == 0) {
        tick_text(FIGURE_TIME, ticks[i], out);
        return;
    }
    value_time((stamp){clamped_whole(ticks[i])}, seconds, &full);
    text = buf_text(&full);
    if (i > 0 && clamped_whole(ticks[i]) / SECONDS_PER_DAY ==
                     clamped_whole(ticks[i - 1]) / SECONDS_PER_DAY)
        (void)str_cut(&text, ' ');
    buf_add(out, text);
    buf_free_part(&full, out);
}

void draw_under(const struct figure_frame *frame, double x, double y, struct str text)
{
    double half = svg_text_width(text, FIGURE_SMALL) * 1.1 / 2;

    svg_text(frame->out, fmax(frame->x + half, fmin(x, frame->x + frame->width - half)), y,
             "mid small", text);
}

void draw_x_axis(const struct figure_frame *frame, const struct figure_scale *x, double top,
                 double bottom)
{
    const struct figure_axis *axis = &frame->figure->x;
    double ticks[FIGURE_TICKS];
    size_t n = axis->names != NULL ? 0 : scale_ticks(x, x_ticks(x), ticks);

    svg_line(frame->out, x->start, bottom, x->start + x->length, bottom, "axis");
    for (size_t i = 0; axis->names != NULL && i < axis->name_count; i++) {
        double at = scale_position(x, (double)i + 1);

        svg_line(frame->out, at, top, at, bottom + TICK_LENGTH, "grid");
        draw_under(frame, at, bottom + 20, axis->names[i]);
    }
    for (size_t i = 0; i < n; i++) {
        struct buf text = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);
        double at = scale_position(x, ticks[i]);

        svg_line(frame->out, at, top, at, bottom + TICK_LENGTH, "grid");
        if (x->unit == FIGURE_TIME)
            time_tick(ticks, i, n, &text);
        else
            tick_text(x->unit, ticks[i], &text);
        draw_under(frame, at, bottom + 20, buf_text(&text));
        buf_free_part(&text, frame->out);
    }
    if (axis->label.len > 0)
        svg_text(frame->out, x->start + x->length, bottom + 38, "note end", axis->label);
}

void draw_limit(const struct figure_frame *frame, const struct figure_scale *y, double left,
                double right)
{
    const struct figure *f = frame->figure;
    double at;

    if (!(f->limit > 0))
        return;
    at = scale_position(y, f->limit);
    svg_line(frame->out, left, at, right, at, "limit");
    svg_text(frame->out, right, at - 6, "small end clear", f->limit_name);
}
