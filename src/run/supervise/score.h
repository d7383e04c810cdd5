/* score.h - how well a run uses what it pays for, 0 to 100: docs/reference/run-metrics.md says
 * why. Pure.
 *
 * Useful work against what the hardware could do, over the entire run:
 *   with a device: 100 x (share of the time in training) x (busy while training) x (clock held:
 *   mean clock over the greatest), where the program's own model FLOP rate (MFU), when it
 *   prints it, replaces the last two;
 *   without one: 100 x (share of the time in training) x (busy cores over the cores it has).
 */
#ifndef RUN_SUPERVISE_SCORE_H
#define RUN_SUPERVISE_SCORE_H

#include "meter/sample.h"
#include "run/supervise/phase.h"

#define SCORE_RECENT 300.0 /* seconds over which `recent` is smoothed */
#define SCORE_LEAST 60.0   /* seconds before a verdict */

/* Start with score_start(). */
struct score_keeper {
    double seconds, train_s;  /* in all, and in training */
    double known_s, busy_s;   /* of training: with a known use, and that use x seconds */
    double clock_s;           /* of it, the clock as a share of the greatest x seconds */
    double cores_s;           /* of training: busy cores over the cores there are x seconds */
    double all_s, all_busy_s; /* of the entire run: with a known use, and that x seconds */
    double memory_s, memory_known_s; /* device memory in use x seconds; seconds it is known */
    double memory_peak;              /* 0 to 1; NaN without a device */
    double mfu_sum, mfu_weight;      /* reported by the program, 0 to 1 */
    double recent;                   /* the score of the last minutes; NaN at first */
    bool has_gpu;
};

void score_start(struct score_keeper *keeper);
void score_add(struct score_keeper *keeper, const struct meter_sample *sample,
               enum run_phase phase, double cpu_cores, double seconds);
/* The program's own model FLOP rate, as a share (0.41) or in percent (41). */
void score_add_mfu(struct score_keeper *keeper, double mfu);

double score_now(const struct score_keeper *keeper);  /* NaN before anything is known */
double score_busy(const struct score_keeper *keeper); /* of devices, over the run; NaN */
/* The cost guides' score: 0.7 x device use + 0.3 x memory use, over a target of 95 %, at most
 * 100; NaN without a device. */
double score_seed(const struct score_keeper *keeper);

/* What the machine is compared with what the run needs, in a sentence; "unknown", with an empty
 * sentence, when too little is known (less than a minute). `gpu_busy`, `memory_peak`: 0 to 1,
 * the mean over the run and its peak. Every pair has a verdict. */
struct verdict {
    const char *word; /* "downsize", "review", "good", "upgrade", "memory-bound", "unknown" */
    const char *text;
};
struct verdict score_verdict(double gpu_busy, double memory_peak, double seconds);

#endif
