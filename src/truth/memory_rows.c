/* Measured memory of one GPU: training and inference, and rows that say only that it was not
 * enough. */
#include <math.h>

#include "truth/rows.h"

/* What a source's tool does where its table does not say. */
struct habit {
    const char *source; /* part of the column */
    enum stack stack;
    int64_t micro_batch, sequence, rank;
    unsigned targets;
    bool pure;  /* full training keeps everything in bf16 */
    bool lean;  /* torch.compile, and a loss that makes the logits in pieces */
    bool plain; /* from before flash attention */
    bool again; /* its scripts turn on gradient checkpointing */
    bool flat;  /* the optimizer's step is on flat tensors, in several kernels */
    bool split; /* several GPUs hold different layers, one works at a time */
    enum optimizer optimizer;
    enum engine engine;
    int64_t written;       /* of a row's length, tokens that were generated */
    enum memory_view view; /* where the table does not say */
    bool gib;              /* its GB are GiB */
};

/* Tools show their memory with Alpaca's instructions, padded to the longest of a batch. How
 * long the longest of all is, in tokens, follows from what their tables grow by with the
 * batch. */
#define ALPACA 0
#define ALPACA_LLAMA 1500  /* with Llama's vocabulary of 32,000 */
#define ALPACA_OTHERS 1037 /* with GPT-NeoX's of 50,000, and larger ones */

#define ALL_WRITTEN INT64_MAX

static const struct habit habits[] = {
    /* Its script divides max_memory_allocated() by 1024^3, and 2,048 tokens are written. */
    {"docs/source/benchmark/speed_benchmark", STACK_HF, 1, 2048, 8, TARGET_ALL,
     .engine = ENGINE_HF, .written = 2048, .view = VIEW_ALLOCATED, .gib = true},
    /* Of Qwen 3. The table grows by the cache of a token to four digits: it is what is there
     * when all is written, without the prompt's pass. */
    {"getting_started/speed_benchmark", STACK_HF, 1, 2048, 8, TARGET_ALL, .engine = ENGINE_HF,
     .written = ALL_WRITTEN, .view = VIEW_ALLOCATED},
    {"litgpt", STACK_EAGER, 1, ALPACA, 8, TARGET_Q | TARGET_V, .engine = ENGINE_HF},
    {"QwenLM/Qwen", STACK_DEEPSPEED, 1, 2048, 64, TARGET_ALL, .again = true,
     .engine = ENGINE_HF, .written = ALL_WRITTEN},
    {"ms-swift", STACK_HF_2023, 1, 2048, 8, TARGET_Q | TARGET_K | TARGET_V, .pure = true,
     .again = true, .split = true, .engine = ENGINE_HF},
    {"unsloth", STACK_HF_2023, 2, ALPACA, 16, TARGET_ALL, .again = true,
     .optimizer = OPTIMIZER_ADAMW_8BIT, .engine = ENGINE_HF},
    {"torchtune", STACK_COMPILED, 2, 2048, 8, TARGET_Q | TARGET_V, .pure = true, .lean = true,
     .engine = ENGINE_HF},
    /* internlm/solver/optimizer/hybrid_zero_optim.py, in 2023 with PyTorch's plain AdamW */
    {"InternEvo", STACK_MEGATRON, 1, 2048, 8, TARGET_ALL, .flat = true, .engine = ENGINE_HF},
    {"deeplearning-benchmark", STACK_EAGER, 1, 384, 8, TARGET_ALL, .plain = true,
     .engine = ENGINE_HF},
    {"FasterTransformer", STACK_EAGER, 1, 512, 8, TARGET_ALL, .engine = ENGINE_FT,
     .view = VIEW_DEVICE},
};

static const struct habit *habit_of(struct str source)
{
    for (size_t i = 0; i < ARRAY_LEN(habits); i++)
        if (str_has_nocase(source, str_from(habits[i].source)))
            return &habits[i];
    return NULL;
}

static enum memory_view parse_memory_view(struct str kind)
{
    if (str_eq_nocase(kind, STR("allocated")) || str_eq_nocase(kind, STR("active")))
        return VIEW_ALLOCATED;
    return str_eq_nocase(kind, STR("device")) ? VIEW_DEVICE : VIEW_RESERVED;
}

/* Parallelism as the tool does it on the GPUs of the row. */
static void apply_split(struct setup *s, const struct rows_reader *r, const struct habit *h)
{
    if (row_has(r, "zero_stage"))
        return;
    if (h->split && s->gpus > 1) {
        s->pipeline = s->gpus;
        s->data = 1;
    }
    /* Qwen's script for full training runs DeepSpeed ZeRO-3, on one GPU too. */
    if (h->stack == STACK_DEEPSPEED && s->method == METHOD_FULL)
        s->zero = 3;
}

static void apply_habit(struct setup *s, const struct rows_reader *r, const struct habit *h)
{
    if (!row_has(r, "micro_batch"))
        s->micro_batch = h->micro_batch;
    if (s->sequence < 1)
        s->sequence = h->sequence != ALPACA     ? h->sequence
                      : s->arch->vocab <= 32768 ? ALPACA_LLAMA
                                                : ALPACA_OTHERS;
    s->stack = h->stack;
    s->compiled = s->stack == STACK_COMPILED;
    s->fused_loss = h->lean;
    if (!row_has(r, "lora_rank"))
        s->rank = (double)h->rank;
    if (!row_has(r, "lora_targets"))
        s->targets = h->targets;
    if (h->pure && s->precision == PRECISION_BF16)
        s->precision = PRECISION_BF16_PURE;
    if (!row_has(r, "optimizer"))
        s->optimizer = h->optimizer;
    apply_split(s, r, h);
    /* Lightning checkpoints every block that FSDP wraps. */
    if ((h->again || (h->stack == STACK_EAGER && s->zero == 3)) &&
        !row_has(r, "activation_checkpointing"))
        s->recompute = RECOMPUTE_FULL;
}

