/* setup.h - one training setting with everything decided: what the physics is computed for.
 *
 * A setup is a plain value: the planner makes hundreds of thousands of them. setup_check()
 * finds what is impossible; the functions of step.h and memory.h take any setup that passed it.
 */
#ifndef ESTIMATE_MODEL_SETUP_H
#define ESTIMATE_MODEL_SETUP_H

#include "catalog/catalog.h"
#include "estimate/correction.h"
#include "job/arch.h"
#include "job/choices.h"

/* What has GPUs: the trained model, and what may have some of its own beside it. */
enum role {
    ROLE_POLICY,
    ROLE_ENGINE, /* writes answers */
    ROLE_REFERENCE,
    ROLE_REWARD,
    ROLE_CRITIC,
    ROLE_COUNT,
};

extern const char *const role_names[]; /* ends with NULL */

/* Answers that are written before they are learned from, and the other models of training on
 * preferences and rewards. All zero for plain training. */
struct alignment {
    enum objective objective;
    bool reference;       /* a frozen copy computes probabilities, too */
    bool reference_held;  /* with weights of its own: adapters are switched off for it */
    double reward_params; /* of the reward model; 0: rules */
    double critic_params; /* of PPO's, which is trained as the policy is */
    double generations, prompt, completion; /* answers of a prompt; tokens, at most */
    double answer, length;    /* tokens of an answer, and with its prompt, on average */
    double passes;            /* over each answer */
    bool transformers;        /* its generate() writes, not a server */
    enum role at[ROLE_COUNT]; /* on whose GPUs each is; of all zero, the policy's */
    int64_t own[ROLE_COUNT];  /* GPUs of those that are on their own */
    int64_t engine_tensor;    /* GPUs of one copy that writes; 0: open */
    double engine_memory;     /* share of a GPU's that the engine keeps */
    double together;          /* answers that are written between two updates; 0: a step's */
    bool rounds;              /* written for one micro-batch at a time */
    bool async;               /* written while earlier answers are learned from */
};

struct setup {
    const struct arch *arch;
    const struct accelerator *gpu;
    int64_t gpus, per_node; /* that hold the trained model; see setup_gpus() */
    double network_gb_s;  /* of one GPU to other nodes, one direction; NaN: usual for the GPU */
    double network_doubt; /* how far that may be off: the deviation of its logarithm */
    bool sockets;         /* it is plain Ethernet, used through TCP */

    struct alignment alignment;
    enum method method;
    unsigned targets; /* of LoRA; see setup_adapts() */
    unsigned saved;   /* SAVED_...: trained in full beside it */
    double rank;
    enum weights base;      /* of QLoRA's frozen weights */
    bool dora;              /* adapted columns have a trained length */
    int64_t trained_layers; /* the last so many, of full training; 0: all, and both ends */
    double galore_rank;     /* of the optimizer's states; 0: as wide as the weights */
    bool fused_step;        /* each layer is updated as soon as it has its gradients */

    enum precision precision;
    enum optimizer optimizer;
    enum recompute recompute;
    enum stack stack;
    enum offload offload;
    enum attention attention;
    bool compiled;          /* torch.compile on top of the stack */
    bool fused_loss;        /* logits are never complete in memory */
    bool fused_optimizer;   /* the step is one kernel for many tensors */
    bool flat_step;         /* the step is on one flat tensor, with gradients copied to fp32 */
    bool channels_last;     /* the layout that convolutions want */
    bool encoders;          /* of a latent model: they run in each step */
    bool sequence_parallel; /* beside tensor parallel */

    double head_share; /* share of tokens that pass the head; 0: an encoder with a small one */
    double padding;    /* share of the tokens that is padding and dropped; 0 when all count */
    int64_t sequence, micro_batch, accumulation; /* accumulation: micro-batches of a step */
    int64_t resolution;                          /* side of a picture; 0: what the model has */
    int64_t data, tensor, pipeline, virtual_pipeline, context, expert;
    int zero;
    int64_t shard; /* ranks that ZeRO shards over: data, or fewer (HSDP) */
};

