/* Formulas of what a GPU holds in training. memory.c has the arithmetic: the parts are those of
 * the fullest moment of a step, so some are not there. */
#include <math.h>
#include <stdio.h>

#include "estimate/activations.h"
#include "estimate/layer.h"
#include "op/estimate/explain_list.h"

/* Parameters that one GPU has before ZeRO. */
static void local_params(struct explain *e, const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);
    double layers = p.attention + p.ffn + p.other, ends = p.embedding + p.head;

    if (s->pipeline > 1)
        ends = fmax(p.embedding, p.head);
    explain_add(e, "local parameters",
                s->expert > 1 ? "(layers / pipeline + embedding or head) / tensor + experts / "
                                "(pipeline x expert parallel)"
                              : "(layers / pipeline + embedding or head) / tensor + experts / "
                                "(pipeline x tensor)",
                setup_local_params(s), "parameters",
                "(%.6g / %lld + %.6g) / %lld + %.6g / (%lld x %.0f)", layers,
                (long long)s->pipeline, ends, (long long)s->tensor, p.experts,
                (long long)s->pipeline, setup_expert_split(s) / (double)s->pipeline);
}

static void weights(struct explain *e, const struct setup *s, const struct memory *m)
{
    double local = setup_local_params(s), shards = s->zero == 3 ? (double)s->shard : 1;
    double each = precision_weight_bytes(s->precision), counted;
    struct explain_rest more;

    if (s->method == METHOD_QLORA) {
        explain_add(e, "weights",
                    "local parameters x mean bytes of one (frozen ones packed, ends wide) / "
                    "ZeRO-3 shards",
                    m->weights / 1e9, "GB", "%.6g x %.5g / %.0f", local,
                    m->weights * shards / local, shards);
        return;
    }
    counted = local * each / shards;
    more = explain_rest(m->weights, counted);
    explain_add(e, "weights",
                more.text[0] == '\0' ? "local parameters x bytes / ZeRO-3 shards"
                : shards > 1 ? "local parameters x bytes / ZeRO-3 shards, experts over fewer"
                             : "local parameters x bytes, and autocast's copies",
                m->weights / 1e9, "GB", "%.6g x %.0f / %.0f%s", local, each, shards, more.text);
}

/* A state that ZeRO shards from `stage` on; experts over the ranks that hold the same ones. */
static void state(struct explain *e, const struct setup *s, const char *name,
                  const char *formula, double value, double each, int stage)
{
    double local = setup_local_params(s), shards = s->zero >= stage ? (double)s->shard : 1;
    struct explain_rest more = explain_rest(value, local * each / shards);
    bool fewer = more.text[0] != '\0' && s->arch->experts > 0 && shards > 1;
    char text[160];

    (void)snprintf(text, sizeof text, "%s%s", formula, fewer ? ", experts over fewer" : "");
    explain_add(e, name, text, value / 1e9, "GB", "%.6g x %.5g / %.0f%s", local, each, shards,
                more.text);
}

static void states(struct explain *e, const struct setup *s, const struct memory *m)
{
    double trained = setup_local_trained(s), local = setup_local_params(s);
    double each = precision_gradient_bytes(s->precision, s->stack);
    double counted = local * each / (s->zero >= 2 ? (double)s->shard : 1);

    if (s->method != METHOD_FULL) {
        explain_add(e, "adapters",
                    "trained parameters x bytes of weight, copy, gradient, states",
                    m->lora / 1e9, "GB", "%.6g x %.5g", trained, m->lora / trained);
        return;
    }
    state(e, s, "master weights", "local parameters x 4 B / ZeRO-1 shards", m->master,
          precision_master_bytes(s->precision), 1);
    state(e, s, "gradients",
          m->gradients < 0.999 * counted
              ? "local parameters x bytes / ZeRO-2 shards, less those that are not there yet"
          : m->gradients > 1.001 * counted && s->zero == 0
              ? "local parameters x bytes / ZeRO-2 shards, and buckets to send from"
              : "local parameters x bytes / ZeRO-2 shards",
          m->gradients, each, 2);
    state(e, s, "optimizer states", "local parameters x bytes of states / ZeRO-1 shards",
          m->optimizer, optimizer_state_bytes(s->optimizer, s->precision), 1);
}

