/* export - bills and runs as FOCUS, or the account day by day. */
#include "op/account/export.h"

#include "account/policy/ledger_policy.h"
#include "op/account/export_focus.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/moment.h"
#include "op/op.h"
#include "report/csv_rows.h"

static const char *const versions[] = {"1.2", "1.4", NULL};
static const char *const sources[] = {"all", "bills", "runs", NULL};

static const struct field request[] = {
    FIELD(TEXT, export_request, file, .value = "FILE", .operand = true, .output = true,
          .fallback = "-", .help = "to write; without it: standard output"),
    FIELD(FLAG, export_request, focus, .help = "every line of bills and day of runs as FOCUS"),
    FIELD(FLAG, export_request, csv, .help = "the account day by day, as a table"),
    FIELD(CHOICE, export_request, version, .value = "N", .choices = versions, .fallback = "1.2",
          .help = "of FOCUS: 1.2 or 1.4"),
    OP_PERIOD(export_request, days, "the first day recorded"),
    FIELD(CHOICE, export_request, from, .value = "WHAT", .choices = sources, .fallback = "all",
          .help = "bills, runs that no bill covers and recurring costs (all), bills, or every "
                  "run"),
};

static const struct field change_fields[] = {
    FIELD(COUNT, export_change, rows, .help = "that were changed so"),
    FIELD(TEXT, export_change, what, .help = "was done to them"),
};

static const struct field_set change_set = FIELD_SET(struct export_change, change_fields);

static const struct field day_fields[] = {
    FIELD_AS("day", DAY, export_day, on, .help = "in UTC"),
    FIELD(TEXT, export_day, currency, .help = "of the amounts"),
    FIELD(TEXT, export_day, amount, .help = "effective cost, exact"),
    FIELD(TEXT, export_day, metered, .help = "the part of it that no bill covers"),
    FIELD(COUNT, export_day, lines, .help = "of bills"),
    FIELD(COUNT, export_day, runs, .help = "in it"),
#define DIMENSION_FIELD(label, words) \
    FIELD_AS(#label, TEXT, export_day, of.of[DIMENSION_##label], .help = (words)),
    DIMENSIONS(DIMENSION_FIELD)
#undef DIMENSION_FIELD
};

static const struct field_set day_set = FIELD_SET(struct export_day, day_fields);

static const struct field result[] = {
    FIELD(TEXT, export_result, file, .help = "that was written"),
    FIELD(TEXT, export_result, metadata, .help = "the file beside it that describes it"),
    FIELD(TEXT, export_result, version, .help = "of FOCUS"),
    FIELD(COUNT, export_result, rows, .help = "in all"),
    FIELD(COUNT, export_result, bill_rows, .help = "lines of bills"),
    FIELD(COUNT, export_result, run_rows, .help = "days of runs"),
    FIELD(COUNT, export_result, recurring_rows, .help = "months of recurring costs"),
    FIELD(LIST, export_result, changes, .row = &change_set,
          .help = "what was done so that rows keep the rules"),
    FIELD(TEXTS, export_result, billed, .help = "the exact sum of billed cost, by currency"),
    FIELD(COUNT, export_result, unpriced, .help = "runs whose cost is not known: not in it"),
    FIELD(LIST, export_result, days, .row = &day_set, .help = "the account, without a file"),
};

/* ---- the account day by day ---- */

static bool exact(struct op_context *ctx, struct decimal amount, struct str *out,
                  struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 256);

    decimal_write(amount, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

static bool read_days(struct op_context *ctx, struct ledger *ledger,
                      const struct export_request *req, const struct export_range *range,
                      struct export_result *res, struct error *err)
{
    struct spending_query query = {.since = range->since,
                                   .until = range->until,
                                   .grain = GRAIN_DAY,
                                   .by = ((uint64_t)1 << DIMENSION_COUNT) - 1,
                                   .from = str_eq(req->from, STR("bills"))  ? SPENDING_BILLS
                                           : str_eq(req->from, STR("runs")) ? SPENDING_RUNS
                                                                            : SPENDING_ALL,
                                   .unsplit = true};
    struct spending_answer answer;
    struct export_day *days;

    if (!op_spending(ctx, ledger, &query, &answer, err))
        return false;
    days = arena_array(ctx->arena, struct export_day, answer.count, err);
    if (days == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        const struct spending *s = &answer.at[i];

        days[i] = (struct export_day){.on = s->from,
                                      .currency = str_from(s->currency),
                                      .lines = s->lines,
                                      .runs = s->runs,
                                      .of = s->of};
        if (!exact(ctx, s->amount, &days[i].amount, err) ||
            !exact(ctx, s->metered, &days[i].metered, err))
            return false;
    }
    res->days = (struct rows){days, answer.count};
    res->rows = (int64_t)answer.count;
    res->unpriced = answer.unpriced;
    return true;
}

static bool write_days(struct op_context *ctx, const struct export_request *req,
                       struct export_result *res, struct error *err)
{
    struct export_file file;
    bool ok = export_open(ctx, req->file, &file, err);

    if (ok)
        csv_rows_write(&day_set, &res->days, &file.text);
    ok = export_close(&file, ok, err);
    res->days = (struct rows){0};
    return ok;
}

/* ---- the operation ---- */

static bool range_of(const struct op_context *ctx, const struct export_request *req,
                     struct export_range *out, struct error *err)
{
    return op_days(ctx, &req->days, 0, &out->since, &out->until, err);
}

/* A share is nobody's charge: an export has each amount once, where it was billed. */
static bool say_splits(struct op_context *ctx, struct ledger *ledger,
                       const struct export_request *req, struct error *err)
{
    const struct policy *policy;

    if (!str_eq(req->from, STR("all")))
        return true;
    if (!ledger_policy_read(ledger, ctx->arena, &policy, err))
        return false;
    if (policy != NULL && policy_shared_count(policy) > 0)
        message_note(
            &ctx->messages,
            "costs that the policy splits are whole, where they were billed: 'stint statement "
            "--csv FILE' has everybody's shares");
    return true;
}

static bool export_all(struct op_context *ctx, struct ledger *ledger,
                       const struct export_request *req, const struct export_range *range,
                       struct export_result *res, struct error *err)
{
    if (!say_splits(ctx, ledger, req, err))
        return false;
    if (req->focus)
        return export_focus(ctx, ledger, req, range, res, err);
    return read_days(ctx, ledger, req, range, res, err) &&
           (!req->csv || write_days(ctx, req, res, err));
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct export_request *req = in;
    struct export_result *res = out;
    struct export_range range;
    struct ledger *ledger;
    bool ok;

    res->rows = res->bill_rows = res->run_rows = res->recurring_rows = res->unpriced = 0;
    if (req->focus && req->csv)
        return error_fail(err, ERROR_USAGE, "--focus and --csv are two formats: choose one");
    if (!req->focus && !req->csv && !str_eq(req->file, STR("-"))) {
        error_set(err, ERROR_USAGE, "a file of which format?");
        error_hint(err, "say --focus or --csv; --json prints the account day by day");
        return false;
    }
    if (!range_of(ctx, req, &range, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_READ, err);
    if (ledger == NULL)
        return false;
    if (req->focus || req->csv)
        res->file = req->file;
    ok = ledger_hold(ledger, err) && export_all(ctx, ledger, req, &range, res, err);
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
    .run = run,
};
