/* infer_pass.h - one pass of tokens through a model that serves. For the files infer*.c
 * alone. */
#ifndef ESTIMATE_SERVING_INFER_PASS_H
#define ESTIMATE_SERVING_INFER_PASS_H

#include "estimate/kernels/kernels.h"
#include "estimate/serving/infer.h"

#define PROMPT_CHUNK 8192.0 /* tokens of prompts that servers read in one pass */

/* `sequences` sequences of `past` tokens get `fresh` new ones each: 1 in a decode step, the
 * prompt in a prefill. Of an encoder with a decoder: `source` tokens were encoded, and the pass
 * is one through the decoder that looks at them; 0 when it is the prompt that is encoded, with
 * the first token that the decoder writes. */
struct pass {
    double sequences, fresh, past, source;
};

struct pass_time {
    double device;     /* s that the GPUs need */
    double arithmetic; /* s that they would need if memory cost nothing */
};

struct pass_time pass_on_device(const struct serving *s, struct pass pass,
                                const struct constants *c);

/* Layers that one decode step goes through, each of which has a cache: of an encoder with a
 * decoder, those of the decoder. */
double decoding_layers(const struct arch *arch);

/* How many copies of the attention work side by side. */
double serving_copies(const struct serving *s);

/* Bytes that one token of one sequence takes in the cache of one GPU, over all of its
 * layers, after `context` tokens: windowed layers keep only their window. */
double cache_bytes(const struct serving *s, double context);

/* Models of experts in 4 bits keep everything but the experts in 16. */
enum weights dense_weights(const struct serving *s);

/* Of a weight, by its place. */
double end_weight_bytes(const struct serving *s); /* embedding and head */

/* What a host or an engine costs. */
enum engine_cost {
    ENGINE_LAYER,         /* s of small kernels in each layer of a pass */
    ENGINE_STEP,          /* s of each pass */
    ENGINE_HOST,          /* s of the host for each layer that is launched one by one */
    ENGINE_SEQUENCE,      /* s of each sequence in each step: scheduling, sampling, text */
    ENGINE_FIRST,         /* s for each layer that a request waits while others go on */
    ENGINE_FIRST_EXPERTS, /* the same, of models of experts */
    ENGINE_FIRST_LATENT,  /* the same, of those with latent attention */
    ENGINE_COSTS,
};

double engine_constant(enum engine engine, enum engine_cost cost, const struct constants *c);

#endif
