/* Memory, latency and price of serving in one setting. */
#include <math.h>
#include <stdio.h>

#include "estimate/cost.h"
#include "estimate/energy.h"
#include "estimate/infer.h"
#include "estimate/memory.h"
#include "op/estimate/estimate_work.h"
#include "op/estimate/explain.h"

#define DAYS_PER_MONTH 30 /* as in bills */
#define SECONDS_PER_HOUR 3600.0

static bool add_memory(struct estimate_work *w, const struct serving *s,
                       struct estimate_result *res, struct error *err)
{
    struct serving_memory m = estimate_serving_memory(s, &w->constants);
    struct guess size = guess_of(m.device / 1e9, w->constants.at[C_spread_memory]);
    const struct estimate_part parts[] = {
        PART("weights", m.weights, "as they are stored"),
        PART("cache", m.cache, "keys and values of all requests"),
        PART("activations", m.activations, "of one pass"),
        PART("workspace", m.workspace, "of libraries"),
        PART("context", m.context, "the driver and its kernels"),
        PART("set aside", m.device - m.allocated - m.context, "by the server, for more cache"),
    };

    res->usable_gb = usable_memory(s->gpu) / 1e9;
    res->memory_gb = size.value;
    res->memory_low_gb = size.low;
    res->memory_high_gb = size.high;
    if (m.device > m.allocated + m.context) /* a server takes the share that it is told to */
        res->memory_low_gb = res->memory_high_gb = res->memory_gb;
    res->fits = m.device <= usable_memory(s->gpu);
    res->tight = res->fits && res->memory_high_gb > res->usable_gb;
    return add_parts(w, parts, ARRAY_LEN(parts), m.device, 1e-9, &res->memory, err);
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
    res->max_batch = serving_holds(s, c);
    res->max_context = serving_max_context(s, c);
}

static double three_digits(double n)
{
    double unit = n > 0 ? pow(10, floor(log10(n)) - 2) : 1;

    return round(n / unit) * unit;
}

/* Three digits of a time, in ms or s. */
struct seconds_text {
    char text[32];
};

static struct seconds_text seconds_text(double seconds)
{
    struct seconds_text t;

    if (seconds < 1)
        (void)snprintf(t.text, sizeof t.text, "%.3g ms", 1e3 * seconds);
    else
        (void)snprintf(t.text, sizeof t.text, "%.2f s", seconds);
    return t;
}

static void hold_to(struct notes *notes, const char *name, double seconds, span asked)
{
    double limit = span_in_hours(asked) * SECONDS_PER_HOUR;

    if (asked.ns <= 0)
        return;
    if (isinf(seconds))
        note(notes, "%s grows without end: it misses the %s asked for", name,
             seconds_text(limit).text);
    else
        note(notes, "%s %s %s the %s asked for", name, seconds_text(seconds).text,
             seconds > limit ? "misses" : "meets", seconds_text(limit).text);
}

/* Is it as fast as was asked? Of a first token the 95th percentile counts. */
static void add_slo(struct estimate_work *w, const struct serving_load *load)
{
    const struct job_slo *slo = &w->job.infer.slo;

    if (load == NULL) {
        if (slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0)
            note(&w->notes, "the slo is not looked at: how long a request waits needs a rate");
        return;
    }
    hold_to(&w->notes, "p50", load->request_p50, slo->p50);
    hold_to(&w->notes, "p95", load->request_p95, slo->p95);
    hold_to(&w->notes, "p99", load->request_p99, slo->p99);
    hold_to(&w->notes, "first token p95", load->first_p95, slo->first_token);
}

static void add_load(struct estimate_work *w, const struct serving *s,
                     struct estimate_result *res)
{
    double rate = w->job.infer.rate;
    int64_t have = w->place.hardware.gpus / s->gpus;
    struct serving_load load;

    if (!(rate > 0)) {
        add_slo(w, NULL);
        return;
    }
    load = estimate_load(s, rate / (double)have, &w->constants);
    res->replicas = load.max_rate > 0 ? ceil(rate / (0.8 * load.max_rate)) : NAN;
    res->utilisation = load.utilisation;
    add_slo(w, &load);
    if (load.utilisation >= 1) { /* the queue, and so every latency, grows without end */
        res->prefill_s = res->request_s = (struct guess){NAN, NAN, NAN};
        note(&w->notes,
             "%.6g requests/s are too many for this: it answers %.6g, and takes "
             "%.0f replicas",
             rate, three_digits(load.max_rate * (double)have), res->replicas);
        return;
    }
    /* Requests that come one by one wait less than a batch that comes at once. */
    res->prefill_s = guess_of(load.first_p50, w->constants.at[C_spread_prefill]);
    res->request_s = guess_of(load.request_p50, w->constants.at[C_spread_serving]);
    res->p50_s = load.request_p50;
    res->p95_s = load.request_p95;
    res->p99_s = load.request_p99;
    if (!isnan(res->decode_s.value))
        res->first_p95_s = load.first_p95;
}

/* `units` of what is made at `rate`; the slower it is, the dearer. */
static struct guess price_of(usd_per_hour price, struct guess rate, double units)
{
    return (struct guess){usd_double(cost_of_output(price, rate.value, 1, units)),
                          usd_double(cost_of_output(price, rate.high, 1, units)),
                          usd_double(cost_of_output(price, rate.low, 1, units))};
}

/* The price of what the machines make when they are kept busy, and of a month of them. */
static void add_prices(struct estimate_work *w, const struct serving *s,
                       struct estimate_result *res)
{
    usd_per_hour price = usd_per_hour_times(w->place.price, w->place.machines);
    bool tokens = str_eq(res->rate_unit, STR("tokens/s"));
    double hours = w->job.infer.hours_per_day;

    if (w->job.infer.rate > 0 &&
        res->utilisation < 1) { /* no more is served than is asked for */
        double served = w->job.infer.rate * (tokens ? s->output : 1);

        res->rate = (struct guess){served, served, served};
    }
    if (price.nano == MONEY_UNKNOWN)
        return;
    if (tokens)
        res->usd_per_million_tokens = price_of(price, res->rate, 1e6);
    res->usd_per_thousand = price_of(price, res->rate, 1e3 * (tokens ? s->output : 1));
    if (hours > 0)
        note(&w->notes, "%d days of %.3g hours cost $%.2f", DAYS_PER_MONTH, hours,
             usd_double(cost_of_hours(price, hours * DAYS_PER_MONTH)));
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
    if (!add_energy_and_cost(w, serving_watts(&s, &t, &w->constants), res, err))
        return false;
    res->hours = (struct guess){NAN, NAN, NAN};
    return !w->request->explain ||
           explain_serving(&s, &w->constants, w->ctx, &res->formulas, err);
}
