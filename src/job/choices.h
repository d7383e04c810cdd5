/* choices.h - the closed lists of a job: methods, precisions, optimizers and the like.
 *
 * Each has the names that job files, options and result fields use, in the order of the enum.
 */
#ifndef JOB_CHOICES_H
#define JOB_CHOICES_H

#include "base/error.h"
#include "base/str.h"

enum method {
    METHOD_FULL,
    METHOD_LORA,
    METHOD_QLORA, /* the frozen base is quantised */
    METHOD_COUNT,
};

/* What is learned from: examples, pairs of answers, or answers that the model itself writes. */
enum objective {
    OBJECTIVE_SFT,    /* next tokens, masked tokens, classes: one pass over each example */
    OBJECTIVE_DPO,    /* pairs, beside a frozen reference (IPO, robust, ... too) */
    OBJECTIVE_ORPO,   /* pairs, without one (SimPO, CPO) */
    OBJECTIVE_KTO,    /* single answers, beside a reference (BCO) */
    OBJECTIVE_REWARD, /* pairs, into one number: a reward model */
    OBJECTIVE_PPO,    /* written answers, with a reward model and a critic */
    OBJECTIVE_GRPO,   /* groups of written answers (Dr. GRPO, DAPO, GSPO) */
    OBJECTIVE_RLOO,   /* the same, scored by a reward model (REINFORCE++) */
    OBJECTIVE_COUNT,
};

/* What the matrix products run in, and with which copies of the weights. */
enum precision {
    PRECISION_FP32,
    PRECISION_TF32,      /* fp32 tensors, tf32 products */
    PRECISION_AMP_FP16,  /* fp32 weights, fp16 autocast */
    PRECISION_AMP_BF16,  /* fp32 weights, bf16 autocast */
    PRECISION_FP16,      /* fp16 weights and gradients, fp32 master copy */
    PRECISION_BF16,      /* bf16 weights and gradients, fp32 master copy */
    PRECISION_BF16_PURE, /* everything bf16, the optimizer's states too */
    PRECISION_FP8,       /* as bf16, with fp8 products in the linear layers */
    PRECISION_MXFP8,     /* the same, scaled by blocks of 32 */
    PRECISION_FP4,       /* the same, with 4-bit products */
    PRECISION_COUNT,
};

enum optimizer {
    OPTIMIZER_ADAMW,
    OPTIMIZER_ADAMW_BF16, /* states in bf16 */
    OPTIMIZER_ADAMW_8BIT,
    OPTIMIZER_ADAMW_1BIT, /* gradients compressed to 1 bit after warm-up */
    OPTIMIZER_ADAFACTOR,
    OPTIMIZER_SGD, /* with momentum */
    OPTIMIZER_LION,
    OPTIMIZER_MUON,
    OPTIMIZER_ADAMW_PAGED, /* bitsandbytes: states leave the card where it is full */
    OPTIMIZER_ADAMW_8BIT_PAGED,
    OPTIMIZER_COUNT,
};

enum recompute {
    RECOMPUTE_NONE,
    RECOMPUTE_SELECTIVE, /* attention only */
    RECOMPUTE_FULL,      /* every layer from its input */
    RECOMPUTE_COUNT,
};

enum offload {
    OFFLOAD_NONE,
    OFFLOAD_OPTIMIZER, /* states and the step on the host */
    OFFLOAD_ALL,       /* weights too */
    OFFLOAD_NVME,      /* as all, on disk */
    OFFLOAD_COUNT,
};

enum attention {
    ATTENTION_PLAIN, /* the matrix of scores is in memory */
    ATTENTION_FIRST, /* the first flash kernels: FlashAttention 1, Triton's */
    ATTENTION_FLASH, /* FlashAttention 2, PyTorch's */
    ATTENTION_FUSED, /* the vendor's newest: cuDNN, Transformer Engine, FlashAttention 3 */
    ATTENTION_COUNT,
};

/* The software: what it fuses, overlaps and wastes. */
enum stack {
    STACK_EAGER,     /* plain PyTorch */
    STACK_COMPILED,  /* torch.compile */
    STACK_FSDP,      /* PyTorch FSDP trainers: torchtitan, Composer, fms-fsdp */
    STACK_MEGATRON,  /* Megatron, NeMo, Transformer Engine */
    STACK_DEEPSPEED, /* DeepSpeed trainers */
    STACK_HF,        /* Hugging Face's model code, Trainer and PEFT */
    STACK_LIGHTNING, /* Lightning around Hugging Face's model code */
    STACK_HF_2023,   /* Trainer and DeepSpeed of 2023, models with kernels of their own */
    STACK_XLA,       /* JAX, Neuron, TPU: one compiled program */
    STACK_COUNT,
};

