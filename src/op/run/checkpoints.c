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

static bool show_best_checkpoint(struct op_context *ctx, const void *in, void *out,
                                 struct error *err)
{
    const struct checkpoints_best_request *req = in;
    struct checkpoints_ask ask = req->ask;
    struct checkpoints_seen seen;

    ask.keep = CHECKPOINT_KEEP;
    return see_checkpoints(ctx, &ask, false, &seen, err) &&
           checkpoints_best(&seen, req->within, ctx->arena, out, err);
}

const struct op op_checkpoints_best = {
    .name = "checkpoints.best",
    .schema = "stint.checkpoints.best/1",
    .summary = "show the best checkpoint and a cheaper one close to it",
    .request =
        &(const struct field_set)FIELD_SET(struct checkpoints_best_request, best_request),
    .result = &checkpoints_best_fields,
    .run = show_best_checkpoint,
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

static bool prune_checkpoints(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    const struct checkpoints_prune_request *req = in;
    struct checkpoints_pruned *res = out;
    const struct checkpoints_work work = {.watch = &ctx->watch,
                                          .messages = &ctx->messages,
                                          .partly = &ctx->partly,
                                          .arena = ctx->arena,
                                          .dry_run = !req->yes};
    struct checkpoints_seen seen;
    bool *gone;

    res->storage_price = req->storage_price;
    if (!see_checkpoints(ctx, &req->ask, true, &seen, err) ||
        !op_storage_price(ctx, req->provider, "hot", &res->storage_price, &res->storage_source,
                          err))
        return false;
    res->keep = req->ask.keep;
    if (!checkpoints_prune(&work, &seen, res, &gone, err))
        return false;
    if (res->removed > 0)
        forget_removed(ctx, req->ask.run, &seen, gone);
    return true;
}

const struct op op_checkpoints_prune = {
    .name = "checkpoints.prune",
    .schema = "stint.checkpoints.prune/1",
    .changes = true,
    .summary = "remove old checkpoints (dry run by default)",
    .request =
        &(const struct field_set)FIELD_SET(struct checkpoints_prune_request, prune_request),
    .result = &checkpoints_pruned_fields,
    .run = prune_checkpoints,
};
