/* outlook.h - what a job will cost on spot, how sure that is, and whether it is in time.
 *
 * What the planner asks for each spot offer. By simulation: synthetic traces of the lifetimes
 * (lifetimes.h), the same for the same seed on every machine. `outlook_quick` is a closed form
 * for leaving out what cannot win: microseconds instead of a fraction of a second.
 */
#ifndef SPOT_OUTLOOK_H
#define SPOT_OUTLOOK_H

#include "spot/interval.h"
#include "spot/policy.h"

enum { OUTLOOK_RUNS = 200, OUTLOOK_RUNS_MAX = 100000, OUTLOOK_GAP = 600 };

struct outlook_ask {
    /* Seconds. Deadline 0: none. With `save_takes` and no `save_every` the best interval is
     * found. The gang's size is that of what is paid; lifetimes are those of the gang. */
    struct sim_job job;
    double spot, on_demand;       /* USD an hour for one instance */
    const struct lifetimes *life; /* fitted on a trace, or lifetimes_from_hazard() */
    /* NULL: spot alone, waiting when there is none. So it is too without a deadline: nothing
     * presses to pay more. */
    const struct policy *policy;
    uint64_t seed;
    size_t runs; /* 0: OUTLOOK_RUNS */
    int32_t gap; /* seconds of a tick; 0: OUTLOOK_GAP, or less where outages are short */
};

struct outlook {
    size_t runs;
    double usd, usd_error; /* the mean, and its standard error */
    double usd_p10, usd_p50, usd_p90;
    double hours_p10, hours_p50, hours_p90; /* until done; INFINITY: not within the horizon */
    double on_time;       /* share that made the deadline (without one: that was done at all) */
    double losses;        /* on average */
    double save_every;    /* seconds of work; 0: saving takes no time, INFINITY: on notice */
    double overhead;      /* machine time besides the work, as a share of it */
    double spot_share;    /* of the machine time */
    double on_demand_usd; /* the job on on-demand alone, without saving */
    double saving;        /* of that; negative when spot costs more */
    double unfinished;    /* share of runs that were not done when the simulation ended: their
                             cost so far counts, so that the mean is too low */
    bool worth;           /* saves more than chance, and gets done */
};

/* A deadline so late that it does not press (eight times what spot alone takes, and more) is
 * simulated as one at that time. ERROR_UNFIT when on-demand alone could not make the deadline,
 * with the earliest that it could, and when there is too much to simulate. `scratch` is for
 * work memory, and is freed after each run. */
bool outlook_run(const struct outlook_ask *ask, struct arena *scratch, struct outlook *out,
                 struct error *err) MUST_USE;

/* Does it cost less than so many dollars by more than chance, and get done? */
bool outlook_beats(const struct outlook *o, double limit);

struct outlook_quick {
    double usd, saving, on_demand_usd;
    double on_time; /* on spot alone: the chance to be done by the deadline; else 1 */
    double overhead, losses, save_every;
};

/* About the same, without simulating: 5 microseconds. Ticks, the policy's mistakes and the
 * spread of costs are left out. It chooses which offers are worth simulating.
 *
 * Measured against outlook_run() of 60 runs with Stint's policy on 384 settings (hazard of the
 * first hour 0.02 to 0.8, up 0.2 to 0.95, deadlines of 1.1 to 2.5 times the work of 8 or 48 h,
 * starts of 3 or 15 minutes): the mean cost is off by 4.7 % of on-demand's cost (root mean
 * square; 0.2 % too high on average). It is worst, 25 % too high, where the deadline is tight
 * (1.1 times 8 h), starts take 15 minutes and machines are nearly always available. The chance
 * to be in time on spot alone is off by 0.04 (0.2 at worst, where the slack is just what losses
 * take).
 */
struct outlook_quick outlook_quick(const struct outlook_ask *ask);

#endif
