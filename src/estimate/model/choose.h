/* choose.h - a setting from what the user gave; the rest gets its usual value, and a note. */
#ifndef ESTIMATE_MODEL_CHOOSE_H
#define ESTIMATE_MODEL_CHOOSE_H

#include "estimate/constants.h"
#include "estimate/model/setup.h"
#include "estimate/serving/infer.h"
#include "job/job.h"

#define MAX_NOTES 16
#define HOST_SHARE 0.9     /* of a machine's memory, that states may take */
#define SIMPLER_SHARE 0.03 /* of time or money, that a simpler setting may take more */

/* What was assumed, in words, for the user to see. */
struct notes {
    char at[MAX_NOTES][160];
    size_t len;
};

/* A word that names nothing. Returns false. */
bool choose_unknown(struct error *err, const char *key, struct str value);

void note(struct notes *notes, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Bytes of memory that each of so many machines needs to load its part of a model whose weights
 * take `each` bytes: half of it, since it is read piece by piece, and something to work with. A
 * judgment: some are sold with 4 GB. */
double loading_host_bytes(const struct arch *arch, double each, double machines);

/* The hardware: `gpus` of one kind, `per_node` in a machine. */
struct hardware {
    const struct accelerator *gpu;
    int64_t gpus, per_node;
    double host_bytes;    /* memory of one machine, once decided which; NaN when not known */
    double network_gb_s;  /* of one GPU to other machines; 0 or NaN: assumed (choose_network) */
    double network_doubt; /* of that: the deviation of its logarithm */
    bool sockets;         /* it is plain Ethernet */
    bool apart;           /* machines cannot be joined: a copy that serves stays in one */
};

/* How far an assumed network may be off: a factor of two. */
#define ASSUMED_NETWORK_DOUBT 0.693

/* Does the card compute in this precision, rather than in the next wider one? */
bool choose_native(const struct accelerator *gpu, enum precision precision);

/* GB/s of one GPU to other machines: what is known, or else what is assumed: 25 Gbit/s for
 * machines with fewer than 8 GPUs, or with cards; what is usual for the GPU for others. NaN:
 * one machine. */
double choose_network(const struct hardware *hw);

/* The same for a machine, in Gbit/s. */
double choose_network_gbit_s(const struct hardware *hw);

/* What of a setting does not depend on how the GPUs share the work: method, precision (the
 * usual one of the card when the job sets none), optimizer, software, lengths. Degrees, batch
 * and savings are left to the caller. */
bool choose_base(const struct job *job, const struct hardware *hw, struct setup *out,
                 struct notes *notes, struct error *err) MUST_USE;

/* Does the job train a model from its beginning? Fine-tuning sees fewer tokens than the model
 * has parameters, on few GPUs. */
bool choose_pretraining(const struct job *job, enum method method, int64_t gpus);

/* Samples (of pictures and series) or tokens that the complete training goes over; NaN when the
 * job does not say. */
double choose_total(const struct job *job, const struct setup *s);

/* How many GPUs one copy of a model that serves takes, and how. */
struct serving_split {
    int64_t tensor, pipeline;
};

enum { SERVING_SPLITS = 15 }; /* tensor 1 to 16, pipeline 1 to 4 */

/* The ways to spread a copy over machines with so many GPUs, the simplest first: as the job
 * sets, else layers shared within a machine, and stages for what a machine cannot hold. */
size_t serving_splits(const struct job_infer *t, const struct arch *arch, int64_t per_node,
                      struct serving_split out[static SERVING_SPLITS]);

#define SERVING_BUSIEST 0.8 /* of what a copy can do: above, queues get long */

/* Does a copy keep up with its load, at most SERVING_BUSIEST, and with what is promised? */
bool serving_keeps_up(const struct job_slo *slo, const struct serving_load *load);

/* The same at a rate; simulates only where something is promised. */
struct replica;
bool replica_keeps_up(struct replica *r, double rate, const struct job_slo *slo);

/* What goes into a request of a serving job, and what comes out: input, output, resolution and
 * passes of `s`, whose arch is set. */
void choose_request(const struct job_infer *t, struct serving *s, struct notes *notes);

/* How a serving job is run. What it leaves open: the batch that its rate needs, or else one
 * that makes most tokens for the money; and the simplest split within 3 % of the best: at a
 * rate the fewest GPUs that keep up, else the most tokens for the money. */
bool choose_serving(const struct job *job, const struct hardware *hw, const struct constants *c,
                    struct serving *out, struct notes *notes, struct error *err) MUST_USE;

/* The share of tokens that pass the head. Encoders are fine-tuned with a small one of their
 * own; from scratch they learn masked tokens, and Hugging Face's code passes all through the
 * head, leaner code only those. */
double choose_head_share(const struct arch *arch, enum stack stack, bool pretraining);

/* A number that is not given (0) is 1. */
int64_t choose_or_one(int64_t n);

#endif
