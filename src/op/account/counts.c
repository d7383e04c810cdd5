/* counts add, import, list and remove. */
#include "op/account/counts.h"

#include "account/unit/counts.h"
#include "base/fs.h"
#include "bill/dimension.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "unit/moment.h"

#define FILE_MAX ((size_t)256 << 20)

static const struct field add_request[] = {
    FIELD(TEXT, counts_request, what, .value = "WHAT", .operand = true, .required = true,
          .help = "count name: predictions, requests, tokens, ..."),
    FIELD(TEXT, counts_request, amount, .value = "COUNT", .operand = true, .required = true,
          .help = "number: 1200000 or 1.2M"),
    FIELD(TEXT, counts_request, since, .value = "WHEN",
          .help = "first day, 2026-10-01, or a time; required"),
    FIELD(TEXT, counts_request, until, .value = "WHEN",
          .help = "last day, or a time (default: the first day)"),
    FIELD(TEXT, counts_request, from, .value = "WHEN", .help = "the same as --since"),
    FIELD(TEXT, counts_request, to, .value = "WHEN", .help = "the same as --until"),
    FIELD(TEXTS, counts_request, tag, .value = "LIST", .help = "tags: model=bert,team=nlp"),
};

static const struct field import_request[] = {
    FIELD(TEXT, counts_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "CSV file with columns what, from, to, count and tags"),
};

static const struct field list_request[] = {
    FIELD(TEXT, counts_request, what, .value = "WHAT", .operand = true,
          .help = "count names to include: predictions, ..."),
    FIELD(TEXT, counts_request, since, .value = "DAY",
          .help = "counts that end on this day or later: 2026-10-01"),
    FIELD(TEXT, counts_request, until, .value = "DAY",
          .help = "counts that begin on this day or before"),
};

static const struct field remove_request[] = {
    FIELD(TEXT, counts_request, what, .value = "WHAT", .operand = true, .required = true,
          .help = "count name: predictions, ..."),
    FIELD(TEXT, counts_request, since, .value = "DAY",
          .help = "first day: 2026-10-01 (default: all)"),
    FIELD(TEXT, counts_request, until, .value = "DAY", .help = "last day: 2026-10-31"),
    FIELD(FLAG, counts_request, force, .help = "remove without asking"),
};

static const struct field result[] = {
    FIELD(LIST, counts_result, rows, .row = &counts_row_fields, .help = "recorded counts"),
    FIELD(COUNT, counts_result, count, .help = "number of counts"),
    FIELD(COUNT, counts_result, replaced, .help = "counts that were replaced"),
    FIELD(COUNT, counts_result, removed, .help = "counts that were removed"),
    FIELD(TEXT, counts_result, file, .help = "file that was read"),
    FIELD(TEXT, counts_result, ledger, .help = "ledger that holds them"),
    FIELD(FLAG, counts_result, no_ledger, .help = "no ledger exists yet"),
};

static const struct field_set result_set = FIELD_SET(struct counts_result, result);

/* ---- rows ---- */

static bool make_count_rows(struct op_context *ctx, const struct ledger_count *counts,
                            size_t count, struct counts_result *out, struct error *err)
{
    out->count = (int64_t)count;
    out->ledger = op_ledger_shown(ctx);
    return counts_rows(counts, count, ctx->arena, &out->rows, err);
}

/* ---- writing ---- */

static bool store_counts(struct op_context *ctx, const struct ledger_count *counts,
                         size_t count, struct counts_result *out, struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_WRITE, err);
    bool ok =
        ledger != NULL && ledger_counts_put(ledger, counts, count, &out->replaced, err) &&
        (count != 1 || counts_warn_overlaps(ledger, counts, ctx->arena, &ctx->messages, err));

    ledger_close(ledger);
    return ok && make_count_rows(ctx, counts, count, out, err);
}

static bool counts_add_run(struct op_context *ctx, const void *in, void *result_out,
                           struct error *err)
{
    const struct counts_request *req = in;
    const struct counts_span_asked asked = {req->since, req->from, req->until, req->to};
    struct ledger_count c = {.what = req->what};

