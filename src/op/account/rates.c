/* rates import, rates list - what currencies were worth. */
#include "op/account/rates.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define FILE_MOST ((size_t)64 << 20) /* bytes: fifty years of all currencies */

static const struct field import_request[] = {
    FIELD(TEXT, rates_import_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "CSV file with date, currency and usd, or the ECB's eurofxref-hist.csv"),
};

static const struct field import_result[] = {
    FIELD(TEXT, rates_import_result, file, .help = "file that was read"),
    FIELD(COUNT, rates_import_result, rates, .help = "number of rates stored"),
    FIELD_AS("currencies", TEXTS, rates_import_result, read.currencies,
             .help = "currencies with rates"),
    FIELD_AS("left_out", TEXTS, rates_import_result, read.left_out,
             .help = "columns left out: not a currency in use"),
    FIELD_AS("first", DAY, rates_import_result, read.first, .help = "oldest day with a rate"),
    FIELD_AS("last", DAY, rates_import_result, read.last, .help = "newest day with a rate"),
    FIELD(TEXT, rates_import_result, ledger, .help = "ledger that holds the rates"),
};

static bool rates_import_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct rates_import_request *req = in;
    struct rates_import_result *res = out;
    const char *path = str_dup(req->file, ctx->arena, err);
    struct ledger *ledger;
    struct str text;
    bool ok;

    if (path == NULL || !fs_read(path, FILE_MOST, ctx->arena, &text, err) ||
        !rates_read(text, path, ctx->arena, &res->read, err))
        return false;
    res->rates = (int64_t)res->read.count;
    res->file = req->file;
    res->ledger = op_ledger_shown(ctx);
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && ledger_rates_put(ledger, res->read.at, res->read.count, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_rates_import = {
    .name = "rates.import",
    .schema = "stint.rates.import/1",
    .changes = true,
    .summary = "import exchange rates into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct rates_import_request, import_request),
    .result = &(const struct field_set)FIELD_SET(struct rates_import_result, import_result),
    .run = rates_import_run,
};

static const struct field list_request[] = {
    FIELD(TEXTS, rates_list_request, currency, .value = "CODES",
          .help = "currencies to list: EUR,GBP"),
};

static const struct field list_result[] = {
    FIELD(LIST, rates_list_result, rates, .row = &rates_row_fields,
          .help = "rates, one row for each currency"),
    FIELD(TEXT, rates_list_result, ledger, .help = "ledger that holds the rates"),
    FIELD(FLAG, rates_list_result, no_ledger, .help = "no ledger exists yet"),
};

static bool rates_list_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct rates_list_request *req = in;
    struct rates_list_result *res = out;
    struct ledger *ledger = NULL;
    bool ok;

    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    res->ledger = op_ledger_shown(ctx);
    res->no_ledger = ledger == NULL;
    ok = ledger == NULL || account_rates(ledger, req->currency, ctx->arena, &res->rates, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_rates_list = {
    .name = "rates.list",
    .schema = "stint.rates.list/1",
    .summary = "list exchange rates in the ledger",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct rates_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct rates_list_result, list_result),
    .run = rates_list_run,
};
