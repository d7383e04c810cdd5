/* The list of policies, and the optimum as one of them. */
#include "spot/policy.h"

#include "base/num.h"
#include "spot/guard.h"
#include "spot/optimum.h"

/* ---- optimal: follow the plan of the optimum ---- */

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

static struct sim_choice optimal_pick(void *state, const struct sim_view *view)
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
    .about = "lowest cost that meets the deadline, knowing the complete trace",
    .uses_future = true,
    .begin = optimal_begin,
    .pick = optimal_pick,
};

/* ---- the list, and finding one by its name ---- */

#define SLICES_MAX 10000

const struct policy *const policies[] = {
    &policy_on_demand, &policy_greedy, &policy_time_sliced, &policy_up_plain, &policy_up,
    &policy_up_oracle, &policy_stint,  &policy_informed,    &policy_optimal,
};
const size_t policy_count = ARRAY_LEN(policies);

static bool no_policy(struct str name, struct error *err)
{
    struct suggestion suggestion = {.wanted = name};
    char names[256];
    size_t at = 0;

    error_set(err, ERROR_USAGE, "there is no policy '%.*s'", STR_ARG(name));
    for (size_t i = 0; i < policy_count; i++) {
        suggestion_try(&suggestion, str_from(policies[i]->name));
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i > 0 ? ", " : "",
                               policies[i]->name);
    }
    if (!suggestion_hint(&suggestion, err))
        error_hint(err, "there are %s", names);
    return false;
}

bool policy_named(struct str name, struct policy *out, struct error *err)
{
    struct str number = name, stem = str_cut(&number, ':');
    int64_t slices;

    for (size_t i = 0; i < policy_count; i++)
        if (str_eq(str_from(policies[i]->name), name)) {
            *out = *policies[i];
            return true;
        }
    if (!str_eq(stem, str_from(policy_time_sliced.name)))
        return no_policy(name, err);
    if (!num_int(number, &slices) || slices < 1 || slices > SLICES_MAX) {
        error_set(err, ERROR_USAGE, "'%.*s' needs a number of slices from 1 to %d",
                  STR_ARG(name), SLICES_MAX);
        error_hint(err, "write time-sliced:8");
        return false;
    }
    *out = policy_time_sliced;
    out->number = (int32_t)slices;
    return true;
}
