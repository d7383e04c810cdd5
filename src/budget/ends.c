/* Which of the budgets that a run shares with others ends first.
 *
 * Which of them apply is read each time: one may be set, raised or removed while the run goes
 * on. */
#include "budget/ends.h"

#include <math.h>
#include <stdio.h>

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "budget/budget.h"

/* What a look at all budgets goes by. */
struct looking {
    const struct account_source *account;
    struct budget_run *run;
    struct str id;
    usd_per_hour rate;
    stamp now;
    struct budget_stops stops; /* that apply to the run */
    struct run_dimensions dims;
    struct condition **where;
    struct shared_look *of; /* each budget: what others spend from it */
    double soonest;
};

static bool add_other_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct looking *l = ctx;
    struct dimensions of;

    if (!run_dimensions_of(&l->dims, charge, &of, err))
        return false;
    for (size_t i = 0; i < l->stops.count; i++)
        if (conditions_hold(l->where[i], l->stops.at[i].scope.len, &of))
            shared_add(&l->of[i], charge, l->now, str_eq(charge->id, l->id));
    return true;
}

/* Who else spends from each of them now. */
static bool find_others(struct looking *l, struct error *err)
{
    struct arena *arena = l->account->arena;
    struct coverage coverage = {0};
    const struct allocation_policy *policy;
    bool ok;

    if (l->stops.count == 0)
        return true;
    l->where = arena_array(arena, struct condition *, l->stops.count, err);
    l->of = arena_array(arena, struct shared_look, l->stops.count, err);
    if (l->where == NULL || l->of == NULL ||
        !ledger_policy_read(l->account->ledger, arena, &policy, err))
        return false;
    for (size_t i = 0; i < l->stops.count; i++)
        if (!conditions_parse(l->stops.at[i].scope, arena, &l->where[i], err))
            return false;
    run_dimensions_open(&l->dims, l->account, &coverage, policy, UINT64_MAX);
    ok = ledger_charges_open(l->account->ledger, add_other_charge, l, err);
    run_dimensions_close(&l->dims);
    return ok;
}

double budget_time_left(usd left, usd_per_hour own, usd_per_hour others)
{
    double rate = (own.nano != MONEY_UNKNOWN ? (double)own.nano : 0) + (double)others.nano;

    return left.nano <= 0 ? (double)left.nano : (double)left.nano / fmax(rate, 1);
}

/* Does it end before those that were looked at? */
static bool is_sooner(struct looking *l, usd left, usd_per_hour others)
{
    double lasts = budget_time_left(left, l->rate, others);

    if (lasts >= l->soonest)
        return false;
    l->soonest = lasts;
    return true;
}

static bool look_at_stop(struct looking *l, const struct ledger_budget *budget,
                         const struct shared_look *of, struct shared_look *out,
                         struct error *err)
{
    struct budget_state s = {.budget = budget};
    usd left;

    if (!budget_spent(l->account, l->now, &s, err) ||
        !budget_left(l->account, &s, &left, err)) {
        error_context(err, "the budget '%.*s'", STR_ARG(budget->name));
        return false;
    }
    left = usd_less(left, of->spent);
    out->unknown = s.unpriced > out->unknown ? s.unpriced : out->unknown;
    if (!is_sooner(l, left, of->others))
        return true;
    out->limit = budget_limit(&s, usd_add(left, of->spent));
    out->spent = usd_less(out->limit, left);
    out->others = of->others;
    (void)snprintf(l->run->name, sizeof l->run->name, "the budget '%.*s'",
                   STR_ARG(budget->name));
    out->name = l->run->name;
    return true;
}

static bool look_at_month(struct looking *l, struct shared_look *out, struct error *err)
{
    const struct budget_run *run = l->run;
    struct shared_look month;

    if (run->month.nano == MONEY_UNKNOWN)
        return true;
    if (!shared_month(l->account->ledger, run->month_began, l->id.at, l->now, &month, err))
        return false;
    out->unknown = month.unknown > out->unknown ? month.unknown : out->unknown;
    if (!is_sooner(l, usd_less(run->month, month.spent), month.others))
        return true;
    out->limit = run->month;
    out->spent = month.spent;
    out->others = month.others;
    out->name = NULL;
    return true;
}

bool budget_ends_first(const struct account_source *account, struct budget_run *run, stamp now,
                       const char *id, usd_per_hour rate, struct shared_look *out,
                       struct error *err)
{
    struct looking l = {.account = account,
                        .run = run,
                        .id = str_from(id),
                        .rate = rate,
                        .now = now,
                        .soonest = INFINITY};

    *out = (struct shared_look){.limit = USD_UNKNOWN};
    if (!budget_stops_apply(account, &run->charge, &l.stops, err) || !find_others(&l, err))
        return false;
    for (size_t i = 0; i < l.stops.count; i++)
        if (!look_at_stop(&l, &l.stops.at[i], &l.of[i], out, err))
            return false;
    return look_at_month(&l, out, err);
}
