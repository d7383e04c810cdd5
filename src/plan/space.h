/* space.h - which settings a training job may have on so many GPUs of a kind.
 *
 * The space is what src/plan/README.md states, and nothing else: the search prunes it, and the
 * tests go through all of it.
 */
#ifndef PLAN_SPACE_H
#define PLAN_SPACE_H

#include "plan/plan.h"

enum {
    SPACE_SHAPES = 6144, /* all degrees there can be, in all precisions */
    SPACE_MICROS = 24,
    SPACE_ZEROS = 8,
    SPACE_WAYS = 4, /* of recompute, and of offload */
    SPACE_PRECISIONS = 4,
};

/* How the GPUs share the work. */
struct shape {
    enum precision precision;
    enum stack stack;
    int64_t tensor, pipeline, context, expert, data;
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
    double total;  /* tokens or samples of the complete job; NaN: not known */
    double margin; /* of the memory, that may be used */
};

/* ERROR_INPUT for what is impossible on such a card; `gpus` in all, `per_node` in a machine. */
bool space_open(const struct job *job, const struct constants *c, const struct accelerator *gpu,
                int64_t gpus, int64_t per_node, struct space *out, struct error *err) MUST_USE;

size_t space_shapes(const struct space *s, struct shape out[static SPACE_SHAPES]);
size_t space_micros(const struct space *s, const struct shape *shape,
                    struct micro out[static SPACE_MICROS]);
size_t space_zeros(const struct space *s, const struct shape *shape,
                   struct zero out[static SPACE_ZEROS]);

/* In the order in which they take more time and less memory. */
size_t space_recomputes(const struct space *s, enum recompute out[static SPACE_WAYS]);
size_t space_offloads(const struct space *s, const struct shape *shape, struct zero zero,
                      enum offload out[static SPACE_WAYS]);

/* One setting, with recompute and offload still as in the base. */
struct setup space_setup(const struct space *s, const struct shape *shape, struct micro micro,
                         struct zero zero);

/* Hours of the complete training when a step takes so long. */
double space_hours(const struct space *s, const struct setup *setup, double step_s);

#endif
