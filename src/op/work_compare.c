#include "op/work_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/constants.h"
#include "estimate/kernels/relative.h"
#include "estimate/memory/memory.h"
#include "estimate/money/energy.h"
#include "estimate/serving/cpu.h"
#include "market/compare.h"
#include "op/context.h"
#include "op/market.h"

#define OPTIONS_MAX 128 /* providers times markets */
#define USUAL_VENDOR STR("NVIDIA")
#define OLD_DAYS 180 /* that a price may be old without being mentioned in a figure */

struct comparing {
    struct op_context *ctx;
    const struct report_work *work;
    struct market_view view;
    struct messages quiet;
    struct constants constants; /* of the estimator: margins of memory */
    struct work_option *options;
    size_t count;
    struct machine *cpus; /* without GPUs, which are compared */
    size_t cpu_count;
    struct work_comparison *out;
};

/* ---- which GPUs ---- */

/* Enough memory for what was used, with the estimator's margin, or as much as there was. It
 * has run on its own GPU, however full that was. */
static bool has_memory(const struct comparing *c, const struct accelerator *gpu)
{
    const struct report_work *work = c->work;

    if (gpu == work->gpu)
        return true;
    if (work->gpu_memory_peak > 0)
        return usable_memory(gpu) >= relative_memory(work->gpu_memory_peak, &c->constants);
    return work->gpu == NULL || gpu->memory_gb >= work->gpu->memory_gb;
}

/* "Hopper+Grace", "Turing+Graviton": the processor of its machine is ARM. */
static bool has_arm_host(const struct accelerator *gpu)
{
    return gpu != NULL && memchr(gpu->architecture.at, '+', gpu->architecture.len) != NULL;
}

/* Can it do the work, and how long does it take? */
static bool can_do(const struct comparing *c, const struct accelerator *gpu,
                   struct relative_time *time)
{
    const struct accelerator *from = c->work->gpu;

    *time = (struct relative_time){1, 1, 1};
    if (gpu == NULL || !str_eq(gpu->vendor, from != NULL ? from->vendor : USUAL_VENDOR) ||
        !has_memory(c, gpu) || (has_arm_host(gpu) && !has_arm_host(from)))
        return false;
    return from == NULL || (relative_time(from, gpu, c->work->gpu_busy, time) &&
                            time->expected <= COMPARE_SLOWEST);
}

/* ---- of each provider and market the cheapest ---- */

static usd spread(usd cost, usd price_end, double time_end)
{
    double whole = usd_double(cost);
    double price = log(usd_double(price_end) / whole), time = log(time_end);
    double width = hypot(price, time);

    return isnan(width) ? USD_UNKNOWN
                        : usd_from(whole * exp(price + time < 0 ? -width : width));
}

static struct work_option option_of(const struct price_comparison *row, enum market market,
                                    const struct relative_time *time, double hours)
{
    bool spot = market == MARKET_SPOT;
    usd cost = spot ? row->spot_total : row->total;

    return (struct work_option){
        .provider = row->machine.provider,
        .offer = row->machine.name,
        .accelerator = row->machine.accelerator,
        .market = market,
        .gpus = row->gpus,
        .machines = row->machines,
        .hours = hours,
        .cost = cost,
        .cost_low = spread(cost, spot ? row->spot_total_low : row->total_low,
                           time->low / time->expected),
        .cost_high = spread(cost, spot ? row->spot_total_high : row->total_high,
                            time->high / time->expected),
        .ranked = spot ? row->spot_ranked : row->ranked,
        .date = machine_price_date(&row->machine, spot ? MARKET_SPOT : MARKET_ON_DEMAND),
        .age_days = row->machine.age_days,
        .old = row->machine.age_days > OLD_DAYS,
        .memory_gb = row->machine.gpu_memory_gb,
        .vcpus = NAN,
    };
}

/* Take its place if it is cheaper than the one that is there. */
static void offer_option(struct comparing *c, const struct work_option *o)
{
    for (size_t i = 0; i < c->count; i++) {
        struct work_option *have = &c->options[i];

        if (have->market != o->market || !str_eq(have->provider, o->provider))
            continue;
        if (usd_compare(o->ranked, have->ranked) < 0)
            *have = *o;
        return;
    }
    if (c->count < OPTIONS_MAX)
        c->options[c->count++] = *o;
}

