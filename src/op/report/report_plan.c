/* A report of a saved plan: what the work is going to cost. */
#include <math.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/report/report.h"
#include "plan/file.h"
#include "report/work_options.h"

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

            if ((row->market != PLAN_ON_DEMAND && row->market != PLAN_SPOT) ||
                row->cost.nano == MONEY_UNKNOWN)
                continue;
            options[n++] = (struct work_option){
                .provider = row->provider,
                .offer = row->offer,
                .accelerator = row->accelerator,
                .market = row->market == PLAN_SPOT ? MARKET_SPOT : MARKET_ON_DEMAND,
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

static bool take_plan(struct op_context *ctx, const struct plan_result *plan,
                      struct report_work *work, struct error *err)
{
    const struct plan_row *best = plan->plans.at;

    work->kind = STR("plan");
    work->name = plan->name;
    work->modelled = true;
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
    if (!op_work_find_gpu(ctx, work, err))
        return false;
    if (work->gpu != NULL)
        work->gpu_memory_total = work->gpu->memory_gb * 1e9;
    return take_report_price(best, ctx->arena, work, err) &&
           take_money(plan, ctx->arena, work, err) && take_others(plan, ctx->arena, work, err);
}

bool op_report_plan(struct op_context *ctx, const struct report_request *req,
                    struct report *out, struct error *err)
{
    struct report_work *work = arena_array(ctx->arena, struct report_work, 1, err);
    struct plan_result *plan = arena_array(ctx->arena, struct plan_result, 1, err);

    if (work == NULL || plan == NULL || !plan_file_read(req->plan, ctx->arena, plan, err))
        return false;
    if (plan->plans.len == 0) {
        error_set(err, ERROR_INPUT, "%.*s: no plan on machines with GPUs in it",
                  STR_ARG(req->plan));
        error_hint(err, "'stint plan JOB --save PLAN.json' writes one");
        return false;
    }
    work_blank(work);
    op_work_add_given(req, work);
    out->kind = STR("plan");
    out->title = plan->name;
    return take_plan(ctx, plan, work, err) && op_work_report(ctx, work, out, err);
}
