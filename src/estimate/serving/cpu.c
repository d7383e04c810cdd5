#include "estimate/serving/cpu.h"

#include <math.h>

#include "estimate/step/step.h"

/* Shares of the peak that inference reaches with few threads. In fp32 as 21 published latencies
 * of encoders show it (test_cpu.c has them); in bf16 and int8 estimated: matrix units are
 * hard to feed, so theirs are lower. */
#define REACHED_FP32 0.60
#define REACHED_BF16 0.30
#define REACHED_INT8 0.25
#define LOST_BY_THREAD 0.015 /* of the speed, for each more: barriers, uneven parts */
#define REQUEST_S 2e-3       /* tokenizer, web server */
#define LAYER_S 3e-4         /* starting the operations of a layer: PyTorch */
#define WRITING_LAYER_S 5e-5 /* the same of llama.cpp, which models that write run on */
#define OPERATION_S 5e-6     /* of an image model, each */
#define RUNTIME_BYTES 0.5e9  /* Python or a server, and its libraries */
#define PACKED 1.1           /* weights in memory over weights stored: copies in kernel order */
#define LIVE_TENSORS 20.0    /* of an image model, at a time */

const struct cpu_kind *cpu_find(const struct catalog *catalog, struct str provider,
                                struct str instance)
{
    for (size_t i = 0; i < catalog->tables[TABLE_CPUS].len; i++) {
        const struct cpu_kind *c = CATALOG_ROW(catalog, TABLE_CPUS, cpu_kind, i);

        if (str_eq(c->provider, provider) && str_glob(instance, c->instance))
            return c;
    }
    return NULL;
}

bool choose_cpu_serving(const struct job *job, const struct cpu_kind *cpu, double vcpus,
                        struct cpu_serving *out, struct error *err)
{
    struct serving request = {.arch = &job->arch};
    bool half = cpu->bf16_gflops_vcpu > 0 || model_writes(&job->arch);

    choose_request(&job->infer, &request, NULL);
    *out = (struct cpu_serving){.arch = &job->arch,
                                .cpu = cpu,
                                .vcpus = vcpus,
                                .weights = half ? WEIGHTS_FP16 : WEIGHTS_FP32,
                                .input = request.input,
                                .output = request.output,
                                .resolution = request.resolution,
                                .passes = request.passes};
    return job->infer.weights.len == 0 || weights_of(job->infer.weights, &out->weights) ||
           choose_unknown(err, "weights", job->infer.weights);
}

const char *cpu_precision_name(const struct cpu_serving *s)
{
    if (s->weights == WEIGHTS_FP16 && s->cpu->bf16_gflops_vcpu > 0)
        return "bf16";
    return weights_names[s->weights];
}

/* ---- what the vCPUs do in a second ---- */

static double flop_s(const struct cpu_serving *s)
{
    const struct cpu_kind *c = s->cpu;
    double each = REACHED_FP32 * c->fp32_gflops_vcpu;
    double threads = fmax(1, s->vcpus);

    if (s->weights == WEIGHTS_FP16 && c->bf16_gflops_vcpu > 0)
        each = fmax(each, REACHED_BF16 * c->bf16_gflops_vcpu);
    else if (s->weights != WEIGHTS_FP16 && s->weights != WEIGHTS_FP32 && c->int8_gops_vcpu > 0)
        each = fmax(each, REACHED_INT8 * c->int8_gops_vcpu);
    return 1e9 * each * s->vcpus / (1 + LOST_BY_THREAD * (threads - 1));
}

static double bytes_s(const struct cpu_serving *s)
{
    return 1e9 * s->cpu->bandwidth_gb_s_vcpu * s->vcpus;
}

/* ---- passes through the model ---- */

/* Parameters that a token is multiplied with, apart from the head. */
static double body_params(const struct arch *a)
{
    struct arch_params p = arch_count(a);

    return arch_counts_samples(a) ? p.matmul : p.matmul - (double)(a->vocab * a->hidden);
}

/* Of those, the encoder's: a layer of the decoder has a second attention. */
static double encoder_share(const struct arch *a)
{
    double layers = (double)a->layers, others = 4.0 / 3 * (double)a->decoder_layers;

    return a->kind == ARCH_ENCODER_DECODER ? layers / (layers + others) : 1;
}

static double step_layers(const struct arch *a)
{
    return (double)(a->kind == ARCH_ENCODER_DECODER ? a->decoder_layers : a->layers);
}

/* `tokens` that see each other: half of it where each sees only those before. */
static double attention_flop(const struct arch *a, double tokens)
{
    double width = (double)(a->heads * a->head_dim);
    double all = 4 * width * tokens * tokens * (double)a->layers;

    return all * visible_share(a, tokens);
}

