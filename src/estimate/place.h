/* place.h - which of the machines for rent a job is estimated on.
 *
 * Pure: machines that were selected in, the best of them out. An offer that is named is taken
 * as it is; GPUs without an offer are rented in few machines that can work together. */
#ifndef ESTIMATE_PLACE_H
#define ESTIMATE_PLACE_H

#include "estimate/job_estimate.h"

/* What a place is for. The catalog needs TABLE_NETWORKS and TABLE_LIMITS. */
struct place_search {
    const struct catalog *catalog;
    const struct job *job;
    struct strs supply; /* OFFER=MACHINES of the user's */
    enum market market;
    double least_host; /* bytes that a machine must have; 0: what loading takes */
};

/* An offer that was looked at, and how many of its machines are rented. */
struct place_candidate {
    const struct machine *machine; /* NULL: none */
    struct joining join;
    int64_t machines;
    bool joined; /* they can work on the job together, or need not */
    bool enough; /* so many can be rented, as far as is known */
    bool holds;  /* memory and disk suffice, as far as they are known */
};

/* The best of those that match. `name` NULL matches all; `gpus` 0: one machine. */
struct place_candidate place_best(const struct place_search *s, const struct machine *machines,
                                  size_t count, const struct offer_name *name, int64_t gpus);

bool place_is_better(const struct place_candidate *a, const struct place_candidate *b,
                     enum market market);

/* Machines that the job could be on instead of `now`. */
enum place_choice {
    PLACES_BY_GPU,    /* one machine with each GPU and number of them */
    PLACES_BY_REGION, /* as many of the same GPU as now, in such machines, in each region */
};

/* The best of each kind, in `kept` (room for all): how many. */
size_t place_best_of_kinds(const struct place_search *s, const struct machine *machines,
                           size_t count, const struct estimate_place *now, enum place_choice by,
                           struct place_candidate *kept);

/* The place of a candidate; `gpus` 0: all of its machines'. */
void place_take(const struct place_search *s, const struct place_candidate *c, int64_t gpus,
                struct estimate_place *out);

/* Bytes of a machine's memory that the setting needs which is chosen for such machines, where
 * it offloads or pages; else 0. INFINITY: none fits in them. */
double place_host_need(const struct job *job, const struct hardware *hw,
                       const struct constants *c);

/* The best of the machines with more memory than `usual`, on which the job fits as many GPUs
 * though it does not fit those; one without a machine: it fits none. Sets the search's least
 * memory. */
struct place_candidate place_best_roomy(struct place_search *s, const struct machine *machines,
                                        size_t count, const struct hardware *usual,
                                        const struct constants *c);

/* The price matters, and other machines may be had: no less host memory than is usual. */
void place_forget_small_host(struct hardware *hw);

/* No machines for rent can be joined to so many GPUs: an assumed network, and no price.
 * `single`: one machine, if it is sold at all. */
void place_assume(const struct place_search *s, int64_t gpus, const struct accelerator *gpu,
                  const struct place_candidate *single, struct estimate_place *out);

/* An offer that was named and is not there (ERROR_ABSENT), or of which several machines cannot
 * work together (ERROR_UNFIT). Always false. */
bool place_refuse_absent(const struct machine *machines, size_t count,
                         const struct offer_name *name, struct error *err);
bool place_refuse_apart(const struct place_candidate *c, struct error *err);

/* Only prices on demand and on spot are estimated; and the GPU that was named besides an offer
 * is that of the offer (`wanted` NULL: none was). ERROR_USAGE when not. */
bool place_check_market(const struct offer_name *name, struct error *err) MUST_USE;
bool place_check_gpu(const struct machine *offer, const struct accelerator *wanted,
                     struct error *err) MUST_USE;

/* Warn when the price is old, far below its peers, or dated in the future. */
void place_warn(const struct estimate_place *place, const struct messages *messages);

#endif
