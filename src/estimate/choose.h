/* choose.h - a setting from what the user gave; the rest gets its usual value, and a note. */
#ifndef ESTIMATE_CHOOSE_H
#define ESTIMATE_CHOOSE_H

#include "estimate/constants.h"
#include "estimate/infer.h"
#include "estimate/setup.h"
#include "job/job.h"

#define MAX_NOTES 16
#define HOST_SHARE 0.9 /* of a machine's memory, that states may take */

/* What was assumed, in words, for the user to see. */
struct notes {
    char at[MAX_NOTES][160];
    size_t len;
};

void note(struct notes *notes, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The hardware: `gpus` of one kind, `per_node` in a machine. */
struct hardware {
    const struct accelerator *gpu;
    int64_t gpus, per_node;
    double host_bytes; /* memory of one machine, once decided which; NaN when not known */
};

/* Do the GPUs hold the setting, and the machine what is offloaded? `need` is the fuller of the
 * two, as a share of what it has. */
bool setup_fits(const struct setup *s, const struct hardware *hw, const struct constants *c,
                double *need);

/* Does the card compute in this precision, rather than in the next wider one? */
bool choose_native(const struct accelerator *gpu, enum precision precision);

/* GB/s of one GPU to other machines, as far as the machines say: those with fewer than 8 GPUs,
 * or with cards, are taken to be joined by 25 Gb/s Ethernet. NaN: as usual for the GPU. */
double choose_network(const struct hardware *hw);

/* What of a setting does not depend on how the GPUs share the work: method, precision (the
 * usual one of the card when the job sets none), optimizer, software, lengths. Degrees, batch
 * and savings are left to the caller. */
bool choose_base(const struct job *job, const struct hardware *hw, struct setup *out,
                 struct notes *notes, struct error *err) MUST_USE;

/* Samples (of pictures and series) or tokens that the complete training goes over; NaN when the
 * job does not say. */
double choose_total(const struct job *job, const struct setup *s);

/* The setting of a training job on this hardware. What the job leaves open: the usual precision
 * of the card, data parallel over all GPUs, then the first of ZeRO 0..3 and recompute none,
 * selective, full that fits, and the largest micro-batch that does. Where nothing fits, the one
 * that needs least (and the caller sees that it does not fit). ERROR_INPUT for what is
 * impossible. */
bool choose_training(const struct job *job, const struct hardware *hw,
                     const struct constants *c, struct setup *out, struct notes *notes,
                     struct error *err) MUST_USE;

/* The same for serving: tensor parallel over all GPUs unless set otherwise; the batch that a
 * rate needs or that fits. */
bool choose_serving(const struct job *job, const struct hardware *hw, const struct constants *c,
                    struct serving *out, struct notes *notes, struct error *err) MUST_USE;

/* A number that is not given (0) is 1. */
int64_t choose_or_one(int64_t n);

#endif
