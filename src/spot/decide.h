/* decide.h - what to do now: Stint's policy for whoever runs a real job.
 *
 * The simulator asks a policy tick by tick; a launcher asks once, with all that it has seen.
 */
#ifndef SPOT_DECIDE_H
#define SPOT_DECIDE_H

#include "spot/policy_stint.h"

/* How the job stands. */
struct decide_job {
    double left;      /* seconds of work */
    double unsaved;   /* of what is done: not in a checkpoint yet */
    double time_left; /* seconds to the deadline */
    enum sim_mode mode;
    size_t zone;    /* that it runs in, or last ran in */
    double pending; /* seconds of its start that are still ahead */
    bool began;     /* it ran before, so that there is a checkpoint to move */
};

struct decision {
    struct sim_choice choice;
    struct sim_choice options[STINT_OPTIONS]; /* that keep the deadline; on-demand first */
    double all_usd[STINT_OPTIONS];            /* what each is expected to cost to the end */
    size_t count;
    double latest_s; /* seconds until on-demand must be started, if nothing is done; below 0:
                      * what runs must go on */
    double late_s;   /* by which even the choice misses the deadline; 0 or less: it does not */
};

/* `seen` is the market up to now: its last tick is the present, which holds until the next
 * question a tick later. */
bool decide(const struct sim_market *seen, const struct sim_job *job,
            const struct decide_job *now, struct arena *arena, struct decision *out,
            struct error *err) MUST_USE;

#endif
