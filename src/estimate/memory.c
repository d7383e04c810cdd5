/* The fullest of four moments of a step: the loss (all activations and the logits are
 * there), the first layer's backward pass (nearly all gradients are), the optimizer's step
 * (all gradients, and its temporaries), the first pipeline stage when it is full (activations
 * of many micro-batches). */
#include "estimate/memory.h"

#include <math.h>

#include "estimate/activations.h"
#include "estimate/layer.h"

#define LIVE_PARAMS 1e9 /* DeepSpeed: parameters gathered, or updated, at a time */

const char *const memory_moment_names[] = {
    "the loss", "the last gradients", "the optimizer's step", "the first pipeline stage", NULL};

/* What stays on the GPU from step to step, and the sizes that the moments are made of. */
struct held {
    double weights, master, optimizer, gradients, lora;
    double lora_gradients;
    double copies;        /* 16-bit weights that autocast keeps for the backward pass */
    double all_copies;    /* those that it has at the end of the forward pass */
    double layer, ends;   /* parameters of a layer; of embedding and head, on this GPU */
    double gathered;      /* bytes of the layers that ZeRO-3 has together */
    double gathered_ends; /* ditto, embedding and head */
    double host;
};

/* Parameters on this GPU: of the experts, and of all else. ZeRO spreads experts over fewer
 * ranks: those that hold the same ones. */
struct share {
    double dense, experts, shard, expert_shard;
};

static struct share share_of(const struct setup *s, const struct arch_params *p)
{
    struct share r = {.shard = fmax(1, (double)s->shard)};
    double local = setup_local_params(s);

    r.experts = fmin(local, p->experts / setup_expert_split(s));
    r.dense = local - r.experts;
    r.expert_shard = fmax(1, r.shard / (double)s->expert);
    return r;
}

static double spread(const struct share *r, bool sharded)
{
    return sharded ? r->dense / r->shard + r->experts / r->expert_shard : r->dense + r->experts;
}

/* Frozen weights in few bits; embedding, head and norms stay wide. PEFT turns these into
 * fp32 before it trains adapters on bitsandbytes' weights; Qwen's own script on any. */
static double packed_weights(const struct setup *s, const struct arch_params *p)
{
    bool peft = s->stack == STACK_DEEPSPEED || (s->stack == STACK_HF && s->base == WEIGHTS_NF4);
    double ends = p->embedding + p->head, unpacked = peft ? 4 : 2;
    double part = (double)s->pipeline * (double)s->tensor, packed;

    if (arch_is_other(s->arch))
        return p->total * weights_bytes(s->base);
    if (s->pipeline > 1)
        ends = fmax(p->embedding, p->head) * (double)s->pipeline;
    packed = (p->attention + p->ffn) / part + p->experts / setup_expert_split(s);
    return packed * weights_bytes(s->base) + (ends + p->other) / part * unpacked;
}

static double base_weights(const struct setup *s, const struct arch_params *p,
                           const struct share *r)
{
    double shards = s->zero == 3 ? r->shard : 1;

    if (s->method == METHOD_QLORA)
        return packed_weights(s, p) / shards;
    return spread(r, s->zero == 3) * precision_weight_bytes(s->precision);
}

static void hold_full(struct held *m, const struct setup *s, const struct share *r)
{
    enum precision p = s->precision;
    double gradients = spread(r, s->zero >= 2) * precision_gradient_bytes(p, s->stack);
    double whole = optimizer_local_bytes(s->optimizer);

    m->master = spread(r, s->zero >= 1) * precision_master_bytes(p);
    m->optimizer = spread(r, s->zero >= 1) * (optimizer_state_bytes(s->optimizer, p) - whole) +
                   spread(r, false) * whole;
    m->gradients = gradients;
    /* DistributedDataParallel sends from buckets that are a second copy. */
    if (s->data > 1 && s->zero == 0 && (s->stack == STACK_EAGER || s->stack == STACK_COMPILED))
        m->gradients += gradients;
}

