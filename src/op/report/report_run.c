/* A report of a metered run. */
#include "account/run/memory_mean.h"
#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "op/findings.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "report/work_source.h"

#define MOST_RUNS 200 /* the newest, that "usual" is about */

static bool find_usual(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                       struct work_usual *out, struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = MOST_RUNS};
    const struct ledger_run *runs;
    size_t count;

    return ledger_runs(ledger, &query, arena, &runs, &count, err) &&
           work_usual_of(runs, count, run, arena, out, err);
}

static bool take_report_metrics(struct ledger *ledger, const struct ledger_run *run,
                                struct arena *arena, struct report_work *work,
                                struct error *err)
{
    const struct ledger_metric *metrics;
    size_t count;

    if (!ledger_metrics(ledger, run->start.id, arena, &metrics, &count, err))
        return false;
    work->metrics = (struct rows){metrics, count};
    return true;
}

/* Each GPU, where they differ: else the mean says it all. */
static bool take_report_devices(struct ledger *ledger, const struct ledger_run *run,
                                struct arena *arena, struct report_work *work,
                                struct error *err)
{
    if (!device_uses_read(ledger, run, arena, &work->devices, err))
        return false;
    if (!device_uses_differ(work->devices.at, work->devices.len))
        work->devices = (struct rows){0};
    return true;
}

bool op_report_run(struct op_context *ctx, const struct report_request *req, struct report *out,
                   struct error *err)
{
    struct report_work *work = arena_array(ctx->arena, struct report_work, 1, err);
    struct ledger_run *run = arena_array(ctx->arena, struct ledger_run, 1, err);
    struct str wanted = req->runs.len > 0 ? req->runs.at[0] : STR("last");
    struct ledger *ledger;
    bool ok;

    if (work == NULL || run == NULL)
        return false;
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && ledger_find(ledger, wanted, ctx->arena, run, err) &&
         work_of_run(run, ctx->arena, work, err) &&
         find_usual(ledger, run, ctx->arena, &work->usual, err) &&
         take_report_metrics(ledger, run, ctx->arena, work, err) &&
         take_report_devices(ledger, run, ctx->arena, work, err) &&
         run_memory_mean(ledger, run, ctx->arena, &work->memory_mean, err) &&
         work_inference_find(ledger, run, ctx->arena, &work->inference, err);
    ledger_close(ledger);
    out->kind = STR("run");
    if (!ok)
        return false;
    op_work_add_given(req, work);
    return work_name_run(run, ctx->arena, &out->title, err) &&
           op_work_find_gpu(ctx, work, err) &&
           op_findings_of_run(ctx, work->id, &work->advice, err) &&
           op_work_report(ctx, work, out, err);
}
