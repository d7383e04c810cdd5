/* lookahead.h - what the rest of a job will cost, for every state it may be in later.
 *
 * A dynamic program over time to the deadline, slack (the time that may still be wasted), what
 * runs, and whether spot is available and at which age of the spell; the future is that of the
 * chances given. It is a model of what is to come and may be wrong: it decides what is cheap,
 * never what is safe (guard.h does).
 *
 * Time goes in at most LOOK_STEPS steps, slack in LOOK_SLACKS values, denser where it is
 * scarce, between which is interpolated. A job with more slack than work is looked at in up to
 * LOOK_DENSE steps, with a value of slack for each, when it is short enough. So memory and time
 * are bounded whatever the ticks are.
 */
#ifndef SPOT_LOOKAHEAD_H
#define SPOT_LOOKAHEAD_H

#include "base/arena.h"
#include "spot/lifetimes.h"
#include "spot/sim.h"

enum { LOOK_STEPS = 200, LOOK_SLACKS = 12, LOOK_DENSE = 98 };

/* Where time does not matter, and then each bin of ages is left in two steps. With one, half of
 * a bin's machines go on being young; a policy that learns does better with that. */
enum { LOOK_FINE_STEPS = 700, LOOK_FINE_SLACKS = 60, LOOK_FINE_PARTS = 2 };
enum { LOOK_AGES = AGE_BINS * LOOK_FINE_PARTS };

/* Steps that are no longer than this are as good as ticks. */
#define LOOK_DENSE_STEP 900.0

/* How things go on, by chances for one tick of `gap` seconds. */
struct look_model {
    double gap;
    double spot, on_demand; /* USD an hour, of the gang */
    double spot_start,
        on_demand_start; /* seconds that a start wastes; spot's with the work that
                                         * its end loses */
    double start_usd;    /* what a start on spot costs besides */
    double lose[AGE_BINS], gain[AGE_BINS];
    double other;     /* the chance that, when spot is lost, there is some elsewhere */
    double other_age; /* and its age in hours */
};

struct lookahead {
    struct look_model model;        /* that it was made for */
    double step;                    /* seconds */
    size_t most, steps, slacks;     /* steps: of `most` that there is room for */
    size_t wide_steps, wide_slacks; /* at most, when it is not dense */
    size_t parts, ages;             /* of a bin; of all bins */
    double slack[LOOK_DENSE + 2];   /* seconds, rising from 0 */
    bool dense;                     /* one step apart */
    float *usd;                     /* [steps + 1][slacks][LOOK_STATES][ages] */
    float *ahead;                   /* of one step: expected over what spot does */
};

/* Room for jobs of so many ticks; longer ones get longer steps. `fine`: by LOOK_FINE_STEPS
 * and so on. */
bool lookahead_init(struct lookahead *look, size_t ticks, bool fine, struct arena *arena,
                    struct error *err) MUST_USE;

/* For up to `time_left` seconds to the deadline and slack up to `slack` seconds. */
void lookahead_solve(struct lookahead *look, const struct look_model *model, double time_left,
                     double slack);

/* The state of a job, now or at the next tick. */
struct look_at {
    double time_left, slack; /* seconds */
    enum sim_mode mode;      /* if nothing is lost */
    bool up;                 /* is spot available now? */
    double age;              /* hours of that spell */
    double lost_slack;       /* as `slack`, if the spot machine is lost by then */
};

/* The expected cost from the next tick on, over what spot may do until then. */
double lookahead_usd(const struct lookahead *look, const struct look_at *at);

/* The expected cost from now on, for a job in this state now. */
double lookahead_now(const struct lookahead *look, const struct look_at *at);

/* What losing a spot machine of this age now would cost, restart and all. */
double lookahead_loss(const struct lookahead *look, double time_left, double slack, double age);

#endif
