/* tool_value.h - one value of a training tool's configuration as a key of a job. For src/job
 * only. */
#ifndef JOB_TOOL_VALUE_H
#define JOB_TOOL_VALUE_H

#include "base/buf.h"
#include "job/job.h"

/* How a tool's value becomes one of ours. */
enum rule {
    AS_IT_IS,
    IF_KNOWN,     /* a word that may be new to us: left open then */
    ABOVE_ZERO,   /* -1 and 0 mean that it is not set */
    MODULES,      /* a list of modules, or a word for all */
    ALL_MODULES,  /* true: adapters on all linear layers */
    MLP_MODULES,  /* true: adapters on the feed-forward layers, too */
    QUERY_MODULE, /* true: adapters on these as well, in LitGPT's words */
    KEY_MODULE,
    VALUE_MODULE,
    OUT_MODULE,
    FFN_MODULE,
    HEAD_MODULE,
    SAVED,     /* a list of modules that are trained in full beside adapters */
    METHOD,    /* full, lora, qlora */
    FOUR_BITS, /* true: the frozen weights of adapters */
    FOUR_INTS, /* GPTQ's */
    EIGHT_BITS,
    BITS,          /* 4 or 8 */
    FLOAT_8,       /* true: frozen weights in fp8 */
    RECOMPUTE,     /* true, or how ("unsloth"): all of it; false: none */
    RECOMPUTE_TOO, /* true: all of it; false: as another key says */
    NO_RECOMPUTE,  /* the reverse */
    YES,           /* true: yes */
    FLASH,         /* true, or a word: fa2 */
    FP16,          /* true: autocast in fp16 */
    BF16,          /* "full": weights in bf16, too */
    PRECISION,     /* bf16, fp16, fp8, no */
    WEIGHTS,       /* bf16 or fp32, of weights and states */
    AUTOCAST,      /* the same, of weights that stay in fp32 */
    PURE_BF16,     /* true: weights in bf16, too */
    DEEPSPEED,     /* a DeepSpeed file, or its content */
    SHARDED,       /* FSDP's words, in a text or a list; or a section: it shards all */
    STRATEGY,      /* FULL_SHARD, SHARD_GRAD_OP, ... */
    OFFLOAD_STATE, /* cpu */
    OFFLOAD_PARAM,
    OFFLOADED,        /* true */
    OFFLOADED_STATES, /* true: the optimizer's */
    COMPONENT,        /* torchtune's name of a model */
    CHECKPOINT,       /* the name or the file of a model of pictures */
    NETWORK,          /* anything: adapters */
    SIDES,            /* 1024, or "1024,1024" */
    CACHED,           /* true: cached */
    ADAM_8BIT,        /* true: the optimizer's states */
    ADAPTERS,         /* true: lora */
    SAMPLES,          /* at most, of each data set */
    EPOCH_STEPS,      /* of one epoch */
    ELSEWHERE,        /* read beside others (tool_lean.h) */
    UNREAD,           /* changes the cost, and we do not know how much */
    FUSED_LOSS,       /* true, or the name of such a loss: never all logits in memory */
    PLUGINS,          /* a list of axolotl's */
    PLAIN,            /* true: attention that keeps the scores */
    FLOAT_8_PRODUCTS, /* true: products in fp8 */
    QUANTIZE,         /* "bnb.nf4-dq": LitGPT's, of frozen weights */
    CLASS,            /* "torch.optim.AdamW", in a text or under class_path */
    FOLDER,           /* of a checkpoint: its last part names the model */
    PRECISION_TRUE,   /* "bf16-true": weights too; "16-mixed" */
    GRANULARITY,      /* of recomputation: selective, full */
    CONFIG_CLASS,     /* "...Llama31Config8B" */
    WEIGHTS_FILE,     /* "yolov8n.pt", "llama2-7b.nemo" */
    AMP,              /* true: autocast in fp16, false: fp32 */
    VALIDATION,       /* the share of the data that is evaluated */
    EVALUATED,        /* when the share that is held back is: "epoch", "steps", "no" */
    SCHEME,           /* NeMo's peft_scheme: lora, or none */
};

struct tool_key {
    const char *path, *key;
    enum rule rule;
};

struct tool_reading {
    const char *name;
    struct job *job;
    struct arena *arena;
    const char *base;   /* what the frozen weights are stored in: "nf4"; NULL: not said */
    struct buf open;    /* "optimizer (magic), sequence_len (${LEN})": what is left open */
    bool freezes;       /* LLaMA-Factory's `finetuning_type: freeze` */
    struct str *unused; /* "use_dora (true)": what was not used */
    size_t unused_count;
    struct str *referred; /* keys that others refer to: see tool_refs.h */
    size_t referred_count;
};

#define TOOL_UNUSED_MAX 64
#define TOOL_REFERRED_MAX 64

/* Add a key that may change the cost and is not used, with its value. */
bool tool_add_unused(struct tool_reading *r, const char *path, const struct node *node,
                     struct error *err) MUST_USE;

/* Is the value one that switches something off: false, none, 0, nothing? */
bool tool_is_off(const struct node *node);

/* Add the keys of the document that may change the cost and that no table reads. */
bool tool_note_unused(struct tool_reading *r, const struct node *root,
                      bool (*is_read)(enum job_tool tool, struct str key), enum job_tool tool,
                      struct error *err) MUST_USE;

/* Set the key of the job by the rule, or leave it open. `root` is the document. */
bool tool_apply(struct tool_reading *r, const struct node *root, const struct tool_key *k,
                const struct node *node, struct error *err) MUST_USE;

/* Set a key of the job; errors have the place of `node`. NULL changes nothing. */
bool tool_set(struct tool_reading *r, const struct node *node, const char *key,
              const char *value, struct error *err) MUST_USE;

/* The same, of a text. */
bool tool_set_text(struct tool_reading *r, const struct node *node, const char *key,
                   struct str value, struct error *err) MUST_USE;

/* What follows the last of the separators: "Llama-2-7b-hf" of "meta-llama/Llama-2-7b-hf". */
struct str tool_last_part(struct str path, const char *separators);

/* "llama3_1_8b_instruct" as "llama-3.1-8b". */
bool tool_component_name(struct str name, struct arena *arena, struct str *out,
                         struct error *err) MUST_USE;

/* A value that is computed as another, which the user sees. */
void tool_open_as(struct tool_reading *r, const char *path, struct str value,
                  const char *other);

/* An objective that is not known, computed as plain fine-tuning. */
void tool_open_multiplied(struct tool_reading *r, const char *path, struct str value);

/* Warn of a key that may multiply the work and is not computed; nothing for other keys. */
bool tool_note_multiplier(struct tool_reading *r, const char *path, const struct node *node);

/* A value that only the tool's own start fills in: "${LEN}", "{{ model }}", "auto", nothing. */
bool tool_is_template(struct str text);

bool tool_is_true(struct str text);
bool tool_is_false(struct str text);

#endif
