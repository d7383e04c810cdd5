/* checkpoints.list, checkpoints.prune, checkpoints.best */
#include "op/run/checkpoints.h"

#include <math.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/storage_price.h"

/* ---- what they share ---- */

/* Without a run to look for, a ledger that is not there or cannot be read is no failure. */
static bool recall_costs(struct op_context *ctx, struct str run, struct checkpoints_seen *seen,
                         struct error *err)
{
    struct error why = {0};
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, &why);
    bool ok = ledger != NULL && checkpoints_recall(ledger, run, seen, ctx->arena, &why);

    ledger_close(ledger);
    if (ok || (run.len == 0 && why.kind != ERROR_MEMORY))
        return true;
    *err = why;
    return false;
}

static bool see_checkpoints(struct op_context *ctx, const struct checkpoints_ask *ask,
                            bool removes, struct checkpoints_seen *out, struct error *err)
{
    *out = (struct checkpoints_seen){
        .rules = {.keep = (int)(ask->keep < INT32_MAX ? ask->keep : INT32_MAX),
                  .settle_s = span_in_seconds(ask->settle)},
        /* Files are dated by the machine's clock, not by STINT_NOW. */
        .now_ns = (clock_system.today(clock_system.ctx).s + 1) * SECOND,
        .removes = removes};
    out->folder = str_dup(ask->folder, ctx->arena, err);
    if (out->folder == NULL ||
        (ask->best.len > 0 && !checkpoint_best_parse(ask->best, &out->rules, err)) ||
        !checkpoints_scan(out->folder, out->rules.metric, ctx->arena, &out->list, &out->count,
                          err) ||
        !recall_costs(ctx, ask->run, out, err))
        return false;
    out->rules.ours_only = ask->run.len > 0;
    if (out->count == CHECKPOINTS_MOST)
        message_warn(&ctx->messages,
                     "'%s' may hold more than these %d: run this again when some are gone",
                     out->folder, CHECKPOINTS_MOST);
    checkpoints_decide(out->list, out->count, &out->rules, out->now_ns);
    return true;
}

/* ---- checkpoints.list ---- */

static const struct field list_request[] = {
    CHECKPOINTS_FIELDS(checkpoints_list_request, false),
};

static const struct field list_result[] = {
    FIELD(TEXT, checkpoints_list_result, folder, .help = "folder of the checkpoints"),
    FIELD(TEXT, checkpoints_list_result, metric, .help = "metric as given"),
    FIELD(LIST, checkpoints_list_result, checkpoints, .row = &checkpoint_view_fields,
          .help = "checkpoints, oldest first"),
    FIELD(BYTES, checkpoints_list_result, size,
          .help = "total size of those with a known size"),
    FIELD(COUNT, checkpoints_list_result, unknown, .help = "checkpoints of unknown size"),
};

static bool checkpoints_list(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct checkpoints_list_request *req = in;
    struct checkpoints_list_result *res = out;
    struct checkpoints_ask ask = req->ask;
    struct checkpoints_seen seen;
    double size = 0;

    ask.keep = CHECKPOINT_KEEP;
    if (!see_checkpoints(ctx, &ask, false, &seen, err))
        return false;
    res->checkpoints = (struct rows){checkpoint_views(&seen, ctx->arena, err), seen.count};
    if (res->checkpoints.at == NULL)
        return false;
    res->folder = ask.folder;
    res->metric = seen.rules.metric;
    res->unknown = 0;
    for (size_t i = 0; i < seen.count; i++) {
        res->unknown += isnan(seen.list[i].bytes);
        size += isnan(seen.list[i].bytes) ? 0 : seen.list[i].bytes;
    }
    res->size = bytes_from(size);
    return true;
}

const struct op op_checkpoints_list = {
    .name = "checkpoints.list",
    .schema = "stint.checkpoints.list/1",
    .summary = "list the checkpoints in a folder, complete or not",
    .request =
        &(const struct field_set)FIELD_SET(struct checkpoints_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_list_result, list_result),
    .run = checkpoints_list,
};

/* ---- checkpoints.best ---- */

static const struct field best_request[] = {
    CHECKPOINTS_FIELDS(checkpoints_best_request, true),
    FIELD(SHARE, checkpoints_best_request, within, .value = "SHARE", .fallback = "1%",
          .help = "share of the best metric that counts as equally good"),
};

