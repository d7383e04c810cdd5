#include "spot/fleet.h"

#include <math.h>

#include "spot/fleet_risk.h"

#define STEPS_MAX 60000 /* choices looked at: about a second at most */

struct search {
    const struct fleet_pool *pools;
    size_t count;
    const struct fleet_wish *wish;
    struct fleet_risk risk;
    size_t order[FLEET_POOLS_MAX]; /* cheapest unit first */
    double unit[FLEET_POOLS_MAX];
    int64_t machines[FLEET_POOLS_MAX], best[FLEET_POOLS_MAX];
    double least; /* cost of the best */
    size_t steps;
};

/* Until it is lost a pool costs its price; from then on what stands in for it. */
static double pool_cost(const struct fleet_pool *p, const struct fleet_wish *wish, int64_t n)
{
    double after = p->risk / 2, price = p->price * (double)n;
    int64_t others;

    if (isnan(wish->replace))
        return price;
    others = (n * p->units + wish->replace_units - 1) / wish->replace_units;
    return price * (1 - after) + wish->replace * (double)others * after;
}

/* No number of machines costs less than this for a unit. */
static double least_of_unit(const struct fleet_pool *p, const struct fleet_wish *wish)
{
    double after = p->risk / 2, price = p->price / (double)p->units;

    if (isnan(wish->replace))
        return price;
    return price * (1 - after) + wish->replace / (double)wish->replace_units * after;
}

/* More machines never make these smaller, so that what is too risky now stays so. */
static bool keeps(struct search *s)
{
    const struct fleet_wish *w = s->wish;
    double capacity = (double)w->capacity;

    if (!isnan(w->max_lost) &&
        fleet_risk_mean(&s->risk, s->machines, capacity) > w->max_lost * capacity + 1e-9)
        return false;
    return isnan(w->max_risk) ||
           fleet_risk_above(&s->risk, s->machines, w->lost_share * capacity) <=
               w->max_risk + 1e-12;
}

static void settle(struct search *s, double cost)
{
    s->least = cost;
    for (size_t i = 0; i < s->count; i++)
        s->best[i] = s->machines[i];
}

/* Try every number of machines of the `k`th cheapest pool, most first. What is missing costs at
 * least as much as here. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are pools */
static void branch(struct search *s, size_t k, int64_t missing, double cost)
{
    size_t i;
    int64_t most;

    if (missing <= 0) {
        settle(s, cost);
        return;
    }
    if (k == s->count)
        return;
    i = s->order[k];
    most = (missing + s->pools[i].units - 1) / s->pools[i].units;
    for (int64_t n = most; n >= 0; n--) {
        int64_t rest = missing - n * s->pools[i].units;
        double now = cost + pool_cost(&s->pools[i], s->wish, n), bound = now;

        if (rest > 0)
            bound = k + 1 < s->count ? now + (double)rest * s->unit[s->order[k + 1]] : INFINITY;
        if (bound >= s->least - 1e-9) {
            if (rest > 0)
                break; /* fewer machines here leave more to dearer ones */
            continue;
        }
        if (s->steps++ >= STEPS_MAX)
            break;
        s->machines[i] = n;
        if (n == 0 || keeps(s))
            branch(s, k + 1, rest, now);
    }
    s->machines[i] = 0;
}

/* The same number of units (about) in the first `n` pools: never the best, but found at once,
 * which lets much be left out later. */
static void spread(struct search *s, size_t n)
{
    int64_t missing = s->wish->capacity;
    double cost = 0;

    for (size_t k = 0; k < n; k++) {
        size_t i = s->order[k];
        int64_t share = missing / (int64_t)(n - k) / s->pools[i].units;

        if (k + 1 == n)
            share = (missing + s->pools[i].units - 1) / s->pools[i].units;
        s->machines[i] = share < 0 ? 0 : share;
        missing -= s->machines[i] * s->pools[i].units;
        cost += pool_cost(&s->pools[i], s->wish, s->machines[i]);
    }
    if (missing <= 0 && cost < s->least - 1e-9 && keeps(s))
        settle(s, cost);
    for (size_t i = 0; i < s->count; i++)
        s->machines[i] = 0;
}

static void put_in_order(struct search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t at = i;

        s->unit[i] = least_of_unit(&s->pools[i], s->wish);
        for (; at > 0 && s->unit[s->order[at - 1]] > s->unit[i]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

static bool check(const struct fleet_pool *pools, size_t count, const struct fleet_wish *wish,
                  int64_t *most, struct error *err)
{
    *most = wish->capacity;
    if (count > FLEET_POOLS_MAX || wish->capacity > FLEET_UNITS_MAX)
        return error_fail(err, ERROR_UNFIT, "a fleet has at most %d pools and %d GPUs",
                          FLEET_POOLS_MAX, FLEET_UNITS_MAX);
    for (size_t i = 0; i < count; i++)
        if (pools[i].units > FLEET_UNITS_MAX)
            return error_fail(err, ERROR_UNFIT, "a machine of a fleet has at most %d GPUs",
                              FLEET_UNITS_MAX);
        else if (wish->capacity + pools[i].units > *most)
            *most = wish->capacity + pools[i].units;
    return true;
}

bool fleet_measure(const struct fleet_pool *pools, size_t count, const struct fleet_wish *wish,
                   struct arena *scratch, struct fleet_choice *choice, struct error *err)
{
    struct fleet_risk risk;
    double capacity = (double)wish->capacity;

    choice->units = 0;
    choice->price = choice->expected = 0;
    for (size_t i = 0; i < count; i++) {
        double n = (double)choice->count[i];

        choice->units += choice->count[i] * pools[i].units;
        choice->price += n * pools[i].price;
        choice->expected += pool_cost(&pools[i], wish, choice->count[i]);
    }
    if (!fleet_risk_new(pools, count, choice->units, scratch, &risk, err))
        return false;
    choice->risk = fleet_risk_above(&risk, choice->count, wish->lost_share * capacity);
    choice->lost = fleet_risk_mean(&risk, choice->count, capacity) / capacity;
    return true;
}

bool fleet_choose(const struct fleet_pool *pools, size_t count, const struct fleet_wish *wish,
                  struct arena *scratch, struct fleet_choice *out, struct error *err)
{
    struct search s = {.pools = pools, .count = count, .wish = wish, .least = INFINITY};
    int64_t most;

    if (!check(pools, count, wish, &most, err) ||
        !fleet_risk_new(pools, count, most, scratch, &s.risk, err))
        return false;
    put_in_order(&s);
    for (size_t n = 1; n <= count; n++)
        spread(&s, n);
    branch(&s, 0, wish->capacity, 0);
    *out = (struct fleet_choice){.exact = s.steps < STEPS_MAX};
    if (isinf(s.least)) {
        error_set(err, ERROR_UNFIT, "no set of these pools keeps to the wanted risk");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        out->count[i] = s.best[i];
    return fleet_measure(pools, count, wish, scratch, out, err);
}