/* How weights are stored for inference, and in the frozen base of QLoRA. */
enum weights {
    WEIGHTS_FP32,
    WEIGHTS_FP16, /* and bf16 */
    WEIGHTS_FP8,
    WEIGHTS_INT8,
    WEIGHTS_INT4, /* GPTQ, AWQ, q4 */
    WEIGHTS_NF4,
    WEIGHTS_FP4,
    WEIGHTS_NF4_DQ, /* whose scales are quantized too */
    WEIGHTS_MXFP4,  /* a scale for 32, of which FP4 has two */
    WEIGHTS_COUNT,
};

/* LoRA's targets, as bits. */
enum {
    TARGET_Q = 1,
    TARGET_K = 2,
    TARGET_V = 4,
    TARGET_O = 8,
    TARGET_GATE = 16, /* of the feed-forward: gated ones have it beside TARGET_UP */
    TARGET_HEAD = 32, /* not among "all linear layers", as in PEFT */
    TARGET_EMBEDDING = 64,
    TARGET_UP = 128,
    TARGET_DOWN = 256,
    TARGET_WIDEN = TARGET_GATE | TARGET_UP,
    TARGET_FFN = TARGET_WIDEN | TARGET_DOWN,
    TARGET_ATTENTION = TARGET_Q | TARGET_K | TARGET_V | TARGET_O,
    TARGET_ALL = TARGET_ATTENTION | TARGET_FFN,
};

/* Configuration files of trainers, which a plan can be written to. */
enum config_format {
    CONFIG_DEEPSPEED,
    CONFIG_ACCELERATE,
    CONFIG_KOHYA,
    CONFIG_HF,
    CONFIG_FORMATS
};

/* Each ends with NULL. */
extern const char *const method_names[];
extern const char *const objective_names[];
extern const char *const precision_names[];
extern const char *const optimizer_names[];
extern const char *const recompute_names[];
extern const char *const attention_names[];
extern const char *const offload_names[];
extern const char *const stack_names[];
extern const char *const weights_names[];
extern const char *const config_format_names[];

/* Which of the names; -1 when none is it. `-` and `_` are the same, case does not matter. */
int choice_of(const char *const *names, struct str text);

/* The spellings people and frameworks use: "bf16-mixed", "amp_bf16", "fp8-cs", "nf4+bf16",
 * "Autocast:BF16+SR", "int4 (gptq)". False when it is none that is known. Every name of the
 * lists above means itself; "fp16" alone is autocast (AMP_FP16), as trainers understand it. */
bool precision_of(struct str text, enum precision *out);
bool objective_of(struct str text, enum objective *out);

/* Do answers have to be written before they are learned from? */
bool objective_writes(enum objective objective);

/* Sequences of one item of a batch: a pair has two. */
int objective_sequences(enum objective objective);
bool optimizer_of(struct str text, enum optimizer *out);
bool weights_of(struct str text, enum weights *out);
bool stack_of(struct str framework, enum stack *out);
bool method_of(struct str text, enum method *out);       /* "pretrain", "adapter" too */
bool recompute_of(struct str text, enum recompute *out); /* "yes" is full, "no" none */

/* "q,v", "all-linear", "q_proj,k_proj,v_proj,o_proj", "attention+mlp". */
bool targets_of(struct str text, unsigned *out);

/* Modules that are trained in full beside LoRA's adapters, as bits: "embed_tokens,lm_head".
 * Norms and small heads of classes are known, and too small to count. */
enum { SAVED_EMBEDDING = 1, SAVED_HEAD = 2 };
bool saved_modules_of(struct str text, unsigned *out);

/* What the weights are stored in by the name of a published model: "llama-3-8b-bnb-4bit",
 * "Llama-2-7B-GPTQ", "...-FP8". False when the name does not say. */
bool weights_of_name(struct str name, enum weights *out);

/* Bytes of one weight, scales included. */
double weights_bytes(enum weights weights);
bool weights_are_nf4(enum weights weights);
bool weights_are_fp4(enum weights weights);

#endif
