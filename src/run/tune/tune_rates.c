/* How many samples a second a program does, from what it says while it runs. Pure.
 *
 * Its own figure counts most; else the samples or steps it counts are held against the clock,
 * window by window, so that the median is not moved by a pause. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "run/tune/tune.h"

#define WINDOWS 20 /* of the time that is measured, but neither too short nor too long: */
#define SHORTEST_NS INT64_C(50000000)
#define LONGEST_NS INT64_C(1000000000)

/* The better the further down; what is seen in a better way takes the place of the rest. */
enum { NOTHING, STEPS_SAID, STEPS, SAMPLES, SAMPLES_SAID, PATTERN };

static const char *const methods[] = {
    [NOTHING] = "",
    [STEPS_SAID] = "its own steps/s x batch",
    [STEPS] = "steps x batch",
    [SAMPLES] = "samples it counts",
    [SAMPLES_SAID] = "its own samples/s",
    [PATTERN] = "--samples-pattern",
};

void tune_rates_start(struct tune_rates *r, int64_t batch, span warmup, span seconds)
{
    int64_t window = seconds.ns / WINDOWS;

    *r = (struct tune_rates){.batch = (double)batch,
                             .warmup_ns = warmup.ns,
                             .window_ns = window < SHORTEST_NS  ? SHORTEST_NS
                                          : window > LONGEST_NS ? LONGEST_NS
                                                                : window,
                             .first_ns = -1,
                             .mark = NAN,
                             .all_mark = NAN,
                             .last = NAN};
}

static void add(struct tune_rates *r, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    if (r->count == TUNE_WINDOWS) { /* every second one will do */
        for (int i = 0; i < TUNE_WINDOWS / 2; i++)
            r->value[i] = r->value[2 * i];
        r->count = TUNE_WINDOWS / 2;
    }
    r->value[r->count++] = value;
}

/* A count that goes up; when it goes down an epoch has begun, or another bar. */
static void see_count(struct tune_rates *r, double count, double scale, int64_t now_ns)
{
    bool warm = now_ns - r->first_ns >= r->warmup_ns;

    if (isnan(r->all_mark) || count < r->last) {
        r->mark = r->all_mark = count;
        r->mark_ns = r->all_ns = now_ns;
    } else if (warm && now_ns - r->mark_ns >= r->window_ns && count > r->mark) {
        if (r->mark_ns - r->first_ns >= r->warmup_ns)
            add(r, (count - r->mark) * scale / ((double)(now_ns - r->mark_ns) / 1e9));
        r->mark = count;
        r->mark_ns = now_ns;
    }
    r->last = count;
    r->last_ns = now_ns;
}

/* The best way that this line allows, and its figure. */
static int best_way(const struct metric_update *u, bool pattern, double *figure)
{
    const struct {
        int method;
        double figure;
    } ways[] = {{SAMPLES_SAID, u->samples_rate},
                {SAMPLES, u->samples},
                {STEPS, u->step},
                {STEPS_SAID, u->rate}};

    *figure = pattern ? metric_value(u, STR(TUNE_PATTERN)) : NAN;
    if (pattern)
        return isnan(*figure) ? NOTHING : PATTERN;
    for (size_t i = 0; i < ARRAY_LEN(ways) && !u->evaluated; i++)
        if (!isnan(ways[i].figure)) {
            *figure = ways[i].figure;
            return ways[i].method;
        }
    return NOTHING;
}

void tune_rates_see(struct tune_rates *r, const struct metric_update *u, bool pattern,
                    instant now)
{
    double figure;
    int method = best_way(u, pattern, &figure);

    if (method == NOTHING || method < r->method)
        return;
    if (r->first_ns < 0)
        r->first_ns = now.ns;
    if (method > r->method) {
        r->method = method;
        r->count = 0;
        r->warm = false;
        r->all_mark = r->last = NAN;
    }
    if (method == SAMPLES || method == STEPS) {
        see_count(r, figure, method == STEPS ? r->batch : 1, now.ns);
        return;
    }
    /* What it says before it is warm counts only when nothing comes later. */
    if (!r->warm && now.ns - r->first_ns >= r->warmup_ns) {
        r->count = 0;
        r->warm = true;
    }
    add(r, method == STEPS_SAID ? figure * r->batch : figure);
}

static int by_value(const void *a, const void *b)
{
    return num_compare(*(const double *)a, *(const double *)b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bool tune_rates_end(const struct tune_rates *r, struct tune_point *point)
{
    double values[TUNE_WINDOWS], middle;
    bool counted = r->method == SAMPLES || r->method == STEPS;

    point->method = methods[r->method];
    if (r->count == 0) {
        /* Too few lines for a window: all that was seen, from the first line on. */
        double seconds = (double)(r->last_ns - r->all_ns) / 1e9;

        if (!counted || !(seconds > 0) || !(r->last > r->all_mark))
            return false;
        point->rate = (r->last - r->all_mark) * (r->method == STEPS ? r->batch : 1) / seconds;
        point->windows = 1;
        return true;
    }
    memcpy(values, r->value, (size_t)r->count * sizeof values[0]);
    middle = median(values, r->count);
    for (int i = 0; i < r->count; i++)
        values[i] = fabs(values[i] - middle);
    point->rate = middle;
    point->windows = r->count;
    /* 1.2533 for a median instead of a mean, 1.4826 for the deviation from a median. */
    if (r->count >= 3)
        point->spread = 1.2533 * 1.4826 * median(values, r->count) / sqrt(r->count) / middle;
    return true;
}