/* Adapters are small, in fp32, and on every rank unless ZeRO spreads them. */
static void hold_adapters(struct held *m, const struct setup *s, const struct share *r)
{
    double trained = setup_local_trained(s);
    double whole = optimizer_local_bytes(s->optimizer);
    double state = optimizer_state_bytes(s->optimizer, PRECISION_FP32) - whole;

    m->lora = trained * (4 / (s->zero == 3 ? r->shard : 1) +
                         state / (s->zero >= 1 ? r->shard : 1) + whole);
    m->lora_gradients = trained * 4 / (s->zero >= 2 ? r->shard : 1);
    if (!arch_is_other(s->arch) && s->stack != STACK_DEEPSPEED)
        m->lora += trained * 2; /* as autocast's products read them */
}

static void hold_gathered(struct held *m, const struct setup *s)
{
    double eb = precision_activation_bytes(s->precision), layers = 2 * m->layer;

    if (s->zero < 3)
        return;
    if (s->stack == STACK_HF || s->stack == STACK_DEEPSPEED)
        layers = fmax(layers, fmin(LIVE_PARAMS, m->layer * (double)s->arch->layers));
    if (s->method == METHOD_QLORA) /* gathered packed, unpacked one by one */
        eb = weights_bytes(s->base);
    m->gathered = layers * eb;
    m->gathered_ends = m->ends * precision_activation_bytes(s->precision);
}

/* To the host: the states, or all that lasts. */
static void offload(struct held *m, const struct setup *s)
{
    if (s->offload == OFFLOAD_NONE)
        return;
    m->host = m->master + m->optimizer;
    m->master = m->optimizer = 0;
    if (s->offload == OFFLOAD_OPTIMIZER) {
        m->host += m->gradients; /* gradients follow, for the step there */
        if (s->zero >= 2)
            m->gradients = 0;
        return;
    }
    m->host += m->weights + m->gradients;
    /* What remains is what passes through: two layers and the ends. */
    m->gathered = fmax(m->gathered, 2 * m->layer * precision_activation_bytes(s->precision));
    m->weights = m->gradients = 0;
    if (s->offload == OFFLOAD_NVME)
        m->host *= 0.1; /* buffers on the way to the disk */
}

/* Layers that are computed again cast again. The embedding is looked up in fp32, but as the
 * head it is cast. */
static void hold_copies(struct held *m, const struct setup *s, const struct arch_params *p)
{
    double ends = (p->embedding + p->head) / (double)s->tensor;
    double head = (s->arch->tied ? p->embedding : p->head) / (double)s->tensor * s->head_share;

    if (arch_is_other(s->arch))
        head = ends = 0;
    m->all_copies = (fmax(0, setup_local_params(s) - ends) + head) * 2;
    m->copies = s->recompute == RECOMPUTE_FULL ? (head + m->layer) * 2 : m->all_copies;
}

static struct held held_of(const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);
    struct share r = share_of(s, &p);
    double layers = fmax(1, (double)(s->arch->layers + s->arch->decoder_layers));
    struct held m = {.weights = base_weights(s, &p, &r)};

    m.layer = ((p.attention + p.ffn) / (double)s->tensor +
               p.experts * (double)s->pipeline / setup_expert_split(s)) /
              layers;
    m.ends = (p.embedding + p.head) / (double)s->tensor;
    if (s->method == METHOD_FULL)
        hold_full(&m, s, &r);
    else
        hold_adapters(&m, s, &r);
    hold_gathered(&m, s);
    if (keeps_copies(s) && s->method == METHOD_FULL)
        hold_copies(&m, s, &p);
    offload(&m, s);
    return m;
}

