/* import - bills from files into the ledger. */
#include "op/bill/bill_import.h"

#include "account/classify/bill_classify.h"
#include "feed/feed.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const char *const amortized_also[] = {"amortised", NULL};

static const struct field request[] = {
    FIELD(TEXTS, import_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "bills, compressed or not; folders; manifests; - is standard input"),
    FIELD(TEXT, import_request, format, .value = "FORMAT",
          .help = "format of the files, if it is not recognized"),
    FIELD(TEXT, import_request, currency, .value = "CODE",
          .help = "currency of lines with none or an unknown one: EUR"),
    FIELD(TEXT, import_request, provider, .value = "NAME",
          .help = "provider of a table that does not name one: runpod, lambda"),
    FIELD(TEXT, import_request, month, .value = "MONTH",
          .help = "month of a table without dates: 2026-05"),
    FIELD(TEXTS, import_request, map, .value = "FIELD=COLUMN", .whole = true,
          .help = "map a field to a column of the table, repeatable: cost=amount, date=time"),
    FIELD(FLAG, import_request, add,
          .help = "add to bills of the same account and period instead of replacing them"),
    FIELD(FLAG, import_request, replace,
          .help = "replace a bill that is larger, or the same charges under another account"),
    FIELD(FLAG, import_request, force,
          .help = "import charges that look like duplicates: in two files, or with --add"),
    FIELD(FLAG, import_request, amortized, .also = amortized_also,
          .help = "treat the files as amortized costs (Azure)"),
    FIELD(FLAG, import_request, actual, .help = "treat the files as actual costs (Azure)"),
    FIELD(FLAG, import_request, dry_run, .help = "show what would be imported; write nothing"),
};

struct import_call {
    struct op_context *ctx;
    const struct import_request *ask;
    struct import_result *res;
};

/* An import creates the ledger, a dry run does not. */
static bool open_import_ledger(void *ctx, struct ledger **out, struct error *err)
{
    struct import_call *c = ctx;

    *out = op_ledger(c->ctx, c->ask->dry_run ? LEDGER_READ : LEDGER_WRITE, err);
    if (*out == NULL && (!c->ask->dry_run || err->kind != ERROR_ABSENT))
        return false;
    *err = (struct error){0};
    if (op_ledger_name(c->ctx, &c->res->ledger, err))
        return true;
    ledger_close(*out);
    return false;
}

static bool is_price_list(struct str head)
{
    return feed_format_of(head) != NULL;
}

static bool import_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct import_call c = {ctx, in, out};
    const struct import_how how = {.catalog = &ctx->catalog,
                                   .clock = ctx->clock,
                                   .today = op_now(ctx),
                                   .messages = &ctx->messages,
                                   .watch = &ctx->watch,
                                   .is_price_list = is_price_list};

    return op_catalog(ctx, BILL_CLASSIFIER_TABLES, err) &&
           bills_import(c.ask, &how, &(struct import_ledger){open_import_ledger, &c},
                        ctx->arena, c.res, err);
}

const struct op op_import = {
    .name = "import",
    .schema = "stint.import/1",
    .changes = true,
    .summary = "import cloud bills from files into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_request, request),
    .result = &import_fields,
    .run = import_run,
};
