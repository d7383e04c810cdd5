/* goodput.h - how much of a long run makes progress.
 *
 * Step time says how fast a run is while all goes well. Published logs of whole runs say what
 * comes on top: GPUs that are slower than the others, failures with the work they undo and the
 * restart, hangs that wait for a person, checkpoints and evaluation. Each is a constant of
 * data/constants.csv with its source (tests/truth/goodput.csv). Data that cannot be read fast
 * enough is not counted: no log of a language model shows it.
 */
#ifndef ESTIMATE_GOODPUT_H
#define ESTIMATE_GOODPUT_H

#include "estimate/constants.h"
#include "estimate/cost.h"
#include "estimate/range.h"
#include "job/job.h"

/* Jobs of at least so many GPU-hours lose time by default: what is shorter is mostly done
 * before anything happens. */
#define GOODPUT_GPU_HOURS 1000.0

struct goodput {
    double share;  /* of a run's time that makes progress; 1 where nothing is counted */
    double spread; /* of its logarithm, one standard deviation */
    double failures_day, save_every_h; /* expected; NaN where the user set the share */
    double slow;                       /* time that slow GPUs add, as a share of the work */
};

/* Of a training job that works for `hours` on `gpus`. What the job sets itself is not counted
 * again: its goodput replaces all of this, its failures, evaluation and saves their part.
 * `saves`: checkpoints are counted here (spot counts its own). */
struct goodput goodput_of(const struct job *job, int64_t gpus, double hours, bool saves,
                          const struct constants *c);

/* The complete run, when the work alone takes `hours` with this spread. */
struct guess goodput_hours(const struct goodput *g, double hours, double spread);

/* What of that is not work. */
struct hours_range goodput_lost(const struct goodput *g, double hours, double spread);

#endif
