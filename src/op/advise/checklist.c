/* checklist - what the ledger, the configuration and a job prove of a phase's checklist. */
#include "op/advise/checklist.h"

#include "advise/practice/practice_job.h"
#include "base/fs.h"
#include "op/advise/practices.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXT, checklist_request, phase, .value = "PHASE", .operand = true,
          .help = "phase: data, experiment, before, during, after, evaluation, compression, "
                  "deployment or monthly (default: progress of all)"),
    FIELD(TEXT, checklist_request, job, .value = "JOB", .operand = true,
          .help = "job file to check as well"),
    OP_PERIOD(checklist_request, days, "30d"),
    FIELD(TEXT, checklist_request, md, .value = "FILE", .output = true,
          .help = "write a Markdown task list to FILE"),
};

static const struct field result[] = {
    FIELD(TEXT, checklist_result, phase, .empty_unknown = true, .help = "phase; null: all"),
    FIELD(DAY, checklist_result, since, .help = "first day"),
    FIELD(DAY, checklist_result, until, .help = "last day"),
    FIELD(TEXT, checklist_result, ledger, .help = "ledger that was read"),
    FIELD(FLAG, checklist_result, none_yet, .help = "no ledger exists yet"),
    FIELD_AS("phases", LIST, checklist_result, list.phases, .row = &checklist_phase_fields,
             .help = "phases with their numbers of items"),
    FIELD_AS("items", LIST, checklist_result, list.rows, .row = &checklist_row_fields,
             .help = "items of the phase"),
    FIELD(TEXT, checklist_result, md, .help = "file that was written"),
};

static bool add_checklist_job(struct op_context *ctx, struct str name, struct practices *facts,
                              struct error *err)
{
    struct job_source source = {.job = name};
    struct job_input input;

    if (!op_job_read(ctx, &source, &input, err))
        return false;
    practices_of_job(&input.given, facts);
    return true;
}

static bool checklist_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct checklist_request *req = in;
    struct checklist_result *res = out;
    struct practices facts;
    struct ledger *ledger = NULL;
    struct buf text;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, DAYS, &res->since, &res->until, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_CHECKLIST), err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    res->none_yet = ledger == NULL;
    res->ledger = op_ledger_shown(ctx);
    res->phase = req->phase;
    res->md = req->md;
    ok = op_practices(ctx, ledger, res->since, res->until, &facts, err) &&
         (req->job.len == 0 || add_checklist_job(ctx, req->job, &facts, err)) &&
         checklist_judge(&facts, &ctx->catalog.tables[TABLE_CHECKLIST], req->phase, ctx->arena,
                         &res->list, err);
    ledger_close(ledger);
    res->until.n--;
    if (!ok || req->md.len == 0)
        return ok;
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    checklist_markdown(&res->list, &text);
    return fs_put_buf(req->md, &text, err);
}

const struct op op_checklist = {
    .name = "checklist",
    .schema = "stint.checklist/1",
    .summary = "tick the items that the ledger, the configuration and a job prove",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct checklist_request, request),
    .result = &(const struct field_set)FIELD_SET(struct checklist_result, result),
    .run = checklist_run,
};
