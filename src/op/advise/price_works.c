#include "op/advise/price_works.h"

#include <math.h>

#include "advise/rules/work_price.h"
#include "op/context.h"
#include "op/market.h"
#include "op/work_compare.h"

static void take_work(const struct advise_work *w, const struct accelerator *gpu,
                      struct report_work *out)
{
    work_blank(out);
    out->kind = STR("run");
    out->name = w->subject;
    out->time = w->mean_time;
    out->time_method = STR("metered");
    out->gpu_name = w->gpu;
    out->gpu = gpu;
    out->gpus = w->gpus;
    out->gpu_busy = w->utilization;
    out->gpu_memory_peak =
        w->memory_peak.n != BYTES_UNKNOWN.n ? (double)w->memory_peak.n : (double)NAN;
    out->cost = w->cost;
    out->rate = w->rate;
    out->offer = w->offer;
    out->market = w->market;
}

static bool take_work_options(const struct work_pricing *p,
                              const struct work_comparison *comparison, struct advise_work *w,
                              struct error *err)
{
    const struct work_option *from = comparison->options.at;
    struct advise_option *to =
        arena_array(p->arena, struct advise_option, comparison->options.len, err);
    double hours = span_in_hours(w->mean_time);

    for (size_t i = 0; to != NULL && i < comparison->options.len; i++) {
        to[i] = (struct advise_option){.offer = from[i].offer,
                                       .provider = from[i].provider,
                                       .gpu = from[i].accelerator,
                                       .market = from[i].market,
                                       .gpus = from[i].gpus,
                                       .memory_gb = from[i].memory_gb,
                                       .cost = from[i].cost,
                                       .cost_low = from[i].cost_low,
                                       .cost_high = from[i].cost_high,
                                       .time = from[i].hours / hours,
                                       .date = from[i].date};
        if (!work_price_option(p, w, &to[i], err))
            return false;
    }
    w->options = (struct rows){to, comparison->options.len};
    return to != NULL;
}

/* What it would cost on other machines. */
static bool price_machines(struct op_context *quiet, const struct work_pricing *p,
                           struct advise_work *w, struct error *err)
{
    struct report_work *work = arena_array(p->arena, struct report_work, 1, err);
    enum name_match match;
    const struct accelerator *gpu =
        w->gpu.len > 0 ? accelerator_search(p->catalog, w->gpu, &match) : NULL;
    struct work_comparison comparison;
    struct str why;

    if (work == NULL)
        return false;
    if (w->gpus > 0 && gpu == NULL) /* how long it takes elsewhere is not known */
        return true;
    take_work(w, gpu, work);
    return op_work_compare(quiet, work, &comparison, &why, err) &&
           take_work_options(p, &comparison, w, err);
}

static bool open_pricing(struct op_context *quiet, struct constants *constants,
                         struct work_pricing *out, struct error *err)
{
    struct machine_query all = machine_query_all();
    struct machine *machines;

    if (!op_catalog(quiet,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_INTERRUPTIONS) | TABLE_BIT(TABLE_PRICE_HOURS) |
                        TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&quiet->catalog, constants, err) ||
        !op_machines(quiet, &all, &machines, &out->count, err))
        return false;
    out->machines = machines;
    return true;
}

bool advise_price_works(struct op_context *ctx, struct advise_facts *facts, struct error *err)
{
    size_t count = facts->works.len < ADVISE_PRICED ? facts->works.len : ADVISE_PRICED;
    struct constants *constants = arena_array(ctx->arena, struct constants, 1, err);
    struct advise_work *works =
        arena_array(ctx->arena, struct advise_work, facts->works.len, err);
    /* What is left out of comparisons is no news here. */
    struct op_context quiet = op_apart(ctx, ctx->arena, true);
    struct work_pricing p = {.catalog = &quiet.catalog,
                             .constants = constants,
                             .accounts = ctx->settings->providers,
                             .today = op_today(ctx),
                             .arena = ctx->arena};
    bool ok = works != NULL && constants != NULL;

    for (size_t i = 0; ok && i < facts->works.len; i++)
        works[i] = ((const struct advise_work *)facts->works.at)[i];
    if (ok)
        facts->works.at = works;
    ok = ok && (count == 0 || open_pricing(&quiet, constants, &p, err));
    for (size_t i = 0; i < count && ok; i++)
        ok = !work_is_priced(&works[i]) ||
             (work_price(&p, &works[i], err) && price_machines(&quiet, &p, &works[i], err));
    facts->constants = ok && count > 0 ? constants : NULL;
    op_done(&quiet);
    return ok;
}
