/* work.h - how a machine's time becomes work: the start first, then work and pauses for saving.
 *
 * The simulator and the guard reckon with the same few lines, so that what the guard promises
 * is what the simulator does.
 */
#ifndef SPOT_WORK_H
#define SPOT_WORK_H

#include "spot/sim.h"

/* With no more work left than this a job is done: the seconds of the published simulators. */
#define WORK_TOLERANCE 1e-3

struct work {
    double left, unsaved; /* seconds of work */
    double pending;       /* seconds until work goes on: the start, or a save */
    bool saving;          /* they are a save's */
};

/* The machine goes on for `seconds`. */
void work_go_on(const struct sim_job *job, struct work *work, double seconds);

/* Is there a notice before a loss that is long enough to save? */
bool work_notice_saves(const struct sim_job *job);

/* As work_go_on, and then the machine is lost: with the work that is not saved, unless there is
 * notice enough to save it. Returns the seconds of work that are lost. A job that is done by
 * then loses nothing. */
double work_lose(const struct sim_job *job, struct work *work, double seconds);

/* Seconds that stopping by choice takes: what is not saved is saved, or done again where that
 * is less. */
double work_stop_takes(const struct sim_job *job, const struct work *work);

/* Saves until it is done. */
double work_saves(const struct sim_job *job, const struct work *work);

/* Whole ticks of `gap` seconds until it is done, if nothing is lost. */
double work_ticks(const struct sim_job *job, const struct work *work, int32_t gap);

#endif