    if (!tags_check(req->tag, err) || !counts_span(&asked, &c, err) ||
        !counts_tags(req->tag, ctx->arena, &c.tags, err))
        return false;
    if (!counts_amount(req->amount, &c.amount)) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a count", STR_ARG(req->amount));
        error_hint(err, "write it as 1200000, 1.2M or 1.2e6");
        return false;
    }
    tags_note(req->tag, &ctx->messages);
    return store_counts(ctx, &c, 1, result_out, err);
}

static bool counts_import_run(struct op_context *ctx, const void *in, void *result_out,
                              struct error *err)
{
    const struct counts_request *req = in;
    struct counts_result *out = result_out;
    const char *path = str_dup(req->file, ctx->arena, err);
    const struct ledger_count *counts;
    struct str text;
    size_t count;

    out->file = req->file;
    return path != NULL && fs_read(path, FILE_MAX, ctx->arena, &text, err) &&
           counts_read(text, req->file, ctx->arena, &counts, &count, err) &&
           store_counts(ctx, counts, count, out, err);
}

/* ---- reading ---- */

static bool read_range(const struct op_context *ctx, const struct counts_request *req,
                       struct ledger_count_query *out, struct error *err)
{
    *out = (struct ledger_count_query){req->what, {-1}, {-1}};
    return moment_parse(op_now(ctx), "since", req->since, &out->since, err) &&
           moment_end_parse(op_now(ctx), "until", req->until, &out->until, err);
}

static bool counts_list_run(struct op_context *ctx, const void *in, void *result_out,
                            struct error *err)
{
    const struct counts_request *req = in;
    struct counts_result *out = result_out;
    const struct ledger_count *counts = NULL;
    struct ledger *ledger = NULL;
    struct ledger_count_query query;
    size_t count = 0;
    bool ok;

    if (!read_range(ctx, req, &query, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    out->no_ledger = ledger == NULL;
    ok = ledger == NULL || ledger_counts(ledger, &query, ctx->arena, &counts, &count, err);
    ledger_close(ledger);
    return ok && make_count_rows(ctx, counts, count, out, err);
}

static bool counts_remove_run(struct op_context *ctx, const void *in, void *result_out,
                              struct error *err)
{
    const struct counts_request *req = in;
    struct counts_result *out = result_out;
    struct ledger *ledger = NULL;
    struct ledger_count_query query;
    bool ok;

    if (!read_range(ctx, req, &query, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    out->removed = 0;
    if (ledger == NULL)
        return counts_refuse_absent(NULL, req->what, ctx->arena, err);
    ok = req->force || counts_confirm_removal(ledger, &query, ctx->arena, err);
    ledger_close(ledger);
    if (!ok)
        return false;
    ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    ok = ledger != NULL && ledger_counts_remove(ledger, &query, &out->removed, err) &&
         (out->removed > 0 || counts_refuse_absent(ledger, req->what, ctx->arena, err));
    ledger_close(ledger);
    return ok;
}

const struct op op_counts_add = {
    .name = "counts.add",
    .schema = "stint.counts.add/1",
    .remote = OP_WRITE,
    .changes = true,
    .summary = "record a number of predictions, requests or tokens",
    .request = &(const struct field_set)FIELD_SET(struct counts_request, add_request),
    .result = &result_set,
    .run = counts_add_run,
};

const struct op op_counts_import = {
    .name = "counts.import",
    .schema = "stint.counts.import/1",
    .changes = true,
    .summary = "import counts from a CSV file",
    .request = &(const struct field_set)FIELD_SET(struct counts_request, import_request),
    .result = &result_set,
    .run = counts_import_run,
};

const struct op op_counts_list = {
    .name = "counts.list",
    .schema = "stint.counts.list/1",
    .summary = "list recorded counts",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct counts_request, list_request),
    .result = &result_set,
    .run = counts_list_run,
};

const struct op op_counts_remove = {
    .name = "counts.remove",
    .schema = "stint.counts.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove counts",
    .request = &(const struct field_set)FIELD_SET(struct counts_request, remove_request),
    .result = &result_set,
    .run = counts_remove_run,
};
