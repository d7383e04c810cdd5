/* Follow the optimum's plan: the yardstick as a policy. */
#include "spot/guard.h"
#include "spot/optimum.h"
#include "spot/policy.h"

static void *optimal_begin(const struct policy *self, const struct sim_market *market,
                           const struct sim_job *job, struct arena *arena, struct error *err)
{
    struct sim_choice *plan;
    double usd;

    (void)self;
    /* One more than there are ticks, so that a market without any has a plan too. */
    plan = arena_array(arena, struct sim_choice, market->ticks + 1, err);
    if (plan == NULL || !optimum_find(market, job, arena, plan, &usd, err))
        return NULL;
    return plan;
}

static struct sim_choice pick(void *state, const struct sim_view *view)
{
    const struct sim_choice *plan = state;
    struct sim_choice choice = plan[view->tick];

    /* The plan knows nothing of pauses for saving: with them it needs the guard. */
    if (view->job->save_every > 0 && !guard_allows(view, choice))
        return guard_rescue(view);
    return choice;
}

const struct policy policy_optimal = {
    .name = "optimal",
    .about = "the cheapest that makes the deadline, knowing the complete trace",
    .foresees = true,
    .begin = optimal_begin,
    .pick = pick,
};
