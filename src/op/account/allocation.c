/* allocation set, show, check and remove: the policy of the ledger. */
#include "op/account/allocation.h"

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "base/fs.h"
#include "ledger/budgets.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

#define POLICY_MAX ((size_t)1 << 20) /* bytes */
#define CHECK_DAYS 90

static const struct field set_request[] = {
    FIELD(TEXT, allocation_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "policy file, in YAML"),
};

static const struct field check_request[] = {
    FIELD(TEXT, allocation_request, file, .value = "FILE", .operand = true,
          .help = "policy file to check (default: the current policy)"),
    OP_PERIOD(allocation_request, days, "90d"),
};

static const struct field no_request[] = {0};

static const struct field result[] = {
    FIELD(TEXT, allocation_result, file, .help = "file that was read"),
    FIELD(TEXT, allocation_result, ledger, .help = "ledger with the policy"),
    FIELD(TIME, allocation_result, set_at, .help = "time when it was set, in UTC"),
    FIELD(FLAG, allocation_result, none, .help = "no policy is set"),
    FIELD(FLAG, allocation_result, same, .help = "policy is unchanged"),
    FIELD(RECORD, allocation_result, policy, .row = &allocation_fields, .inlined = true,
          .help = "content of the policy"),
    FIELD(LIST, allocation_result, coverage, .row = &tagged_change_fields,
          .help = "changes to the tagged shares"),
    FIELD(DAY, allocation_result, since, .help = "first day of the check"),
    FIELD(DAY, allocation_result, until, .help = "last day of the check"),
    FIELD(TEXT, allocation_result, text, .help = "text of the policy"),
};

static const struct field_set result_set = FIELD_SET(struct allocation_result, result);

static const struct allocation_policy *read_policy_file(struct op_context *ctx, struct str file,
                                                        struct str *text, struct error *err)
{
    char *path = str_dup(file, ctx->arena, err);

    if (path == NULL || !fs_read(path, POLICY_MAX, ctx->arena, text, err))
        return NULL;
    return policy_read(*text, path, ctx->arena, err);
}

static bool read_current(struct op_context *ctx, struct ledger *ledger,
                         struct allocation_result *out, struct error *err)
{
    const struct allocation_policy *p;

    if (ledger != NULL && !ledger_document(ledger, LEDGER_POLICY_DOCUMENT, ctx->arena,
                                           &out->text, &out->set_at, err))
        return false;
    out->none = out->text.len == 0;
    if (out->none)
        return true;
    p = policy_read(out->text, "the ledger's allocation policy", ctx->arena, err);
    return p != NULL && allocation_describe(p, ctx->arena, &out->policy, err);
}

static bool allocation_show_run(struct op_context *ctx, const void *in, void *result_out,
                                struct error *err)
{
    struct allocation_result *out = result_out;
    struct ledger *ledger = NULL;
    bool ok;

    (void)in;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    out->ledger = op_ledger_shown(ctx);
    ok = read_current(ctx, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

/* Store the text, classify what is on bills again, and compare how much is tagged. */
static bool change_policy(struct op_context *ctx, struct ledger *ledger, struct str text,
                          struct allocation_result *out, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    stamp now = op_now(ctx), was;
    struct tagged_money before, after;
    struct str old;

    if (!ledger_document(ledger, LEDGER_POLICY_DOCUMENT, ctx->arena, &old, &was, err))
        return false;
    out->same = str_eq(old, text);
    out->none = old.len == 0 && text.len == 0;
    if (out->none)
        return true;
    /* The same policy again repairs a change that was interrupted. */
    return account_tagged_money(&account, &before, err) &&
           ledger_document_put(ledger, LEDGER_POLICY_DOCUMENT, text, op_user(ctx), now, err) &&
           op_catalog(ctx, BILL_CLASSIFIER_TABLES, err) &&
           ledger_reclassify(ledger, &ctx->catalog, ctx->arena, err) &&
           account_tagged_money(&account, &after, err) &&
           tagged_money_changes(&before, &after, ctx->arena, &out->coverage, err);
}

static bool allocation_set_run(struct op_context *ctx, const void *in, void *result_out,
                               struct error *err)
{
    const struct allocation_request *req = in;
    struct allocation_result *out = result_out;
    const struct allocation_policy *p = read_policy_file(ctx, req->file, &out->text, err);
    struct ledger *ledger;
    bool ok;

    if (p == NULL)
        return false;
    if (str_trim(out->text).len == 0) {
        error_set(err, ERROR_INPUT, "'%.*s' is empty", STR_ARG(req->file));
        error_hint(err, "'stint allocation remove' removes the policy");
        return false;
    }
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    out->file = req->file;
    out->ledger = op_ledger_shown(ctx);
    ok = ledger != NULL && change_policy(ctx, ledger, out->text, out, err) &&
         allocation_describe(p, ctx->arena, &out->policy, err);
    ledger_close(ledger);
    return ok;
}

static bool allocation_remove_run(struct op_context *ctx, const void *in, void *result_out,
                                  struct error *err)
{
    struct allocation_result *out = result_out;
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
    ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    ok = ledger != NULL && change_policy(ctx, ledger, (struct str){0}, out, err);
    ledger_close(ledger);
    return ok;
}

static bool allocation_check_run(struct op_context *ctx, const void *in, void *result_out,
                                 struct error *err)
{
    const struct allocation_request *req = in;
    struct allocation_result *out = result_out;
    struct account_source account;
    struct ledger *ledger = NULL;
    const struct allocation_policy *p = NULL;
    day until;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, CHECK_DAYS, &out->since, &until, err) ||
        (req->file.len > 0 &&
         (p = read_policy_file(ctx, req->file, &out->text, err)) == NULL) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    out->until = (day){until.n - 1};
    out->file = req->file;
    out->ledger = op_ledger_shown(ctx);
    account = op_account(ctx, ledger);
    if (req->file.len == 0)
        p = ledger_policy_or_none(ledger, ctx->arena, err);
    ok = p != NULL && account_allocation(&account, p, out->since, until, &out->policy, err);
    out->none = ok && out->policy.rows.len == 0 && out->policy.required.len == 0;
    ledger_close(ledger);
    return ok;
}

const struct op op_allocation_set = {
    .name = "allocation.set",
    .schema = "stint.allocation.set/1",
    .changes = true,
    .summary = "set the allocation policy from a file",
    .request = &(const struct field_set)FIELD_SET(struct allocation_request, set_request),
    .result = &result_set,
    .run = allocation_set_run,
};

const struct op op_allocation_show = {
    .name = "allocation.show",
    .schema = "stint.allocation.show/1",
    .summary = "show the current allocation policy",
    .remote = OP_READ,
    .request = &(const struct field_set){no_request, 0, sizeof(struct allocation_request)},
    .result = &result_set,
    .run = allocation_show_run,
};

const struct op op_allocation_remove = {
    .name = "allocation.remove",
    .schema = "stint.allocation.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove the allocation policy",
    .request = &(const struct field_set){no_request, 0, sizeof(struct allocation_request)},
    .result = &result_set,
    .run = allocation_remove_run,
};

const struct op op_allocation_check = {
    .name = "allocation.check",
    .schema = "stint.allocation.check/1",
    .summary = "show the cost that each rule of a policy matches",
    .request = &(const struct field_set)FIELD_SET(struct allocation_request, check_request),
    .result = &result_set,
    .run = allocation_check_run,
};
