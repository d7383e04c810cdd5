/* infer.h - serving: prefill, decode step, what fits, latency under load. */
#ifndef ESTIMATE_SERVING_INFER_H
#define ESTIMATE_SERVING_INFER_H

#include "estimate/constants.h"
#include "estimate/model/setup.h"

/* The engine: how much host time a step costs, and how good its kernels are. */
enum engine {
    ENGINE_GRAPH, /* CUDA graphs, no scheduler: the least there can be */
    ENGINE_TRTLLM,
    ENGINE_VLLM,
    ENGINE_SGLANG,
    ENGINE_FT,    /* FasterTransformer */
    ENGINE_MII,   /* DeepSpeed */
    ENGINE_HF,    /* Transformers' generate() */
    ENGINE_EAGER, /* other code of PyTorch: litgpt */
    ENGINE_LLAMACPP,
    ENGINE_NEURON,
    ENGINE_HABANA,
    ENGINE_COUNT,
};

extern const char *const engine_names[];
bool engine_of(struct str framework, enum engine *out);

/* How it keeps keys and values where it is not set: TensorRT-LLM's recipes quantize the cache
 * along with the weights; checkpoints in fp4 say how, to all that read them; others are
 * kept in 16 bits. */
enum weights engine_cache(enum engine engine, enum weights weights);

/* Takes requests as they come and puts them into the running batch. */
bool engine_is_server(enum engine engine);

/* Does the model write tokens one after the other? The others answer in one pass. */
bool model_writes(const struct arch *arch);

struct serving {
    const struct arch *arch;
    const struct accelerator *gpu;
    /* GPUs that work together: tensor x pipeline of them hold the model once. What is more
     * repeats the attention; experts are spread over all. */
    int64_t gpus, tensor, pipeline;
    int64_t per_node;    /* GPUs of a machine; 0: up to 8 */
    double network_gb_s; /* of one GPU to other machines; 0: usual for the GPU */
    enum weights weights;
    enum weights kv; /* how the cache is stored: FP16 or FP8 */
    enum engine engine;
    double batch;         /* sequences decoded together */
    double input, output; /* tokens of a request; of a ViT patches, of an LSTM steps */
    int64_t resolution;   /* side of a picture, pixels; 0 is the catalog's. Of a ViT, `input`
                             says it already */
    double passes;        /* of an image model for one request: diffusion; 0 is 1 */
    /* Requests come and go: there are always `batch` of them, each starts when another ends,
     * and prompts are read between the steps of others: a server under load, where the host's
     * work is hidden behind the device's. Otherwise one batch starts and ends together, in one
     * process that waits for the host (`infer_offline`).
     *
     * A job that is served by an engine that is a server is rolling, unless it names a batch.
     * With a rate, `batch` is what the rate keeps in flight, and the throughput and the time
     * between tokens are those of a server that is kept at it; its latencies are then not taken
     * from here but from estimate_load(), for which requests come at random, not when others
     * end. Anything on an engine that is no server is one batch, run at once. */
    bool rolling;
    /* Of what is rolling: lengths are within this share of input and output, evenly; a share of
     * the input is in the cache already; and the load is a program that measures: this many
     * requests, `batch` of them at once from the first moment on (0: it has been going on). */
    double spread, cached, measured;
};

/* Bytes on one GPU. */
struct serving_memory {
    double weights, cache, activations, workspace, context, allocated, device;
};

/* Seconds. */
struct serving_time {
    double prefill;     /* of the complete batch, in one pass; rolling: of one request */
    double first_token; /* until the first token is there; rolling: with the wait for others */
    double decode;  /* from token to token; rolling: with a share of the prompts of others */
    double request; /* from start to end */
    /* Share of compute in each: 1 bound by arithmetic, 0 by memory. */
    double prefill_bound, decode_bound;
};

bool serving_check(const struct serving *s, struct error *err) MUST_USE;
struct serving_memory estimate_serving_memory(const struct serving *s,
                                              const struct constants *c);
struct serving_time estimate_serving(const struct serving *s, const struct constants *c);

/* The same from means alone, without a simulation: for searches, and for how busy the device
 * is. */
struct serving_time estimate_flow(const struct serving *s, const struct constants *c);

/* Bytes of weights on the fullest GPU. */
double serving_weight_bytes(const struct serving *s);

/* A decode step with `context` tokens already there. */
double decode_step(const struct serving *s, double context, const struct constants *c);

/* How much longer a decode step (else the prompt's pass) takes when the host takes longer, as a
 * share of it. */
double serving_host_share(const struct serving *s, bool decodes, const struct constants *c);

/* The most sequences of `input` + `output` tokens, and the longest context of one sequence,
 * that fit; 0 when none does. */
double serving_max_batch(const struct serving *s, const struct constants *c);
double serving_max_context(const struct serving *s, const struct constants *c);

/* The batch that is sure to fit, whatever `batch` is: with the activations of so many, and all
 * of them at their longest. Never more than serving_max_batch(). */
double serving_holds(const struct serving *s, const struct constants *c);

/* Under `rate` requests a second on one replica, or kept busy by `batch` clients. */
struct serving_load {
    double batch;       /* mean sequences in flight */
    double utilization; /* of what it can do; above 1 the queue grows without end */
    /* INFINITY when it can not keep up. */
    double first_p50, first_p95, first_p99;       /* s, to the first token */
    double token_p50, token_p95, token_p99;       /* s, between tokens: means of requests */
    double request_p50, request_p95, request_p99; /* s, to the last */
    double tokens_s;                              /* output */
    double max_rate;                              /* requests a second at which it saturates */
    double first_mean, token_mean, request_mean;  /* s */
};

/* Requests come at random. */
struct serving_load estimate_load(const struct serving *s, double rate,
                                  const struct constants *c);

/* The highest rate at which 99 of 100 requests keep both limits, s (NaN: no limit); at most
 * what saturates it. */
double estimate_rate_within(const struct serving *s, double first, double token,
                            const struct constants *c);

/* Always `batch` requests; of what is rolling and writes. */
struct serving_load estimate_busy(const struct serving *s, const struct constants *c);

#endif
