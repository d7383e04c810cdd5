/* policy.h - what decides, tick by tick, whether to wait, take spot or go on-demand.
 */
#ifndef SPOT_POLICY_H
#define SPOT_POLICY_H

#include "spot/sim.h"

struct policy {
    const char *name;  /* "up-plain", "time-sliced:8" */
    const char *about; /* one line */
    bool uses_future;  /* looks at the market's later ticks: a yardstick, not a policy to use */
    int32_t number;    /* N of "time-sliced:N" */
    /* State for one run, in the arena; NULL is an error. `market` is for those that know the
     * future, and for sizes: others must not look at later ticks. */
    void *(*begin)(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err);
    /* What was available ([zones]) in a tick before the run: for those that learn, else
     * NULL. */
    void (*see)(void *state, const bool *up);
    struct sim_choice (*pick)(void *state, const struct sim_view *view);
};

/* All of them, in the order in which they are shown; "time-sliced" means its default. */
extern const struct policy *const policies[];
extern const size_t policy_count;

/* "up", "time-sliced:8": ERROR_USAGE with the names when there is none. */
bool policy_named(struct str name, struct policy *out, struct error *err) MUST_USE;

extern const struct policy policy_on_demand, policy_greedy, policy_time_sliced, policy_up_plain,
    policy_up, policy_up_oracle, policy_stint, policy_informed, policy_optimal;

#endif
