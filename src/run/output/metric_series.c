#include "run/output/metric_series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct metric_series *find_metric_series(const struct metric_history *h,
                                                const char *name)
{
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->series[i]->name, name) == 0)
            return h->series[i];
    return NULL;
}

static struct metric_series *add_metric_series(struct metric_history *h, const char *name,
                                               struct error *err)
{
    struct metric_series *s = arena_array(h->arena, struct metric_series, 1, err);

    if (s == NULL)
        return NULL;
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    s->first = s->last = s->last_step = NAN;
    s->low = s->low_step = s->high = s->high_step = NAN;
    h->series[h->count++] = s;
    return s;
}

bool metric_history_start(struct metric_history *h, struct strs wanted, struct arena *arena,
                          struct error *err)
{
    *h = (struct metric_history){.arena = arena};
    for (size_t i = 0; i < wanted.len && h->count < LEDGER_METRICS; i++) {
        char name[METRIC_NAME];

        str_copy(wanted.at[i], name, sizeof name);
        /* A pattern is called by what is before its sign. */
        name[strcspn(name, "=")] = '\0';
        if (name[0] != '\0' && find_metric_series(h, name) == NULL &&
            add_metric_series(h, name, err) == NULL)
            return false;
    }
    return true;
}

/* Two neighbors become one: the mean of all their values, the moment and the step of the later
 * one. */
static void halve_points(struct metric_series *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i += 2, kept++) {
        size_t last = i + 1 < s->count ? i + 1 : i;
        int64_t weight = s->weights[i] + (last > i ? s->weights[last] : 0);
        double sum = s->values[i] * (double)s->weights[i] +
                     (last > i ? s->values[last] * (double)s->weights[last] : 0);

        s->times[kept] = s->times[last];
        s->steps[kept] = s->steps[last];
        s->values[kept] = sum / (double)weight;
        s->weights[kept] = weight;
    }
    s->count = kept;
    s->every = fmax(2 * s->every, (s->times[kept - 1] - s->times[0]) / (double)kept);
    s->since = s->times[kept - 1];
}

static void add_metric_point(struct metric_series *s, double value, double step, double at_s)
{
    size_t last;

    if (s->count > 0 && at_s < s->since + s->every) {
        last = s->count - 1;
        s->values[last] += (value - s->values[last]) / (double)++s->weights[last];
        s->times[last] = at_s;
        s->steps[last] = step;
        return;
    }
    if (s->count == LEDGER_METRIC_POINTS)
        halve_points(s);
    last = s->count++;
    s->since = s->times[last] = at_s;
    s->steps[last] = step;
    s->values[last] = value;
    s->weights[last] = 1;
}

static void see_value(struct metric_series *s, double value, double step, double at_s)
{
    s->seen++;
    s->changed = true;
    if (!isfinite(value)) {
        s->odd++;
        return;
    }
    if (isnan(s->first))
        s->first = value;
    s->last = value;
    s->last_step = step;
    if (!(value >= s->low)) {
        s->low = value;
        s->low_step = step;
    }
    if (!(value <= s->high)) {
        s->high = value;
        s->high_step = step;
    }
    add_metric_point(s, value, step, at_s);
}

static void leave_out_metric(struct metric_history *h, const char *name)
{
    h->left_out++;
    if (h->left_name[0] == '\0')
        (void)snprintf(h->left_name, sizeof h->left_name, "%s", name);
}

void metric_history_see(struct metric_history *h, const struct metric_update *update,
                        double step, double at_s)
{
    for (int i = 0; i < update->named_count; i++) {
        struct metric_series *s = find_metric_series(h, update->named[i].name);
        struct error ignored;

        if (s == NULL && h->count < LEDGER_METRICS)
            s = add_metric_series(h, update->named[i].name, &ignored);
        if (s == NULL)
            leave_out_metric(h, update->named[i].name);
        else
            see_value(s, update->named[i].value, step, at_s);
    }
    h->left_out += update->unnamed;
}

int64_t metric_history_odd(const struct metric_history *h, const char *name)
{
    const struct metric_series *s = find_metric_series(h, name);

    return s != NULL ? s->odd : 0;
}

size_t metric_history_changed(struct metric_history *h,
                              struct ledger_metric out[static LEDGER_METRICS])
{
    size_t count = 0;

    for (size_t i = 0; i < h->count; i++) {
        const struct metric_series *s = h->series[i];

        if (!s->changed)
            continue;
        out[count++] = (struct ledger_metric){.name = str_from(s->name),
                                              .told = s->seen,
                                              .odd = s->odd,
                                              .first = s->first,
                                              .last = s->last,
                                              .last_step = s->last_step,
                                              .low = s->low,
                                              .low_step = s->low_step,
                                              .high = s->high,
                                              .high_step = s->high_step,
                                              .times = {s->times, s->count},
                                              .steps = {s->steps, s->count},
                                              .values = {s->values, s->count}};
    }
    return count;
}

void metric_history_recorded(struct metric_history *h)
{
    for (size_t i = 0; i < h->count; i++)
        h->series[i]->changed = false;
}
