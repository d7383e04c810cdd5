/* tags, tags set - how much of the money is tagged; tags of a run set later. */
#include "op/account/tags.h"

#include "bill/dimension.h"
#include "ledger/runs/records.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 30

static const struct field request[] = {
    COSTS_ASK(tags_request, "30d"),
    FIELD(COUNT, tags_request, limit, .value = "N", .fallback = "10",
          .help = "list the largest N without tags; 0: all"),
};

static const struct field result[] = {
    FIELD_AS("rows", LIST, tags_result, tags.rows, .row = &tags_row_fields,
             .help = "rows, one for each tag and currency"),
    FIELD_AS("policy", FLAG, tags_result, tags.policy, .help = "policy requires some tag"),
    FIELD_AS("untagged", LIST, tags_result, tags.untagged, .row = &tags_untagged_fields,
             .help = "largest costs without a required tag"),
    FIELD_AS("credits", LIST, tags_result, tags.credits, .row = &costs_apart_fields,
             .help = "credits: not included, since they have no tags"),
    FIELD_AS("more", COUNT, tags_result, tags.more,
             .help = "untagged costs that are not listed"),
    FIELD(RECORD, tags_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
};

static bool tags_run(struct op_context *ctx, const void *in, void *result_out,
                     struct error *err)
{
    const struct tags_request *req = in;
    struct tags_result *out = result_out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct spending_query query;
    bool ok;

    if (!costs_query(&req->ask, op_today(ctx), DAYS, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    ok = account_tags(&account, &query, req->limit, &out->tags, err);
    costs_basis_of(ctx, ledger, &query, &req->ask, &out->tags.spent, &out->basis);
    ledger_close(ledger);
    return ok;
}

const struct op op_tags = {
    .name = "tags",
    .schema = "stint.tags/1",
    .summary = "show tagged and untagged costs",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct tags_request, request),
    .result = &(const struct field_set)FIELD_SET(struct tags_result, result),
    .run = tags_run,
};

/* ---- tags set ---- */

static const struct field set_request[] = {
    FIELD(TEXT, tags_set_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "name, end of the id, or last"),
    FIELD(TEXTS, tags_set_request, tags, .value = "KEY=VALUE", .operand = true,
          .required = true, .help = "tags to set: team=nlp; 'team=' removes it"),
};

static const struct field set_result[] = {
    FIELD(TEXT, tags_set_result, id, .help = "run ID"),
    FIELD(TEXT, tags_set_result, short_id, .help = "end of the ID"),
    FIELD(TEXT, tags_set_result, name, .help = "run name"),
    FIELD(TEXTS, tags_set_result, tags, .help = "tags of the run now"),
    FIELD(COUNT, tags_set_result, changed, .help = "number of tags that changed"),
};

static bool set_ledger_tags(struct op_context *ctx, const struct tags_set_request *req,
                            struct ledger *ledger, struct tags_set_result *out,
                            struct error *err)
{
    struct ledger_run found;
    char *id;

    if (!ledger_find(ledger, req->run, ctx->arena, &found, err))
        return false;
    id = str_dup(str_from(found.start.id), ctx->arena, err);
    if (id == NULL ||
        !ledger_tags_set(ledger, id, req->tags, op_now(ctx), &out->changed, err) ||
        !ledger_find(ledger, str_from(id), ctx->arena, &found, err))
        return false;
    out->id = str_from(id);
    out->short_id = ledger_short(id);
    out->name = found.start.name;
    out->tags = found.start.tags;
    return true;
}

static bool tags_set_run(struct op_context *ctx, const void *in, void *result_out,
                         struct error *err)
{
    const struct tags_set_request *req = in;
    struct ledger *ledger;
    bool ok;

    if (!tags_check(req->tags, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_READ, err); /* without a ledger there is no run */
    if (ledger == NULL)
        return false;
    ledger_close(ledger);
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && set_ledger_tags(ctx, req, ledger, result_out, err);
    ledger_close(ledger);
    if (ok)
        tags_note(req->tags, &ctx->messages);
    return ok;
}

const struct op op_tags_set = {
    .name = "tags.set",
    .schema = "stint.tags.set/1",
    .remote = OP_WRITE,
    .changes = true,
    .summary = "set tags of a run",
    .request = &(const struct field_set)FIELD_SET(struct tags_set_request, set_request),
    .result = &(const struct field_set)FIELD_SET(struct tags_set_result, set_result),
    .run = tags_set_run,
};
