#include "ledger/runs/run_sum.h"

#include <math.h>

#include "unit/energy.h"

struct ledger_run_sum ledger_run_sum(const struct ledger_run *runs, size_t count)
{
    struct ledger_run_sum sum = {0};

    for (size_t i = 0; i < count; i++) {
        const struct ledger_totals *t = &runs[i].totals;

        if (t->cost.nano == MONEY_UNKNOWN)
            sum.cost_unknown++;
        else
            sum.cost_known = usd_add(sum.cost_known, t->cost);
        if (isnan(t->joules))
            sum.energy_unknown++;
        else
            sum.energy_known_kwh += t->joules / JOULES_PER_KWH;
        sum.took.ns = t->elapsed.ns < 0 || sum.took.ns < 0 ? -1 : sum.took.ns + t->elapsed.ns;
    }
    sum.cost = sum.cost_unknown == 0 ? sum.cost_known : USD_UNKNOWN;
    sum.energy_kwh = sum.energy_unknown == 0 ? sum.energy_known_kwh : (double)NAN;
    return sum;
}
