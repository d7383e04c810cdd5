#include "run/checkpoint/recall.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/runs/metrics.h"

#define RUNS 50 /* the newest ones, when none is named */

struct recall {
    struct arena *arena;
    stamp now;
    struct checkpoints_seen *seen;
    const bool *removed;                 /* when they are removed from the ledger's view */
    const struct ledger_metric *metrics; /* of the run that is looked at */
    size_t metric_count;
    char folder[PATH_MAX]; /* without links; empty: any matches */
};

bool checkpoint_path_in(struct str path, struct str start, const char *folder)
{
    char full[PATH_MAX], real[PATH_MAX];
    int len = (int)(path.len - str_after_last(path, '/').len);
    bool absolute = path.len > 0 && path.at[0] == '/';
    int put = snprintf(full, sizeof full, "%.*s/%.*s", absolute ? 0 : (int)start.len,
                       start.len > 0 ? start.at : "", len, len > 0 ? path.at : "");

    return put > 0 && (size_t)put < sizeof full && realpath(full, real) != NULL &&
           strcmp(real, folder) == 0;
}

static bool is_checkpoint_here(const struct recall *r, struct str start, struct str path)
{
    return r->folder[0] == '\0' || checkpoint_path_in(path, start, r->folder);
}

/* The metric that is asked for, of a run that rated its checkpoints by another: the newest
 * value up to the checkpoint's step. NaN when it was not printed. */
static double printed_by(const struct recall *r, double step)
{
    double value = NAN;

    for (size_t i = 0; i < r->metric_count; i++) {
        const struct ledger_metric *m = &r->metrics[i];

        if (!checkpoint_metric_is(r->seen->rules.metric, m->name))
            continue;
        for (size_t k = 0; k < m->steps.len; k++)
            if (m->steps.at[k] <= step)
                value = m->values.at[k];
    }
    return value;
}

static double recalled_metric(const struct recall *r, const struct ledger_checkpoint *known)
{
    if (known->metric_name.len == 0 ||
        checkpoint_metric_is(r->seen->rules.metric, known->metric_name))
        return known->metric;
    /* The history has the step that was reached, which need not be that of the value. */
    return r->seen->removes ? (double)NAN : printed_by(r, known->step);
}

static void recall_one(const struct recall *r, struct str start,
                       const struct ledger_checkpoint *known)
{
    struct str name = str_after_last(known->path, '/');

    for (size_t i = 0; i < r->seen->count; i++) {
        struct checkpoint *c = &r->seen->list[i];

        if (!str_eq(c->name, name) || c->cost.nano != MONEY_UNKNOWN ||
            !is_checkpoint_here(r, start, known->path))
            continue;
        c->ours = known->gone.s < 0;
        c->cost = known->cost;
        c->took_s = known->took_s;
        if (isnan(c->metric) && r->seen->rules.metric.len > 0)
            c->metric = recalled_metric(r, known);
    }
}

/* One of the run's that was removed. */
static void forget_one(const struct recall *r, struct ledger *ledger,
                       const struct ledger_run *run, const struct ledger_checkpoint *known)
{
    struct str name = str_after_last(known->path, '/');
    struct error ignored;

    for (size_t i = 0; known->gone.s < 0 && i < r->seen->count; i++)
        if (r->removed[i] && str_eq(r->seen->list[i].name, name) &&
            is_checkpoint_here(r, run->start.folder, known->path))
            (void)!ledger_checkpoint_gone(ledger, run->start.id, known->path, r->now, &ignored);
}

static bool recall_run(struct recall *r, struct ledger *ledger, const struct ledger_run *run,
                       struct error *err)
{
    const struct ledger_checkpoint *list;
    size_t count;

    if (!ledger_checkpoints(ledger, run->start.id, r->arena, &list, &count, err))
        return false;
    r->metric_count = 0;
    if (count > 0 && r->removed == NULL && r->seen->rules.metric.len > 0 &&
        !ledger_metrics(ledger, run->start.id, r->arena, &r->metrics, &r->metric_count, err))
        return false;
    for (size_t i = count; i-- > 0;) /* the newest first */
        if (r->removed != NULL)
            forget_one(r, ledger, run, &list[i]);
        else
            recall_one(r, run->start.folder, &list[i]);
    return true;
}

static bool recall_newest(struct recall *r, struct ledger *ledger, struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = RUNS};
    const struct ledger_run *runs;
    size_t count;

    if (realpath(r->seen->folder, r->folder) == NULL)
        return true;
    if (!ledger_runs(ledger, &query, r->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!recall_run(r, ledger, &runs[i], err))
            return false;
    return true;
}

bool checkpoints_recall(struct ledger *ledger, struct str run, struct checkpoints_seen *seen,
                        struct arena *arena, struct error *err)
{
    struct recall r = {.arena = arena, .seen = seen};
    struct ledger_run found;

    if (run.len == 0)
        return recall_newest(&r, ledger, err);
    return ledger_find(ledger, run, arena, &found, err) && recall_run(&r, ledger, &found, err);
}

