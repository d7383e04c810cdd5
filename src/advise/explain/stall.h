/* stall.h - how long GPUs wait for data inside steps.
 *
 * Pure. Time between steps in which nothing but the processor or the disk works is seen from
 * outside as it happens (run/supervise/phase.h). Inside steps it shows in two ways: the program
 * prints how long it waits for a batch, or GPUs are idle while steps go on. The latter is
 * waiting for data when loaders are busy, or when the program sleeps; one busy core is the
 * program itself, which keeps the GPU waiting.
 */
#ifndef ADVISE_STALL_H
#define ADVISE_STALL_H

#include "base/str.h"

/* What was seen in a moment in which steps went on. */
struct stall_moment {
    double seconds;
    double busy;  /* share of the GPUs' time; NaN unknown */
    double cores; /* busy on average; NaN unknown */
};

#define STALL_LEAST 10   /* moments that a share is about */
#define STALL_SHARE 0.05 /* of a step that is not worth mentioning: launches leave gaps, too */

/* The share of the time in which GPUs waited for data; 0 when it is below STALL_SHARE, NaN when
 * too little is known. */
double stall_share(const struct stall_moment *moments, size_t count);

/* Is it the name of the time that a step waits for its data: "data_time", "train_data_time",
 * "dataloader_time_ms"? `unit`: seconds of a unit of it. */
bool stall_is_metric(struct str name, double *unit);

#endif
