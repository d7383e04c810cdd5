/* Energy, carbon and money of the hours. */
#include <math.h>
#include <stdio.h>

#include "estimate/carbon.h"
#include "estimate/energy.h"
#include "estimate/terms.h"
#include "op/estimate/estimate_work.h"

static struct guess scaled(struct guess g, double by)
{
    return (struct guess){g.value * by, g.low * by, g.high * by};
}

static bool say_equivalents(struct estimate_work *w, struct estimate_result *res,
                            struct error *err)
{
    static const enum equivalent_id shown[] = {EQUIVALENT_CAR_KM, EQUIVALENT_PHONE_CHARGES,
                                               EQUIVALENT_HOUSEHOLD_DAYS};
    struct str *texts = arena_array(w->ctx->arena, struct str, ARRAY_LEN(shown), err);
    struct str *sources = arena_array(w->ctx->arena, struct str, ARRAY_LEN(shown), err);
    gram_co2 carbon = {res->carbon_kg.value * 1000};
    joule energy = {res->energy_kwh.value * 3.6e6};
    size_t n = 0;

    if (texts == NULL || sources == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        char text[96];
        double count = equivalent_of(shown[i], carbon, energy);

        if (!(count > 0))
            continue;
        (void)snprintf(text, sizeof text,
                       count < 100   ? "%.3g %s"
                       : count < 1e6 ? "%.0f %s"
                       : count < 1e9 ? "%.3g million %s"
                                     : "%.3g billion %s",
                       count < 1e6   ? count
                       : count < 1e9 ? count / 1e6
                                     : count / 1e9,
                       equivalents[shown[i]].words);
        texts[n].at = str_dup(str_from(text), w->ctx->arena, err);
        if (texts[n].at == NULL)
            return false;
        texts[n] = str_from(texts[n].at);
        sources[n++] = str_from(equivalents[shown[i]].source);
    }
    res->equivalents = (struct strs){texts, n};
    res->equivalent_sources = (struct strs){sources, n};
    return true;
}

static bool add_energy(struct estimate_work *w, double board, struct estimate_result *res,
                       struct error *err)
{
    const struct hardware *hw = &w->place.hardware;
    int64_t boards = hw->gpus < hw->per_node ? hw->gpus : hw->per_node;
    double pue = w->place.region != NULL ? w->place.region->pue : NAN;

    if (isnan(pue)) {
        pue = USUAL_PUE;
        note(&w->notes, "PUE %.1f: the building's own figure is not known", pue);
    }
    res->watts = node_watts(hw->gpu, boards, board, false, &w->constants);
    res->pue = pue;
    res->energy_kwh = scaled(
        res->hours,
        cluster_watts(hw->gpu, hw->gpus, hw->per_node, board, &w->constants).w * pue / 1000);
    if (w->place.region == NULL || isnan(w->place.region->carbon_g_kwh)) {
        res->carbon_g_kwh = WORLD_G_KWH;
        res->region = STR("world average");
        note(&w->notes, "%.0f g CO2e/kWh, the world's average: the region is not known",
             WORLD_G_KWH);
    } else {
        res->carbon_g_kwh = w->place.region->carbon_g_kwh;
        res->region = w->place.region->region;
    }
    res->carbon_kg = scaled(res->energy_kwh, res->carbon_g_kwh / 1000);
    res->offset_low =
        offset_cost_of(OFFSET_AVOIDANCE, (gram_co2){res->carbon_kg.value * 1e3}).typical;
    res->offset_high =
        offset_cost_of(OFFSET_DURABLE, (gram_co2){res->carbon_kg.value * 1e3}).typical;
    return say_equivalents(w, res, err);
}

static bool add_cost(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    struct cost_inputs in =
        cost_terms(&w->job, &w->ctx->catalog, w->place.offer.provider, w->place.offer.region);
    struct cost cost;
    struct estimate_line *lines =
        arena_array(w->ctx->arena, struct estimate_line, COST_LINE_COUNT, err);
    struct usd_range total;
    size_t n = 0;

    in.training = (struct hours_range){res->hours.low, res->hours.value, res->hours.high};
    in.machines = w->place.machines;
    in.price = w->place.price;
    cost = estimate_cost(&in);
    total = cost_total(&cost);
    if (lines == NULL || !cost_terms_check(&w->job, &w->ctx->catalog, err))
        return false;
    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        if (cost.at[i].written && cost.at[i].amount.expected.nano != 0)
            lines[n++] =
                (struct estimate_line){str_from(cost_line_names[i]), cost.at[i].amount.expected,
                                       cost.at[i].hours.expected};
    res->wall_hours = cost_hours(&cost).expected;
    res->cost = (struct rows){lines, n};
    res->total = total.expected;
    res->total_low = total.low;
    res->total_high = total.high;
    return true;
}

/* What the job file asks, held against what came out. */
static void check_limits(struct estimate_work *w, const struct estimate_result *res)
{
    const struct job_limits *l = &w->job.limits;
    const struct accelerator *gpu = w->place.hardware.gpu;
    struct buf money = buf_new(w->ctx->arena->alloc, 64);

    if (l->budget.nano != MONEY_UNKNOWN && res->total.nano != MONEY_UNKNOWN &&
        res->total.nano > l->budget.nano) {
        usd_write(l->budget, &money);
        message_warn(&w->ctx->messages, "it costs more than the budget of %.*s",
                     STR_ARG(buf_text(&money)));
    }
    buf_free(&money);
    if (l->deadline.ns > 0 && res->wall_hours > span_in_hours(l->deadline))
        message_warn(&w->ctx->messages, "it takes longer than the deadline of %.3g hours",
                     span_in_hours(l->deadline));
    if (l->max_carbon_kg > 0 && res->carbon_kg.value > l->max_carbon_kg)
        message_warn(&w->ctx->messages, "it emits more than the %.3g kg allowed",
                     l->max_carbon_kg);
    if (!strs_match(l->gpus, gpu->name) && !strs_match(l->gpus, gpu->family))
        message_warn(&w->ctx->messages, "%.*s is none of the GPUs that the job allows",
                     STR_ARG(gpu->name));
}

/* Prices age: say so where the money is. */
static void warn_price(struct estimate_work *w)
{
    struct price_age age = {.newest = DAY_UNKNOWN, .oldest = DAY_UNKNOWN};

    if (w->place.offer.offer.len == 0 || w->request->sweep.len > 0)
        return;
    price_age_add(&age, w->place.offer.date, w->ctx);
    price_age_warn(&age, w->ctx);
}

bool add_energy_and_cost(struct estimate_work *w, double board, struct estimate_result *res,
                         struct error *err)
{
    const struct place *p = &w->place;
    int64_t rented = p->machines * p->hardware.per_node;

    if (rented > p->hardware.gpus && p->offer.offer.len > 0)
        note(&w->notes, "machines are rented whole: %lld GPUs, of which %lld are used",
             (long long)rented, (long long)p->hardware.gpus);
    res->offer = p->offer.offer;
    res->market = p->market;
    res->price = p->price;
    res->machines = p->machines;
    res->price_date = p->offer.offer.len > 0 ? p->offer.date : DAY_UNKNOWN;
    res->price_age_days = p->offer.offer.len > 0 ? p->offer.age_days : -1;
    if (p->chosen && p->offer.offer.len > 0)
        note(&w->notes, "the cheapest offer with so many: say --offer for another");
    warn_price(w);
    if (!add_energy(w, board, res, err) || (w->job.kind == JOB_TRAIN && !add_cost(w, res, err)))
        return false;
    if (w->request->sweep.len == 0)
        check_limits(w, res);
    return true;
}
