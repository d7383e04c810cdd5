/* A best plan on spot is simulated too: the search goes by a closed form. */
#include <math.h>

#include "op/plan/plan_work.h"

#define SIMULATED_RUNS 60

bool plan_simulate(struct plan_work *w, const struct plan *plan, struct outlook *out,
                   bool *done, struct error *err)
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
    if (*done)
        return true;
    return why.kind == ERROR_MEMORY ? error_memory(err)
                                    : plan_note(w, err, "not simulated: %s", why.text);
}
