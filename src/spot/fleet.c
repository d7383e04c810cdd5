#include "spot/fleet.h"

#include <math.h>

#include "base/num.h"
#include "base/stop.h"
#include "catalog/network.h"

#define POOLS 24        /* searched: those with the lowest expected cost */
#define STEPS_MAX 60000 /* choices looked at: about a second at most */

/* ---- the chance that machines of pools which fail together are lost ---- */

struct fleet_risk {
    size_t count;
    int64_t units[FLEET_POOLS_MAX]; /* of one machine, in common parts */
    double own[FLEET_POOLS_MAX];    /* chance of a pool's own failure */
    /* Pools by family, then group; shocks are at the first of each. */
    size_t order[FLEET_POOLS_MAX], family[FLEET_POOLS_MAX], group[FLEET_POOLS_MAX];
    double family_shock[FLEET_POOLS_MAX], group_shock[FLEET_POOLS_MAX];
    int64_t part;                  /* units in a common part */
    int64_t most;                  /* parts that can be counted */
    double *all, *member, *pooled; /* [most + 1] work memory */
};

/* Insertion by family, then group; few pools. */
static void order_by_family(struct fleet_risk *r, const struct fleet_pool *pools)
{
    for (size_t i = 0; i < r->count; i++) {
        size_t at = i;

        for (; at > 0; at--) {
            const struct fleet_pool *before = &pools[r->order[at - 1]];

            if (before->family < pools[i].family ||
                (before->family == pools[i].family && before->group <= pools[i].group))
                break;
            r->order[at] = r->order[at - 1];
        }
        r->order[at] = i;
    }
}

/* The least risk among the pools of one family (or of one of its groups). */
static double least_risk(const struct fleet_pool *pools, size_t count,
                         const struct fleet_pool *like, bool group)
{
    double least = 1;

    for (size_t i = 0; i < count; i++)
        if (pools[i].family == like->family && (!group || pools[i].group == like->group))
            least = fmin(least, pools[i].risk);
    return least;
}

static void find_shocks(struct fleet_risk *r, const struct fleet_pool *pools)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct fleet_pool *p = &pools[i];
        double family = FLEET_TOGETHER_FAMILY * least_risk(pools, r->count, p, false);
        double both = FLEET_TOGETHER_GROUP * least_risk(pools, r->count, p, true);

        r->family_shock[i] = family;
        r->group_shock[i] = 1 - (1 - both) / (1 - family);
        r->own[i] = 1 - (1 - p->risk) / (1 - both);
        r->family[i] = p->family;
        r->group[i] = p->group;
    }
}

/* `most`: units that any choice may have. */
static bool fleet_risk_new(const struct fleet_pool *pools, size_t count, int64_t most,
                           struct arena *arena, struct fleet_risk *out, struct error *err)
{
    size_t len;

    *out = (struct fleet_risk){.count = count};
    for (size_t i = 0; i < count; i++)
        out->part = num_common(pools[i].units, out->part);
    if (out->part == 0)
        out->part = 1;
    for (size_t i = 0; i < count; i++)
        out->units[i] = pools[i].units / out->part;
    out->most = most / out->part;
    len = (size_t)out->most + 1;
    order_by_family(out, pools);
    find_shocks(out, pools);
    out->all = arena_array(arena, double, len, err);
    out->member = arena_array(arena, double, len, err);
    out->pooled = arena_array(arena, double, len, err);
    return out->all != NULL && out->member != NULL && out->pooled != NULL;
}

/* Chances of each number of parts lost: `sum` is the largest. */
struct lost {
    double *at;
    int64_t sum;
};

static void lose_none(struct lost *l)
{
    l->at[0] = 1;
    l->sum = 0;
}

/* A pool more, of `parts`, that is lost with this chance. */
static void add_pool(struct lost *l, int64_t parts, double chance)
{
    int64_t sum = l->sum + parts;

    for (int64_t i = l->sum + 1; i <= sum; i++)
        l->at[i] = 0;
    for (int64_t i = sum; i >= 0; i--) {
        double from = i >= parts ? l->at[i - parts] : 0;

        l->at[i] = l->at[i] * (1 - chance) + from * chance;
    }
    l->sum = sum;
}

/* All of it is lost with this chance, else as it was. */
static void add_shock(struct lost *l, double chance)
{
    for (int64_t i = 0; i <= l->sum; i++)
        l->at[i] *= 1 - chance;
    l->at[l->sum] += chance;
}

