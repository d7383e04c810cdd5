#include "run/supervise/account.h"

#include <math.h>

#include "unit/energy.h"

static usd usd_or_zero(usd amount)
{
    if (amount.nano == MONEY_UNKNOWN)
        amount.nano = 0;
    return amount;
}

/* The part that was paid up front. */
static usd account_upfront(const struct run_charge *charge)
{
    return usd_add(usd_add(usd_or_zero(charge->setup), usd_or_zero(charge->storage)),
                   usd_add(usd_or_zero(charge->transfer), usd_or_zero(charge->extra)));
}

void account_start(struct account *account, const struct run_charge *charge, instant now)
{
    *account = (struct account){
        .charge = *charge, .began = now, .last = now, .joules = NAN, .rate = charge->rate};
    account->share = (struct account_share){.at = now, .part = 1};
    if (charge->rate.nano == MONEY_UNKNOWN && charge->electricity.nano == MONEY_UNKNOWN)
        account->compute = USD_UNKNOWN;
}

void account_nothing(struct account *account)
{
    struct run_charge *charge = &account->charge;

    charge->setup = charge->storage = charge->transfer = charge->extra = USD_UNKNOWN;
    account->compute = (usd){0};
}

/* The time of the machine that it pays for: what has passed since that was set, at the part
 * that it pays now. */
static span paid_until(const struct account *account, instant now)
{
    const struct account_share *share = &account->share;
    double since = now.ns > share->at.ns ? (double)(now.ns - share->at.ns) * share->part : 0;

    return (span){share->paid.ns + (int64_t)(since + 0.5)};
}

/* Electricity is paid by the energy that is known of; time by the clock. */
static usd compute_until(const struct account *account, instant now)
{
    const struct run_charge *charge = &account->charge;
    usd sum = {0}, time;

    if (charge->rate.nano != MONEY_UNKNOWN) {
        if (!usd_for(charge->rate, paid_until(account, now), &time))
            return USD_UNKNOWN;
        sum = time;
    }
    if (charge->electricity.nano != MONEY_UNKNOWN && !isnan(account->joules))
        sum = usd_add(sum, usd_from((account->joules - account->joules_free) * charge->pue /
                                    JOULES_PER_KWH * (double)charge->electricity.nano / 1e9));
    return sum;
}

/* What an hour costs now; a meter that is silent for a moment changes nothing. */
static usd_per_hour rate_now(const struct account *account, double watts)
{
    const struct run_charge *charge = &account->charge;
    usd_per_hour time = usd_per_hour_scaled(charge->rate, account->share.part), power;

    if (charge->electricity.nano == MONEY_UNKNOWN)
        return time;
    if (isnan(watts))
        return account->rate;
    power = electricity_cost((watt){account->share.inside ? 0 : watts * charge->pue},
                             charge->electricity);
    return time.nano == MONEY_UNKNOWN || power.nano == MONEY_UNKNOWN
               ? power
               : (usd_per_hour){time.nano + power.nano};
}

void account_share(struct account *account, const struct account_share *share)
{
    account->share = *share;
    account->rate = rate_now(account, NAN);
}

usd_per_hour account_rate_full(const struct account *account)
{
    const struct run_charge *charge = &account->charge;
    usd_per_hour time = usd_per_hour_scaled(charge->rate, account->share.part);

    if (account->rate.nano == MONEY_UNKNOWN || time.nano == MONEY_UNKNOWN)
        return account->rate;
    return (usd_per_hour){account->rate.nano - time.nano + charge->rate.nano};
}

usd_per_hour account_rate_most(const struct account *account)
{
    return account->share.fixed ? account->rate : account_rate_full(account);
}

/* Electricity alone is paid, and no meter has a value yet. */
static bool is_unmetered(const struct account *account)
{
    return account->charge.rate.nano == MONEY_UNKNOWN && isnan(account->joules);
}

void account_see(struct account *account, instant now, enum run_phase phase, double joules,
                 double watts)
{
    account->lately = (usd){0};
    account->lately_s = (double)(now.ns - account->last.ns) / 1e9;
    account->last = now;
    if (!isnan(joules)) /* a meter without a value for a moment: the last one holds */
        account->joules = joules;
    if (account->share.inside && !isnan(account->joules))
        account->joules_free = account->joules;
    account->rate = rate_now(account, watts);
    if (account->compute.nano != MONEY_UNKNOWN && !is_unmetered(account)) {
        usd compute = compute_until(account, now);

        if (compute.nano != MONEY_UNKNOWN)
            account->lately.nano = compute.nano - account->compute.nano;
        account->phase[phase].nano += account->lately.nano;
        account->compute = compute;
    }
}

void account_move(struct account *account, enum run_phase from, enum run_phase to,
                  double seconds)
{
    double share = account->lately_s > 0 ? fmin(seconds / account->lately_s, 1) : 0;
    int64_t moved = llround((double)account->lately.nano * share);

    account->phase[from].nano -= moved;
    account->phase[to].nano += moved;
}

usd account_cost(const struct account *account)
{
    if (is_unmetered(account) && account->compute.nano == 0 &&
        account->charge.electricity.nano != MONEY_UNKNOWN &&
        account->last.ns > account->began.ns)
        return USD_UNKNOWN;
    return usd_add(account->compute, account_upfront(&account->charge));
}

double account_grams(const struct account *account)
{
    return account->joules * account->charge.pue / JOULES_PER_KWH *
           account->charge.grams_per_kwh;
}

bool account_leaves_budget(const struct run_charge *charge, usd budget, struct error *err)
{
    usd upfront = account_upfront(charge);
    struct buf text;
    char amount[32];

    if (budget.nano == MONEY_UNKNOWN || upfront.nano < budget.nano)
        return true;
    text = buf_new(&alloc_system, sizeof amount - 1);
    usd_write(upfront, &text);
    str_copy(buf_text(&text), amount, sizeof amount);
    buf_free(&text);
    error_set(err, ERROR_USAGE, "the costs paid up front (%s) use up the budget", amount);
    error_hint(err, "raise --budget, or leave out --extra");
    return false;
}
