/* export - bills and runs as FOCUS, or the account day by day. */
#include "op/account/export.h"

#include "account/export/export_file.h"
#include "account/policy/ledger_policy.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"
#include "render/csv_rows.h"

static const char *const versions[] = {"1.2", "1.4", NULL};
static const char *const sources[] = {"all", "bills", "runs", NULL};

static const struct field request[] = {
    FIELD(TEXT, export_request, file, .value = "FILE", .operand = true, .output = true,
          .fallback = "-", .help = "file to write (default: standard output)"),
    FIELD(FLAG, export_request, focus,
          .help = "write FOCUS: every bill line and every day of a run"),
    FIELD(FLAG, export_request, csv, .help = "write CSV: costs by day and dimension"),
    FIELD(CHOICE, export_request, version, .value = "N", .choices = versions, .fallback = "1.2",
          .help = "FOCUS version: 1.2 or 1.4"),
    OP_PERIOD(export_request, days, "the first day recorded"),
    FIELD(CHOICE, export_request, from, .value = "WHAT", .choices = sources, .fallback = "all",
          .help =
              "source: bills, unbilled runs and recurring costs (all), bills, or every run"),
};

static const struct field result[] = {
    FIELD(TEXT, export_result, file, .help = "file that was written"),
    FIELD(TEXT, export_result, metadata, .help = "metadata file that describes it"),
    FIELD(TEXT, export_result, version, .help = "FOCUS version"),
    FIELD(RECORD, export_result, exported, .row = &focus_export_fields, .inlined = true,
          .help = "summary of the export"),
    FIELD(LIST, export_result, days, .row = &spending_day_fields,
          .help = "costs by day, when no file is given"),
};

static bool export_focus(struct op_context *ctx, struct ledger *ledger,
                         const struct export_request *req,
                         const struct focus_question *question, struct export_result *res,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    const struct focus_about about = {.minor = question->minor,
                                      .created = op_now(ctx),
                                      .generator_version = STINT_VERSION,
                                      .extra = focus_extras,
                                      .extra_count = FOCUS_EXTRAS};
    struct export_file file;
    struct focus_sink sink = {.text = &file.text, .flush = export_flush_rows, .ctx = &file};
    bool ok;

    res->version = req->version;
    ok = export_open(req->file, ctx->arena, &file, err) &&
         account_export_focus(&account, question, &sink, &res->exported, err);
    return export_close(&file, ok, err) &&
           (str_eq(req->file, STR("-")) ||
            export_metadata(&about, req->file, ctx->arena, &res->metadata, err));
}

/* The account day by day: for a file, or for the result. */
static bool export_days(struct op_context *ctx, struct ledger *ledger,
                        const struct export_request *req, const struct focus_question *question,
                        struct export_result *res, struct error *err)
{
    const struct spending_query query = {.since = question->since,
                                         .until = question->until,
                                         .grain = GRAIN_DAY,
                                         .by = ((uint64_t)1 << DIMENSION_COUNT) - 1,
                                         .from = question->from,
                                         .unsplit = true};
    struct spending_answer answer;
    struct export_file file;
    bool ok;

    if (!op_spending(ctx, ledger, &query, &answer, err))
        return false;
    res->exported =
        (struct focus_export){.rows = (int64_t)answer.count, .unpriced = answer.unpriced};
    res->days = (struct rows){answer.at, answer.count};
    if (!req->csv)
        return true;
    ok = export_open(req->file, ctx->arena, &file, err);
    if (ok)
        csv_rows_write(&spending_day_fields, &res->days, &file.text);
    res->days = (struct rows){0};
    return export_close(&file, ok, err);
}

/* ---- the operation ---- */

/* An export has each amount once, where it was billed: a share is no charge. */
static bool note_splits(struct op_context *ctx, struct ledger *ledger, struct error *err)
{
    const struct allocation_policy *policy;

    if (!ledger_policy_read(ledger, ctx->arena, &policy, err))
        return false;
    if (policy != NULL && policy->shared_count > 0)
        message_note(&ctx->messages, "costs that the policy splits are exported unsplit, where "
                                     "they were billed: 'stint statement --csv FILE' has the "
                                     "shares");
    return true;
}

static bool check_format(const struct export_request *req, struct error *err)
{
    if (req->focus && req->csv)
        return error_fail(err, ERROR_USAGE, "--focus and --csv are two formats: choose one");
    if (req->focus || req->csv || str_eq(req->file, STR("-")))
        return true;
    error_set(err, ERROR_USAGE, "a file of which format?");
    error_hint(err, "give --focus or --csv; --json prints the account day by day");
    return false;
}

static bool export_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct export_request *req = in;
    struct export_result *res = out;
    struct focus_question question = {.from = str_eq(req->from, STR("bills"))  ? SPENDING_BILLS
                                              : str_eq(req->from, STR("runs")) ? SPENDING_RUNS
                                                                               : SPENDING_ALL,
                                      .minor = str_eq(req->version, STR("1.4")) ? 4 : 2};
    struct ledger *ledger;
    bool ok;

    if (!check_format(req, err) ||
        !days_asked_parse(op_today(ctx), &req->days, 0, &question.since, &question.until, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_READ, err);
    if (ledger == NULL)
        return false;
    if (req->focus || req->csv)
        res->file = req->file;
    ok = ledger_hold(ledger, err) &&
         (question.from != SPENDING_ALL || note_splits(ctx, ledger, err)) &&
         (req->focus ? export_focus(ctx, ledger, req, &question, res, err)
                     : export_days(ctx, ledger, req, &question, res, err));
    ledger_close(ledger);
    return ok;
}

const struct op op_export = {
    .name = "export",
    .schema = "stint.export/1",
    .changes = true,
    .summary = "export costs as FOCUS, CSV or JSON",
    .request = &(const struct field_set)FIELD_SET(struct export_request, request),
    .result = &(const struct field_set)FIELD_SET(struct export_result, result),
    .run = export_run,
};
