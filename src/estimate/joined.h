/* joined.h - the machines of an estimate: what joins them, whether they are available, and
 * whether their memory and disks suffice. */
#ifndef ESTIMATE_JOINED_H
#define ESTIMATE_JOINED_H

#include "estimate/job_estimate.h"

/* The network between the machines of the place, where there are several; notes what of it is
 * assumed or not verified. */
void joined_describe(const struct estimate_input *in, struct notes *notes,
                     struct estimate *res);

/* What is assumed of how many there are, in which numbers they are rented, and the limit of a
 * new account that they break. */
void joined_note_supply(const struct estimate_input *in, struct notes *notes);

/* A copy of a model that is spread over machines needs them joined. ERROR_UNFIT. */
bool joined_check_copy(const struct estimate_place *place, int64_t gpus,
                       struct error *err) MUST_USE;

/* Warn when the memory of a machine is known to be too small to load its part of the model,
 * with weights of `each` bytes, or its disk for what the job keeps there. */
void joined_check_machine(const struct estimate_input *in, double each);

/* Warn when the offer's machine is known to have too little memory for what is offloaded. */
void joined_check_offload(const struct estimate_input *in, double size);

#endif
