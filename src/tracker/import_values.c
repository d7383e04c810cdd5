#include "tracker/import_values.h"

#include <math.h>
#include <string.h>

static bool begin_values(struct import_values *v, struct error *err)
{
    if (v->failed)
        return error_memory(err);
    if (!v->begun) {
        v->last_s = 0;
        v->begun = metric_history_start(&v->history, (struct strs){0}, &v->arena, err);
        v->failed = !v->begun;
    }
    return v->begun;
}

void import_values_end(struct import_values *v)
{
    arena_free(&v->arena);
    v->begun = v->failed = false;
}

void import_values_see(struct import_values *v, const struct tracker_metric *point)
{
    struct metric_update update;
    struct error ignored = {0};

    if (!begin_values(v, &ignored))
        return;
    if (point->at_ms >= 0)
        v->last_s = (double)point->at_ms / 1000;
    metric_clear(&update);
    str_copy(point->name, update.named[0].name, sizeof update.named[0].name);
    update.named[0].value = point->value;
    update.named_count = 1;
    metric_history_see(&v->history, &update, point->step, v->last_s);
    v->points++;
}

/* A name as it is kept: it may be cut. */
static bool is_name_of(struct str kept, struct str name)
{
    char cut[METRIC_NAME];

    str_copy(name, cut, sizeof cut);
    return str_eq(kept, str_from(cut));
}

/* The tracker's own last value, whatever order the values came in. */
static void set_last(struct ledger_metric *metric, const struct tracker_run *run)
{
    for (size_t i = 0; i < run->metric_count; i++) {
        const struct tracker_metric *m = &run->metrics[i];

        if (is_name_of(metric->name, m->name) && isfinite(m->value)) {
            metric->last = m->value;
            metric->last_step = m->step;
        }
    }
}

static bool has_values(const struct import_values *v, struct str name)
{
    for (size_t i = 0; i < v->history.count; i++)
        if (is_name_of(str_from(v->history.series[i]->name), name))
            return true;
    return false;
}

bool import_values_gather(struct import_values *v, const struct tracker_run *run,
                          int64_t ended_ms, struct ledger_metric *to, size_t *count,
                          struct error *err)
{
    if (!begin_values(v, err))
        return false;
    for (size_t i = 0; i < run->metric_count; i++) {
        struct tracker_metric last = run->metrics[i];

        last.at_ms = last.at_ms >= 0 ? last.at_ms : ended_ms;
        if (!has_values(v, last.name))
            import_values_see(v, &last);
    }
    for (size_t i = 0; i < v->history.count; i++) {
        struct metric_series *s = v->history.series[i];

        for (size_t k = 0; k < s->count; k++)
            s->times[k] = fmax(0, s->times[k] - (double)run->started_ms / 1000);
    }
    *count = metric_history_changed(&v->history, to);
    for (size_t i = 0; i < *count; i++)
        set_last(&to[i], run);
    return true;
}

bool import_values_same(const struct tracker_run *run, const struct ledger_metric *recorded,
                        size_t count)
{
    if (count == 0 && run->metric_count > 0)
        return false;
    for (size_t i = 0; i < run->metric_count; i++) {
        const struct tracker_metric *m = &run->metrics[i];

        for (size_t k = 0; k < count; k++)
            if (is_name_of(recorded[k].name, m->name) && isfinite(m->value) &&
                recorded[k].last != m->value)
                return false;
    }
    return true;
}
