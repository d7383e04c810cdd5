/* No plan, and what restrictions cost. */
#include "op/plan_work.h"

bool plan_unfit(struct plan_work *w, struct error *err)
{
    (void)w;
    return error_fail(err, ERROR_UNFIT, "no plan keeps to all limits");
}

bool plan_restrictions(struct plan_work *w, const struct plan *best, struct plan_result *res,
                       struct error *err)
{
    (void)w;
    (void)best;
    (void)res;
    (void)err;
    return true;
}
