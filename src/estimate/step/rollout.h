/* rollout.h - what training on preferences and rewards adds to a step: answers that are
 * written, passes of frozen models, a critic. */
#ifndef ESTIMATE_STEP_ROLLOUT_H
#define ESTIMATE_STEP_ROLLOUT_H

#include "estimate/step/step.h"

/* The plain training that is under it: of both sequences of a pair; answers at their mean
 * length. */
struct setup alignment_training(const struct setup *s);

/* The plain training of a model that has GPUs of its own, on these: as large as the trained
 * one, and split the same way as far as they allow. Batches may be rounded up. */
struct setup alignment_group(const struct setup *s, enum role role);

/* The same with answers as long as they may be, for memory. */
struct setup alignment_longest(const struct setup *s, enum role role);

/* Add the seconds of the rest to those of that training. */
void alignment_add_time(struct step *t, const struct setup *s, const struct constants *c);

/* Bytes on one GPU of the engine that writes, while it does. */
double alignment_engine_bytes(const struct setup *s);

#endif
