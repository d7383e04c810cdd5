/* A report of a metered run. */
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/report/work.h"

/* "bert (aaaa0001)" */
static bool name_run(const struct ledger_run *run, struct arena *arena, struct str *out,
                     struct error *err)
{
    struct buf text = buf_new(arena->alloc, 1024);

    buf_add(&text, run->start.name);
    buf_adds(&text, " (");
    buf_add(&text, ledger_short(run->start.id));
    buf_char(&text, ')');
    return buf_keep(&text, arena, out, err);
}

static void take_totals(const struct ledger_run *run, struct report_work *work)
{
    const struct ledger_totals *t = &run->totals;

    work->time = t->elapsed;
    work->time_method = str_eq(run->start.origin, STR("added")) ? STR("given") : STR("metered");
    work->gpu_name = t->gpu;
    work->gpus = t->gpus;
    work->gpu_busy = t->gpu_busy;
    work->gpu_memory_peak = t->gpu_memory_peak;
    work->gpu_memory_total = t->gpu_memory_total;
    work->memory_peak = t->memory_peak;
    work->energy.j = t->joules;
    work->energy_method = t->energy_method;
    work->energy_error = t->energy_error;
    work->carbon.g = t->grams;
    work->cost = t->cost;
    work->score = t->score;
}

static bool take_run(const struct ledger_run *run, struct arena *arena,
                     struct report_work *work, struct error *err)
{
    struct ledger_review review;

    work_blank(work);
    work->name = run->start.name;
    work->id = str_from(run->start.id);
    work->at = run->start.started;
    work->state = str_from(ledger_state_name(run->state));
    work->estimated = run->start.estimated_cost;
    work->rate = run->start.rate;
    work->offer = run->start.offer;
    work->market = run->start.market;
    work->price_source = run->start.price_source;
    take_totals(run, work);
    if (!ledger_review(run, arena, &review, err))
        return false;
    work->cpu_cores = review.cpu_cores;
    work->costs = review.costs;
    work->phases = review.phases;
    return true;
}

bool report_run(struct op_context *ctx, const struct report_request *req, struct report *out,
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
         take_run(run, ctx->arena, work, err);
    ledger_close(ledger);
    out->result->kind = STR("run");
    return ok && name_run(run, ctx->arena, &out->result->title, err) &&
           work_report(ctx, work, out, err);
}
