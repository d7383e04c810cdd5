/* Values with their times, put on a grid of equal intervals and judged by the method that their
 * interval asks for. */
#include "series/readings.h"

#include <math.h>
#include <string.h>

#include "series/telemetry.h"
#include "series/values.h"

#define DAY 86400.0
#define DAILY_FROM (0.75 * DAY) /* a job that runs once a day is early at times */
#define DAILY_SETTLE 28         /* days before anything is judged */

/* The grid begins at the first reading, so that it does not matter at which minute of the hour
 * or hour of the day values are taken. */
struct grid {
    const struct readings *from;
    double step; /* seconds */
    double *value;
    size_t len;
};

static double step_of(const struct readings_pace *pace)
{
    return pace->method == READINGS_DAILY ? DAY : pace->interval;
}

/* Of a reading. Readings that come a little early or late have the slot they are meant for. */
static double slot_of(const struct readings *readings, double step, size_t i)
{
    return round((double)(readings->at[i].at.s - readings->at[0].at.s) / step);
}

static bool median_interval(const struct readings *readings, struct arena *arena, double *out,
                            struct error *err)
{
    double *apart = arena_array(arena, double, readings->len, err);
    size_t count = 0;

    if (apart == NULL)
        return false;
    for (size_t i = 1; i < readings->len; i++)
        if (readings->at[i].at.s > readings->at[i - 1].at.s)
            apart[count++] = (double)(readings->at[i].at.s - readings->at[i - 1].at.s);
    if (count == 0) {
        error_set(err, ERROR_INPUT, "all values have the same time");
        error_hint(err, "it takes days of values to say what is unusual");
        return false;
    }
    values_sort(apart, count);
    *out = values_quantile(apart, count, 0.5);
    return true;
}

static size_t count_empty(const struct readings *readings, double step, size_t slots)
{
    double last = -1;
    size_t known = 0;

    for (size_t i = 0; i < readings->len; i++) {
        double slot = slot_of(readings, step, i);

        if (isnan(readings->at[i].value) || !(slot > last))
            continue;
        known++;
        last = slot;
    }
    return slots - known;
}

bool readings_pace(const struct readings *readings, struct arena *arena,
                   struct readings_pace *out, struct error *err)
{
    struct arena scratch = {arena->alloc, arena->block_size, NULL};
    bool ok = median_interval(readings, &scratch, &out->interval, err);
    double slots, days;

    arena_free(&scratch);
    if (!ok)
        return false;
    out->method = out->interval >= DAILY_FROM ? READINGS_DAILY : READINGS_TELEMETRY;
    slots = slot_of(readings, step_of(out), readings->len - 1) + 1;
    if (slots > (double)READINGS_MOST) {
        error_set(err, ERROR_INPUT,
                  "values %.6g seconds apart are %.0f intervals from the first to the last: "
                  "more than %zu",
                  out->interval, slots, READINGS_MOST);
        error_hint(err, "write the mean of each minute or hour, or split the file");
        return false;
    }
    out->slots = (size_t)slots;
    out->empty = count_empty(readings, step_of(out), out->slots);
    days = slots * step_of(out) / DAY;
    out->too_short =
        days <= (out->method == READINGS_DAILY ? DAILY_SETTLE : TELEMETRY_DAYS_SETTLE);
    return true;
}

/* Two readings of one slot count with their mean. */
static bool fill_grid(struct grid *g, struct arena *arena, struct error *err)
{
    double mean = 0, count = 0;
    size_t last = 0;

    g->value = arena_array(arena, double, g->len, err);
    if (g->value == NULL)
        return false;
    for (size_t i = 0; i < g->len; i++)
        g->value[i] = NAN;
    for (size_t i = 0; i < g->from->len; i++) {
        size_t slot = (size_t)slot_of(g->from, g->step, i);

        if (isnan(g->from->at[i].value))
            continue;
        if (slot != last)
            mean = count = 0;
        last = slot;
        count++;
        mean += g->from->at[i].value / count - mean / count; /* a sum may not fit */
        g->value[slot] = mean;
    }
    return true;
}

static bool judge_grid(const struct grid *g, enum readings_method method,
                       const struct anomaly_options *options, struct arena *arena,
                       const struct anomaly **found, size_t *count, struct error *err)
{
    struct anomaly_options days = *options;

    if (method == READINGS_TELEMETRY)
        return telemetry_anomalies(
            &(struct telemetry){g->value, g->len, g->step},
            &(struct telemetry_options){options->threshold, options->settle}, arena, found,
            count, err);
    days.settle = days.settle > 0 ? days.settle : DAILY_SETTLE;
    return daily_anomalies(&(struct daily){day_of(g->from->at[0].at), g->value, g->len}, &days,
                           arena, found, count, err);
}

/* The first reading whose slot is not before `slot`; how many there are when none is. */
static size_t reading_from(const struct grid *g, size_t slot)
{
    size_t low = 0, high = g->from->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slot_of(g->from, g->step, middle) < (double)slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct readings_event make_event(const struct grid *g, const struct anomaly *a)
{
    double parts = (double)(a->parts > 0 ? a->parts : 1);

    return (struct readings_event){
        .of = *a,
        .first = g->from->at[reading_from(g, a->first)].at,
        .last = g->from->at[reading_from(g, a->last + 1) - 1].at,
        .seen = g->from->at[reading_from(g, a->seen + 1) - 1].at,
        .value = a->actual / parts,
        .expected = a->expected / parts,
    };
}

bool readings_judge(const struct readings *readings, const struct readings_pace *pace,
                    const struct anomaly_options *options, struct arena *arena,
                    struct readings_found *out, struct error *err)
{
    struct grid g = {.from = readings, .step = step_of(pace), .len = pace->slots};
    const struct anomaly *found;
    struct readings_event *events;

    *out = (struct readings_found){.pace = *pace};
    if (!fill_grid(&g, arena, err) ||
        !judge_grid(&g, pace->method, options, arena, &found, &out->len, err))
        return false;
    events = arena_array(arena, struct readings_event, out->len, err);
    for (size_t i = 0; events != NULL && i < out->len; i++)
        events[i] = make_event(&g, &found[i]);
    out->at = events;
    return events != NULL;
}
