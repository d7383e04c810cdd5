#include "spot/policy.h"

static void *begin(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    return policy_up.begin(&policy_up, market, job, arena, err);
}

static struct sim_choice pick(void *state, const struct sim_view *view)
{
    return policy_up.pick(state, view);
}

const struct policy policy_stint = {
    .name = "stint",
    .about = "Stint's own",
    .begin = begin,
    .pick = pick,
};
