/* goodput.h - how much of a long run makes progress.
 *
 * Step time says how fast a run is while all goes well, in the best setting. Measurements of
 * real settings say how much slower those are, and published logs of whole runs what comes on
 * top: GPUs that are slower than the others, failures with the work they undo and the
 * restart, hangs that wait for a person, checkpoints and evaluation. Each is a constant of
 * data/constants.csv with its source (tests/truth/goodput.csv). Data that cannot be read fast
 * enough is not counted: no log of a language model shows it.
 */
#ifndef ESTIMATE_STEP_GOODPUT_H
#define ESTIMATE_STEP_GOODPUT_H

#include "estimate/constants.h"
#include "estimate/money/cost.h"
#include "estimate/range.h"
#include "job/job.h"

/* Jobs of more GPU-hours than the first lose time by default: what is shorter is mostly done
 * before anything happens. From the second on they lose all that the logs show; in between it
 * grows with the logarithm, so that no plan is chosen for being just below a limit. */
#define GOODPUT_GPU_HOURS 1e3
#define GOODPUT_FULL_GPU_HOURS 1e4

struct goodput {
    double share;  /* of a run's time that makes progress; 1 where nothing is counted */
    double spread; /* of its logarithm, one standard deviation */
    double late;   /* how much later than expected the middle of its range is: a logarithm */
    double failures_day, save_every_h; /* expected; NaN where the user set the share */
    double slow;                       /* time that slow GPUs add, as a share of the work */
};

/* What of it counts. */
enum goodput_part {
    GOODPUT_ALL,
    GOODPUT_BUT_SAVES, /* spot counts its own */
    GOODPUT_SETTING,   /* the setting alone: nothing fails or waits */
};

/* Of a training job that works for `hours` on `gpus`. What the job sets itself is not counted
 * again: its goodput replaces all of this, its failures, evaluation and saves their part. */
struct goodput goodput_of(const struct job *job, int64_t gpus, double hours,
                          enum goodput_part part, const struct constants *c);

/* The complete run, when the work alone takes `hours` with this doubt. */
struct guess goodput_hours(const struct goodput *g, double hours, struct doubt doubt);

/* What of that is not work. */
struct hours_range goodput_lost(const struct goodput *g, double hours, struct doubt doubt);

#endif
