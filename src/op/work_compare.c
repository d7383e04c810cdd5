#include "op/work_compare.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/serving/cpu.h"
#include "market/compare.h"
#include "op/context.h"
#include "op/market.h"

struct comparing {
    struct op_context *ctx;
    const struct report_work *work;
    struct market_view view;
    struct messages quiet;
    struct constants constants; /* of the estimator: margins of memory */
    struct machine *cpus;       /* without GPUs, which are compared */
    size_t cpu_count;
    struct work_comparison *out;
};

/* Spot is an option where it saves something. */
static void offer_market(struct comparing *c, const struct price_comparison *row,
                         enum market market, const struct relative_time *time, double hours)
{
    struct work_option o =
        work_option_at(&row->machine, market, row->machines, row->gpus, hours);
    bool spot = market == MARKET_SPOT;

    o.cost = spot ? row->spot_total : row->total;
    o.ranked = spot ? row->spot_ranked : row->ranked;
    if (o.cost.nano == MONEY_UNKNOWN || (spot && usd_compare(o.cost, row->total) >= 0))
        return;
    work_option_spread(&o, spot ? row->spot_total_low : row->total_low,
                       spot ? row->spot_total_high : row->total_high, time);
    work_options_offer(c->out, &o);
}

static void take_rows(struct comparing *c, const struct rows *list,
                      const struct relative_time *time, double hours)
{
    const struct price_comparison *rows = list->at;

    for (size_t i = 0; i < list->len; i++) {
        if (rows[i].outlier || !rows[i].complete)
            continue;
        offer_market(c, &rows[i], MARKET_ON_DEMAND, time, hours);
        offer_market(c, &rows[i], MARKET_SPOT, time, hours);
    }
}

static int by_gpu(const void *a, const void *b)
{
    const struct machine *x = a, *y = b;
    int order = str_cmp(x->accelerator, y->accelerator);

    return order != 0 ? order : str_cmp(x->name, y->name);
}

/* The machines with one GPU, which all take the same time. */
static bool price_gpu(struct comparing *c, const struct machine *machines, size_t count,
                      struct error *err)
{
    struct compare_query query = {.gpus = c->work->gpus > 0 ? c->work->gpus : 1,
                                  .running = !c->work->modeled,
                                  .all = true};
    struct relative_time time;
    struct error none = {0};
    struct rows rows;
    double hours;

    if (!work_runs_on(c->work, machines[0].gpu, &c->constants, &time))
        return true;
    hours = span_in_hours(c->work->time) * time.expected;
    query.hours = span_hours(hours);
    query.supply = c->ctx->settings->supply;
    if (compare_costs(&c->view, &query, machines, count, &rows, &none))
        take_rows(c, &rows, &time, hours);
    else if (none.kind != ERROR_ABSENT) {
        *err = none;
        return false;
    }
    return true;
}

/* A plan has compared machines by its full estimate, which data sheets cannot better. */
static void take_planned(struct comparing *c)
{
    const struct work_option *planned = c->work->planned.at;

    for (size_t k = 0; k < c->work->planned.len; k++)
        work_options_offer(c->out, &planned[k]);
    c->out->planned = true;
    work_options_finish(c->out);
}

static bool price_all(struct comparing *c, struct error *err)
{
    struct machine_query filter = machine_query_all();
    struct machine *machines;
    size_t count, from = 0;

    if (!op_catalog(c->ctx,
                    TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS) |
                        TABLE_BIT(TABLE_NETWORKS) | TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&c->ctx->catalog, &c->constants, err) ||
        !op_machines(c->ctx, &filter, &machines, &count, err))
        return false;
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet; /* which offers are left out is no news here */
    if (count > 0)
        qsort(machines, count, sizeof machines[0], by_gpu);
    for (size_t i = 1; i <= count; i++) {
        if (i < count && machines[i].gpu == machines[from].gpu)
            continue;
        if (!price_gpu(c, machines + from, i - from, err))
            return false;
        from = i;
    }
    work_options_finish(c->out);
    return true;
}

/* ---- machines without GPUs, for work that used none ---- */

#define LEAST_VCPUS 1.0
#define ARM_CPU STR("Graviton")

static bool is_provider(const struct op_context *ctx, struct str provider)
{
    const struct strs *own = &ctx->settings->providers;

    for (size_t i = 0; i < own->len; i++)
        if (str_glob(provider, own->at[i]))
            return true;
    return own->len == 0;
}

/* As many vCPUs as were busy on average, and the memory that was used at most. */
static bool machine_has_room(const struct report_work *w, const struct machine *m)
{
    return m->vcpus >= fmax(isnan(w->cpu_cores) ? 0 : w->cpu_cores, LEAST_VCPUS) &&
           (isnan(w->memory_peak) || m->memory_gib * BYTES_PER_GIB >= w->memory_peak);
}

