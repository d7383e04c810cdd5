/* space.h - which settings a training job may have on so many GPUs of a kind.
 *
 * The space is what README.md states, and nothing else: settings.c prunes it, and the tests go
 * through all of it.
 */
#ifndef ESTIMATE_MODEL_SPACE_H
#define ESTIMATE_MODEL_SPACE_H

#include "estimate/model/choose.h"

enum {
    SPACE_MICROS = 24,
    SPACE_ZEROS = 8,
    SPACE_WAYS = 4, /* of recompute, and of offload */
    SPACE_PRECISIONS = 4,
};

/* How the GPUs share the work. */
struct shape {
    size_t precision; /* of the space's */
    enum stack stack;
    int64_t tensor, pipeline, virtual_pipeline, context, expert, data;
};

struct micro {
    int64_t batch, accumulation;
};

struct zero {
    int stage;
    int64_t shard;
};

struct space {
    const struct job *job;
    const struct constants *constants;
    struct setup base; /* what is the same in all settings */
    enum precision precisions[SPACE_PRECISIONS];
    size_t precision_count;
    bool splits; /* the software can share layers */
    /* Sequences or pictures of an optimizer step: as the job sets, or as README.md has it. 0
     * when the micro-batch is given and nothing else: then it is what the GPUs make of it. */
    int64_t batch;
    int64_t most;  /* that the GPUs may make of a batch that follows from the micro-batch */
    bool assumed;  /* the batch is: one that the GPUs divide evenly will do */
    bool rounds;   /* the batch is rounded up to one that the GPUs divide; else it is kept */
    bool all_gpus; /* are used, however large the batch is that a micro-batch makes of them */
    double total;  /* tokens or samples of the complete job; NaN: not known */
    bool sure;     /* settings must fit by the rule of range.h; else the expected need must */
};

/* ERROR_INPUT for what is impossible on such a card. `all_gpus`: the user named the machines,
 * so that every job must have a setting on them. */
bool space_open(const struct job *job, const struct constants *c, const struct hardware *hw,
                bool all_gpus, struct space *out, struct error *err) MUST_USE;

/* GPUs that the job has, where it says how many are trained on and others hold more models; 0:
 * any number of them. */
int64_t space_fixed_gpus(const struct job *job, const struct accelerator *gpu);

/* The next way to share the work, into `shape`; false after the last. Begins with the first
 * when `shape` is zero. */
bool space_next_shape(const struct space *s, struct shape *shape);
size_t space_micros(const struct space *s, const struct shape *shape,
                    struct micro out[static SPACE_MICROS]);
size_t space_zeros(const struct space *s, const struct shape *shape,
                   struct zero out[static SPACE_ZEROS]);

/* In the order in which they take more time and less memory. */
size_t space_recomputes(const struct space *s, enum stack stack,
                        enum recompute out[static SPACE_WAYS]);
/* `plain` is the setting without any. */
size_t space_offloads(const struct space *s, const struct shape *shape,
                      const struct setup *plain, enum offload out[static SPACE_WAYS]);

/* The precision that a setting without ZeRO and offload has with them: Hugging Face's Trainer
 * hands these to DeepSpeed, which has no autocast. */
enum precision space_sharded_precision(const struct space *s, const struct setup *setup);

/* Offload so much. DeepSpeed, which does it, needs a stage of ZeRO for it, on one GPU too. */
void space_offload(const struct space *s, enum offload offload, struct setup *setup);

/* One setting, with recompute and offload still as in the base. */
struct setup space_setup(const struct space *s, const struct shape *shape, struct micro micro,
                         struct zero zero);

/* Does the setting share layers between GPUs? */
bool setup_shares_layers(const struct setup *s);

/* Hours of the complete training when a step takes so long; of one token or sample when it is
 * not known how many there are. */
double space_hours(const struct space *s, const struct setup *setup, double step_s);

#endif