/* Both, which fail apart. From the top down, so that `to` can be changed in place. */
static void add_fleet_losses(struct lost *to, const struct lost *more)
{
    int64_t sum = to->sum + more->sum;

    for (int64_t i = to->sum + 1; i <= sum; i++)
        to->at[i] = 0;
    for (int64_t i = sum; i >= 0; i--) {
        double chance = 0;
        int64_t first = i > more->sum ? i - more->sum : 0, last = i < to->sum ? i : to->sum;

        for (int64_t k = first; k <= last; k++)
            chance += to->at[k] * more->at[i - k];
        to->at[i] = chance;
    }
    to->sum = sum;
}

/* The chance of each number of parts lost, of so many machines. */
static struct lost all_lost(struct fleet_risk *r, const int64_t *machines)
{
    struct lost all = {r->all, 0}, family = {r->member, 0}, group = {r->pooled, 0};

    lose_none(&all);
    lose_none(&family);
    lose_none(&group);
    for (size_t k = 0; k < r->count; k++) {
        size_t i = r->order[k], next = k + 1 < r->count ? r->order[k + 1] : SIZE_MAX;
        bool last = next == SIZE_MAX || r->family[next] != r->family[i];

        if (machines[i] > 0)
            add_pool(&group, machines[i] * r->units[i], r->own[i]);
        if (last || r->group[next] != r->group[i]) {
            add_shock(&group, r->group_shock[i]);
            add_fleet_losses(&family, &group);
            lose_none(&group);
        }
        if (last) {
            add_shock(&family, r->family_shock[i]);
            add_fleet_losses(&all, &family);
            lose_none(&family);
        }
    }
    return all;
}

/* The chance that more than `limit` units of so many machines are lost. */
static double fleet_risk_above(struct fleet_risk *r,
                               const int64_t machines[static FLEET_POOLS_MAX], double limit)
{
    struct lost all = all_lost(r, machines);
    double above = 0;

    for (int64_t i = all.sum; i >= 0 && (double)(i * r->part) > limit + 1e-9; i--)
        above += all.at[i];
    return fmin(above, 1);
}

/* Units lost on average, where all above `most` count as that. */
static double fleet_risk_mean(struct fleet_risk *r,
                              const int64_t machines[static FLEET_POOLS_MAX], double most)
{
    struct lost all = all_lost(r, machines);
    double mean = 0;

    for (int64_t i = 1; i <= all.sum; i++)
        mean += all.at[i] * fmin((double)(i * r->part), most);
    return mean;
}

/* ---- the cheapest choice of pools ---- */

