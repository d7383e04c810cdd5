/* tool_value.h - one value of a training tool's configuration as a key of a job. For src/job
 * only. */
#ifndef JOB_TOOL_VALUE_H
#define JOB_TOOL_VALUE_H

#include "base/buf.h"
#include "job/job.h"

/* How a tool's value becomes one of ours. */
enum rule {
    AS_IT_IS,
    IF_KNOWN,    /* a word that may be new to us: left open then */
    ABOVE_ZERO,  /* -1 and 0 mean that it is not set */
    MODULES,     /* a list of modules, or a word for all */
    ALL_MODULES, /* true: adapters on all linear layers */
    MLP_MODULES, /* true: adapters on the feed-forward layers, too */
    METHOD,      /* full, lora, qlora */
    FOUR_BITS,   /* true: the frozen weights of adapters */
    EIGHT_BITS,
    BITS,          /* 4 or 8 */
    FLOAT_8,       /* true: frozen weights in fp8 */
    RECOMPUTE,     /* true, or how ("unsloth"): all of it; false: none */
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
    OFFLOADED,   /* true */
    COMPONENT,   /* torchtune's name of a model */
    CHECKPOINT,  /* the name or the file of a model of pictures */
    NETWORK,     /* anything: adapters */
    SIDES,       /* 1024, or "1024,1024" */
    CACHED,      /* true: cached */
    ADAM_8BIT,   /* true: the optimizer's states */
    ADAPTERS,    /* true: lora */
    SAMPLES,     /* at most, of each data set */
    EPOCH_STEPS, /* of one epoch */
    OBJECTIVE,   /* sft, or one that costs more: dpo, ppo */
    UNREAD,      /* true: changes the cost, and we do not know how much */
};

struct tool_key {
    const char *path, *key;
    enum rule rule;
};

struct tool_reading {
    const char *name;
    struct job *job;
    struct arena *arena;
    const char *base; /* what the frozen weights are stored in: "nf4"; NULL: not said */
    struct buf open;  /* "optimizer (magic), sequence_len (${LEN})": what is left open */
};

/* Set the key of the job by the rule, or leave it open. `root` is the document. */
bool tool_apply(struct tool_reading *r, const struct node *root, const struct tool_key *k,
                const struct node *node, struct error *err) MUST_USE;

/* Set a key of the job; errors have the place of `node`. NULL changes nothing. */
bool tool_set(struct tool_reading *r, const struct node *node, const char *key,
              const char *value, struct error *err) MUST_USE;

/* A value that is computed as another, which the user sees. */
void tool_open_as(struct tool_reading *r, const char *path, struct str value,
                  const char *other);

/* A value that only the tool's own start fills in: "${LEN}", "{{ model }}", "auto", nothing. */
bool tool_is_template(struct str text);

bool tool_is_true(struct str text);
bool tool_is_false(struct str text);

#endif
