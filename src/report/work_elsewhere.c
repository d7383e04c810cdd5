#include "report/work_elsewhere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/price_age.h"
#include "estimate/memory/memory.h"
#include "estimate/money/energy.h"

#define OPTIONS_MAX 128 /* providers times markets */
#define USUAL_VENDOR STR("NVIDIA")

/* ---- which GPUs ---- */

/* Enough memory for what was used, with the estimator's margin, or as much as there was. It
 * has run on its own GPU, however full that was. */
static bool has_memory(const struct report_work *work, const struct accelerator *gpu,
                       const struct constants *constants)
{
    if (gpu == work->gpu)
        return true;
    if (work->gpu_memory_peak > 0)
        return usable_memory(gpu) >= relative_memory(work->gpu_memory_peak, constants);
    return work->gpu == NULL || gpu->memory_gb >= work->gpu->memory_gb;
}

/* "Hopper+Grace", "Turing+Graviton": the processor of its machine is ARM. */
static bool has_arm_host(const struct accelerator *gpu)
{
    return gpu != NULL && memchr(gpu->architecture.at, '+', gpu->architecture.len) != NULL;
}

bool work_runs_on(const struct report_work *work, const struct accelerator *gpu,
                  const struct constants *constants, struct relative_time *time)
{
    const struct accelerator *from = work->gpu;

    *time = (struct relative_time){1, 1, 1};
    if (gpu == NULL || !str_eq(gpu->vendor, from != NULL ? from->vendor : USUAL_VENDOR) ||
        !has_memory(work, gpu, constants) || (has_arm_host(gpu) && !has_arm_host(from)))
        return false;
    return from == NULL || (relative_time(from, gpu, work->gpu_busy, time) &&
                            time->expected <= COMPARE_SLOWEST);
}

/* ---- of each provider and market the cheapest ---- */

bool work_options_open(struct work_comparison *out, struct arena *arena, struct error *err)
{
    out->room = arena_array(arena, struct work_option, OPTIONS_MAX, err);
    out->options = (struct rows){out->room, 0};
    return out->room != NULL;
}

static usd spread(usd cost, usd price_end, double time_end)
{
    double whole = usd_double(cost);
    double price = log(usd_double(price_end) / whole), time = log(time_end);
    double width = hypot(price, time);

    return isnan(width) ? USD_UNKNOWN
                        : usd_from(whole * exp(price + time < 0 ? -width : width));
}

void work_option_spread(struct work_option *o, usd low, usd high,
                        const struct relative_time *time)
{
    o->cost_low = spread(o->cost, low, time->low / time->expected);
    o->cost_high = spread(o->cost, high, time->high / time->expected);
}

struct work_option work_option_at(const struct machine *m, enum market market, int64_t machines,
                                  int64_t gpus, double hours)
{
    return (struct work_option){
        .provider = m->provider,
        .offer = m->name,
        .accelerator = m->accelerator,
        .market = market,
        .gpus = gpus,
        .machines = machines,
        .hours = hours,
        .date = machine_price_date(m, market),
        .age_days = m->age_days,
        .old = m->age_days > OLD_PRICE_DAYS,
        .memory_gb = m->gpu_memory_gb,
        .vcpus = NAN,
    };
}

void work_options_offer(struct work_comparison *out, const struct work_option *o)
{

    for (size_t i = 0; i < out->options.len; i++) {
        struct work_option *have = &out->room[i];

        if (have->market != o->market || !str_eq(have->provider, o->provider))
            continue;
        if (usd_compare(o->ranked, have->ranked) < 0)
            *have = *o;
        return;
    }
    if (out->options.len < OPTIONS_MAX)
        out->room[out->options.len++] = *o;
}

static int by_option_cost(const void *a, const void *b)
{
    const struct work_option *x = a, *y = b;
    int order = (x->market > y->market) - (x->market < y->market);

    order = order != 0 ? order : usd_compare(x->ranked, y->ranked);
    return order != 0 ? order : str_cmp(x->provider, y->provider);
}

void work_options_finish(struct work_comparison *out)
{
    struct work_option *options = out->room;
    size_t count = out->options.len;

    qsort(options, count, sizeof options[0], by_option_cost);
    out->oldest = out->newest = DAY_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        struct work_option *o = &options[i];

        o->cheapest = i == 0 || options[i - 1].market != o->market;
        if (out->oldest.n == DAY_UNKNOWN.n || o->date.n < out->oldest.n)
            out->oldest = o->date;
        if (out->newest.n == DAY_UNKNOWN.n || o->date.n > out->newest.n)
            out->newest = o->date;
    }
}

/* ---- at home ---- */

/* Watts of a machine with such GPUs, as busy as they were; NaN when they are not known. */
static double modeled_watts(const struct report_work *w, const struct constants *constants)
{
    double busy = isnan(w->gpu_busy) ? 1 : w->gpu_busy;

    if (w->gpu == NULL || w->time.ns <= 0)
        return NAN;
    return node_watts(w->gpu, w->gpus > 0 ? w->gpus : 1,
                      board_watts(w->gpu, busy, busy, constants), false, constants);
}

static void write_local_method(const struct work_tariff *tariff, double watts, struct buf *out)
{
    if (isnan(watts)) {
        buf_adds(out, "electricity for the same energy at $");
    } else {
        buf_adds(out, "electricity for ");
        watt_write((watt){watts}, out);
        buf_adds(out, ", modeled because no meter measured it, at $");
    }
    nano_write(tariff->price.nano, out);
    buf_adds(out, "/kWh");
    if (tariff->row == NULL)
        return;
    buf_addf(out, " (%.*s %.*s, ", STR_ARG(tariff->row->country), STR_ARG(tariff->row->kind));
    day_write(tariff->row->fact.date, out);
    buf_char(out, ')');
}

bool work_price_local(const struct report_work *work, const struct work_tariff *tariff,
                      const struct constants *constants, struct arena *arena,
                      struct work_comparison *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);
    double joules = work->energy.j, watts = NAN;

    out->local = USD_UNKNOWN;
    if (isnan(joules)) {
        watts = modeled_watts(work, constants);
        joules = watts * span_in_seconds(work->time);
    }
    if (isnan(joules)) {
        buf_adds(&text, work->gpus == 0
                            ? "the energy is not known: no meter counted it"
                            : "the energy is not known: no meter counted it, and the GPU is "
                              "not known");
    } else if (tariff->price.nano == MONEY_UNKNOWN) {
        buf_adds(&text, "no electricity price for this country: set electricity");
    } else {
        out->local = usd_from(joules / JOULES_PER_KWH * (double)tariff->price.nano / 1e9);
        write_local_method(tariff, watts, &text);
    }
    return buf_keep(&text, arena, &out->local_method, err);
}
