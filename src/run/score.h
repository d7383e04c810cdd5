/* score.h - how well a run uses what it pays for, 0 to 100: docs/run.md says why. Pure.
 *
 * Useful work against what the hardware could do, over the whole run:
 *   with a device: 100 x (share of the time in training) x (busy while training) x (clock held:
 *   mean clock over the greatest), where the program's own model FLOP rate, when it is told,
 *   replaces the last two;
 *   without one: 100 x (share of the time in training) x (busy cores over the cores it has).
 */
#ifndef RUN_SCORE_H
#define RUN_SCORE_H

#include "meter/sample.h"
#include "run/phase.h"

struct score_keeper {
    double seconds, train_s;          /* in all, and in training */
    double busy_s, memory_s, clock_s; /* of devices, weighted by time; training only */
    double cores_s;                   /* busy cores over the cores there are, x seconds */
    double all_busy_s;                /* of devices over the whole run */
    double low_s;                     /* for how long the score of the last minutes is low */
    double recent;                    /* smoothed over five minutes; NaN at first */
    bool has_gpu;
};

void score_add(struct score_keeper *keeper, const struct meter_sample *sample,
               enum run_phase phase, double cpu_cores, double seconds);

double score_now(const struct score_keeper *keeper); /* NaN before anything is known */
/* The cost guides' score: 0.7 x device use + 0.3 x memory use, over a target of 95 %, at most
 * 100; NaN without a device. */
double score_seed(const struct score_keeper *keeper);

/* What the machine is compared with what the run needs, in a sentence; empty when too little is
 * known (less than a minute). `gpu_busy`, `memory`: 0 to 1, means over the run and its peak. */
struct verdict {
    const char *word; /* "downsize", "review", "good", "upgrade", "memory-bound", "unknown" */
    const char *text;
};
struct verdict score_verdict(double gpu_busy, double memory_peak, double seconds);

#endif
