/* Formulas of the model itself, of serving, and of what hours come to. */
#include "op/estimate/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "estimate/kernels.h"
#include "op/estimate/explain_list.h"

#define TEXT_MAX 512

static bool explain_begin(struct explain *e, struct op_context *ctx, const struct rows *before,
                          struct error *err)
{
    size_t had = before != NULL ? before->len : 0;

    *e =
        (struct explain){.arena = ctx->arena, .err = err, .len = had, .max = had + EXPLAIN_MAX};
    e->at = arena_array(ctx->arena, struct estimate_formula, e->max, err);
    if (e->at == NULL)
        return false;
    if (had > 0)
        memcpy(e->at, before->at, had * sizeof *e->at);
    return true;
}

static bool explain_end(const struct explain *e, struct rows *out)
{
    if (e->failed)
        return false;
    *out = (struct rows){e->at, e->len};
    return true;
}

static struct str keep(struct explain *e, const char *text)
{
    const char *copy = e->failed ? NULL : str_dup(str_from(text), e->arena, e->err);

    e->failed |= copy == NULL;
    return str_from(copy);
}

void explain_add(struct explain *e, const char *name, const char *formula, double value,
                 const char *unit, const char *numbers, ...)
{
    char text[TEXT_MAX], whole[TEXT_MAX];
    struct estimate_formula f = {
        .name = str_from(name), .value = value, .unit = str_from(unit)};
    va_list args;

    if (e->failed || !isfinite(value) || value == 0 || e->len == e->max)
        return;
    va_start(args, numbers);
    (void)vsnprintf(text, sizeof text, numbers, args);
    va_end(args);
    (void)snprintf(whole, sizeof whole, "%s = %s", name, formula);
    f.formula = keep(e, whole);
    f.numbers = keep(e, text);
    if (!e->failed)
        e->at[e->len++] = f;
}

struct explain_rest explain_rest(double value, double counted)
{
    struct explain_rest r = {.text = ""};
    double rest = value - counted;

    if (isfinite(rest) && fabs(rest) > 1e-3 * fabs(value))
        (void)snprintf(r.text, sizeof r.text, " %c %.5g", rest < 0 ? '-' : '+', fabs(rest));
    return r;
}

static void attention_params(struct explain *e, const struct arch *a, double attention)
{
    double blocks = (double)(a->layers + 2 * a->decoder_layers);

    if (a->kv_rank > 0) /* six narrow matrices: one layer's are counted by arch.c */
        explain_add(e, "attention parameters",
                    "layers x those of one layer of latent attention", attention, "parameters",
                    "%.0f x %.6g", blocks, arch_attention_params(a));
    else
        explain_add(e, "attention parameters",
                    "layers x hidden x head width x (2 x heads + 2 x KV heads)", attention,
                    "parameters", "%.0f x %lld x %lld x (2 x %lld + 2 x %lld)", blocks,
                    (long long)a->hidden, (long long)a->head_dim, (long long)a->heads,
                    (long long)a->kv_heads);
}