struct pool_search {
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

/* Until it is lost a pool costs its price; from then on its replacement. */
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
static bool keeps_limits(struct pool_search *s)
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

static void keep_choice(struct pool_search *s, double cost)
{
    s->least = cost;
    for (size_t i = 0; i < s->count; i++)
        s->best[i] = s->machines[i];
}

/* Try every number of machines of the `k`th cheapest pool, most first. What is missing costs at
 * least as much as here. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are pools */
static void try_pool(struct pool_search *s, size_t k, int64_t missing, double cost)
{
    size_t i;
    int64_t most;

    if (missing <= 0) {
        keep_choice(s, cost);
        return;
    }
    if (k == s->count || stop_asked())
        return;
    i = s->order[k];
    most = (missing + s->pools[i].units - 1) / s->pools[i].units;
    if (s->pools[i].most > 0 && most > s->pools[i].most)
        most = s->pools[i].most;
    for (int64_t n = most; n >= 0; n--) {
        int64_t rest = missing - n * s->pools[i].units;
        double now = cost + pool_cost(&s->pools[i], s->wish, n), bound = now;

        if (rest > 0)
            bound = k + 1 < s->count ? now + (double)rest * s->unit[s->order[k + 1]] : INFINITY;
        if (bound >= s->least - 1e-9) {
            if (rest > 0)
                break; /* fewer machines here leave more to more expensive ones */
            continue;
        }
        if (s->steps++ >= STEPS_MAX)
            break;
        s->machines[i] = n;
        if (n == 0 || keeps_limits(s))
            try_pool(s, k + 1, rest, now);
    }
    s->machines[i] = 0;
}

/* The same number of units (about) in the first `n` pools: never the best, but found at once,
 * which lets much be left out later. */
static void try_even_spread(struct pool_search *s, size_t n)
{
    int64_t missing = s->wish->capacity;
    double cost = 0;

    for (size_t k = 0; k < n; k++) {
        size_t i = s->order[k];
        int64_t share = missing / (int64_t)(n - k) / s->pools[i].units;

        if (k + 1 == n)
            share = (missing + s->pools[i].units - 1) / s->pools[i].units;
        if (s->pools[i].most > 0 && share > s->pools[i].most)
            share = s->pools[i].most;
        s->machines[i] = share < 0 ? 0 : share;
        missing -= s->machines[i] * s->pools[i].units;
        cost += pool_cost(&s->pools[i], s->wish, s->machines[i]);
    }
    if (missing <= 0 && cost < s->least - 1e-9 && keeps_limits(s))
        keep_choice(s, cost);
    for (size_t i = 0; i < s->count; i++)
        s->machines[i] = 0;
}

static void order_by_cost(struct pool_search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t at = i;

        s->unit[i] = least_of_unit(&s->pools[i], s->wish);
        for (; at > 0 && s->unit[s->order[at - 1]] > s->unit[i]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

static bool check_sizes(const struct fleet_pool *pools, size_t count,
                        const struct fleet_wish *wish, int64_t *most, struct error *err)
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
    struct pool_search s = {.pools = pools, .count = count, .wish = wish, .least = INFINITY};
    int64_t most;

    if (!check_sizes(pools, count, wish, &most, err) ||
        !fleet_risk_new(pools, count, most, scratch, &s.risk, err))
        return false;
    order_by_cost(&s);
    for (size_t n = 1; n <= count; n++)
        try_even_spread(&s, n);
    try_pool(&s, 0, wish->capacity, 0);
    if (!stop_check(err))
        return false;
    *out = (struct fleet_choice){.exact = s.steps < STEPS_MAX};
    if (isinf(s.least)) {
        error_set(err, ERROR_UNFIT, "no set of these pools meets the risk limit");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        out->count[i] = s.best[i];
    return fleet_measure(pools, count, wish, scratch, out, err);
}

/* ---- a fleet of offers ---- */

static const struct field pool_fields[] = {
    FIELD(TEXT, fleet_row, offer, .help = "provider/region/zone/instance"),
    FIELD(ENUM, fleet_row, market, .names = market_names, .only = MARKETS_LISTED,
          .help = "market: spot or on-demand"),
    FIELD(TEXT, fleet_row, accelerator, .help = "accelerator"),
    FIELD(COUNT, fleet_row, machines, .help = "machines to rent"),
    FIELD(NUMBER, fleet_row, gpus, .help = "GPUs per machine"),
    FIELD(RATE, fleet_row, price, .help = "price of one machine"),
    FIELD(RATE, fleet_row, per_gpu, .help = "price of one GPU"),
    FIELD(RATE, fleet_row, sum, .help = "price of all machines in this row"),
    FIELD(SHARE, fleet_row, risk, .help = "modeled risk of losing them within the time"),
    FIELD(NUMBER, fleet_row, history_days, .help = "days of data that the risk is based on"),
    FIELD(NUMBER, fleet_row, span_days, .help = "days from the first to the last of them"),
};

static const struct field_set pool_set = FIELD_SET(struct fleet_row, pool_fields);

static const struct field fields[] = {
    FIELD(LIST, fleet, pools, .row = &pool_set, .help = "pools to rent from"),
    FIELD(COUNT, fleet, gpus, .help = "GPUs in total: as requested, or a few more"),
    FIELD(COUNT, fleet, candidates, .help = "pools considered"),
    FIELD(NUMBER, fleet, hours, .help = "hours that the risks refer to"),
    FIELD(RATE, fleet, price, .help = "initial price of all"),
    FIELD(RATE, fleet, expected,
          .help = "expected price of all, with on-demand replacements for lost machines"),
    FIELD(RATE, fleet, on_demand,
          .help = "price of as many GPUs on demand, in complete machines; null: none passes"),
    FIELD_AS("savings", NUMBER, fleet, saving,
             .help = "expected savings as a share of on-demand"),
    FIELD(SHARE, fleet, risk, .help = "risk of losing more than lost_share"),
    FIELD(SHARE, fleet, lost_share, .help = "share of the GPUs that is the bad case"),
    FIELD(SHARE, fleet, lost, .help = "mean share of the requested GPUs that is lost"),
    FIELD(FLAG, fleet, exact, .help = "optimality is proven: no other choice is cheaper"),
};

const struct field_set fleet_fields = FIELD_SET(struct fleet, fields);

struct offer_search {
    const struct fleet_ask *ask;
    const struct messages *messages;
    struct arena *arena;
    const struct spot_offer *offers[FLEET_POOLS_MAX];
    struct fleet_pool pools[FLEET_POOLS_MAX];
    size_t count;                         /* the last may be on-demand */
    const struct spot_offer *on_demand;   /* the cheapest that passes; NULL: none does */
    const struct spot_offer *replacement; /* the cheapest, whatever max_price is */
};

static bool is_sound_offer(const struct spot_offer *o)
{
    return !o->doubtful && o->count == floor(o->count) && o->count >= 1 &&
           o->count <= FLEET_UNITS_MAX;
}

static bool cheap_enough(usd_per_hour price, usd_per_hour max_price)
{
    return max_price.nano == MONEY_UNKNOWN || price.nano <= max_price.nano;
}

bool fleet_passes_spot(const struct spot_offer *o, usd_per_hour max_price)
{
    return is_sound_offer(o) && cheap_enough(o->price, max_price);
}

bool fleet_passes_on_demand(const struct spot_offer *o, usd_per_hour max_price)
{
    return is_sound_offer(o) && o->on_demand.nano > 0 && cheap_enough(o->on_demand, max_price);
}

/* A number for each (provider, GPU) and each region of them: what fails together. */
static void number_groups(struct offer_search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct spot_offer *a = s->offers[i];

        s->pools[i].family = s->pools[i].group = i;
        for (size_t k = i; k-- > 0;) {
            const struct spot_offer *b = s->offers[k];

            if (!str_eq(a->provider, b->provider) || !str_eq(a->accelerator, b->accelerator))
                continue;
            s->pools[i].family = s->pools[k].family;
            if (str_eq(a->region, b->region))
                s->pools[i].group = s->pools[k].group;
        }
    }
}

/* Machines that are available of an offer: what is published or set, one of a marketplace's
 * host; else any number (0), since a fleet is spread over offers anyway. */
static int64_t available(const struct fleet_ask *ask, const struct spot_offer *o)
{
    struct joining j;

    if (ask->catalog == NULL)
        return 0;
    j = machine_joining(ask->catalog,
                        &(struct machine){.provider = o->provider,
                                          .region = o->region,
                                          .instance = o->instance,
                                          .count = (int64_t)o->count},
                        ask->supply);
    return !j.assumed || j.supply == 1 ? j.supply : 0;
}

/* Are there enough of its machines for so many GPUs? */
static bool suffices(const struct fleet_ask *ask, const struct spot_offer *o, int64_t gpus)
{
    int64_t most = available(ask, o);

    return most == 0 || ceil((double)gpus / o->count) <= (double)most;
}

/* USD an hour of so many GPUs on demand, in complete machines. */
static double on_demand_usd(const struct spot_offer *o, int64_t gpus)
{
    return usd_per_hour_double(o->on_demand) * ceil((double)gpus / o->count);
}

/* The cheapest on demand: of those that pass; and of all, to replace what is lost. */
static void find_on_demand(struct offer_search *s, struct rows market)
{
    const struct spot_offer *rows = market.at;
    int64_t gpus = s->ask->wish.capacity;

    for (size_t i = 0; i < market.len; i++) {
        const struct spot_offer *o = &rows[i];

        if (!is_sound_offer(o) || o->on_demand.nano <= 0 || !suffices(s->ask, o, gpus))
            continue;
        if (s->replacement == NULL ||
            on_demand_usd(o, gpus) < on_demand_usd(s->replacement, gpus))
            s->replacement = o;
        if (fleet_passes_on_demand(o, s->ask->max_price) &&
            (s->on_demand == NULL ||
             on_demand_usd(o, gpus) < on_demand_usd(s->on_demand, gpus)))
            s->on_demand = o;
    }
}

/* USD an hour that its spot price counts for: with its premium. */
static double ranked_usd(const struct spot_offer *o)
{
    return usd_per_hour_double(o->price) * (1 + o->premium);
}

/* USD an hour of a GPU, with its replacement when it is lost. */
static double expected_unit(const struct offer_search *s, const struct spot_offer *o)
{
    double half = o->risk / 2, price = ranked_usd(o) / o->count;

    if (s->replacement == NULL)
        return price;
    return price * (1 - half) +
           usd_per_hour_double(s->replacement->on_demand) / s->replacement->count * half;
}

/* Those of a known risk that are expected to cost least, as many as can be searched well. */
static void select_offers(struct offer_search *s, struct rows market, size_t *unknown)
{
    const struct spot_offer *rows = market.at;

    for (size_t i = 0; i < market.len; i++) {
        const struct spot_offer *o = &rows[i];
        size_t at = s->count;

        if (!fleet_passes_spot(o, s->ask->max_price))
            continue;
        if (isnan(o->risk)) {
            (*unknown)++;
            continue;
        }
        for (; at > 0 && expected_unit(s, s->offers[at - 1]) > expected_unit(s, o); at--)
            s->offers[at] = s->offers[at - 1];
        s->offers[at] = o;
        if (s->count < POOLS)
            s->count++;
    }
    for (size_t i = 0; i < s->count; i++)
        s->pools[i] = (struct fleet_pool){.price = ranked_usd(s->offers[i]),
                                          .risk = s->offers[i]->risk,
                                          .units = (int64_t)s->offers[i]->count,
                                          .most = available(s->ask, s->offers[i])};
    number_groups(s);
}

static bool add_on_demand(struct offer_search *s)
{
    const struct spot_offer *o = s->on_demand;

    if (o == NULL || s->ask->no_on_demand)
        return false;
    s->offers[s->count] = o;
    s->pools[s->count] = (struct fleet_pool){.price = usd_per_hour_double(o->on_demand),
                                             .units = (int64_t)o->count,
                                             .family = s->count,
                                             .group = s->count};
    s->count++;
    return true;
}

static bool list_pools(struct offer_search *s, const struct fleet_choice *c, bool base,
                       struct fleet *res, struct error *err)
{
    struct fleet_row *rows = arena_array(s->arena, struct fleet_row, s->count, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct spot_offer *o = s->offers[i];
        bool on_demand = base && i + 1 == s->count;
        usd_per_hour price = on_demand ? o->on_demand : o->price;

        if (c->count[i] == 0)
            continue;
        rows[count++] = (struct fleet_row){
            .offer = o->offer,
            .market = on_demand ? MARKET_ON_DEMAND : MARKET_SPOT,
            .accelerator = o->accelerator,
            .machines = c->count[i],
            .gpus = o->count,
            .price = price,
            .per_gpu = usd_per_hour_share(price, (int64_t)o->count),
            .sum = usd_per_hour_times(price, c->count[i]),
            .risk = s->pools[i].risk,
            .history_days = on_demand ? NAN : o->history_days,
            .span_days = on_demand ? NAN : o->span_days,
        };
    }
    res->pools = (struct rows){rows, count};
    res->gpus = c->units;
    res->price.nano = usd_from(c->price).nano;
    res->expected.nano = usd_about(c->expected).nano;
    res->risk = c->risk;
    res->lost = c->lost;
    res->exact = c->exact;
    return true;
}

static bool choose_offers(struct offer_search *s, struct rows market, struct fleet *res,
                          struct error *err)
{
    struct arena scratch = {.alloc = s->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct fleet_wish wish = s->ask->wish;
    struct fleet_choice choice;
    size_t unknown = 0;
    bool base, ok;

    wish.replace = NAN;
    find_on_demand(s, market);
    select_offers(s, market, &unknown);
    if (unknown > 0)
        message_note(s->messages,
                     "%zu left out, their risk is unknown: 'stint price spot "
                     "--for 24h' explains why",
                     unknown);
    res->candidates = (int64_t)s->count;
    if (s->replacement != NULL) {
        wish.replace = usd_per_hour_double(s->replacement->on_demand);
        wish.replace_units = (int64_t)s->replacement->count;
    }
    base = add_on_demand(s);
    if (s->count == 0) {
        error_set(err, ERROR_UNFIT, "no machine of a known risk passes the filters");
        error_hint(err, "leave out a filter, or raise --max-price");
        return false;
    }
    ok = fleet_choose(s->pools, s->count, &wish, &scratch, &choice, err);
    /* Chosen by what prices count for, paid at what they are. */
    for (size_t i = 0; i < s->count - base; i++)
        s->pools[i].price = usd_per_hour_double(s->offers[i]->price);
    ok = ok && fleet_measure(s->pools, s->count, &wish, &scratch, &choice, err) &&
         list_pools(s, &choice, base, res, err);
    arena_free(&scratch);
    if (!ok && err->kind == ERROR_UNFIT && !base)
        error_hint(err, "raise --max-risk, add providers or regions, or let on-demand in");
    if (!ok)
        return false;
    if (s->on_demand != NULL) {
        double on_demand = on_demand_usd(s->on_demand, s->ask->wish.capacity);

        res->on_demand.nano = usd_from(on_demand).nano;
        res->saving = 1 - choice.expected / on_demand;
    }
    if (!choice.exact)
        message_note(s->messages,
                     "there are too many ways to try all: a cheaper one may exist");
    return true;
}

bool fleet_offers(const struct fleet_ask *ask, struct rows offers,
                  const struct messages *messages, struct arena *arena, struct fleet *out,
                  struct error *err)
{
    struct offer_search s = {.ask = ask, .messages = messages, .arena = arena};

    return choose_offers(&s, offers, out, err);
}
