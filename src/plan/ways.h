/* ways.h - how so many GPUs of a kind would do the job best, wherever they are.
 *
 * Of all settings only those are kept that no other beats in hours, energy and the host memory
 * that they take: whatever a place costs, the best plan there is one of them.
 */
#ifndef PLAN_WAYS_H
#define PLAN_WAYS_H

#include "plan/plan.h"

enum { WAYS_MOST = 1024 };

struct ways {
    struct way at[WAYS_MOST];
    size_t len;
};

struct ways_counts {
    size_t settings; /* whose memory or step was computed */
    size_t pruned;
};

/* Machines that a job can be put on. */
struct hardware_key {
    const struct accelerator *gpu;
    int64_t count; /* in a machine */
    int64_t machines;
    int64_t gpus;        /* that are used: all, or fewer of one machine */
    struct joining join; /* by what machines are joined */
};

/* What counts besides hours and host memory: nothing; energy; or, where power is cleaner at
 * some hours than at others, watts, since a longer run may then have the cleaner hours. */
enum ways_aim { WAYS_FAST, WAYS_CLEAN, WAYS_WEEK, WAYS_AIMS };

/* Copies of a model that keep up with a rate, however many GPUs a machine has. */
struct served {
    bool known;
    struct serving_split spread;
    int64_t copies; /* 0: none do */
    struct serving serving;
    double latency_s;
};

/* Room for the search, so that it need not be on the stack; and what machines with the same GPU
 * share. */
struct ways_scratch {
    struct ways ways;
    const struct accelerator *served_by;
    struct served served[SERVING_SPLITS + 1]; /* the last one is never known */
};

/* Of a training job with a known model. No way at all is no error: it does not fit, or the
 * card cannot do it. */
void ways_train(const struct job *job, const struct constants *c, struct hardware_key key,
                enum ways_aim aim, struct ways *out, struct ways_counts *counts);

/* Of work of which only a rate is known, on one machine. */
void ways_measured(const struct job *job, const struct constants *c,
                   const struct accelerator *from, struct hardware_key key, struct ways *out);

/* Of a model that serves: as many machines with `count` GPUs as the rate and the promises
 * about latency take, for each way to spread a copy; one copy when no rate is given. `machines`
 * and `gpus` of the key are not looked at. */
void ways_serve(const struct job *job, const struct constants *c, struct hardware_key key,
                struct ways_scratch *scratch, struct ways *out, struct ways_counts *counts);

/* Hours of GPU time that no setting on this card can do with less of (bound.c); INFINITY: none
 * is possible. Energy of boards likewise, joules. */
struct bound {
    double gpu_hours, joules;
};

struct bound bound_train(const struct job *job, const struct constants *c,
                         const struct accelerator *gpu, int64_t per_node);

#endif
