/* allocation set, show and remove: the policy of the ledger. */
#include "op/account/allocation.h"

#include <string.h>

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "base/fs.h"
#include "base/process.h"
#include "op/account/allocation_work.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

const struct policy *op_policy(struct op_context *ctx, struct ledger *ledger, struct error *err)
{
    return ledger_policy_or_none(ledger, ctx->arena, err);
}

const struct policy *op_policy_file(struct op_context *ctx, struct str file, struct str *text,
                                    struct error *err)
{
    char *path = str_dup(file, ctx->arena, err);

    if (path == NULL || !fs_read(path, ALLOCATION_MAX, ctx->arena, text, err))
        return NULL;
    return policy_read(*text, path, ctx->arena, err);
}

/* ---- tags of runs ---- */

static struct str tag_of(struct strs tags, enum dimension d)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        if (dimension_of_tag(key) == d && value.len > 0)
            return value;
    }
    return (struct str){0};
}

/* The run as costs will know it, before it has cost anything. */
static bool dimensions_of_start(struct op_context *ctx, const struct policy *policy,
                                const struct ledger_start *start, struct dimensions *out,
                                struct error *err)
{
    const struct ledger_charge charge = {.id = str_from(start->id),
                                         .name = start->name,
                                         .owner = start->user,
                                         .command = start->command,
                                         .offer = start->offer,
                                         .market = start->market,
                                         .tags = STR("{}")};
    const struct subject subject = {
        .of = out, .resource_name = start->name, .description = start->command};
    const struct coverage none = {0};
    struct account_source account = op_account(ctx, NULL);
    struct run_dimensions d;
    bool ok;

    run_dimensions_open(&d, &account, &none, NULL, 0);
    ok = run_dimensions_of(&d, &charge, out, err);
    run_dimensions_close(&d);
    for (int t = DIMENSION_FIRST_TAG; ok && t < DIMENSION_COUNT; t++) {
        struct str value = tag_of(start->tags, (enum dimension)t);

        if (value.len > 0)
            out->of[t] = value;
    }
    if (ok)
        policy_apply(policy, &subject, out);
    return ok;
}

static bool missing_tags(struct op_context *ctx, const struct policy *policy,
                         const struct ledger_start *start, struct strs *out, struct error *err)
{
    struct strs required = policy_required(policy);
    struct str *missing = arena_array(ctx->arena, struct str, required.len, err);
    struct dimensions has;

    *out = (struct strs){.at = missing};
    if (missing == NULL || required.len == 0)
        return missing != NULL;
    if (!dimensions_of_start(ctx, policy, start, &has, err))
        return false;
    for (size_t i = 0; i < required.len; i++)
        if (has.of[dimension_find(required.at[i])].len == 0)
            missing[out->len++] = required.at[i];
    return true;
}

/* "team, project and owner", with other words between them. */
static void list_names(struct strs names, const char *between, const char *last,
                       const char *after, struct buf *out)
{
    for (size_t i = 0; i < names.len; i++) {
        if (i > 0)
            buf_adds(out, i + 1 < names.len ? between : last);
        buf_add(out, names.at[i]);
        buf_adds(out, after);
    }
}

bool op_require_tags(struct op_context *ctx, const struct policy *policy,
                     const struct ledger_start *start, struct error *err)
{
    struct buf names = buf_new(&alloc_system, 400), type = buf_new(&alloc_system, 400);
    struct strs missing;
    const char *s;

    if (!missing_tags(ctx, policy, start, &missing, err))
        return false;
    if (missing.len == 0)
        return true;
    list_names(missing, ", ", " and ", "", &names);
    list_names(missing, ",", ",", "=...", &type);
    s = missing.len == 1 ? "" : "s";
    if (policy_refuses(policy)) {
        error_set(err, ERROR_INPUT, "the allocation policy wants the tag%s %.*s", s,
                  STR_ARG(buf_text(&names)));
        error_hint(err, "add --tag %.*s", STR_ARG(buf_text(&type)));
    } else {
        message_warn(&ctx->messages,
                     "the allocation policy wants the tag%s %.*s: add --tag %.*s", s,
                     STR_ARG(buf_text(&names)), STR_ARG(buf_text(&type)));
    }
    buf_free(&names);
    buf_free(&type);
    return !policy_refuses(policy);
}

bool allocation_check_start(struct op_context *ctx, struct ledger *ledger,
                            const struct ledger_start *start, struct error *err)
{
    struct error why = {0};
    const struct policy *policy;

    /* The next attempt at a run has the tags of the first. */
    if (ledger == NULL || start->resume_id[0] != '\0')
        return true;
    policy = op_policy(ctx, ledger, &why);
    if (policy != NULL)
        return op_require_tags(ctx, policy, start, err);
    message_warn(&ctx->messages, "tags were not looked at: %s", why.text);
    return true;
}