static bool is_cpu_option(const struct comparing *c, const struct machine *m)
{
    const struct cpu_kind *cpu = cpu_find(&c->ctx->catalog, m->provider, m->instance);

    return m->fact.current && is_provider(c->ctx, m->provider) &&
           machine_has_room(c->work, m) && (cpu == NULL || !str_starts(cpu->cpu, ARM_CPU));
}

static bool name_compared_machine(struct arena *arena, struct machine *m, struct error *err)
{
    struct buf name = buf_new(arena->alloc, 512);

    buf_addf(&name, "%.*s/%.*s/%.*s", STR_ARG(m->provider), STR_ARG(m->region),
             STR_ARG(m->instance));
    return buf_keep(&name, arena, &m->name, err);
}

/* Of prices of machines without GPUs there is no history: they have no range. */
static void finish_cpus(struct comparing *c)
{
    for (size_t i = 0; i < c->out->options.len; i++) {
        struct work_option *o = &c->out->room[i];
        const struct machine *list = c->cpus;

        o->gpus = 0;
        o->cost_low = o->cost_high = USD_UNKNOWN;
        for (size_t k = 0; k < c->cpu_count; k++)
            if (str_eq(list[k].name, o->offer))
                o->vcpus = list[k].vcpus;
    }
    work_options_finish(c->out);
}

/* compare_costs() counts GPUs; here one of them is one machine. */
static bool price_cpus(struct comparing *c, struct error *err)
{
    const struct relative_time same = {1, 1, 1};
    struct compare_query query = {
        .gpus = 1, .hours = c->work->time, .running = !c->work->modeled, .all = true};
    day today = day_of(op_now(c->ctx));
    struct error none = {0};
    struct rows *table;
    struct rows rows;

    if (!op_catalog(c->ctx,
                    TABLE_BIT(TABLE_CPU_OFFERS) | TABLE_BIT(TABLE_CPUS) |
                        TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS) |
                        TABLE_BIT(TABLE_NETWORKS),
                    err))
        return false;
    table = &c->ctx->catalog.tables[TABLE_CPU_OFFERS];
    c->cpus = arena_array(c->ctx->arena, struct machine, table->len, err);
    if (c->cpus == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++) {
        struct machine *m = &c->cpus[c->cpu_count];

        *m = *CATALOG_ROW(&c->ctx->catalog, TABLE_CPU_OFFERS, machine, i);
        if (!is_cpu_option(c, m))
            continue;
        m->kind = STR("cloud");
        m->count = 1;
        m->age_days = today.n - m->fact.date.n;
        c->cpu_count++;
        if (!name_compared_machine(c->ctx->arena, m, err))
            return false;
    }
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet;
    if (c->cpu_count > 0 &&
        compare_costs(&c->view, &query, c->cpus, c->cpu_count, &rows, &none))
        take_rows(c, &rows, &same, span_in_hours(c->work->time));
    else if (none.kind != ERROR_NONE && none.kind != ERROR_ABSENT) {
        *err = none;
        return false;
    }
    finish_cpus(c);
    return true;
}

/* ---- at home ---- */

/* Electricity alone: what the machine cost to buy is not in it. */
static bool price_local_option(struct comparing *c, struct error *err)
{
    bool model = isnan(c->work->energy.j) && c->work->gpu != NULL;
    struct work_tariff tariff = {.row = NULL};

    if (!op_catalog(c->ctx,
                    TABLE_BIT(TABLE_ELECTRICITY) | (model ? TABLE_BIT(TABLE_CONSTANTS) : 0),
                    err) ||
        (model && !constants_load(&c->ctx->catalog, &c->constants, err)))
        return false;
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet;
    tariff.price = market_electricity(&c->view, &tariff.row);
    return work_price_local(c->work, &tariff, &c->constants, c->ctx->arena, c->out, err);
}

bool op_work_compare(struct op_context *ctx, const struct report_work *work,
                     struct work_comparison *out, struct str *why, struct error *err)
{
    struct comparing c = {.ctx = ctx, .work = work, .out = out};

    *out = (struct work_comparison){.same_time = work->gpu == NULL, .cpus = work->gpus == 0};
    *why = (struct str){0};
    if (!work_options_open(out, ctx->arena, err) || !price_local_option(&c, err))
        return false;
    if (work->planned.len > 0) {
        take_planned(&c);
    } else if (work->time.ns <= 0) {
        *why = STR("the time is not known");
        return true;
    } else if (!(out->cpus ? price_cpus(&c, err) : price_all(&c, err))) {
        return false;
    }
    if (out->options.len == 0)
        *why = out->cpus ? STR("no machine without GPUs in the catalog has enough vCPUs and "
                               "memory")
                         : STR("no offer in the catalog has enough memory of this kind");
    return true;
}