/* Micro-batches whose activations the first stage holds at once. */
static double in_flight(const struct setup *s)
{
    double stages = (double)s->pipeline, virtual = (double)s->virtual_pipeline;
    double most = fmin(stages, (double)s->accumulation);

    if (s->pipeline > 1 && s->virtual_pipeline > 1 && most >= stages)
        most *= 1 + (stages - 1) / (stages * virtual);
    return most;
}

/* The parts that last through every moment. */
static struct memory lasting(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = {.weights = h->weights,
                       .master = h->master,
                       .optimizer = h->optimizer,
                       .lora = h->lora,
                       .workspace = c->at[C_mem_workspace],
                       .host = h->host};

    if (s->stack == STACK_HF || s->stack == STACK_DEEPSPEED)
        m.workspace += c->at[C_mem_trainer];
    return m;
}

static double sum(const struct memory *m)
{
    return m->weights + m->master + m->gradients + m->optimizer + m->lora + m->activations +
           m->working + m->logits + m->gathered + m->workspace;
}

/* Are there gradients already when a micro-batch goes forward? Before 2.0, from the years of
 * plain attention, PyTorch set them to zero where it frees them now. */
static bool gradients_stay(const struct setup *s)
{
    return s->accumulation > 1 || s->stack == STACK_MEGATRON || s->stack == STACK_XLA ||
           s->attention == ATTENTION_PLAIN;
}

/* Pictures and series: the first layers hold the most, and nearly all gradients are there
 * when their turn comes. */
static struct memory at_first_layers(const struct setup *s, const struct held *h,
                                     const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_GRADIENTS;
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    m.workspace /= 2; /* convolutions take theirs and give it back */
    m.activations = small_model_activations(s, c);
    if (s->arch->kind == ARCH_IMAGE) /* gradients of the widest tensors */
        m.working = c->at[C_mem_image_working] * m.activations;
    return m;
}

static struct memory at_loss(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double forward = 10.0 / 12; /* of the logits' memory, before there are gradients */
    double working = layer_working(s);

    if (gradients_stay(s)) {
        m.gradients = h->gradients;
        m.lora += h->lora_gradients;
    }
    m.activations = stage_activations(s) + head_activations(s);
    m.logits = loss_memory(s, c);
    m.gathered = h->gathered_ends;
    if (working > m.logits) { /* of the last layer, when the logits are gone */
        m.working = working;
        m.logits = 0;
    }
    m.weights += h->copies;
    if (h->all_copies - h->copies > m.logits * (1 - forward)) {
        m.weights += h->all_copies - h->copies;
        m.logits *= forward;
    }
    return m;
}

/* The first pipeline stage, when the most micro-batches are under way in it. */
static struct memory at_first_stage(const struct setup *s, const struct held *h,
                                    const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_PIPELINE;
    m.weights += h->copies;
    if (gradients_stay(s)) {
        m.gradients = h->gradients;
        m.lora += h->lora_gradients;
    }
    m.activations = stage_activations(s) * in_flight(s);
    m.working = layer_working(s);
    m.gathered = h->gathered;
    return m;
}

static struct memory at_last_gradient(const struct setup *s, const struct held *h,
                                      const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double gradient = precision_gradient_bytes(s->precision, s->stack);

    m.moment = MOMENT_GRADIENTS;
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    m.working = layer_working(s);
    if (s->recompute == RECOMPUTE_NONE)
        m.working += layer_memory_of(s, s->arch->experts > 0).saved;
    m.gathered = h->gathered;
    if (s->method != METHOD_FULL)
        return m;
    if (s->zero >= 2) /* whole gradients of the layer, before each rank has its part */
        m.working += h->layer * gradient;
    else if (!gradients_stay(s) && s->pipeline == 1 && !s->arch->tied) /* not there yet */
        m.gradients = fmax(0, m.gradients - (double)(s->arch->vocab * s->arch->hidden) /
                                                (double)s->tensor * gradient);
    return m;
}

