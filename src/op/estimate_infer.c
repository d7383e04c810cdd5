/* Memory, latency and price of serving in one setting. */
#include <math.h>

#include "estimate/energy.h"
#include "estimate/infer.h"
#include "estimate/memory.h"
#include "op/estimate_work.h"
#include "op/explain.h"

#define PART(label, value, text) \
    { \
        .name = STR(label), .amount = (value), .help = STR(text) \
    }

static bool add_memory(struct estimate_work *w, const struct serving *s,
                       struct estimate_result *res, struct error *err)
{
    struct serving_memory m = estimate_serving_memory(s, &w->constants);
    double factor = exp(1.2816 * w->constants.at[C_spread_memory]);
    const struct estimate_part parts[] = {
        PART("weights", m.weights, "as they are stored"),
        PART("cache", m.cache, "keys and values of all requests"),
        PART("activations", m.activations, "of one pass"),
        PART("workspace", m.workspace, "of libraries"),
        PART("context", m.context, "the driver and its kernels"),
        PART("set aside", m.device - m.allocated - m.context, "by the server, for more cache"),
    };
    struct estimate_part *kept =
        arena_array(w->ctx->arena, struct estimate_part, ARRAY_LEN(parts), err);
    size_t n = 0;

    if (kept == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i].amount > 0) {
            kept[n] = parts[i];
            kept[n].amount /= 1e9;
            kept[n++].share = parts[i].amount / m.device;
        }
    res->memory = (struct rows){kept, n};
    res->usable_gb = usable_memory(s->gpu) / 1e9;
    res->memory_gb = m.device / 1e9;
    res->memory_low_gb = res->memory_gb / factor;
    res->memory_high_gb = res->memory_gb * factor;
    res->fits = m.device <= usable_memory(s->gpu);
    return true;
}

static void add_times(struct estimate_work *w, const struct serving *s,
                      struct estimate_result *res)
{
    const struct constants *c = &w->constants;
    struct serving_time t = estimate_serving(s, c);
    int64_t copies = w->place.hardware.gpus / s->gpus;
    bool tokens = s->output > 0 && t.decode > 0;

    res->prefill_s = guess_of(t.first_token, c->at[C_spread_prefill]);
    if (tokens)
        res->decode_s = guess_of(t.decode, c->at[C_spread_decode]);
    res->request_s = guess_of(t.request, c->at[C_spread_serving]);
    res->rate = guess_of(s->batch * (tokens ? s->output : 1) / t.request * (double)copies,
                         c->at[C_spread_serving]);
    res->rate_unit = tokens ? STR("tokens/s") : STR("requests/s");
    res->max_batch = serving_max_batch(s, c);
    res->max_context = serving_max_context(s, c);
}

static void add_load(struct estimate_work *w, const struct serving *s,
                     struct estimate_result *res)
{
    double rate = w->job.infer.rate;
    int64_t have = w->place.hardware.gpus / s->gpus;
    struct serving_load one, load;

    if (!(rate > 0))
        return;
    one = estimate_load(s, rate, &w->constants);
    res->replicas = one.max_rate > 0 ? ceil(rate / (0.8 * one.max_rate)) : NAN;
    load = estimate_load(s, rate / (double)have, &w->constants);
    res->utilisation = load.utilisation;
    /* Requests that come one by one wait less than a batch that comes at once. */
    res->prefill_s = guess_of(load.first_p50, w->constants.at[C_spread_prefill]);
    res->request_s = guess_of(load.request_p50, w->constants.at[C_spread_serving]);
    res->p50_s = load.request_p50;
    res->p95_s = load.request_p95;
    res->p99_s = load.request_p99;
    res->first_p95_s = load.first_p95;
    if (load.utilisation > 1)
        note(&w->notes, "%.3g requests/s are too many for this: it takes %.0f replicas", rate,
             res->replicas);
}

/* The price of what one machine makes when it is kept busy. */
static void add_prices(struct estimate_work *w, const struct serving *s,
                       struct estimate_result *res)
{
    double dollars = (double)w->place.price.nano / 1e9 * (double)w->place.machines / 3600;
    bool tokens = str_eq(res->rate_unit, STR("tokens/s"));
    double requests = tokens && s->output > 0 ? s->output : 1;

    if (w->place.price.nano == MONEY_UNKNOWN || !(res->rate.value > 0))
        return;
    if (tokens)
        res->usd_per_million_tokens =
            (struct guess){dollars / res->rate.value * 1e6, dollars / res->rate.high * 1e6,
                           dollars / res->rate.low * 1e6};
    res->usd_per_thousand = (struct guess){dollars / (res->rate.value / requests) * 1e3,
                                           dollars / (res->rate.high / requests) * 1e3,
                                           dollars / (res->rate.low / requests) * 1e3};
}

static void describe(const struct estimate_work *w, const struct serving *s,
                     struct estimate_result *res)
{
    struct arch_params p = arch_count(s->arch);

    res->kind = STR("infer");
    res->name = w->job.name;
    res->model = s->arch->name;
    res->assumed = s->arch->assumed;
    res->params = p.total;
    res->active_params = p.active;
    res->precision = str_from(weights_names[s->weights]);
    res->framework = str_from(engine_names[s->engine]);
    res->accelerator = s->gpu->name;
    res->gpus = w->place.hardware.gpus;
    res->nodes = (res->gpus + w->place.hardware.per_node - 1) / w->place.hardware.per_node;
    res->tensor = s->tensor;
    res->pipeline = s->pipeline;
    res->micro_batch = (int64_t)s->batch;
}

bool estimate_serving_job(struct estimate_work *w, struct estimate_result *res,
                          struct error *err)
{
    struct serving s;
    struct serving_time t;

    if (!choose_serving(&w->job, &w->place.hardware, &w->constants, &s, &w->notes, err))
        return false;
    describe(w, &s, res);
    if (!add_memory(w, &s, res, err))
        return false;
    add_times(w, &s, res);
    add_load(w, &s, res);
    add_prices(w, &s, res);
    t = estimate_serving(&s, &w->constants);
    res->hours = (struct guess){1, 1, 1}; /* energy is of an hour at this batch */
    if (!add_energy_and_cost(
            w, board_watts(s.gpu, t.decode_bound, 1 - t.decode_bound, &w->constants), res, err))
        return false;
    res->hours = (struct guess){NAN, NAN, NAN};
    return !w->request->explain ||
           explain_serving(&s, &w->constants, w->ctx, &res->formulas, err);
}
