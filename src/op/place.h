/* place.h - the machines that a job runs on, by --on, --offer and --price.
 *
 * Shared by estimate and simulate.
 */
#ifndef OP_PLACE_H
#define OP_PLACE_H

#include "estimate/place.h"
#include "op/job_source.h"
#include "op/market.h"

struct op_context; /* op/context.h */

struct place_request {
    struct str on, offer, market;
    usd_per_hour price; /* of one machine, instead of the offer's */
    struct strs supply; /* OFFER=MACHINES, over the setting */
};

struct job_place {
    struct estimate_place place;
    struct machine offer; /* empty when none is known */
};

/* The offer that is named, or the cheapest with the GPUs in few machines. Several machines are
 * of an offer that can be joined: ERROR_UNFIT when the one that is named cannot. Where none
 * can, or none is sold, there is no offer, no price, and a network that is assumed. Machines
 * that are not named have room for what is offloaded. `gpus` > 0: this many instead of those of
 * the request. */
bool op_place(struct op_context *ctx, const struct job_input *in,
              const struct place_request *ask, int64_t gpus, struct job_place *out,
              struct error *err) MUST_USE;

/* Machines that the job could be on instead of `now`: as op_place() would choose them, each the
 * best of its kind. Rows of struct estimate_place. */
bool op_places_instead(struct op_context *ctx, const struct job *job,
                       const struct estimate_place *now, enum place_choice by, struct rows *out,
                       struct error *err) MUST_USE;

#endif