static struct memory at_step(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double trained = setup_local_trained(s);

    m.moment = MOMENT_STEP;
    if (s->zero >= 1)
        trained /= fmax(1, (double)s->shard);
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    if (s->offload != OFFLOAD_NONE)
        return m;
    if (s->stack == STACK_DEEPSPEED && s->method == METHOD_FULL)
        /* gradients in fp32, a group of parameters at a time */
        m.working = 8 * fmin(trained, LIVE_PARAMS);
    else if (!s->fused_optimizer && s->stack != STACK_MEGATRON && s->stack != STACK_XLA)
        /* PyTorch's default goes over all tensors at once: a root of the second moment for
         * each */
        m.working = trained *
                    (optimizer_state_bytes(s->optimizer, s->precision) -
                     optimizer_local_bytes(s->optimizer)) /
                    2;
    return m;
}

/* What comes and goes within a step. */
static double moving_part(const struct memory *m)
{
    return m->activations + m->working + m->logits + m->gathered;
}

/* Freed blocks of what was `moving` that do not fit what is asked for next. Where the card
 * is nearly full the allocator gives them back, but for a few. */
static void add_outside(struct memory *m, double moving, const struct setup *s,
                        const struct constants *c)
{
    double groups = (s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) + (s->context > 1) +
                    (s->expert > 1);
    double room;
    bool again = s->recompute == RECOMPUTE_FULL;

    m->context = s->stack == STACK_XLA ? 0 : c->at[C_mem_context];
    m->buffers = groups * c->at[C_mem_group];
    m->fragmentation = moving * c->at[again                         ? C_mem_fragment_full
                                      : s->arch->kind == ARCH_IMAGE ? C_mem_fragment_image
                                                                    : C_mem_fragment];
    if (s->stack == STACK_XLA)
        m->fragmentation = 0; /* the compiler placed every tensor */
    room = usable_memory(s->gpu) - m->allocated - m->context - m->buffers - 1;
    m->fragmentation = fmin(m->fragmentation, fmax(room, 0.02 * moving));
    m->reserved = m->allocated + m->fragmentation;
    m->device = m->reserved + m->context + m->buffers;
}

struct memory estimate_memory(const struct setup *s, const struct constants *c)
{
    struct held h = held_of(s);
    bool small = arch_is_other(s->arch);
    struct memory best = small ? at_first_layers(s, &h, c) : at_loss(s, &h, c), other[3];
    double most = sum(&best), moving = moving_part(&best);
    int count = 0;

    other[count++] = at_step(s, &h, c);
    if (!small)
        other[count++] = at_last_gradient(s, &h, c);
    if (!small && s->pipeline > 1)
        other[count++] = at_first_stage(s, &h, c);
    for (int i = 0; i < count; i++) {
        moving = fmax(moving, moving_part(&other[i]));
        if (sum(&other[i]) > most) {
            best = other[i];
            most = sum(&best);
        }
    }
    best.allocated = most;
    add_outside(&best, moving, s, c);
    return best;
}

/* Data sheets say GB and mean GiB. Cards with GDDR that check their memory keep a sixteenth
 * for it; gamers' and workstations' have that turned off. Firmware and page tables take a
 * hundredth. What a chip shares with its CPU it gets three quarters of. */
double usable_memory(const struct accelerator *gpu)
{
    bool gddr = str_starts(gpu->memory_type, STR("GDDR"));
    bool unchecked = str_starts(gpu->name, STR("RTX")) || str_starts(gpu->name, STR("GTX")) ||
                     str_starts(gpu->name, STR("Titan")) || str_starts(gpu->name, STR("RX")) ||
                     str_starts(gpu->name, STR("Quadro"));

    if (str_eq(gpu->form, STR("integrated")))
        return gpu->memory_gb * BYTES_PER_GIB * 0.75;
    return gpu->memory_gb * BYTES_PER_GIB * 0.99 * (gddr && !unchecked ? 15.0 / 16 : 1);
}
