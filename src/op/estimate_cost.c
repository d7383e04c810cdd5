/* Energy, carbon and money of the hours. */
#include <math.h>
#include <stdio.h>

#include "estimate/carbon.h"
#include "estimate/energy.h"
#include "op/estimate_work.h"

#define UPLOAD_BYTES_S 100e6 /* of an ordinary line into a cloud: 0.8 Gb/s */
#define USUAL_PUE 1.3        /* of halls that publish none; large clouds report 1.1 to 1.2 */
/* Of the world in 2024, about (IEA, Electricity 2025; from knowledge, page not checked). */
#define WORLD_G_KWH 440.0

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

/* Joules of an hour: nodes with all their boards at work, and one with the rest. */
static double joules_of_hour(const struct estimate_work *w, double board, double pue)
{
    const struct hardware *hw = &w->place.hardware;
    int64_t full = hw->gpus / hw->per_node, rest = hw->gpus % hw->per_node;
    double sum = 0;

    if (full > 0)
        sum += estimate_energy(hw->gpu, hw->per_node, full, board, 1, pue, &w->constants)
                   .facility.j;
    if (rest > 0)
        sum += estimate_energy(hw->gpu, rest, 1, board, 1, pue, &w->constants).facility.j;
    return sum;
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
    res->energy_kwh = scaled(res->hours, joules_of_hour(w, board, pue) / JOULES_PER_KWH);
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

/* What the data's own cloud takes for letting it out to where the machines are. */
static usd ingress_of(struct estimate_work *w, const struct job_data *data)
{
    struct str region = data->at, provider = str_cut(&region, '/');
    bool here = str_eq_nocase(provider, w->place.offer.provider);

    if (data->size.n == UINT64_MAX || data->at.len == 0 ||
        (here && (region.len == 0 || str_eq_nocase(region, w->place.offer.region))))
        return (usd){0};
    return transfer_cost(&w->ctx->catalog, provider,
                         here ? STR("inter-region") : STR("internet"), data->size);
}

static usd egress_of(struct estimate_work *w, bytes size)
{
    if (size.n == UINT64_MAX)
        return (usd){0};
    return transfer_cost(&w->ctx->catalog, w->place.offer.provider, STR("internet"), size);
}

static usd_per_gb storage_price(struct estimate_work *w, struct str tier, int64_t *minimum_days)
{
    const struct rows *rows = &w->ctx->catalog.tables[TABLE_STORAGE];

    *minimum_days = 0;
    if (tier.len == 0)
        tier = STR("hot");
    for (size_t i = 0; i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(&w->ctx->catalog, TABLE_STORAGE, storage, i);

        if (str_eq_nocase(s->provider, w->place.offer.provider) && str_eq(s->tier, tier)) {
            *minimum_days = s->minimum_days > 0 ? s->minimum_days : 0;
            return s->usd_gb_month;
        }
    }
    return (usd_per_gb){MONEY_UNKNOWN};
}

static double or_zero(double n)
{
    return n > 0 ? n : 0;
}

static double seconds_of(bytes size)
{
    return size.n == UINT64_MAX ? 0 : (double)size.n / UPLOAD_BYTES_S;
}

/* Saves of the checkpoint, as a share of the time between them. */
static double checkpoint_share(const struct job_checkpoint *c)
{
    return c->save.ns > 0 && c->every.ns > 0 ? (double)c->save.ns / (double)c->every.ns : 0;
}

static struct cost_inputs inputs_of(struct estimate_work *w, const struct estimate_result *res)
{
    const struct job_train *t = &w->job.train;
    const struct provider *p = provider_find(&w->ctx->catalog, w->place.offer.provider);
    struct cost_inputs in = {
        .training = {res->hours.low, res->hours.value, res->hours.high},
        .machines = w->place.machines,
        .price = w->place.price,
        .setup_s = t->setup.ns > 0               ? span_in_hours(t->setup) * 3600
                   : p != NULL && p->setup_s > 0 ? p->setup_s
                                                 : 0,
        .upload_s = seconds_of(t->data.size),
        .download_s = seconds_of(t->download),
        .evaluation = or_zero(t->evaluation),
        .checkpoints = checkpoint_share(&t->checkpoint),
        .failures = or_zero(t->failures),
        .ingress = ingress_of(w, &t->data),
        .egress = egress_of(w, t->download),
        .stored = t->storage.size,
        .storage_days =
            t->storage.duration.ns > 0 ? span_in_hours(t->storage.duration) / 24 : 30,
        .trials = t->search.trials > 0 ? t->search.trials : 0,
        .parallel = t->search.parallel > 0 ? t->search.parallel : 1,
        .trial_fraction = isnan(t->search.fraction) ? 1 : t->search.fraction,
        .power = {0},
        .tariff = {0},
    };

    if (t->storage.size.n == UINT64_MAX)
        in.stored = (bytes){0};
    else
        in.storage_month = storage_price(w, t->storage.tier, &in.storage_minimum_days);
    return in;
}

static bool check_place_of_data(struct estimate_work *w, struct error *err)
{
    struct str rest = w->job.train.data.at, provider = str_cut(&rest, '/');

    if (provider.len == 0 || provider_find(&w->ctx->catalog, provider) != NULL)
        return true;
    error_set(err, ERROR_INPUT, "data.at: there is no provider '%.*s'", STR_ARG(provider));
    error_hint(
        err, "write provider/region: aws/us-east-1; 'stint catalog show providers' lists them");
    return false;
}

static bool add_cost(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    struct cost_inputs in = inputs_of(w, res);
    struct cost cost = estimate_cost(&in);
    struct estimate_line *lines =
        arena_array(w->ctx->arena, struct estimate_line, COST_LINE_COUNT, err);
    struct usd_range total = cost_total(&cost);
    size_t n = 0;

    if (lines == NULL || !check_place_of_data(w, err))
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
        op_say(w->ctx, VOICE_WARN, "it costs more than the budget of %.*s",
               STR_ARG(buf_text(&money)));
    }
    buf_free(&money);
    if (l->deadline.ns > 0 && res->wall_hours > span_in_hours(l->deadline))
        op_say(w->ctx, VOICE_WARN, "it takes longer than the deadline of %.3g hours",
               span_in_hours(l->deadline));
    if (l->max_carbon_kg > 0 && res->carbon_kg.value > l->max_carbon_kg)
        op_say(w->ctx, VOICE_WARN, "it emits more than the %.3g kg allowed", l->max_carbon_kg);
    if (!op_matches(l->gpus, gpu->name) && !op_matches(l->gpus, gpu->family))
        op_say(w->ctx, VOICE_WARN, "%.*s is none of the GPUs that the job allows",
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