static const struct field best_result[] = {
    FIELD(TEXT, checkpoints_best_result, folder, .help = "folder of the checkpoints"),
    FIELD(TEXT, checkpoints_best_result, metric, .help = "metric as given"),
    FIELD(RECORD, checkpoints_best_result, best, .row = &checkpoint_view_fields,
          .help = "best complete checkpoint by the metric"),
    FIELD(RECORD, checkpoints_best_result, cost_efficient, .row = &checkpoint_view_fields,
          .help =
              "equally good checkpoint at the lowest cost; the oldest if costs are unknown"),
    FIELD(FLAG, checkpoints_best_result, differ,
          .help = "best and cost-efficient checkpoint differ"),
    FIELD(NUMBER, checkpoints_best_result, worse,
          .help = "difference of its metric from the best, as a share"),
    FIELD(USD, checkpoints_best_result, saved,
          .help = "savings by stopping there; null: unknown"),
    FIELD(NUMBER, checkpoints_best_result, saved_share,
          .help = "savings as a share of the best one's cost"),
    FIELD(COUNT, checkpoints_best_result, without, .help = "checkpoints without the metric"),
    FIELD(LIST, checkpoints_best_result, steps, .row = &checkpoint_step_fields,
          .help = "checkpoints that improved on all before them, and their cost"),
};

static bool checkpoints_best(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct checkpoints_best_request *req = in;
    struct checkpoints_best_result *res = out;
    const struct checkpoint *best = NULL, *cost_efficient;
    struct checkpoints_ask ask = req->ask;
    struct checkpoints_seen seen;

    ask.keep = CHECKPOINT_KEEP;
    if (!see_checkpoints(ctx, &ask, false, &seen, err))
        return false;
    res->without = 0;
    for (size_t i = 0; i < seen.count; i++) {
        best = seen.list[i].best ? &seen.list[i] : best;
        res->without += isnan(seen.list[i].metric);
    }
    cost_efficient = checkpoints_thrifty(seen.list, seen.count, &seen.rules, req->within);
    if (best == NULL || cost_efficient == NULL) {
        error_set(err, ERROR_ABSENT, "no complete checkpoint in '%s' has a value of '%.*s'",
                  seen.folder, STR_ARG(seen.rules.metric));
        error_hint(err, "values come from names (val_loss=0.12), trainer_state.json and "
                        "the ledger: 'stint run --checkpoints DIR' records it");
        return false;
    }
    res->folder = ask.folder;
    res->metric = seen.rules.metric;
    res->differ = best != cost_efficient;
    res->worse = -checkpoint_gain(best->metric, cost_efficient->metric, seen.rules.greater);
    res->saved = usd_less(best->cost, cost_efficient->cost);
    if (res->saved.nano != MONEY_UNKNOWN && best->cost.nano > 0)
        res->saved_share = usd_double(res->saved) / usd_double(best->cost);
    res->best = checkpoint_view_of(&seen, best);
    res->cost_efficient = checkpoint_view_of(&seen, cost_efficient);
    return checkpoint_steps(&seen, ctx->arena, &res->steps, err);
}

const struct op op_checkpoints_best = {
    .name = "checkpoints.best",
    .schema = "stint.checkpoints.best/1",
    .summary = "show the best checkpoint and a cheaper one close to it",
    .request =
        &(const struct field_set)FIELD_SET(struct checkpoints_best_request, best_request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_best_result, best_result),
    .run = checkpoints_best,
};

/* ---- checkpoints.prune ---- */

static const struct field prune_request[] = {
    CHECKPOINTS_FIELDS(checkpoints_prune_request, false),
    FIELD_AS("keep", COUNT, checkpoints_prune_request, ask.keep, .value = "N", .fallback = "3",
             .positive = true, .help = "keep the newest N of each series"),
    FIELD(PER_GB, checkpoints_prune_request, storage_price, .value = "PRICE",
          .help = "price per GB and month of storage: '$0.08/GB' (default: the catalog's)"),
    FIELD(TEXT, checkpoints_prune_request, provider, .value = "PROVIDER",
          .help = "provider whose storage price to use"),
    FIELD(FLAG, checkpoints_prune_request, yes, .help = "remove them (default: dry run)"),
};

static const struct field prune_result[] = {
    FIELD(TEXT, checkpoints_prune_result, folder, .help = "folder of the checkpoints"),
    FIELD(TEXT, checkpoints_prune_result, metric, .help = "metric as given"),
    FIELD(FLAG, checkpoints_prune_result, dry_run, .help = "dry run: nothing was removed"),
    FIELD(LIST, checkpoints_prune_result, checkpoints, .row = &checkpoint_view_fields,
          .help = "checkpoints, oldest first"),
    FIELD(COUNT, checkpoints_prune_result, keep,
          .help = "newest checkpoints of each series to keep"),
    FIELD_AS("to_remove", COUNT, checkpoints_prune_result, going,
             .help = "checkpoints that the rules do not keep"),
    FIELD(COUNT, checkpoints_prune_result, removed, .help = "checkpoints removed"),
    FIELD(COUNT, checkpoints_prune_result, left,
          .help = "checkpoints that could not be removed"),
    FIELD(BYTES, checkpoints_prune_result, frees, .help = "bytes freed, at least"),
    FIELD(USD, checkpoints_prune_result, month, .help = "savings per month"),
    FIELD(PER_GB, checkpoints_prune_result, storage_price,
          .help = "storage price per GB and month"),
    FIELD(TEXT, checkpoints_prune_result, storage_source,
          .help = "source of the storage price"),
};

