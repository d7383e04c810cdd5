/* How much one copy of a model takes, on GPUs and on vCPUs. */
#include <math.h>

#include "plan/deploy_internal.h"

#define USUAL_IDLE_S 600.0 /* until a machine stops, where the job does not say */
#define FASTEST 1e7        /* requests/s of a copy: more is not looked for */

double deploy_idle_s(const struct choosing *c)
{
    return c->job->infer.idle_timeout.ns > 0 ? span_in_seconds(c->job->infer.idle_timeout)
                                             : USUAL_IDLE_S;
}

double deploy_weight_bytes(const struct serving *s)
{
    return arch_count(s->arch).total * weights_bytes(s->weights);
}

double deploy_find_most(bool (*keeps)(void *ctx, double rate), void *ctx, double near)
{
    double low = DEPLOY_LEAST_RATE, high = near;

    if (!keeps(ctx, low))
        return 0;
    while (high < FASTEST && keeps(ctx, high)) {
        low = high;
        high *= 4;
    }
    while (high / 4 > low && !keeps(ctx, high / 4))
        high /= 4;
    low = fmax(low, high / 4);
    for (int i = 0; i < 14; i++) {
        double middle = sqrt(low * high);

        *(keeps(ctx, middle) ? &low : &high) = middle;
    }
    return low;
}

struct cpu_probe {
    const struct job_slo *slo;
    const struct cpu_serving *serving;
};

static bool cpu_keeps(void *ctx, double rate)
{
    const struct cpu_probe *p = ctx;
    struct serving_load load = estimate_cpu_load(p->serving, 1, rate);

    return serving_keeps_up(p->slo, &load);
}

const char *deploy_engine_words(const struct serving *serving)
{
    return serving->engine == ENGINE_LLAMACPP ? ", llama.cpp" : "";
}

/* The replica at this rate; false when it does not fit. What writes is the same at any rate. */
static bool open_probe(struct gpu_probe *p, double rate)
{
    struct error ignored = {0};

    p->job.infer.rate = rate;
    if (p->open && model_writes(p->serving.arch))
        return true;
    if (!choose_serving(&p->job, &p->hw, p->constants, &p->serving, NULL, &ignored) ||
        serving_holds(&p->serving, p->constants) < 1)
        return false;
    replica_open(&p->serving, p->constants, &p->replica);
    p->open = true;
    return true;
}

static bool gpu_keeps(void *ctx, double rate)
{
    struct gpu_probe *p = ctx;

    return open_probe(p, rate) && replica_keeps_up(&p->replica, rate, &p->job.infer.slo);
}

static bool load_keeps(void *ctx, const struct serving_load *load)
{
    const struct gpu_probe *p = ctx;

    return serving_keeps_up(&p->job.infer.slo, load);
}

/* What answers in one pass has another batch at another rate. */
static double gpu_most_rate(struct gpu_probe *p, double near)
{
    if (!open_probe(p, near))
        return 0;
    return model_writes(p->serving.arch)
               ? replica_most_rate(&p->replica, SERVING_BUSIEST, load_keeps, p)
               : deploy_find_most(gpu_keeps, p, near);
}

static void load_probe(struct gpu_probe *p, double rate)
{
    if (open_probe(p, rate))
        p->load = replica_load(&p->replica, rate);
}

/* Of the time that a request takes of a copy that is kept busy, the part that reads its input:
 * the rest writes tokens, together with other requests. */
static double input_share_of(const struct gpu_probe *p)
{
    double share = estimate_flow(&p->serving, p->constants).prefill * p->load.max_rate;

    if (!model_writes(p->serving.arch))
        return 1;
    return share > 0 ? fmin(1, share) : (double)NAN;
}

bool deploy_probe_gpu(const struct choosing *c, const struct accelerator *gpu, int64_t tensor,
                      int64_t pipeline, int64_t per_node, struct gpu_probe *p, struct deploy *d)
{
    *p = (struct gpu_probe){.job = *c->job,
                            .hw = {.gpu = gpu,
                                   .gpus = tensor * pipeline,
                                   .per_node = per_node,
                                   .host_bytes = (double)NAN},
                            .constants = c->w->constants};
    p->job.infer.tensor = tensor;
    p->job.infer.pipeline = pipeline;
    d->most_rate = gpu_most_rate(p, fmax(DEPLOY_LEAST_RATE, c->rate));
    if (!(d->most_rate > 0))
        return false;
    load_probe(p, DEPLOY_LEAST_RATE);
    d->service_s = p->load.request_p50;
    d->first_s = p->load.first_p50;
    d->input_share = input_share_of(p);
    d->spread = serving_spread(&p->serving, C_spread_serving, c->w->constants);
    load_probe(p, c->rate / fmax(1, ceil(c->rate / d->most_rate - 1e-9)));
    d->warm = p->load;
    return true;
}

bool deploy_on_cpu(const struct choosing *c, const struct cpu_serving *s, double memory_gib,
                   struct deploy *d, char why[static DEPLOY_REASON], double *merit)
{
    struct cpu_probe probe = {&c->job->infer.slo, s};
    struct cpu_time t = estimate_cpu_serving(s);
    double need = cpu_serving_bytes(s) / (double)BYTES_PER_GIB;
    char seconds[32];

    if (need > memory_gib) {
        deploy_why_memory(why, need, "GiB of memory", memory_gib);
        *merit = memory_gib / need * 1e-3;
        return false;
    }
    d->most_rate = deploy_find_most(cpu_keeps, &probe, fmax(DEPLOY_LEAST_RATE, c->rate));
    d->service_s = t.request;
    d->first_s = t.first_token;
    d->input_share = t.request > 0 ? t.first_token / t.request : (double)NAN;
    d->spread = CPU_SPREAD;
    if (d->most_rate > 0) {
        d->warm =
            estimate_cpu_load(s, 1, c->rate / fmax(1, ceil(c->rate / d->most_rate - 1e-9)));
        return true;
    }
    deploy_time_words(t.request, seconds);
    deploy_why(why, "a request takes %s, longer than the latency target", seconds);
    *merit = 1 / (1 + t.request);
    return false;
}