static void explain_parameters(struct explain *e, const struct arch *a)
{
    struct arch_params p = arch_count(a);
    double layers = (double)(a->layers + a->decoder_layers), matrices = a->gated ? 3 : 2;
    double sparse = a->experts > 0 ? layers - (double)a->dense_layers : 0;

    if (arch_is_other(a)) {
        explain_add(e, "parameters", "as the model is described", p.total, "parameters", "%.6g",
                    p.total);
        return;
    }
    attention_params(e, a, p.attention);
    explain_add(e, "feed-forward parameters",
                "(dense layers x width + sparse layers x shared width) x matrices x hidden",
                p.ffn, "parameters", "(%.0f x %lld + %.0f x %lld) x %.0f x %lld",
                layers - sparse, (long long)a->ffn, sparse, (long long)a->shared_ffn, matrices,
                (long long)a->hidden);
    explain_add(e, "expert parameters", "sparse layers x experts x matrices x hidden x width",
                p.experts, "parameters", "%.0f x %lld x %.0f x %lld x %lld", sparse,
                (long long)a->experts, matrices, (long long)a->hidden,
                (long long)a->expert_ffn);
    if (a->kind == ARCH_VIT)
        explain_add(e, "patch parameters", "(3 x patch^2 + 1) x hidden", p.embedding,
                    "parameters", "(3 x %lld^2 + 1) x %lld", (long long)a->patch,
                    (long long)a->hidden);
    else
        explain_add(e, "embedding parameters", "vocabulary x hidden", p.embedding, "parameters",
                    "%lld x %lld", (long long)a->vocab, (long long)a->hidden);
    explain_add(e, "head parameters", "vocabulary x hidden, unless it is the embedding", p.head,
                "parameters", "%lld x %lld", (long long)a->vocab, (long long)a->hidden);
    explain_add(e, "parameters",
                "attention + feed-forward + experts + ends + norms and the like", p.total,
                "parameters", "%.6g + %.6g + %.6g + %.6g + %.6g", p.attention, p.ffn, p.experts,
                p.embedding + p.head, p.other);
    if (p.active < p.total)
        explain_add(e, "active parameters",
                    "parameters - experts x (1 - active experts / experts)", p.active,
                    "parameters", "%.6g - %.6g x (1 - %lld / %lld)", p.total, p.experts,
                    (long long)a->active_experts, (long long)a->experts);
}

bool explain_training(const struct setup *s, const struct memory *m, const struct step *t,
                      const struct constants *c, struct op_context *ctx, struct rows *out,
                      struct error *err)
{
    struct explain e;

    if (!explain_begin(&e, ctx, NULL, err))
        return false;
    explain_parameters(&e, s->arch);
    explain_training_memory(&e, s, m);
    explain_step(&e, s, t, c);
    return explain_end(&e, out);
}

static void serving_memory(struct explain *e, const struct serving *s,
                           const struct serving_memory *m)
{
    double params = arch_count(s->arch).total, gpus = (double)(s->tensor * s->pipeline);
    double tokens = s->input + s->output;

    explain_add(e, "weights", "parameters x mean bytes of one / GPUs that share them",
                m->weights / 1e9, "GB", "%.6g x %.5g / %.0f", params,
                m->weights * gpus / params, gpus);
    explain_add(e, "cache", "sequences x tokens of each x bytes of a token on one GPU",
                m->cache / 1e9, "GB", "%.6g x %.0f x %.6g", s->batch, tokens,
                m->cache / s->batch / tokens);
    explain_add(e, "activations", "sequences x bytes of the tensors of one",
                m->activations / 1e9, "GB", "%.6g x %.6g", s->batch, m->activations / s->batch);
    explain_add(e, "workspace", "of libraries", m->workspace / 1e9, "GB", "%.6g", m->workspace);
    explain_add(e, "context", "the driver, its kernels and buffers", m->context / 1e9, "GB",
                "%.6g", m->context);
    if (m->device > 1.001 * (m->allocated + m->context))
        explain_add(e, "memory", "share that the server takes x usable memory", m->device / 1e9,
                    "GB", "%.4g x %.6g", m->device / usable_memory(s->gpu),
                    usable_memory(s->gpu));
    else
        explain_add(e, "memory", "weights + cache + activations + workspace + context",
                    m->device / 1e9, "GB", "%.5g + %.5g + %.5g + %.5g + %.5g", m->weights,
                    m->cache, m->activations, m->workspace, m->context);
}