/* Spot is an option where it saves something. */
static void take_rows(struct comparing *c, const struct rows *list,
                      const struct relative_time *time, double hours)
{
    const struct price_comparison *rows = list->at;

    for (size_t i = 0; i < list->len; i++) {
        struct work_option o;

        if (rows[i].outlier || !rows[i].complete)
            continue;
        o = option_of(&rows[i], MARKET_ON_DEMAND, time, hours);
        if (o.cost.nano != MONEY_UNKNOWN)
            offer_option(c, &o);
        o = option_of(&rows[i], MARKET_SPOT, time, hours);
        if (o.cost.nano != MONEY_UNKNOWN && usd_compare(o.cost, rows[i].total) < 0)
            offer_option(c, &o);
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
    struct compare_query query = {.gpus = c->work->gpus > 0 ? c->work->gpus : 1, .all = true};
    struct relative_time time;
    struct error none = {0};
    struct rows rows;
    double hours;

    if (!can_do(c, machines[0].gpu, &time))
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

static int by_option_cost(const void *a, const void *b)
{
    const struct work_option *x = a, *y = b;
    int order = (x->market > y->market) - (x->market < y->market);

    order = order != 0 ? order : usd_compare(x->ranked, y->ranked);
    return order != 0 ? order : str_cmp(x->provider, y->provider);
}

static void finish_comparison(struct comparing *c)
{
    struct work_comparison *out = c->out;

    qsort(c->options, c->count, sizeof c->options[0], by_option_cost);
    out->oldest = out->newest = DAY_UNKNOWN;
    for (size_t i = 0; i < c->count; i++) {
        struct work_option *o = &c->options[i];

        o->cheapest = i == 0 || c->options[i - 1].market != o->market;
        if (out->oldest.n == DAY_UNKNOWN.n || o->date.n < out->oldest.n)
            out->oldest = o->date;
        if (out->newest.n == DAY_UNKNOWN.n || o->date.n > out->newest.n)
            out->newest = o->date;
    }
    out->options = (struct rows){c->options, c->count};
}

/* A plan has compared machines by its full estimate, which data sheets cannot better. */
static void take_planned(struct comparing *c)
{
    const struct work_option *planned = c->work->planned.at;

    for (size_t k = 0; k < c->work->planned.len; k++)
        offer_option(c, &planned[k]);
    c->out->planned = true;
    finish_comparison(c);
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
    finish_comparison(c);
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
    for (size_t i = 0; i < c->count; i++) {
        struct work_option *o = &c->options[i];
        const struct machine *list = c->cpus;

        o->gpus = 0;
        o->cost_low = o->cost_high = USD_UNKNOWN;
        for (size_t k = 0; k < c->cpu_count; k++)
            if (str_eq(list[k].name, o->offer))
                o->vcpus = list[k].vcpus;
    }
    finish_comparison(c);
}

/* compare_costs() counts GPUs; here one of them is one machine. */
static bool price_cpus(struct comparing *c, struct error *err)
{
    const struct relative_time same = {1, 1, 1};
    struct compare_query query = {.gpus = 1, .hours = c->work->time, .all = true};
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

/* Joules of the machine, where no meter has counted them: as its GPUs were busy, of a machine
 * with such GPUs; NaN when that is not known either. */
static bool model_energy(struct comparing *c, double *joules, double *watts, struct error *err)
{
    const struct report_work *w = c->work;
    double busy = isnan(w->gpu_busy) ? 1 : w->gpu_busy;
    struct constants constants;

    *joules = *watts = NAN;
    if (w->gpu == NULL || w->time.ns <= 0)
        return true;
    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_CONSTANTS), err) ||
        !constants_load(&c->ctx->catalog, &constants, err))
        return false;
    *watts = node_watts(w->gpu, w->gpus > 0 ? w->gpus : 1,
                        board_watts(w->gpu, busy, busy, &constants), false, &constants);
    *joules = *watts * span_in_seconds(w->time);
    return true;
}

/* Electricity alone: what the machine cost to buy is not in it. */
static bool price_local_option(struct comparing *c, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, 512);
    const struct electricity *row = NULL;
    double joules = c->work->energy.j, watts = NAN;
    usd_per_kwh tariff;

    c->out->local = USD_UNKNOWN;
    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_ELECTRICITY), err) ||
        (isnan(joules) && !model_energy(c, &joules, &watts, err))) {
        buf_free(&text);
        return false;
    }
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet;
    tariff = market_electricity(&c->view, &row);
    if (isnan(joules))
        buf_adds(&text, c->work->gpus == 0
                            ? "the energy is not known: no meter counted it"
                            : "the energy is not known: no meter counted it, and the GPU is "
                              "not known");
    else if (tariff.nano == MONEY_UNKNOWN)
        buf_adds(&text, "no electricity price for this country: set electricity");
    else {
        c->out->local = usd_from(joules / JOULES_PER_KWH * (double)tariff.nano / 1e9);
        if (isnan(watts)) {
            buf_adds(&text, "electricity for the same energy at $");
        } else {
            buf_adds(&text, "electricity for ");
            watt_write((watt){watts}, &text);
            buf_adds(&text, ", modeled because no meter measured it, at $");
        }
        nano_write(tariff.nano, &text);
        buf_adds(&text, "/kWh");
        if (row != NULL) {
            buf_addf(&text, " (%.*s %.*s, ", STR_ARG(row->country), STR_ARG(row->kind));
            day_write(row->fact.date, &text);
            buf_char(&text, ')');
        }
    }
    return buf_keep(&text, c->ctx->arena, &c->out->local_method, err);
}

bool op_work_compare(struct op_context *ctx, const struct report_work *work,
                     struct work_comparison *out, struct str *why, struct error *err)
{
    struct comparing c = {.ctx = ctx, .work = work, .out = out};

    *out = (struct work_comparison){.same_time = work->gpu == NULL, .cpus = work->gpus == 0};
    *why = (struct str){0};
    c.options = arena_array(ctx->arena, struct work_option, OPTIONS_MAX, err);
    if (c.options == NULL || !price_local_option(&c, err))
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