/* Remove what the rules do not keep; continue after a failure. */
static void remove_all(struct op_context *ctx, const struct checkpoints_seen *seen,
                       struct checkpoint_view *rows, struct checkpoints_prune_result *res)
{
    for (size_t i = 0; i < seen->count; i++) {
        struct error err;

        if (seen->list[i].keep)
            continue;
        watch_progress(&ctx->watch, "removing", (uint64_t)(res->removed + res->left),
                       (uint64_t)res->going);
        if (watch_stopped(&ctx->watch)) {
            res->left++;
            continue;
        }
        rows[i].removed = checkpoint_remove(seen->folder, seen->list[i].name, &err);
        if (!rows[i].removed)
            message_warn(&ctx->messages, "%s", err.text);
        res->removed += rows[i].removed;
        res->left += !rows[i].removed;
    }
    ctx->partly = ctx->partly || res->left > 0;
}

/* Finish removals that were interrupted. */
static void finish_removals(struct op_context *ctx, const struct checkpoints_seen *seen)
{
    struct error err;
    size_t count;

    if (!checkpoints_sweep(seen->folder, &count, &err)) {
        message_warn(&ctx->messages, "%s", err.text);
        ctx->partly = true;
    } else if (count > 0) {
        message_note(&ctx->messages, "finished %zu removal%s that had been interrupted", count,
                     count > 1 ? "s" : "");
    }
}

/* The runs that wrote them know that they are gone, if there is a ledger at all. */
static void forget_removed(struct op_context *ctx, struct str run,
                           const struct checkpoints_seen *seen, const bool *removed)
{
    struct error ignored;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, &ignored);

    if (ledger == NULL)
        return;
    ledger_close(ledger);
    ledger = op_ledger(ctx, LEDGER_WRITE, &ignored);
    if (ledger == NULL)
        return;
    checkpoints_forget(ledger, run, seen, removed, op_now(ctx), ctx->arena);
    ledger_close(ledger);
}

static bool checkpoints_prune(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    const struct checkpoints_prune_request *req = in;
    struct checkpoints_prune_result *res = out;
    struct checkpoints_seen seen;
    struct checkpoint_view *rows;
    bool *gone;
    double frees = 0;

    res->storage_price = req->storage_price;
    if (!see_checkpoints(ctx, &req->ask, true, &seen, err) ||
        !op_storage_price(ctx, req->provider, "hot", &res->storage_price, &res->storage_source,
                          err))
        return false;
    rows = checkpoint_views(&seen, ctx->arena, err);
    gone = rows != NULL ? arena_array(ctx->arena, bool, seen.count, err) : NULL;
    if (gone == NULL)
        return false;
    res->folder = req->ask.folder;
    res->metric = seen.rules.metric;
    res->keep = req->ask.keep;
    res->dry_run = !req->yes;
    res->going = res->removed = res->left = 0;
    for (size_t i = 0; i < seen.count; i++) {
        res->going += !seen.list[i].keep;
        frees += seen.list[i].keep ? 0 : seen.list[i].frees;
    }
    if (req->yes) {
        finish_removals(ctx, &seen);
        remove_all(ctx, &seen, rows, res);
        frees = 0;
        for (size_t i = 0; i < seen.count; i++) {
            gone[i] = rows[i].removed;
            frees += gone[i] ? seen.list[i].frees : 0;
        }
        if (res->removed > 0)
            forget_removed(ctx, req->ask.run, &seen, gone);
    }
    res->checkpoints = (struct rows){rows, seen.count};
    res->frees = (bytes){(uint64_t)frees};
    res->month = usd_for_bytes(res->storage_price, res->frees.n);
    return true;
}

const struct op op_checkpoints_prune = {
    .name = "checkpoints.prune",
    .schema = "stint.checkpoints.prune/1",
    .changes = true,
    .summary = "remove old checkpoints (dry run by default)",
    .request =
        &(const struct field_set)FIELD_SET(struct checkpoints_prune_request, prune_request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_prune_result, prune_result),
    .run = checkpoints_prune,
};
