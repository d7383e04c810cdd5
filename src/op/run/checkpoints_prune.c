/* checkpoints.prune - keep the newest and the best, remove the others: only told, without
 * --yes. */
#include "op/context.h"
#include "op/op.h"
#include "op/run/checkpoints.h"

#include <math.h>

static const struct field request[] = {
    CHECKPOINTS_FIELDS(checkpoints_prune_request, false),
    FIELD_AS("keep", COUNT, checkpoints_prune_request, ask.keep, .value = "N", .fallback = "3",
             .positive = true, .help = "keep the newest N of each series"),
    FIELD(PER_GB, checkpoints_prune_request, storage_price, .value = "PRICE",
          .help = "of keeping a GB for a month, such as '$0.08/GB'; else the catalog's"),
    FIELD(TEXT, checkpoints_prune_request, provider, .value = "PROVIDER",
          .help = "whose storage price to take from the catalog"),
    FIELD(FLAG, checkpoints_prune_request, yes, .help = "do remove them; else it is only said"),
};

static const struct field result[] = {
    FIELD(TEXT, checkpoints_prune_result, folder, .help = "that was looked at"),
    FIELD(TEXT, checkpoints_prune_result, metric, .help = "that was asked for"),
    FIELD(FLAG, checkpoints_prune_result, dry_run, .help = "nothing was removed"),
    FIELD(LIST, checkpoints_prune_result, checkpoints, .row = &checkpoint_view_fields,
          .help = "the oldest first"),
    FIELD(COUNT, checkpoints_prune_result, keep, .help = "of the newest of a series"),
    FIELD(COUNT, checkpoints_prune_result, going, .help = "checkpoints that the rules let go"),
    FIELD(COUNT, checkpoints_prune_result, removed, .help = "of them: removed"),
    FIELD(COUNT, checkpoints_prune_result, left, .help = "of them: could not be"),
    FIELD(BYTES, checkpoints_prune_result, frees, .help = "that they give back, at least"),
    FIELD(USD, checkpoints_prune_result, month, .help = "what that saves a month"),
    FIELD(PER_GB, checkpoints_prune_result, storage_price, .help = "of a GB for a month"),
    FIELD(TEXT, checkpoints_prune_result, storage_source, .help = "where the price is from"),
};

/* Whose storage: said, configured, or the catalog's first. */
static struct str seller(const struct op_context *ctx, struct str said)
{
    if (said.len > 0 || ctx->settings->providers.len == 0)
        return said;
    return ctx->settings->providers.at[0];
}

static bool describe(struct op_context *ctx, const struct storage *s, struct str *out,
                     struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 512);
    bool ok;

    buf_add(&text, s->provider);
    buf_char(&text, ' ');
    buf_add(&text, s->product);
    buf_adds(&text, ", ");
    day_write(s->fact.date, &text);
    ok = buf_ok(&text, err);
    *out = buf_text(&text);
    out->at = ok ? str_dup(*out, ctx->arena, err) : NULL;
    buf_free(&text);
    return out->at != NULL;
}

static bool find_price(struct op_context *ctx, const struct checkpoints_prune_request *req,
                       struct checkpoints_prune_result *res, struct error *err)
{
    struct str provider = seller(ctx, req->provider);
    const struct rows *table = &ctx->catalog.tables[TABLE_STORAGE];

    res->storage_price = req->storage_price;
    res->storage_source = STR("as said");
    if (req->storage_price.nano != MONEY_UNKNOWN)
        return true;
    res->storage_source = (struct str){0};
    if (!op_catalog(ctx, TABLE_BIT(TABLE_STORAGE), err) ||
        (req->provider.len > 0 &&
         !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_STORAGE), "provider",
                                 (struct strs){&req->provider, 1}, err)))
        return false;
    for (size_t i = 0; i < table->len; i++) {
        const struct storage *s = CATALOG_ROW(&ctx->catalog, TABLE_STORAGE, storage, i);

        if (!str_eq(s->tier, STR("hot")) ||
            (provider.len > 0 && !str_eq_nocase(s->provider, provider)))
            continue;
        res->storage_price = s->usd_gb_month;
        return describe(ctx, s, &res->storage_source, err);
    }
    return true;
}

/* Remove what the rules let go; go on after a failure, and say what is left. */
static void remove_all(struct op_context *ctx, const struct checkpoints_seen *seen,
                       struct checkpoint_view *rows, struct checkpoints_prune_result *res)
{
    for (size_t i = 0; i < seen->count; i++) {
        struct error err;

        if (seen->list[i].keep)
            continue;
        if (ctx->progress != NULL)
            ctx->progress(ctx->progress_ctx, "removing", (uint64_t)(res->removed + res->left),
                          (uint64_t)res->going);
        if (ctx->stopped != NULL && ctx->stopped()) {
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

/* What a removal left behind that was broken off. */
static void sweep(struct op_context *ctx, const struct checkpoints_seen *seen)
{
    struct error err;
    size_t count;

    if (!checkpoints_sweep(seen->folder, &count, &err)) {
        message_warn(&ctx->messages, "%s", err.text);
        ctx->partly = true;
    } else if (count > 0) {
        message_note(&ctx->messages, "finished %zu removal%s that had been broken off", count,
                     count > 1 ? "s" : "");
    }
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct checkpoints_prune_request *req = in;
    struct checkpoints_prune_result *res = out;
    struct checkpoints_seen seen;
    struct checkpoint_view *rows;
    bool *gone;
    double frees = 0;

    if (!checkpoints_see(ctx, &req->ask, &seen, err) || !find_price(ctx, req, res, err))
        return false;
    rows = arena_array(ctx->arena, struct checkpoint_view, seen.count, err);
    gone = rows != NULL ? arena_array(ctx->arena, bool, seen.count, err) : NULL;
    if (gone == NULL)
        return false;
    res->folder = req->ask.folder;
    res->metric = seen.rules.metric;
    res->keep = req->ask.keep;
    res->dry_run = !req->yes;
    res->going = res->removed = res->left = 0;
    for (size_t i = 0; i < seen.count; i++) {
        if (!checkpoint_show(ctx, &seen, &seen.list[i], &rows[i], err))
            return false;
        res->going += !seen.list[i].keep;
        frees += seen.list[i].keep ? 0 : seen.list[i].frees;
    }
    if (req->yes) {
        sweep(ctx, &seen);
        remove_all(ctx, &seen, rows, res);
        frees = 0;
        for (size_t i = 0; i < seen.count; i++) {
            gone[i] = rows[i].removed;
            frees += gone[i] ? seen.list[i].frees : 0;
        }
        if (res->removed > 0)
            checkpoints_forget(ctx, req->ask.run, &seen, gone);
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
    .request = &(const struct field_set)FIELD_SET(struct checkpoints_prune_request, request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_prune_result, result),
    .run = run,
};
