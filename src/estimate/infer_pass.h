/* infer_pass.h - one pass of tokens through a model that serves. For the files infer*.c
 * alone. */
#ifndef ESTIMATE_INFER_PASS_H
#define ESTIMATE_INFER_PASS_H

#include "estimate/infer.h"

/* `sequences` sequences of `past` tokens get `fresh` new ones each: 1 in a decode step, the
 * prompt in a prefill. */
struct pass {
    double sequences, fresh, past;
};

struct pass_time {
    double device;     /* s that the GPUs need */
    double arithmetic; /* s that they would need if memory cost nothing */
};

struct pass_time pass_on_device(const struct serving *s, struct pass pass,
                                const struct constants *c);

/* With what the engine does around it. */
double prefill_pass(const struct serving *s, double sequences, double tokens,
                    const struct constants *c);

/* How many copies of the attention work side by side. */
double serving_copies(const struct serving *s);

/* Bytes that one token of one sequence takes in the cache of one GPU, over all of its
 * layers, after `context` tokens: windowed layers keep only their window. */
double cache_bytes(const struct serving *s, double context);

/* Of a weight, by where it stands. */
double dense_weight_bytes(const struct serving *s);
double end_weight_bytes(const struct serving *s); /* embedding and head */

/* What a host or an engine costs. */
enum engine_cost {
    ENGINE_LAYER,         /* s of small kernels in each layer of a pass */
    ENGINE_STEP,          /* s of each pass */
    ENGINE_HOST,          /* s of the host for each layer that is launched one by one */
    ENGINE_SEQUENCE,      /* s of each sequence in each step: scheduling, sampling, text */
    ENGINE_FIRST,         /* s for each layer that a request waits while others go on */
    ENGINE_FIRST_EXPERTS, /* ditto, of models of experts */
    ENGINE_FIRST_LATENT,  /* ditto, of those with latent attention */
    ENGINE_COSTS,
};

double engine_constant(enum engine engine, enum engine_cost cost, const struct constants *c);

/* Decode steps are replayed, not launched kernel by kernel. */
bool engine_replays(enum engine engine);

#endif
