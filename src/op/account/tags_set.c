/* tags set - tags of a run, set when it is over or under way. */
#include "bill/dimension.h"
#include "ledger/runs/records.h"
#include "op/account/tags.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, tags_set_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "its name, the end of its id, or last"),
    FIELD(TEXTS, tags_set_request, tags, .value = "KEY=VALUE", .operand = true,
          .required = true, .help = "team=nlp; 'team=' takes it away"),
};

static const struct field result[] = {
    FIELD(TEXT, tags_set_result, id, .help = "of the run"),
    FIELD(TEXT, tags_set_result, short_id, .help = "the end of it"),
    FIELD(TEXT, tags_set_result, name, .help = "of the run"),
    FIELD(TEXTS, tags_set_result, tags, .help = "as they are now"),
    FIELD(COUNT, tags_set_result, changed, .help = "tags that are not as they were"),
};

void tags_note(const struct op_context *ctx, struct strs tags)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');
        struct suggestion s = {.wanted = key};

        if (dimension_of_tag(key) != DIMENSION_COUNT || value.len == 0)
            continue;
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
        if (s.best.len > 0)
            message_note(
                &ctx->messages,
                "the tag '%.*s' is kept, but costs are not told by it: did you mean '%.*s'?",
                STR_ARG(key), STR_ARG(s.best));
    }
}

static bool set(struct op_context *ctx, const struct tags_set_request *req,
                struct ledger *ledger, struct tags_set_result *out, struct error *err)
{
    struct ledger_run found;
    char *id;

    if (!ledger_find(ledger, req->run, ctx->arena, &found, err))
        return false;
    id = str_dup(str_from(found.start.id), ctx->arena, err);
    if (id == NULL ||
        !ledger_tags_set(ledger, id, req->tags, ctx->clock->today(ctx->clock->ctx),
                         &out->changed, err) ||
        !ledger_find(ledger, str_from(id), ctx->arena, &found, err))
        return false;
    out->id = str_from(id);
    out->short_id = ledger_short(id);
    out->name = found.start.name;
    out->tags = found.start.tags;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *result_out, struct error *err)
{
    const struct tags_set_request *req = in;
    struct ledger *ledger;
    bool ok;

    if (!tags_check(req->tags, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_READ, err); /* it is there, or there is no run */
    if (ledger == NULL)
        return false;
    ledger_close(ledger);
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && set(ctx, req, ledger, result_out, err);
    ledger_close(ledger);
    if (ok)
        tags_note(ctx, req->tags);
    return ok;
}

const struct op op_tags_set = {
    .name = "tags.set",
    .schema = "stint.tags.set/1",
    .changes = true,
    .summary = "set tags of a run",
    .request = &(const struct field_set)FIELD_SET(struct tags_set_request, request),
    .result = &(const struct field_set)FIELD_SET(struct tags_set_result, result),
    .run = run,
};
