#include "report/work_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/run/review.h"
#include "base/num.h"
#include "report/work_options.h"

#define LEAST_RUNS 3              /* that "usual" is about */
#define LONG_ENOUGH (60 * SECOND) /* shorter runs show nothing */

/* ---- a run ---- */

bool work_name_run(const struct ledger_run *run, struct arena *arena, struct str *out,
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
    work->disk_read = t->read;
    work->disk_written = t->written;
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

bool work_usual_of(const struct ledger_run *runs, size_t count, const struct ledger_run *run,
                   struct arena *arena, struct work_usual *out, struct error *err)
{
    double *busy = arena_array(arena, double, 2 * count + 1, err), *memory;
    size_t used = 0;

    if (busy == NULL)
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

bool work_of_run(const struct ledger_run *run, struct arena *arena, struct report_work *work,
                 struct error *err)
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

/* ---- a plan ---- */

/* The lines of its money, as parts of the cost. */
static bool take_money(const struct plan_result *plan, struct arena *arena,
                       struct report_work *work, struct error *err)
{
    const struct plan_line *lines = plan->money.at;
    struct run_part *parts = arena_array(arena, struct run_part, plan->money.len, err);

    if (parts == NULL)
        return false;
    for (size_t i = 0; i < plan->money.len; i++)
        parts[i] = (struct run_part){lines[i].name, lines[i].amount, lines[i].share};
    work->costs = (struct rows){parts, plan->money.len};
    return true;
}

static bool take_report_price(const struct plan_row *best, struct arena *arena,
                              struct report_work *work, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, best->offer);
    buf_char(&text, ' ');
    buf_add(&text, plan_row_market(best));
    buf_adds(&text, ", price from ");
    day_write(best->price_date, &text);
    work->rate = usd_per_hour_times(best->price, best->machines > 0 ? best->machines : 1);
    work->offer = best->offer;
    work->market = plan_row_market(best);
    return buf_keep(&text, arena, &work->price_source, err);
}

/* Machines that the plan was compared with, by the full estimate. */
static bool take_others(const struct plan_result *plan, struct arena *arena,
                        struct report_work *work, struct error *err)
{
    const struct rows *const lists[] = {&plan->plans, &plan->front};
    size_t room = plan->plans.len + plan->front.len, n = 0;
    struct work_option *options = arena_array(arena, struct work_option, room, err);

    if (options == NULL)
        return false;
    for (size_t k = 0; k < ARRAY_LEN(lists); k++)
        for (size_t i = 0; i < lists[k]->len; i++) {
            const struct plan_row *row = (const struct plan_row *)lists[k]->at + i;

            if ((row->market != MARKET_ON_DEMAND && row->market != MARKET_SPOT) ||
                row->cost.nano == MONEY_UNKNOWN)
                continue;
            options[n++] = (struct work_option){
                .provider = row->provider,
                .offer = row->offer,
                .accelerator = row->accelerator,
                .market = row->market,
                .gpus = row->rented_gpus,
                .machines = row->machines,
                .hours = row->hours.value,
                .cost = row->cost,
                .cost_low = row->cost_low,
                .cost_high = row->cost_high,
                .ranked = row->cost,
                .date = row->price_date,
                .age_days = row->price_age_days,
                .memory_gb = row->usable_gb,
                .front = k == 1,
            };
        }
    work->planned = (struct rows){options, n};
    return true;
}

bool work_of_plan(const struct plan_result *plan, struct arena *arena, struct report_work *work,
                  struct error *err)
{
    const struct plan_row *best = plan->plans.at;

    work_blank(work);
    work->kind = STR("plan");
    work->name = plan->name;
    work->modeled = true;
    work->time_method = STR("estimated");
    if (!str_eq(plan->unit, STR("job")))
        work->per =
            str_eq(plan->unit, STR("month")) ? STR(" a month") : STR(" per million tokens");
    else if (!isnan(best->hours.value))
        work->time = span_hours(best->hours.value);
    work->gpu_name = best->accelerator;
    work->gpus = best->gpus;
    work->gpu_memory_peak = best->memory_gb * 1e9;
    work->energy.j = best->kwh * JOULES_PER_KWH;
    work->energy_method = STR("estimated");
    work->carbon.g = best->carbon_kg * 1e3;
    work->carbon_method = STR("estimated, by the grid of the region");
    work->cost = work->time_cost = best->cost;
    return take_report_price(best, arena, work, err) && take_money(plan, arena, work, err) &&
           take_others(plan, arena, work, err);
}
