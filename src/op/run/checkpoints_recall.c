/* What the ledger knows of checkpoints: what the run had cost when each was whole, and the
 * metric it was told. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/run/checkpoints.h"

#define RUNS 50 /* the newest that are asked, when none is named */

struct recall {
    struct op_context *ctx;
    struct checkpoints_seen *seen;
    const bool *removed;                 /* when they are to be forgotten */
    const struct ledger_metric *metrics; /* of the run that is looked at */
    size_t metric_count;
    char folder[PATH_MAX]; /* without links; empty: any will do */
};

/* Is it in the folder? Paths of the ledger are from where the run was started. */
static bool is_here(const struct recall *r, struct str start, struct str path)
{
    char whole[PATH_MAX], real[PATH_MAX];
    const char *slash = path.len > 0 ? memrchr(path.at, '/', path.len) : NULL;
    size_t len = slash != NULL ? (size_t)(slash - path.at) : 0;
    int put;

    if (r->folder[0] == '\0')
        return true;
    put = path.len > 0 && path.at[0] == '/'
              ? snprintf(whole, sizeof whole, "%.*s/", (int)len, path.at)
              : snprintf(whole, sizeof whole, "%.*s/%.*s", (int)start.len, start.at, (int)len,
                         len > 0 ? path.at : "");
    return put > 0 && (size_t)put < sizeof whole && realpath(whole, real) != NULL &&
           strcmp(real, r->folder) == 0;
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

static double metric_of(const struct recall *r, const struct ledger_checkpoint *known)
{
    if (known->metric_name.len == 0 ||
        checkpoint_metric_is(r->seen->rules.metric, known->metric_name))
        return known->metric;
    return printed_by(r, known->step);
}

static void apply(const struct recall *r, struct str start,
                  const struct ledger_checkpoint *known)
{
    const char *slash =
        known->path.len > 0 ? memrchr(known->path.at, '/', known->path.len) : NULL;
    size_t skip = slash != NULL ? (size_t)(slash - known->path.at) + 1 : 0;
    struct str name = {known->path.at + skip, known->path.len - skip};

    for (size_t i = 0; i < r->seen->count; i++) {
        struct checkpoint *c = &r->seen->list[i];

        if (!str_eq(c->name, name) || c->cost.nano != MONEY_UNKNOWN ||
            !is_here(r, start, known->path))
            continue;
        c->ours = known->gone.s < 0;
        c->cost = known->cost;
        c->took_s = known->took_s;
        if (isnan(c->metric) && r->seen->rules.metric.len > 0)
            c->metric = metric_of(r, known);
    }
}

/* One of the run's that was removed. */
static void forget(const struct recall *r, struct ledger *ledger, const struct ledger_run *run,
                   const struct ledger_checkpoint *known)
{
    const char *slash =
        known->path.len > 0 ? memrchr(known->path.at, '/', known->path.len) : NULL;
    size_t skip = slash != NULL ? (size_t)(slash - known->path.at) + 1 : 0;
    struct str name = {known->path.at + skip, known->path.len - skip};
    struct error ignored;

    for (size_t i = 0; known->gone.s < 0 && i < r->seen->count; i++)
        if (r->removed[i] && str_eq(r->seen->list[i].name, name) &&
            is_here(r, run->start.folder, known->path))
            (void)!ledger_checkpoint_gone(ledger, run->start.id, known->path,
                                          r->ctx->clock->today(r->ctx->clock->ctx), &ignored);
}

static bool recall_run(struct recall *r, struct ledger *ledger, const struct ledger_run *run,
                       struct error *err)
{
    const struct ledger_checkpoint *list;
    size_t count;

    if (!ledger_checkpoints(ledger, run->start.id, r->ctx->arena, &list, &count, err))
        return false;
    r->metric_count = 0;
    if (count > 0 && r->removed == NULL && r->seen->rules.metric.len > 0 &&
        !ledger_metrics(ledger, run->start.id, r->ctx->arena, &r->metrics, &r->metric_count,
                        err))
        return false;
    for (size_t i = count; i-- > 0;) /* the newest word first */
        if (r->removed != NULL)
            forget(r, ledger, run, &list[i]);
        else
            apply(r, run->start.folder, &list[i]);
    return true;
}

static bool recall_newest(struct recall *r, struct ledger *ledger, struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = RUNS};
    const struct ledger_run *runs;
    size_t count;

    if (realpath(r->seen->folder, r->folder) == NULL)
        return true;
    if (!ledger_runs(ledger, &query, r->ctx->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!recall_run(r, ledger, &runs[i], err))
            return false;
    return true;
}

bool checkpoints_recall(struct op_context *ctx, struct str run, struct checkpoints_seen *seen,
                        struct error *err)
{
    struct recall r = {.ctx = ctx, .seen = seen};
    struct error why = {0};
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, &why);
    struct ledger_run found;
    bool ok;

    if (ledger == NULL && run.len == 0 && why.kind != ERROR_MEMORY)
        return true; /* nobody asked for it */
    if (ledger == NULL) {
        *err = why;
        return false;
    }
    ok = run.len > 0 ? ledger_find(ledger, run, ctx->arena, &found, err) &&
                           recall_run(&r, ledger, &found, err)
                     : recall_newest(&r, ledger, &why);
    ledger_close(ledger);
    if (!ok && run.len == 0 && why.kind == ERROR_MEMORY) {
        *err = why;
        return false;
    }
    return ok || run.len == 0;
}

void checkpoints_forget(struct op_context *ctx, struct str run,
                        const struct checkpoints_seen *seen, const bool *removed)
{
    struct checkpoints_seen copy = *seen;
    struct recall r = {.ctx = ctx, .seen = &copy, .removed = removed};
    struct error ignored;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, &ignored); /* is there one at all? */
    struct ledger_run found;

    ledger_close(ledger);
    ledger = ledger != NULL ? op_ledger(ctx, LEDGER_WRITE, &ignored) : NULL;
    if (ledger == NULL)
        return;
    if (run.len == 0)
        (void)!recall_newest(&r, ledger, &ignored);
    else if (ledger_find(ledger, run, ctx->arena, &found, &ignored))
        (void)!recall_run(&r, ledger, &found, &ignored);
    ledger_close(ledger);
}
