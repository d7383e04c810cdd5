/* bills, bills.remove - the bills in the ledger. */
#include "op/bill/bills.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, bills_request, what, .value = "PATTERN", .operand = true,
          .help = "providers or accounts to list; 'AWS', '1234*'"),
};

static const struct field result[] = {
    FIELD(LIST, bills_result, bills, .row = &bill_view_fields, .help = "bills by period"),
    FIELD(COUNT, bills_result, count, .help = "number of bills"),
    FIELD(COUNT, bills_result, lines, .help = "charges in total"),
    FIELD(TEXT, bills_result, ledger, .help = "ledger with the bills"),
    FIELD(FLAG, bills_result, no_ledger, .help = "no ledger exists yet"),
};

/* The bills that `keep` accepts. */
static bool views_of(struct op_context *ctx, struct ledger *ledger, struct str what,
                     bool (*keep)(const struct bill_view *bill, struct str what),
                     struct rows *out, struct error *err)
{
    const struct ledger_bill *bills;
    struct bill_view *views;
    size_t count, kept = 0;

    if (!ledger_bills(ledger, ctx->arena, &bills, &count, err))
        return false;
    views = arena_array(ctx->arena, struct bill_view, count, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!bill_view_make(&bills[i], ctx->arena, &views[kept], err))
            return false;
        kept += keep(&views[kept], what);
    }
    *out = (struct rows){views, kept};
    return true;
}

/* Nothing is like what was asked for: an error, unless there are no bills at all. */
static bool none_like(struct op_context *ctx, struct ledger *ledger, struct str what,
                      struct error *err)
{
    const struct ledger_bill *bills;
    size_t count;

    if (!ledger_bills(ledger, ctx->arena, &bills, &count, err))
        return false;
    if (count > 0)
        bill_absent(bills, count, what, err);
    return count == 0;
}

static bool bills_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct bills_request *req = in;
    struct bills_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct bill_view *views;
    bool ok;

    res->count = res->lines = 0;
    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    if (ledger == NULL && err->kind == ERROR_ABSENT) {
        *err = (struct error){0};
        res->no_ledger = true;
        return true;
    }
    if (ledger == NULL)
        return false;
    ok = views_of(ctx, ledger, req->what, bill_is_like, &res->bills, err) &&
         (res->bills.len > 0 || none_like(ctx, ledger, req->what, err));
    ledger_close(ledger);
    res->count = (int64_t)res->bills.len;
    views = res->bills.at;
    for (size_t i = 0; ok && i < res->bills.len; i++)
        res->lines += views[i].bill.bill.lines;
    return ok;
}

const struct op op_bills = {
    .name = "bills",
    .schema = "stint.bills/1",
    .summary = "list the bills in the ledger",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct bills_request, request),
    .result = &(const struct field_set)FIELD_SET(struct bills_result, result),
    .run = bills_run,
};

/* ---- bills.remove ---- */

static const struct field remove_request[] = {
    FIELD(TEXT, bills_remove_request, what, .value = "BILL", .operand = true, .required = true,
          .help = "bill to remove: its number, or PROVIDER/ACCOUNT/2026-05"),
    FIELD(FLAG, bills_remove_request, force, .help = "confirm the removal"),
};

static const struct field remove_result[] = {
    FIELD(LIST, bills_remove_result, removed, .row = &bill_view_fields,
          .help = "removed bills"),
};

static bool confirm_bill_removal(const struct bills_remove_request *req,
                                 const struct rows *found, struct error *err)
{
    const struct bill_view *views = found->at;
    int64_t lines = 0;

    if (found->len == 0) {
        return error_fail_hint(err, ERROR_ABSENT, "'stint bills' lists them",
                               "there is no bill '%.*s' in the ledger", STR_ARG(req->what));
    }
    if (req->force)
        return true;
    for (size_t i = 0; i < found->len; i++)
        lines += views[i].bill.bill.lines;
    error_set(err, ERROR_USAGE,
              "this takes away %s of %.*s, account %.*s, %.*s (%lld charge%s)",
              found->len == 1 ? "the bill" : "the bills", STR_ARG(views[0].bill.bill.provider),
              STR_ARG(views[0].bill.bill.account), STR_ARG(views[0].bill.period),
              (long long)lines, lines == 1 ? "" : "s");
    error_hint(err, "stint bills remove %.*s --force", STR_ARG(req->what));
    return false;
}

static bool remove_bills(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct bills_remove_request *req = in;
    struct bills_remove_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    const struct bill_view *views;
    bool ok;

    if (ledger == NULL)
        return false;
    ok = views_of(ctx, ledger, req->what, bill_is_named, &res->removed, err) &&
         confirm_bill_removal(req, &res->removed, err);
    views = res->removed.at;
    for (size_t i = 0; ok && i < res->removed.len; i++)
        ok = ledger_bill_remove(ledger, views[i].bill.bill.key, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_bills_remove = {
    .name = "bills.remove",
    .schema = "stint.bills.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove a bill from the ledger",
    .request = &(const struct field_set)FIELD_SET(struct bills_remove_request, remove_request),
    .result = &(const struct field_set)FIELD_SET(struct bills_remove_result, remove_result),
    .run = remove_bills,
};