/* Adapters of other kinds than LoRA train about as little. */
static void read_adapter(const struct rows_reader *r, struct setup *s)
{
    enum weights base;
    struct str precision = row_text(r, "precision");

    if (!str_eq_nocase(row_text(r, "method"), STR("adapter")))
        return;
    s->method = METHOD_LORA;
    if (weights_of(precision, &base) && base != WEIGHTS_FP16 && base != WEIGHTS_FP32) {
        s->method = METHOD_QLORA;
        s->base = base;
    }
}

/* A plain model that is known only by its shapes learns its positions. */
static void add_positions(const struct rows_reader *r, struct arch *a)
{
    if (a->kind == ARCH_DECODER && !a->gated && a->positions == 0 &&
        str_eq(a->name, STR("model of the row")))
        a->positions = row_count(r, "seq_len", 0);
}

static void finish_training(const struct rows_reader *r, struct measured_value *p)
{
    struct setup *s = &p->setup;
    struct str precision = row_text(r, "precision");
    struct str source = row_text(r, "source");
    const struct habit *h = habit_of(source);
    enum precision ignored;
    struct error why = {0};

    s->arch = &p->arch;
    p->reason = NULL;
    add_positions(r, &p->arch);
    read_adapter(r, s);
    if (!row_has(r, "zero_stage"))
        s->zero = -1;
    if (!row_has(r, "activation_checkpointing"))
        s->recompute = RECOMPUTE_COUNT;
    if (h != NULL)
        apply_habit(s, r, h);
    settle_setup(s, r);
    if (h != NULL && h->plain)
        s->attention = ATTENTION_PLAIN;
    /* Lightning's FSDP has the complete model on each GPU before it shards it. */
    if (h != NULL && h->stack == STACK_EAGER && s->zero == 3)
        s->shard = 1;
    s->flat_step = h != NULL && h->flat;
    s->fused_optimizer =
        s->stack != STACK_HF_2023 && !s->flat_step; /* whose default is PyTorch's */
    if (precision.len > 0 && !precision_of(precision, &ignored))
        p->reason = "the precision is not known";
    else if (s->sequence < 1)
        p->reason = "the sequence length is not given";
    else if (!setup_check(s, &why))
        p->reason = "the setting is impossible";
}

/* An inference row: weights, cache and activations of one batch. */
static void read_memory_serving(const struct rows_reader *r, struct measured_value *p)
{
    struct serving *s = &p->serve;
    const struct habit *h = habit_of(row_text(r, "source"));
    struct error why = {0};

    p->serving = true;
    if (!row_arch(r, p))
        return;
    s->arch = &p->arch;
    s->engine = h != NULL ? h->engine : ENGINE_HF;
    (void)engine_of(row_text(r, "framework"), &s->engine);
    s->weights = WEIGHTS_FP16;
    (void)weights_of(row_text(r, "precision"), &s->weights);
    s->kv = WEIGHTS_FP16;
    s->gpus = row_count(r, "gpu_count", 1);
    s->tensor = row_count(r, "tensor_parallel", 1);
    s->pipeline = s->engine == ENGINE_HF && s->tensor == 1 ? s->gpus : 1;
    if (s->engine != ENGINE_HF && !row_has(r, "tensor_parallel"))
        s->tensor = s->gpus;
    s->batch = (double)row_count(r, "micro_batch", 1);
    s->input = (double)row_count(r, "seq_len", 256);
    if (h != NULL && h->written > 0) { /* a prompt of one token at least */
        s->output = fmin(s->input - 1, (double)h->written);
        s->input -= s->output;
    }
    if (!serving_check(s, &why))
        p->reason = "the setting is impossible";
}

static void read_measured(const struct rows_reader *r, struct measured_value *p)
{
    double peak = row_number(r, "peak_mem_gb_per_gpu");
    const struct habit *h = habit_of(row_text(r, "source"));

    if (!(peak > 0))
        peak = row_number(r, "mem_gb_per_gpu");
    p->metric = METRIC_MEMORY;
    p->measured = peak > 0 ? peak : NAN;
    p->view = parse_memory_view(row_text(r, "mem_kind"));
    if (h != NULL && h->gib)
        p->measured *= BYTES_PER_GIB / 1e9;
    if (h != NULL && !row_has(r, "mem_kind"))
        p->view = h->view;
    p->only_fits = row_has(r, "card_gb") && row_has(r, "fits");
    p->card_bytes = p->only_fits ? row_number(r, "card_bytes") : NAN;
    p->out_of_memory = str_eq_nocase(row_text(r, "oom"), STR("yes")) ||
                       (p->only_fits && str_eq_nocase(row_text(r, "fits"), STR("no")));
    if (p->reason == NULL && !(peak > 0) && !p->out_of_memory && !p->only_fits)
        p->reason = "no memory was measured";
}

bool read_memory_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    size_t before = list->len;
    struct measured_value *p;

    if (str_eq_nocase(row_text(r, "workload"), STR("inference"))) {
        p = point_add(list, err);
        if (p == NULL || !row_begin(r, p, &p->serve.gpu, err))
            return false;
        if (p->reason == NULL)
            read_memory_serving(r, p);
    } else {
        if (!read_training_row(r, list, err))
            return false;
        p = &list->at[before];
        if (p->setup.gpus > 0) /* it was read, whatever it says of throughput */
            finish_training(r, p);
    }
    read_measured(r, p);
    if (p->set.len == 0)
        p->set = p->serving ? STR("inference") : STR("training");
    return true;
}
