/* export - bills and runs as FOCUS, or the account day by day. */
#include "op/account/export.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "account/policy/ledger_policy.h"
#include "base/fs.h"
#include "base/term.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"
#include "render/csv_rows.h"

#define PIECE ((size_t)1 << 20) /* bytes that are written at a time */

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

static const struct field day_fields[] = {
    FIELD_AS("day", DAY, spending, from, .help = "day in UTC"),
    FIELD(CURRENCY, spending, currency, .help = "currency of the amounts"),
    FIELD(DECIMAL, spending, amount, .help = "exact effective cost"),
    FIELD(DECIMAL, spending, metered, .help = "part that no bill covers"),
    FIELD(COUNT, spending, lines, .help = "bill lines"),
    FIELD(COUNT, spending, runs, .help = "runs included"),
#define DIMENSION_FIELD(label, words) \
    FIELD_AS(#label, TEXT, spending, of.of[DIMENSION_##label], .help = (words)),
    DIMENSIONS(DIMENSION_FIELD)
#undef DIMENSION_FIELD
};

static const struct field_set day_set = FIELD_SET(struct spending, day_fields);

static const struct field result[] = {
    FIELD(TEXT, export_result, file, .help = "file that was written"),
    FIELD(TEXT, export_result, metadata, .help = "metadata file that describes it"),
    FIELD(TEXT, export_result, version, .help = "FOCUS version"),
    FIELD(RECORD, export_result, exported, .row = &focus_export_fields, .inlined = true,
          .help = "summary of the export"),
    FIELD(LIST, export_result, days, .row = &day_set,
          .help = "costs by day, when no file is given"),
};

/* ---- a file that is written piece by piece ---- */

struct export_file {
    struct fs_output to;
    struct buf text;
};

static bool export_open(struct op_context *ctx, struct str path, struct export_file *out,
                        struct error *err)
{
    const char *name = str_dup(path, ctx->arena, err);

    *out = (struct export_file){.to = {.fd = -1, .path = "standard output"},
                                .text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT)};
    if (name == NULL || !str_eq(path, STR("-")))
        return name != NULL && fs_output_open(name, &out->to, err);
    out->to.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (out->to.fd < 0)
        error_system(err, errno, "cannot write '%s'", out->to.path);
    return out->to.fd >= 0;
}

/* Write out what has gathered, when that is much. */
static bool export_flush(struct export_file *file, bool all, struct error *err)
{
    bool ok;

    if (!buf_ok(&file->text, err))
        return false;
    if (file->text.len < PIECE && !all)
        return true;
    ok = term_write(file->to.fd, buf_text(&file->text), false, file->text.alloc, err);
    if (!ok)
        error_system(err, errno, "cannot write '%s'", file->to.path);
    buf_clear(&file->text);
    return ok;
}

static bool export_close(struct export_file *file, bool ok, struct error *err)
{
    ok = ok && export_flush(file, true, err);
    buf_free(&file->text);
    return fs_output_close(&file->to, ok, err);
}

/* ---- the two formats ---- */

/* "bill.csv" has "bill.metadata.json" beside it. */
static bool write_metadata(struct op_context *ctx, int minor, struct export_result *res,
                           struct error *err)
{
    struct focus_about about = {.minor = minor,
                                .created = op_now(ctx),
                                .generator_version = STINT_VERSION,
                                .extra = focus_extras,
                                .extra_count = FOCUS_EXTRAS};
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct str stem = res->file;
    char *path;
    bool ok;

    if (str_ends(stem, STR(".csv")))
        stem.len -= 4;
    path = arena_array(ctx->arena, char, stem.len + sizeof ".metadata.json", err);
    if (path == NULL)
        return false;
    memcpy(path, stem.at, stem.len);
    memcpy(path + stem.len, ".metadata.json", sizeof ".metadata.json");
    focus_write_metadata(&about, &text);
    ok = buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    res->metadata = str_from(path);
    return ok;
}

static bool flush_export_rows(void *ctx, struct error *err)
{
    return export_flush(ctx, false, err);
}

static bool export_focus(struct op_context *ctx, struct ledger *ledger,
                         const struct export_request *req,
                         const struct focus_question *question, struct export_result *res,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct export_file file;
    struct focus_sink sink = {.text = &file.text, .flush = flush_export_rows, .ctx = &file};
    bool ok;

    res->version = req->version;
    ok = export_open(ctx, req->file, &file, err) &&
         account_export_focus(&account, question, &sink, &res->exported, err);
    return export_close(&file, ok, err) &&
           (str_eq(req->file, STR("-")) || write_metadata(ctx, question->minor, res, err));
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
    ok = export_open(ctx, req->file, &file, err);
    if (ok)
        csv_rows_write(&day_set, &res->days, &file.text);
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