static void activations(struct explain *e, const struct setup *s, const struct memory *m)
{
    const struct arch *a = s->arch;
    double tokens, layers, stage, ends, kept;

    if (arch_is_other(a)) {
        explain_add(e, "activations", "samples x bytes kept of one", m->activations / 1e9, "GB",
                    "%lld x %.6g", (long long)s->micro_batch,
                    m->activations / (double)s->micro_batch);
        return;
    }
    tokens = micro_tokens(s);
    layers = ceil((double)(a->layers + a->decoder_layers) / (double)s->pipeline);
    stage = stage_activations(s);
    ends = head_activations(s);
    kept = stage / layers;
    if (m->activations > 0)
        explain_add(e, "kept of a layer", "tokens of a micro-batch x hidden x bytes for each",
                    kept / 1e9, "GB", "%.6g x %lld x %.5g", tokens, (long long)a->hidden,
                    kept / tokens / (double)a->hidden);
    if (m->moment != MOMENT_PIPELINE)
        explain_add(e, "activations", "layers of a stage x kept of a layer + input of the head",
                    m->activations / 1e9, "GB", "%.0f x %.6g + %.6g", layers, kept, ends);
    else
        explain_add(e, "activations",
                    "micro-batches under way x layers of a stage x kept of a layer",
                    m->activations / 1e9, "GB", "%.5g x %.0f x %.6g", m->activations / stage,
                    layers, kept);
}

static void working(struct explain *e, const struct setup *s, const struct memory *m)
{
    double layer = arch_is_other(s->arch) ? m->working : layer_working(s);
    double trained = setup_local_trained(s);

    if (s->zero >= 1)
        trained /= (double)s->shard;
    if (m->moment == MOMENT_STEP)
        explain_add(e, "working set", "parameters that are updated x temporary bytes",
                    m->working / 1e9, "GB", "%.6g x %.5g", trained, m->working / trained);
    else
        explain_add(
            e, "working set", "tensors of the layer being computed, and their gradients",
            m->working / 1e9, "GB", "%.6g%s", layer, explain_rest(m->working, layer).text);
}

/* What passes through, and what libraries and the driver hold. */
static void rest(struct explain *e, const struct setup *s, const struct memory *m)
{
    double logits = arch_is_other(s->arch) ? 1 : micro_tokens(s) * (double)s->arch->vocab;
    double each = s->method == METHOD_QLORA ? weights_bytes(s->base)
                                            : precision_activation_bytes(s->precision);
    double moving = m->activations + m->working + m->logits + m->gathered;

    explain_add(e, "logits", "tokens x vocabulary / tensor x bytes of a logit at the loss",
                m->logits / 1e9, "GB", "%.6g x %lld / %lld x %.5g",
                logits / (double)s->arch->vocab, (long long)s->arch->vocab,
                (long long)s->tensor, m->logits * (double)s->tensor / logits);
    explain_add(e, "gathered", "parameters put together at a time x bytes", m->gathered / 1e9,
                "GB", "%.6g x %.5g", m->gathered / each, each);
    explain_add(e, "workspace", "of libraries and the trainer", m->workspace / 1e9, "GB",
                "%.5g", m->workspace);
    explain_add(e, "fragmentation",
                "share x (activations + working set + logits + gathered), while there is room",
                m->fragmentation / 1e9, "GB", "%.5g x (%.5g + %.5g + %.5g + %.5g)",
                m->fragmentation / moving, m->activations, m->working, m->logits, m->gathered);
    explain_add(e, "buffers", "groups of GPUs x bytes that the library of collectives holds",
                m->buffers / 1e9, "GB", "%d x %.5g",
                (s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) + (s->context > 1) +
                    (s->expert > 1),
                m->buffers / ((s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) +
                              (s->context > 1) + (s->expert > 1)));
    explain_add(e, "context", "the driver and its kernels", m->context / 1e9, "GB", "%.5g",
                m->context);
}

void explain_training_memory(struct explain *e, const struct setup *s, const struct memory *m)
{
    double usable = usable_memory(s->gpu);
    char text[160];

    local_params(e, s);
    weights(e, s, m);
    states(e, s, m);
    activations(e, s, m);
    working(e, s, m);
    rest(e, s, m);
    (void)snprintf(text, sizeof text,
                   "the sum at the fullest moment (%s), with fragmentation, "
                   "buffers and context",
                   memory_moment_names[m->moment]);
    explain_add(e, "memory", text, m->device / 1e9, "GB", "%.6g + %.5g + %.5g + %.5g",
                m->allocated, m->fragmentation, m->buffers, m->context);
    explain_add(e, "usable memory",
                "GB of the data sheet x 2^30 x what firmware and checks leave", usable / 1e9,
                "GB", "%.6g x 2^30 x %.5g", s->gpu->memory_gb,
                usable / (s->gpu->memory_gb * BYTES_PER_GIB));
    explain_add(e, "offloaded", "states kept in the machine's memory, for each GPU",
                m->host / 1e9, "GB", "%.6g", m->host);
}
