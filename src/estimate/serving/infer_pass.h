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

/* The parts of a pass through the decoder, s: what every token costs, its looks at others, the
 * logits of one token of each sequence. */
double pass_layers(const struct serving *s, struct pass pass, const struct constants *c);
double pass_looks(const struct serving *s, struct pass pass, const struct constants *c);
double pass_head(const struct serving *s, double sequences, const struct constants *c);

/* What an engine does around each pass. A server does part of it while the device works on
 * the next one; a batch that is run in one process waits for it. */
double around_pass(const struct serving *s, const struct constants *c);

/* The host's time to launch so many layers one by one. */
double host_time(const struct serving *s, double layers, const struct constants *c);

/* Decode steps are replayed, not launched kernel by kernel. */
bool engine_replays(enum engine engine);

/* What a request costs that does not keep others from going on: text to tokens, queues between
 * processes, the launch of a pass that is not captured. */
double request_time(const struct serving *s, const struct constants *c);

/* Bytes that are left for the cache of one GPU. */
double room_for_cache(const struct serving *s, const struct constants *c);

/* Does the model write, and does the request want it to? */
bool serving_writes(const struct serving *s);

/* Of a server that is always busy with `batch` requests. */
struct serving_time estimate_kept_busy(const struct serving *s, const struct constants *c);

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
