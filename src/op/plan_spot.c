/* Plans on spot, simulated: the closed form that the search goes by chooses which. */
#include <math.h>

#include "op/plan_work.h"

#define SIMULATED_RUNS 60

bool plan_simulate(struct plan_work *w, struct plan *plan, struct outlook *out, bool *done,
                   struct error *err)
{
    struct arena scratch = {.alloc = w->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct error why = {0};
    struct lifetimes life;
    struct outlook_ask ask;

    *done = false;
    /* Of trials side by side the simulation knows one set of machines. */
    if (plan->place->market != PLAN_SPOT || plan->way.serves || plan->way.trials_parallel > 1)
        return true;
    ask = plan_outlook(&w->problem, plan, &life);
    ask.runs = SIMULATED_RUNS;
    if (isnan(ask.on_demand)) /* it waits for spot: what it is compared with does not matter */
        ask.on_demand = ask.spot;
    *done = outlook_run(&ask, &scratch, out, &why);
    arena_free(&scratch);
    if (!*done)
        return why.kind == ERROR_MEMORY ? error_memory(err)
                                        : plan_note(w, err, "not simulated: %s", why.text);
    plan_take_outlook(&w->problem, plan, out);
    return true;
}

bool plan_settle_market(struct plan_work *w, struct plan *best, struct error *err)
{
    struct search_filter others = {.markets = ~(1u << PLAN_SPOT) & ((1u << PLAN_MARKETS) - 1)};
    struct plan sure;
    bool found;

    if (!plan_simulate(w, best, &w->simulated, &w->is_simulated, err))
        return false;
    if (!w->is_simulated)
        return true;
    if (!search_best(w->search, &w->problem, &others, &sure, &found, err))
        return false;
    if (found && plan_better(&sure, best)) {
        *best = sure;
        w->is_simulated = false;
        return true;
    }
    return plan_allowed(&w->problem, best) ||
           plan_note(w, err, "simulated, it does not quite keep to the limits");
}