/* Has the matrix of this target an adapter? One that the model does not have has none. */
bool setup_adapts(const struct setup *s, unsigned target);

/* Has the software kernels of its own, or made for the card at hand? The rest are PyTorch's. */
bool setup_is_tuned(const struct setup *s);

/* The software by its usual name: of stack_names[]. */
const char *setup_framework(const struct setup *s);

/* What was learned from runs is looked up by this; its text of the setting is in `setting`. */
#define SETUP_SETTING 80
struct correction_key setup_correction_key(const struct setup *s,
                                           char setting[static SETUP_SETTING]);

/* What a job asks of a model, in words: "lora bf16, sequence 2048". What a search chooses
 * (batch, recomputation, how it is split) is left out, so that a correction never makes it
 * leave the setting that was measured for one that was not. */
void setup_setting(const struct setup *s, char out[static SETUP_SETTING]);

/* Items of one optimizer step, over all GPUs: sequences, or pairs of them. */
double setup_global_batch(const struct setup *s);
double setup_tokens_per_step(const struct setup *s);

/* Tokens of an item: of both sequences of a pair; answers count with their mean length. */
double setup_item_tokens(const struct setup *s);

/* GPUs that only hold other models; and all GPUs of the job. */
int64_t alignment_own_gpus(const struct alignment *a);
int64_t setup_gpus(const struct setup *s);

/* Is it possible? Degrees multiply to the GPUs, tensor parallel divides the heads (those of
 * keys may be copied), ZeRO's shards divide the ranks with the same weights, and no stage of
 * the pipeline is empty (embedding and head count as layers, and stages may differ by one). */
bool setup_check(const struct setup *s, struct error *err) MUST_USE;

/* Must the frozen weights stay on the GPU? bitsandbytes' do, with Trainer and with DeepSpeed:
 * only FSDP moves them to the host, and it takes two GPUs. */
bool setup_keeps_base(const struct setup *s);

/* Does PyTorch compute the matrix of scores, in fp32, because its fused kernels do not take a
 * single key head beside many heads of queries? Falcon 7B in Hugging Face's code. */
bool setup_has_fp32_scores(const struct setup *s);

/* Bytes of an element: of activations in the products, of the residual stream, of weights and
 * gradients as stored, of the fp32 copy. */
bool precision_narrow(enum precision p);   /* products in 8 or 4 bits */
bool precision_autocast(enum precision p); /* fp32 weights that are cast for each product */
double precision_activation_bytes(enum precision p);
double precision_residual_bytes(enum precision p);
double precision_weight_bytes(enum precision p);
double precision_gradient_bytes(enum precision p, enum stack stack);
double precision_master_bytes(enum precision p);
double optimizer_state_bytes(enum optimizer o, enum precision p);

/* Does it come with a kernel of its own that does all in one pass, as bitsandbytes' do? */
bool optimizer_has_kernel(enum optimizer o);

/* May the driver move its states to the machine's memory, where the card is full? */
bool optimizer_is_paged(enum optimizer o);

/* Of the state's bytes, those that every rank has in full: ZeRO does not shard them. */
double optimizer_local_bytes(enum optimizer o);

/* Parameters that are trained: all, or those of the adapters. */
double setup_trained(const struct setup *s);

/* Share of the layers that are trained and go backward: those of the fullest pipeline stage. */
double setup_trained_share(const struct setup *s);

/* With GaLore: of the elements of the optimizer's states, the share that is left; and the
 * elements of the projections, for each trained parameter. 1 and 0 without it. */
struct low_rank {
    double states, projections;
};
struct low_rank setup_low_rank(const struct setup *s);

/* Parts that the experts' weights are cut into: expert parallel does not cut experts,
 * without it tensor parallel cuts them as it cuts everything else. */
double setup_expert_split(const struct setup *s);

/* Parameters that one GPU holds before ZeRO: its share of tensor, pipeline and expert parallel,
 * on the fullest pipeline stage. */
double setup_local_params(const struct setup *s);
double setup_local_trained(const struct setup *s);
double setup_local_saved(const struct setup *s); /* those of modules beside the adapters */
double setup_local_trained_experts(const struct setup *s); /* those of them in experts */

#endif
