#include "op/advise/price_works.h"

#include <math.h>

#include "advise/rules/work_price.h"
#include "op/context.h"
#include "op/market.h"
#include "op/work_compare.h"

/* What its comparison goes by. */
static void take_work(const struct advise_work *w, const struct accelerator *gpu,
                      struct report_work *out)
{
    work_blank(out);
    out->time = w->mean_time;
    out->gpu = gpu;
    out->gpus = w->gpus;
    out->gpu_busy = w->utilization;
    out->gpu_memory_peak =
        w->memory_peak.n != BYTES_UNKNOWN.n ? (double)w->memory_peak.n : (double)NAN;
}

/* `time`: how long the work takes here. */
static struct advise_option option_elsewhere(const struct work_option *o, span time)
{
    return (struct advise_option){.offer = o->offer,
                                  .provider = o->provider,
                                  .gpu = o->accelerator,
                                  .market = o->market,
                                  .gpus = o->gpus,
                                  .memory_gb = o->memory_gb,
                                  .cost = o->cost,
                                  .cost_low = o->cost_low,
                                  .cost_high = o->cost_high,
                                  .time = o->hours / span_in_hours(time),
                                  .date = o->date};
}

static bool take_work_options(const struct work_pricing *p, const struct rows *options,
                              struct advise_work *w, struct error *err)
{
    const struct work_option *from = options->at;
    struct advise_option *to = arena_array(p->arena, struct advise_option, options->len, err);

    for (size_t i = 0; to != NULL && i < options->len; i++) {
        to[i] = option_elsewhere(&from[i], w->mean_time);
        if (!work_price_option(p, w, &to[i], err))
            return false;
    }
    w->options = (struct rows){to, options->len};
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
           take_work_options(p, &comparison.options, w, err);
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
