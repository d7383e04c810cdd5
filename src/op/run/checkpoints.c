/* checkpoints.list, and what the operations on checkpoints share. */
#include "op/run/checkpoints.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#define NS INT64_C(1000000000)

static const struct field view_fields[] = {
    FIELD(TEXT, checkpoint_view, name, .help = "in the folder"),
    FIELD(NUMBER, checkpoint_view, step, .help = "from its name; null: it has none"),
    FIELD(NUMBER, checkpoint_view, metric, .help = "null: unknown"),
    FIELD(BYTES, checkpoint_view, size, .help = "that its files take on the disk"),
    FIELD(BYTES, checkpoint_view, frees, .help = "that removing it gives back"),
    FIELD(COUNT, checkpoint_view, files, .help = "in it"),
    FIELD(TEXT, checkpoint_view, changed, .help = "newest date of what is in it, UTC"),
    FIELD(USD, checkpoint_view, cost, .help = "of the run when it was written; null: unknown"),
    FIELD(TEXT, checkpoint_view, state, .help = "whole, or why it is not taken for it"),
    FIELD(FLAG, checkpoint_view, whole, .help = "nothing says otherwise"),
    FIELD(FLAG, checkpoint_view, best, .help = "by the metric"),
    FIELD(FLAG, checkpoint_view, keep, .help = "by the rules"),
    FIELD(FLAG, checkpoint_view, removed, .help = "just now"),
    FIELD(TEXT, checkpoint_view, why, .help = "it is kept, or may go"),
};

const struct field_set checkpoint_view_fields = FIELD_SET(struct checkpoint_view, view_fields);

static const struct field request[] = {
    CHECKPOINTS_FIELDS(checkpoints_list_request, false),
};

static const struct field result[] = {
    FIELD(TEXT, checkpoints_list_result, folder, .help = "that was looked at"),
    FIELD(TEXT, checkpoints_list_result, metric, .help = "that was asked for"),
    FIELD(LIST, checkpoints_list_result, checkpoints, .row = &checkpoint_view_fields,
          .help = "the oldest first"),
    FIELD(BYTES, checkpoints_list_result, size, .help = "of all whose size is known"),
    FIELD(COUNT, checkpoints_list_result, unknown, .help = "checkpoints of unknown size"),
};

bool checkpoints_see(struct op_context *ctx, const struct checkpoints_ask *ask,
                     struct checkpoints_seen *out, struct error *err)
{
    *out = (struct checkpoints_seen){
        .rules = {.keep = (int)(ask->keep < INT32_MAX ? ask->keep : INT32_MAX),
                  .settle_s = span_in_seconds(ask->settle)},
        /* Files are dated by the machine's clock, whatever STINT_NOW says. */
        .now_ns = (clock_system.today(clock_system.ctx).s + 1) * NS};
    out->folder = str_dup(ask->folder, ctx->arena, err);
    if (out->folder == NULL ||
        (ask->best.len > 0 && !checkpoint_best_parse(ask->best, &out->rules, err)) ||
        !checkpoints_scan(out->folder, out->rules.metric, ctx->arena, &out->list, &out->count,
                          err) ||
        !checkpoints_recall(ctx, ask->run, out, err))
        return false;
    out->rules.ours_only = ask->run.len > 0;
    if (out->count == CHECKPOINTS_MOST)
        message_warn(&ctx->messages,
                     "'%s' may hold more than these %d: ask again once some are gone",
                     out->folder, CHECKPOINTS_MOST);
    checkpoints_decide(out->list, out->count, &out->rules, out->now_ns);
    return true;
}

static bool write_date(int64_t ns, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    bool ok;

    stamp_write((stamp){ns / NS}, &text);
    ok = buf_ok(&text, err);
    out->at = ok ? str_dup(buf_text(&text), arena, err) : NULL;
    out->len = buf_text(&text).len;
    buf_free(&text);
    return out->at != NULL;
}

bool checkpoint_show(struct op_context *ctx, const struct checkpoints_seen *seen,
                     const struct checkpoint *c, struct checkpoint_view *out, struct error *err)
{
    bool whole = checkpoint_whole(c, seen->rules.settle_s, seen->now_ns);

    *out = (struct checkpoint_view){
        .name = c->name,
        .step = c->step,
        .metric = c->metric,
        .size = bytes_from(c->bytes),
        .frees = bytes_from(c->frees),
        .files = c->files,
        .cost = c->cost,
        .state = whole ? STR("whole") : str_from(c->doubt != NULL ? c->doubt : c->why),
        .whole = whole,
        .best = c->best,
        .keep = c->keep,
        .why = str_from(c->why),
    };
    return write_date(c->changed_ns, ctx->arena, &out->changed, err);
}

static bool checkpoints_show(struct op_context *ctx, const struct checkpoints_seen *seen,
                             struct rows *out, struct error *err)
{
    struct checkpoint_view *rows =
        arena_array(ctx->arena, struct checkpoint_view, seen->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < seen->count; i++)
        if (!checkpoint_show(ctx, seen, &seen->list[i], &rows[i], err))
            return false;
    *out = (struct rows){rows, seen->count};
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct checkpoints_list_request *req = in;
    struct checkpoints_list_result *res = out;
    struct checkpoints_ask ask = req->ask;
    struct checkpoints_seen seen;
    double size = 0;

    ask.keep = CHECKPOINT_KEEP;
    if (!checkpoints_see(ctx, &ask, &seen, err) ||
        !checkpoints_show(ctx, &seen, &res->checkpoints, err))
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
    .request = &(const struct field_set)FIELD_SET(struct checkpoints_list_request, request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_list_result, result),
    .run = run,
};