/* Reading and computing overlap in part. */
static double both_of(const struct cpu_serving *s, double flop, double read)
{
    return hypot(flop / flop_s(s), read / bytes_s(s));
}

static double layer_s(const struct arch *a)
{
    return model_writes(a) ? WRITING_LAYER_S : LAYER_S;
}

static double cpu_prompt_time(const struct cpu_serving *s)
{
    const struct arch *a = s->arch;
    double params = body_params(a) * encoder_share(a), tokens = fmax(1, s->input);

    if (a->kind == ARCH_LSTM)
        return tokens * both_of(s, 2 * params, params * weights_bytes(s->weights));
    return both_of(s, 2 * params * tokens + attention_flop(a, tokens),
                   params * weights_bytes(s->weights)) +
           layer_s(a) * (double)a->layers;
}

/* Keys and values of `context` tokens, or the states in their place, bytes. */
static double kept_bytes(const struct arch *a, double context)
{
    double values = a->kv_rank > 0 ? (double)(a->kv_rank + a->rope_dim)
                                   : 2 * (double)(a->kv_heads * a->head_dim);
    double full = arch_full_share(a), without = (double)arch_layers_without_attention(a);
    double seen = a->window > 0 ? fmin(context, (double)a->window) : context;

    return 2 * (values * (full * context + (1 - full) * seen) * (step_layers(a) - without) +
                a->mixer_state * (double)a->mixer_layers);
}

static double write_token(const struct cpu_serving *s)
{
    const struct arch *a = s->arch;
    double head = (double)(a->vocab * a->hidden), context = s->input + s->output / 2;
    double share = a->kind == ARCH_ENCODER_DECODER ? 1 - encoder_share(a) : 1;
    double params = body_params(a) * share + head;

    return both_of(s, 2 * params, params * weights_bytes(s->weights) + kept_bytes(a, context)) +
           layer_s(a) * step_layers(a);
}

static double picture(const struct cpu_serving *s)
{
    const struct arch *a = s->arch;
    double side = s->resolution > 0 && a->resolution > 0
                      ? (double)s->resolution / (double)a->resolution
                      : 1;

    return fmax(1, s->passes) * (both_of(s, a->forward_flop * side * side,
                                         a->image_params * weights_bytes(s->weights)) +
                                 OPERATION_S * a->operations);
}

struct cpu_time estimate_cpu_serving(const struct cpu_serving *s)
{
    bool writes = model_writes(s->arch) && s->output > 0;
    struct cpu_time t = {.decode = writes ? write_token(s) : 0};

    t.first_token =
        REQUEST_S + (s->arch->kind == ARCH_IMAGE ? picture(s) : cpu_prompt_time(s)) + t.decode;
    t.request = t.first_token + fmax(0, s->output - 1) * t.decode;
    return t;
}

double cpu_weight_bytes(const struct cpu_serving *s)
{
    return arch_count(s->arch).total * weights_bytes(s->weights);
}

double cpu_serving_bytes(const struct cpu_serving *s)
{
    const struct arch *a = s->arch;
    double live = 0;

    if (a->kind == ARCH_IMAGE)
        live = 4 * LIVE_TENSORS * a->output_elements / fmax(1, a->operations);
    else if (model_writes(a))
        live = kept_bytes(a, s->input + s->output);
    if (!arch_is_other(a))
        live += 4 * s->input * (double)(8 * a->hidden + 2 * a->ffn);
    return RUNTIME_BYTES + PACKED * cpu_weight_bytes(s) + live;
}

/* ---- requests that come at random ---- */

/* The wait that a share `over` exceeds, of those behind one server that takes `service` for
 * each: they wait with the probability that it is busy, and then exponentially long. */
static double wait_over(double over, double busy, double service)
{
    return busy > over ? service / (2 * (1 - busy)) * log(busy / over) : 0;
}

struct serving_load queue_load(double service_s, double first_s, double rate)
{
    struct serving_load load = {
        .max_rate = 1 / service_s, .utilization = rate * service_s, .batch = rate * service_s};
    static const double over[] = {0.5, 0.05, 0.01};
    double *first[] = {&load.first_p50, &load.first_p95, &load.first_p99};
    double *all[] = {&load.request_p50, &load.request_p95, &load.request_p99};

    for (size_t i = 0; i < ARRAY_LEN(over); i++) {
        double wait =
            load.utilization < 1 ? wait_over(over[i], load.utilization, service_s) : INFINITY;

        *first[i] = wait + first_s;
        *all[i] = wait + service_s;
    }
    return load;
}

struct serving_load estimate_cpu_load(const struct cpu_serving *s, double slower, double rate)
{
    struct cpu_time t = estimate_cpu_serving(s);

    return queue_load(slower * t.request, slower * t.first_token, rate);
}