static void serving_time(struct explain *e, const struct serving *s,
                         const struct serving_memory *m, const struct serving_time *t)
{
    double matmul = arch_count(s->arch).matmul, peak = peak_flops(s->gpu, PRECISION_BF16);
    double sequences = s->rolling ? 1 : s->batch;
    double flop = 2 * matmul * sequences * s->input, gpus = (double)s->gpus;
    double bandwidth = s->gpu->bandwidth_gb_s * 1e9, read = m->weights + m->cache;

    if (s->input > 0)
        explain_add(e, "prefill",
                    "2 x parameters in products x sequences x tokens / (GPUs x share of peak "
                    "reached x peak)",
                    t->prefill, "s", "2 x %.6g x %.6g x %.0f / (%.0f x %.5g x %.5g)", matmul,
                    sequences, s->input, gpus, flop / (t->prefill * gpus * peak), peak);
    if (s->output > 0)
        explain_add(e, "decode step",
                    "(bytes of weights + bytes of cache) / (share of bandwidth reached x "
                    "bandwidth)",
                    t->decode, "s", "(%.6g + %.6g) / (%.5g x %.5g)", m->weights, m->cache,
                    read / (t->decode * bandwidth), bandwidth);
    if (s->output > 1)
        explain_add(e, "request", "first token + (output - 1) x decode step", t->request, "s",
                    "%.5g + (%.0f - 1) x %.6g", t->request - (s->output - 1) * t->decode,
                    s->output, t->decode);
    explain_add(e, "rate",
                s->output > 0 ? "sequences x output / request" : "sequences / request",
                s->batch * (s->output > 0 ? s->output : 1) / t->request,
                s->output > 0 ? "tokens/s" : "requests/s", "%.6g x %.6g / %.6g", s->batch,
                s->output > 0 ? s->output : 1, t->request);
}

bool explain_serving(const struct serving *s, const struct constants *c, struct op_context *ctx,
                     struct rows *out, struct error *err)
{
    struct serving_memory m = estimate_serving_memory(s, c);
    struct serving_time t = estimate_serving(s, c);
    struct explain e;

    if (!explain_begin(&e, ctx, NULL, err))
        return false;
    explain_parameters(&e, s->arch);
    serving_memory(&e, s, &m);
    serving_time(&e, s, &m, &t);
    return explain_end(&e, out);
}

/* The sum of the lines as it would be typed. */
static void cost_sum(struct explain *e, const struct estimate_result *res)
{
    const struct estimate_line *lines = res->cost.at;
    char text[TEXT_MAX] = "";
    size_t used = 0;

    for (size_t i = 0; i < res->cost.len; i++)
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g",
                                     i > 0 ? " + " : "", usd_double(lines[i].amount));
    explain_add(e, "cost", "the sum of its lines", usd_double(res->total), "$", "%s", text);
}

bool explain_totals(struct op_context *ctx, struct estimate_result *res, struct error *err)
{
    double hours = res->hours.value, price = (double)res->price.nano / 1e9;
    bool priced = res->price.nano != MONEY_UNKNOWN;
    struct explain e;

    if (!explain_begin(&e, ctx, &res->formulas, err))
        return false;
    explain_add(&e, "hours", "steps x step / 3600 s", hours, "h", "%.6g x %.6g / 3600",
                res->steps, res->step_s.value);
    explain_add(&e, "energy", "watts of a node x nodes x hours x PUE", res->energy_kwh.value,
                "kWh", "%.6g x %lld x %.6g x %.5g / 1000", res->watts, (long long)res->nodes,
                res->energy_kwh.value * 1000 / (res->watts * (double)res->nodes * res->pue),
                res->pue);
    explain_add(&e, "carbon", "energy x grams for a kWh", res->carbon_kg.value, "kg CO2e",
                "%.6g x %.5g / 1000", res->energy_kwh.value, res->carbon_g_kwh);
    if (priced)
        explain_add(&e, "compute", "machines x price of one x hours",
                    (double)res->machines * price * hours, "$", "%lld x %.6g x %.6g",
                    (long long)res->machines, price, hours);
    if (res->cost.len > 0)
        cost_sum(&e, res);
    return explain_end(&e, &res->formulas);
}
