/* A report of a metered run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "op/findings.h"
#include "op/ledger_open.h"
#include "op/report/report.h"

#define LEAST_RUNS 3              /* that "usual" is about */
#define MOST_RUNS 200             /* the newest */
#define LONG_ENOUGH (60 * SECOND) /* shorter runs show nothing */

/* "bert (aaaa0001)" */
static bool name_report_run(const struct ledger_run *run, struct arena *arena, struct str *out,
                            struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

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
    work->time_method = ledger_origin_given(run->start.origin) ? STR("given") : STR("metered");
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
    work->seed_score = t->seed_score;
    work->lost_s = t->lost_s;
    work->has_checkpoints = t->checkpoint_bytes > 0;
    work->time_cost = usd_add(t->compute, t->setup.nano != MONEY_UNKNOWN ? t->setup : (usd){0});
    if (!isnan(t->grams))
        work->carbon_method = STR("by the grid of its region, counted while it ran");
}

/* ---- the user's other runs ---- */

/* The first and the last quartile of those that are known; NaN for fewer than LEAST_RUNS. */
static void find_quartiles(double *values, size_t count, double out[2])
{
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    out[0] = out[1] = NAN;
    if (known < LEAST_RUNS)
        return;
    qsort(values, known, sizeof values[0], num_by_value);
    out[0] = values[(known - 1) / 4];
    out[1] = values[known - 1 - (known - 1) / 4];
}

static bool find_usual(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                       struct work_usual *out, struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = MOST_RUNS};
    const struct ledger_run *runs;
    double *busy, *memory;
    size_t count, used = 0;

    if (!ledger_runs(ledger, &query, arena, &runs, &count, err) ||
        (busy = arena_array(arena, double, 2 * count + 1, err)) == NULL)
        return false;
    memory = busy + count;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_totals *t = &runs[i].totals;

        if (strcmp(runs[i].start.id, run->start.id) == 0 || isnan(t->gpu_busy) ||
            t->elapsed.ns < LONG_ENOUGH)
            continue;
        busy[used] = t->gpu_busy;
        memory[used++] = t->gpu_memory_peak / t->gpu_memory_total;
    }
    out->runs = used >= LEAST_RUNS ? (int64_t)used : 0;
    find_quartiles(busy, used, out->busy);
    find_quartiles(memory, used, out->memory);
    return true;
}

static bool take_report_run(const struct ledger_run *run, struct arena *arena,
                            struct report_work *work, struct error *err)
{
    struct run_review review;

    work_blank(work);
    work->kind = STR("run");
    work->name = run->start.name;
    work->id = str_from(run->start.id);
    work->at = run->start.started;
    work->state = str_from(ledger_state_word(run->state, run->reason));
    work->estimated = run->start.estimated_cost;
    work->rate = run->start.rate;
    work->offer = run->start.offer;
    work->market = run->start.market;
    work->price_source = run->start.price_source;
    take_totals(run, work);
    if (!run_review_make(run, arena, &review, err))
        return false;
    work->cpu_cores = review.cpu_cores;
    work->costs = review.costs;
    work->phases = review.phases;
    work->verdict = review.verdict;
    work->cost_per_step = review.cost_per_step;
    work->electricity =
        run->start.rate.nano == MONEY_UNKNOWN && run->start.electricity.nano != MONEY_UNKNOWN;
    return true;
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
         take_report_run(run, ctx->arena, work, err) &&
         find_usual(ledger, run, ctx->arena, &work->usual, err) &&
         take_report_metrics(ledger, run, ctx->arena, work, err) &&
         take_report_devices(ledger, run, ctx->arena, work, err);
    ledger_close(ledger);
    out->kind = STR("run");
    if (!ok)
        return false;
    op_work_add_given(req, work);
    return name_report_run(run, ctx->arena, &out->title, err) &&
           op_work_find_gpu(ctx, work, err) &&
           op_findings_of_run(ctx, work->id, &work->advice, err) &&
           op_work_report(ctx, work, out, err);
}