/* ---- the operations ---- */

static const struct field set_request[] = {
    FIELD(TEXT, allocation_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "the policy, in YAML"),
};

static const struct field no_request[] = {0};

static bool show(struct op_context *ctx, struct ledger *ledger, struct allocation_result *out,
                 struct error *err)
{
    const struct policy *p;
    stamp changed = {-1};

    if (ledger != NULL &&
        !ledger_document(ledger, LEDGER_POLICY_DOCUMENT, ctx->arena, &out->text, &changed, err))
        return false;
    out->none = out->text.len == 0;
    if (out->none)
        return true;
    p = policy_read(out->text, "the ledger's allocation policy", ctx->arena, err);
    return p != NULL && ledger_when(changed, ctx->arena, &out->set_at, err) &&
           allocation_describe(ctx, p, out, err);
}

static bool run_show(struct op_context *ctx, const void *in, void *result, struct error *err)
{
    struct allocation_result *out = result;
    struct ledger *ledger = NULL;
    bool ok;

    (void)in;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    out->ledger = op_ledger_shown(ctx);
    ok = show(ctx, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

/* Put the text, ask what is on bills anew, and tell how much more is tagged. */
static bool change(struct op_context *ctx, struct ledger *ledger, struct str text,
                   struct allocation_result *out, struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx), was;
    struct tagged before, after;
    struct str old;

    if (!ledger_document(ledger, LEDGER_POLICY_DOCUMENT, ctx->arena, &old, &was, err))
        return false;
    out->same = str_eq(old, text);
    out->none = old.len == 0 && text.len == 0;
    if (out->none)
        return true;
    /* The same policy again mends what was broken off half-way. */
    return tagged_money(ctx, ledger, &before, err) &&
           ledger_document_put(ledger, LEDGER_POLICY_DOCUMENT, text, process_user(ctx->arena),
                               now, err) &&
           op_catalog(ctx, BILL_CLASSIFIER_TABLES, err) &&
           ledger_reclassify(ledger, &ctx->catalog, ctx->arena, err) &&
           tagged_money(ctx, ledger, &after, err) &&
           tagged_changes(ctx, &before, &after, out, err);
}

static bool run_set(struct op_context *ctx, const void *in, void *result, struct error *err)
{
    const struct allocation_request *req = in;
    struct allocation_result *out = result;
    const struct policy *p = op_policy_file(ctx, req->file, &out->text, err);
    struct ledger *ledger;
    bool ok;

    if (p == NULL)
        return false;
    if (str_trim(out->text).len == 0) {
        error_set(err, ERROR_INPUT, "'%.*s' is empty", STR_ARG(req->file));
        error_hint(err, "'stint allocation remove' takes the policy away");
        return false;
    }
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    out->file = req->file;
    out->ledger = op_ledger_shown(ctx);
    ok = ledger != NULL && change(ctx, ledger, out->text, out, err) &&
         allocation_describe(ctx, p, out, err);
    ledger_close(ledger);
    return ok;
}

static bool run_remove(struct op_context *ctx, const void *in, void *result, struct error *err)
{
    struct allocation_result *out = result;
    struct ledger *ledger = NULL;
    bool ok;

    (void)in;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    out->ledger = op_ledger_shown(ctx);
    out->none = ledger == NULL;
    if (out->none)
        return true;
    ledger_close(ledger);
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && change(ctx, ledger, (struct str){0}, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_allocation_set = {
    .name = "allocation.set",
    .schema = "stint.allocation.set/1",
    .changes = true,
    .summary = "set the allocation policy from a file",
    .request = &(const struct field_set)FIELD_SET(struct allocation_request, set_request),
    .result = &allocation_fields,
    .run = run_set,
};

const struct op op_allocation_show = {
    .name = "allocation.show",
    .schema = "stint.allocation.show/1",
    .summary = "show the current allocation policy",
    .request = &(const struct field_set){no_request, 0, sizeof(struct allocation_request)},
    .result = &allocation_fields,
    .run = run_show,
};

const struct op op_allocation_remove = {
    .name = "allocation.remove",
    .schema = "stint.allocation.remove/1",
    .changes = true,
    .summary = "remove the allocation policy",
    .request = &(const struct field_set){no_request, 0, sizeof(struct allocation_request)},
    .result = &allocation_fields,
    .run = run_remove,
};
