#include "run/checkpoint/prune.h"

#include <math.h>

#include "base/num.h"
#include "run/checkpoint/checkpoints.h"

static const struct field best_fields[] = {
    FIELD(TEXT, checkpoints_best, folder, .help = "folder of the checkpoints"),
    FIELD(TEXT, checkpoints_best, metric, .help = "metric as given"),
    FIELD(RECORD, checkpoints_best, best, .row = &checkpoint_view_fields,
          .help = "best complete checkpoint by the metric"),
    FIELD(RECORD, checkpoints_best, cost_efficient, .row = &checkpoint_view_fields,
          .help =
              "equally good checkpoint at the lowest cost; the oldest if costs are unknown"),
    FIELD(FLAG, checkpoints_best, differ, .help = "best and cost-efficient checkpoint differ"),
    FIELD(NUMBER, checkpoints_best, worse,
          .help = "difference of its metric from the best, as a share"),
    FIELD(USD, checkpoints_best, saved, .help = "savings by stopping there; null: unknown"),
    FIELD(NUMBER, checkpoints_best, saved_share,
          .help = "savings as a share of the best one's cost"),
    FIELD(COUNT, checkpoints_best, without, .help = "checkpoints without the metric"),
    FIELD(LIST, checkpoints_best, steps, .row = &checkpoint_step_fields,
          .help = "checkpoints that improved on all before them, and their cost"),
};

const struct field_set checkpoints_best_fields =
    FIELD_SET(struct checkpoints_best, best_fields);

bool checkpoints_best(const struct checkpoints_seen *seen, double within, struct arena *arena,
                      struct checkpoints_best *out, struct error *err)
{
    const struct checkpoint *best = NULL, *cost_efficient;

    out->without = 0;
    for (size_t i = 0; i < seen->count; i++) {
        best = seen->list[i].best ? &seen->list[i] : best;
        out->without += isnan(seen->list[i].metric);
    }
    cost_efficient = checkpoints_thrifty(seen->list, seen->count, &seen->rules, within);
    if (best == NULL || cost_efficient == NULL) {
        error_set(err, ERROR_ABSENT, "no complete checkpoint in '%s' has a value of '%.*s'",
                  seen->folder, STR_ARG(seen->rules.metric));
        error_hint(err, "values come from names (val_loss=0.12), trainer_state.json and "
                        "the ledger: 'stint run --checkpoints DIR' records it");
        return false;
    }
    out->folder = str_from(seen->folder);
    out->metric = seen->rules.metric;
    out->differ = best != cost_efficient;
    out->worse = -checkpoint_gain(best->metric, cost_efficient->metric, seen->rules.greater);
    out->saved = usd_less(best->cost, cost_efficient->cost);
    if (out->saved.nano != MONEY_UNKNOWN && best->cost.nano > 0)
        out->saved_share = usd_double(out->saved) / usd_double(best->cost);
    out->best = checkpoint_view_of(seen, best);
    out->cost_efficient = checkpoint_view_of(seen, cost_efficient);
    return checkpoint_steps(seen, arena, &out->steps, err);
}

static const struct field pruned_fields[] = {
    FIELD(TEXT, checkpoints_pruned, folder, .help = "folder of the checkpoints"),
    FIELD(TEXT, checkpoints_pruned, metric, .help = "metric as given"),
    FIELD(FLAG, checkpoints_pruned, dry_run, .help = "dry run: nothing was removed"),
    FIELD(LIST, checkpoints_pruned, checkpoints, .row = &checkpoint_view_fields,
          .help = "checkpoints, oldest first"),
    FIELD(COUNT, checkpoints_pruned, keep, .help = "newest checkpoints of each series to keep"),
    FIELD_AS("to_remove", COUNT, checkpoints_pruned, going,
             .help = "checkpoints that the rules do not keep"),
    FIELD(COUNT, checkpoints_pruned, removed, .help = "checkpoints removed"),
    FIELD(COUNT, checkpoints_pruned, failed, .help = "checkpoints that could not be removed"),
    FIELD(BYTES, checkpoints_pruned, frees, .help = "bytes freed, at least"),
    FIELD(USD, checkpoints_pruned, month, .help = "savings per month"),
    FIELD(PER_GB, checkpoints_pruned, storage_price, .help = "storage price per GB and month"),
    FIELD(TEXT, checkpoints_pruned, storage_source, .help = "source of the storage price"),
};

const struct field_set checkpoints_pruned_fields =
    FIELD_SET(struct checkpoints_pruned, pruned_fields);

/* Remove what the rules do not keep; continue after a failure. */
static void remove_unkept(const struct checkpoints_work *work,
                          const struct checkpoints_seen *seen, struct checkpoint_view *rows,
                          struct checkpoints_pruned *out)
{
    for (size_t i = 0; i < seen->count; i++) {
        struct error err;

        if (seen->list[i].keep)
            continue;
        watch_progress(work->watch, "removing", (uint64_t)(out->removed + out->failed),
                       (uint64_t)out->going);
        if (watch_stopped(work->watch)) {
            out->failed++;
            continue;
        }
        rows[i].removed = checkpoint_remove(seen->folder, seen->list[i].name, &err);
        if (!rows[i].removed)
            message_warn(work->messages, "%s", err.text);
        out->removed += rows[i].removed;
        out->failed += !rows[i].removed;
    }
    *work->partly = *work->partly || out->failed > 0;
}

/* Finish removals that were interrupted. */
static void finish_removals(const struct checkpoints_work *work,
                            const struct checkpoints_seen *seen)
{
    struct error err;
    size_t count;

    if (!checkpoints_sweep(seen->folder, &count, &err)) {
        message_warn(work->messages, "%s", err.text);
        *work->partly = true;
    } else if (count > 0) {
        message_note(work->messages, "finished %zu removal%s that had been interrupted", count,
                     count > 1 ? "s" : "");
    }
}

bool checkpoints_prune(const struct checkpoints_work *work, const struct checkpoints_seen *seen,
                       struct checkpoints_pruned *out, bool **gone, struct error *err)
{
    struct checkpoint_view *rows = checkpoint_views(seen, work->arena, err);
    double frees = 0;

    *gone = rows != NULL ? arena_array(work->arena, bool, seen->count, err) : NULL;
    if (*gone == NULL)
        return false;
    out->folder = str_from(seen->folder);
    out->metric = seen->rules.metric;
    out->dry_run = work->dry_run;
    out->going = out->removed = out->failed = 0;
    for (size_t i = 0; i < seen->count; i++)
        out->going += !seen->list[i].keep;
    if (!work->dry_run) {
        finish_removals(work, seen);
        remove_unkept(work, seen, rows, out);
    }
    for (size_t i = 0; i < seen->count; i++) {
        bool goes = work->dry_run ? !seen->list[i].keep : rows[i].removed;

        (*gone)[i] = rows[i].removed;
        frees += goes ? seen->list[i].frees : 0;
    }
    out->checkpoints = (struct rows){rows, seen->count};
    out->frees = (bytes){(uint64_t)frees};
    out->month = usd_for_bytes(out->storage_price, out->frees.n);
    return true;
}
