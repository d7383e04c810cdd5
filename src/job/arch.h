/* arch.h - what a model is made of: the numbers that decide its memory and its work.
 *
 * Comes from a row of the catalog, from a Hugging Face config.json, from shapes the user gives,
 * or from nothing but a number of parameters (a plausible shape is then assumed, and `assumed`
 * says so).
 */
#ifndef JOB_ARCH_H
#define JOB_ARCH_H

#include "catalog/catalog.h"
#include "doc/node.h"
#include "job/choices.h"

enum arch_kind {
    ARCH_DECODER,         /* GPT, Llama: causal attention */
    ARCH_ENCODER,         /* BERT: full attention */
    ARCH_ENCODER_DECODER, /* T5 */
    ARCH_VIT,             /* an encoder whose tokens are patches of a picture */
    ARCH_IMAGE,           /* known by the work and memory of one picture: CNNs, diffusion */
    ARCH_LSTM,
};

struct arch {
    struct str name;
    enum arch_kind kind;
    bool assumed; /* only its size is known */

    /* Transformers. What does not apply is 0. */
    int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions, context;
    bool gated, tied;
    bool bias_qkv, bias_all;
    bool normed_heads;     /* a norm on queries and keys: Qwen 3, Gemma 3, OLMo 2 */
    bool outer_norms;      /* norms behind attention and feed-forward too: Gemma 2 and 3 */
    bool softcaps;         /* tanh over scores and logits: Gemma 2 */
    bool gelu_formula;     /* GELU written as a formula: GPT-2, GPT-J, Phi 2 */
    bool disentangled;     /* scores of positions beside those of tokens: DeBERTa */
    bool key_not_repeated; /* a single key head is handed to attention as it is: Falcon 7B */
    bool token_types;      /* an encoder that also embeds which sentence a token is of: BERT */
    int64_t window, full_every;
    int64_t full_layers; /* that have no window, where they were counted; 0: see full_every */
    /* Layers that keep a state of fixed size, as a rule instead of attention (Mamba, linear
     * attention), the parameters of one, and the elements of its state for a sequence. */
    int64_t mixer_layers;
    bool mixers_beside; /* in layers that have attention too: Falcon-H1 */
    double mixer_params, mixer_state;
    int64_t experts, active_experts, expert_ffn, shared_ffn, dense_layers;
    int64_t q_rank, kv_rank, rope_dim, value_dim;
    int64_t decoder_layers;
    int64_t patch, resolution;

    /* Image models: of one picture at `resolution`. */
    double image_params, forward_flop, saved_elements, output_elements, operations,
        depthwise_share;
    double group_width, group_kernel; /* of the convolutions that depthwise_share counts */
    bool layered;                     /* layer or group norms and attention, not batch norms */
    int64_t adapters;                 /* matrices that LoRA adapts; 0: unknown */
    double shape_rate; /* of the usual rate of products, that its shapes reach; 0: all of it */
    double
        text_params; /* of the text encoders of a model that works on latents; 0: it does not */

    /* LSTM: `layers` of width `hidden`, over `input` features. */
    int64_t input;

    struct str note; /* what an answer about it must say; empty: nothing */

    double stated_params; /* as published, or as the user gave them; NaN when neither */
    /* What the published weights are stored in, where that is fewer bits than usual. */
    bool quantized;
    enum weights stored;
    bool native; /* all of its weights are: there are no others in 16 bits */
};

/* How many parameters, and where. `matmul` is what a token is multiplied with: without
 * embedding look-ups, with the head, and with the experts that it visits. */
struct arch_params {
    double embedding, head, attention, ffn, experts, other;
    double total, active, matmul;
};

struct arch_params arch_count(const struct arch *arch);

/* Of one layer with dense feed-forward; of its attention part; of one with experts. */
double arch_attention_params(const struct arch *arch);
double arch_dense_ffn_params(const struct arch *arch);

struct arch arch_of_model(const struct model *model);
struct arch arch_of_image_model(const struct image_model *model);
struct arch arch_of_lstm(int64_t hidden, int64_t layers, int64_t input);

/* Set what its family has: norms of heads and behind layers, softcaps, GELU as a formula,
 * scores of positions, kinds of sentences. The family is known by the model's name, or a
 * config's model_type. */
void arch_apply_family(struct arch *arch, struct str name);

/* Of one head; 0, which arch_check() refuses, when the heads do not divide the width. */
int64_t arch_head_width(int64_t hidden, int64_t heads);

/* By the name people use: a transformer, an image model, or "lstm-h512-l2". ERROR_ABSENT with a
 * suggestion. */
bool arch_named(const struct catalog *catalog, struct str name, struct arch *out,
                struct error *err) MUST_USE;

/* A decoder with about that many parameters, shaped as such models are. */
bool arch_of_size(double params, struct arch *out, struct error *err) MUST_USE;

/* A Hugging Face config.json. `name` is what errors call it. */
bool arch_from_config(const struct node *config, const char *name, struct arch *out,
                      struct error *err) MUST_USE;

/* Of the layers that have attention, the share without a window. */
double arch_full_share(const struct arch *arch);

/* Layers that keep a state and have no attention. */
int64_t arch_layers_without_attention(const struct arch *arch);

/* Of all layers, the share that keep a state; that have no attention. */
double arch_mixer_share(const struct arch *arch);
double arch_share_without_attention(const struct arch *arch);

/* Is it possible? Heads divide the width, nothing is 0 or absurd. The error names it. */
bool arch_check(const struct arch *arch, struct error *err) MUST_USE;

/* No transformer: pictures by their own facts, recurrent nets. */
bool arch_is_other(const struct arch *arch);

/* Does its work come in samples (pictures, sequences of an LSTM), not in tokens? */
bool arch_counts_samples(const struct arch *arch);

/* Tokens of one picture of a ViT. */
int64_t arch_patches(const struct arch *arch);

#endif