void checkpoints_forget(struct ledger *ledger, struct str run,
                        const struct checkpoints_seen *seen, const bool *removed, stamp now,
                        struct arena *arena)
{
    struct checkpoints_seen copy = *seen;
    struct recall r = {.arena = arena, .seen = &copy, .removed = removed, .now = now};
    struct error ignored;
    struct ledger_run found;

    if (run.len == 0)
        (void)!recall_newest(&r, ledger, &ignored);
    else if (ledger_find(ledger, run, arena, &found, &ignored))
        (void)!recall_run(&r, ledger, &found, &ignored);
}

/* ---- as records of results ---- */

#define VIEW(label, kind, member, ...) \
    FIELD_AS(label, kind, checkpoint_view, member, __VA_ARGS__)

static const struct field view_fields[] = {
    VIEW("name", TEXT, is.name, .help = "name in the folder"),
    VIEW("step", NUMBER, is.step, .help = "training step from the name; null: none"),
    VIEW("metric", NUMBER, is.metric, .help = "value of the metric; null: unknown"),
    VIEW("size", BYTES, size, .help = "size of its files on disk"),
    VIEW("frees", BYTES, frees, .help = "space freed by removing it"),
    VIEW("files", COUNT, is.files, .help = "number of files"),
    VIEW("changed", TIME, changed, .help = "time of the newest change of its files, in UTC"),
    VIEW("cost", USD, is.cost, .help = "cost of the run when it was written; null: unknown"),
    VIEW("state", TEXT, state, .help = "state: whole (complete), or the reason why it is not"),
    VIEW("whole", FLAG, whole, .help = "checkpoint is complete"),
    VIEW("best", FLAG, is.best, .help = "best by the metric"),
    VIEW("keep", FLAG, is.keep, .help = "kept by the rules"),
    VIEW("removed", FLAG, removed, .help = "removed just now"),
    VIEW("reason", TEXT, why, .help = "reason for keeping or removing it"),
};

const struct field_set checkpoint_view_fields = FIELD_SET(struct checkpoint_view, view_fields);

struct checkpoint_view checkpoint_view_of(const struct checkpoints_seen *seen,
                                          const struct checkpoint *c)
{
    bool whole = checkpoint_whole(c, seen->rules.settle_s, seen->now_ns);

    return (struct checkpoint_view){
        .is = *c,
        .size = bytes_from(c->bytes),
        .frees = bytes_from(c->frees),
        .changed = {c->changed_ns / SECOND},
        .state = whole ? STR("whole") : str_from(c->doubt != NULL ? c->doubt : c->why),
        .whole = whole,
        .why = str_from(c->why),
    };
}

struct checkpoint_view *checkpoint_views(const struct checkpoints_seen *seen,
                                         struct arena *arena, struct error *err)
{
    struct checkpoint_view *rows = arena_array(arena, struct checkpoint_view, seen->count, err);

    for (size_t i = 0; rows != NULL && i < seen->count; i++)
        rows[i] = checkpoint_view_of(seen, &seen->list[i]);
    return rows;
}

static const struct field step_fields[] = {
    FIELD_AS("name", TEXT, checkpoint_step, is.name,
             .help = "checkpoint that improved on all before it"),
    FIELD_AS("step", NUMBER, checkpoint_step, is.step, .help = "training step from the name"),
    FIELD_AS("metric", NUMBER, checkpoint_step, is.metric,
             .help = "value of the requested metric"),
    FIELD(NUMBER, checkpoint_step, gain,
          .help = "improvement over the best before, as a share of that"),
    FIELD_AS("cost", USD, checkpoint_step, is.cost,
             .help = "cost of the run until then; null: unknown"),
    FIELD(USD, checkpoint_step, more, .help = "cost since the best before it"),
    FIELD(USD, checkpoint_step, marginal, .help = "cost per 1 % improvement of the metric"),
};

const struct field_set checkpoint_step_fields = FIELD_SET(struct checkpoint_step, step_fields);

double checkpoint_gain(double from, double to, bool greater)
{
    double better = greater ? to - from : from - to;

    return from != 0 ? better / fabs(from) : NAN;
}

bool checkpoint_steps(const struct checkpoints_seen *seen, struct arena *arena,
                      struct rows *out, struct error *err)
{
    struct checkpoint_step *rows = arena_array(arena, struct checkpoint_step, seen->count, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < seen->count; i++) {
        const struct checkpoint *c = &seen->list[i];
        const struct checkpoint_step *last = count > 0 ? &rows[count - 1] : NULL;
        double better;

        if (isnan(c->metric) || !checkpoint_whole(c, seen->rules.settle_s, seen->now_ns) ||
            (last != NULL && (seen->rules.greater ? c->metric <= last->is.metric
                                                  : c->metric >= last->is.metric)))
            continue;
        rows[count] = (struct checkpoint_step){
            .is = *c, .gain = NAN, .more = USD_UNKNOWN, .marginal = USD_UNKNOWN};
        if (last != NULL) {
            better = checkpoint_gain(last->is.metric, c->metric, seen->rules.greater);
            rows[count].gain = better;
            rows[count].more = usd_less(c->cost, last->is.cost);
            rows[count].marginal = usd_from(usd_double(rows[count].more) / (better * 100));
        }
        count++;
    }
    *out = (struct rows){rows, count};
    return true;
}
