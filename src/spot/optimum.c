/* The bound on what is still to be paid: the same paths with a price on waste instead of a
 * limit, found backwards, at the price that makes the bound the highest. */
#include "spot/optimum.h"

#include <math.h>
#include <stdbool.h>

#include "base/stop.h"
#include "spot/optimum_internal.h"
#include "spot/past.h"
#include "spot/work.h"

/* One way to get somewhere. */
struct pair {
    double waste, usd;
    uint32_t from; /* in the past, when a plan is wanted */
};

/* In rising order of waste and falling order of cost. */
struct list {
    const struct pair *at;
    size_t len;
};

/* A list, and what is to be added to each of its pairs. */
struct source {
    struct list list;
    double waste, usd;
};

#define SAME_USD 1e-10 /* what sums in another order may differ by */

/* One list alone: all its pairs belong, but for sums that have become the same. */
static size_t add_pair_rest(const struct source *from, size_t at, struct pair *out, size_t len)
{
    double least = len > 0 ? out[len - 1].usd : INFINITY;

    for (; at < from->list.len; at++) {
        struct pair p = from->list.at[at];

        p.waste += from->waste;
        p.usd += from->usd;
        if (p.usd < least - SAME_USD) {
            out[len++] = p;
            least = p.usd;
        }
    }
    return len;
}

/* The pairs of both of which none is worse in both. `out` has room for all and is neither of
 * them. Returns how many there are. */
static size_t pairs_merge(const struct source *a, const struct source *b, struct pair *out)
{
    const struct pair *of_a = a->list.at, *of_b = b->list.at;
    size_t i = 0, j = 0, len = 0;
    double least = INFINITY;

    while (i < a->list.len && j < b->list.len) {
        double first = of_a[i].waste + a->waste, second = of_b[j].waste + b->waste;
        bool takes_a = first <= second;
        double usd = takes_a ? of_a[i].usd + a->usd : of_b[j].usd + b->usd;

        /* Most pairs of two lists are worse than one of the other: those are only read. */
        if (usd < least - SAME_USD) {
            out[len++] = (struct pair){takes_a ? first : second, usd,
                                       takes_a ? of_a[i].from : of_b[j].from};
            least = usd;
        }
        i += takes_a;
        j += !takes_a;
    }
    return i < a->list.len ? add_pair_rest(a, i, out, len) : add_pair_rest(b, j, out, len);
}

/* Keep one pair in each of `ranges` equal ranges of waste: the one of the least cost when waste
 * has this price. Returns how many are left. */
static size_t pairs_thin(struct pair *at, size_t len, size_t ranges, double price)
{
    size_t kept = 0, range = SIZE_MAX;
    double first, width;

    if (len <= ranges)
        return len;
    first = at[0].waste;
    width = (at[len - 1].waste - first) / (double)ranges;
    for (size_t i = 0; i < len; i++) {
        size_t in = (size_t)((at[i].waste - first) / width);

        if (in == range &&
            at[i].usd + price * at[i].waste >= at[kept - 1].usd + price * at[kept - 1].waste)
            continue;
        kept += in != range;
        at[kept - 1] = at[i];
        range = in;
    }
    return kept;
}

/* ---- all of it ---- */

#define STEPS_MAX 100

/* What a path costs, and what it wastes. */
struct path {
    double sum; /* usd + price x waste: what is least */
    double usd, waste;
};

static struct path better_path(struct path a, struct path b)
{
    return b.sum < a.sum ? b : a;
}

static struct path then(struct path rest, double price, double usd, double waste)
{
    return (struct path){rest.sum + usd + price * waste, rest.usd + usd, rest.waste + waste};
}

/* The best ways on from each state before this tick, given those after it. `start` is room for
 * one path a region. */
static void step_path_back(const struct net *net, double price, size_t tick,
                           const struct path *after, struct path *before, struct path *start)
{
    const double *spot = net->spot + tick * net->market->zone_count;
    double gap = net->market->gap;
    struct path wait;

    for (size_t r = 0; r < net->regions; r++)
        start[r] = then(after[on_demand_in(r)], price, net->on_demand[r], 0);
    for (size_t z = 0; z < net->market->zone_count; z++)
        start[net->region[z]] =
            better_path(start[net->region[z]], then(after[spot_in(net, z)], price, spot[z], 0));
    wait = then(after[NOWHERE], price, 0, gap);
    for (size_t r = 0; r < net->regions; r++)
        wait = better_path(wait, then(start[r], price, 0, net->job->delay));
    before[NOWHERE] = wait;
    for (size_t r = 0; r < net->regions; r++) {
        wait = then(after[waits_in(r)], price, 0, gap);
        for (size_t to = 0; to < net->regions; to++)
            wait = better_path(wait, then(start[to], price, net->egress[r * net->regions + to],
                                          net->wait[r * net->regions + to]));
        before[waits_in(r)] = wait;
        before[on_demand_in(r)] =
            better_path(wait, then(after[on_demand_in(r)], price, net->on_demand[r], 0));
    }
    for (size_t z = 0; z < net->market->zone_count; z++)
        before[spot_in(net, z)] = better_path(before[waits_in(net->region[z])],
                                              then(after[spot_in(net, z)], price, spot[z], 0));
}

struct rows {
    struct path *row[2], *start;
};

/* The best path at this price on waste, and with `rest` the sums of all ways on. */
static struct path path_at(const struct net *net, const struct rows *rows, double price,
                           double *rest)
{
    size_t which = net->ticks % 2;

    for (size_t s = 0; s < net->states; s++)
        rows->row[which][s] = (struct path){0};
    for (size_t tick = net->ticks; tick-- > 0 && !stop_asked();) {
        step_path_back(net, price, tick, rows->row[which], rows->row[!which], rows->start);
        which = !which;
        for (size_t s = 0; rest != NULL && s < net->states; s++)
            rest[tick * net->states + s] = rows->row[which][s].sum;
    }
    return rows->row[which][NOWHERE];
}

/* A price so high that the limit is kept: all that could be paid, for the least time that
 * could be saved. */
static double high_price(const struct net *net)
{
    double most = 0;

    for (size_t r = 0; r < net->regions; r++)
        most = fmax(most, net->on_demand[r]);
    return fmax(most, 1e-6) / net->market->gap;
}

static bool bound_find(const struct net *net, struct arena *arena, struct bound *out,
                       struct error *err)
{
    struct rows rows = {.row = {arena_array(arena, struct path, net->states, err),
                                arena_array(arena, struct path, net->states, err)},
                        .start = arena_array(arena, struct path, net->regions, err)};
    struct path over, within;
    double price = 0;

    out->rest = arena_array(arena, double, (net->ticks + 1) * net->states, err);
    if (rows.row[0] == NULL || rows.row[1] == NULL || rows.start == NULL || out->rest == NULL)
        return false;
    over = within = path_at(net, &rows, 0, NULL);
    for (int i = 0; i < STEPS_MAX && within.waste > net->slack; i++) {
        price = price > 0 ? price * 2 : high_price(net);
        within = path_at(net, &rows, price, NULL);
    }
    out->at_most = within.waste > net->slack ? INFINITY : within.usd;
    /* Between a path that wastes too much and one that does not: the price at which both are
     * as good. When no path is better there, it is the one. */
    for (int i = 0; i < STEPS_MAX && over.waste > net->slack; i++) {
        struct path found;

        price = (within.usd - over.usd) / (over.waste - within.waste);
        found = path_at(net, &rows, price, NULL);
        if (found.waste <= net->slack)
            out->at_most = fmin(out->at_most, found.usd);
        if (found.sum >= within.usd + price * within.waste - 1e-9)
            break;
        *(found.waste > net->slack ? &over : &within) = found;
    }
    out->price = price;
    (void)path_at(net, &rows, price, out->rest);
    return true;
}

/* The market as the search for the optimum sees it: in dollars a tick and seconds wasted. */

#define CELLS_MAX ((size_t)1 << 25)

static bool allocate(struct net *net, struct arena *arena, struct error *err)
{
    size_t zones = net->market->zone_count, squared = zones * zones;

    net->region = arena_array(arena, size_t, zones, err);
    net->zone = arena_array(arena, size_t, zones, err);
    net->on_demand = arena_array(arena, double, zones, err);
    net->egress = arena_array(arena, double, squared, err);
    net->wait = arena_array(arena, double, squared, err);
    net->spot = arena_array(arena, double, net->ticks *zones, err);
    return net->region != NULL && net->zone != NULL && net->on_demand != NULL &&
           net->egress != NULL && net->wait != NULL && net->spot != NULL;
}

/* Regions that have zones, and the cheapest on-demand of each. */
static void number_net_regions(struct net *net)
{
    const struct sim_zone *zones = net->market->zones;

    for (size_t z = 0; z < net->market->zone_count; z++) {
        double usd = zones[z].on_demand * net->job->gang * net->market->gap / 3600;
        size_t r = 0;

        while (r < net->regions && zones[net->zone[r]].region != zones[z].region)
            r++;
        net->region[z] = r;
        if (r < net->regions && usd >= net->on_demand[r])
            continue;
        net->regions = r < net->regions ? net->regions : r + 1;
        net->zone[r] = z;
        net->on_demand[r] = usd;
    }
}

static void fill_moves(struct net *net)
{
    const struct sim_market *market = net->market;

    for (size_t from = 0; from < net->regions; from++)
        for (size_t to = 0; to < net->regions; to++) {
            size_t there = market->zones[net->zone[from]].region * market->regions +
                           market->zones[net->zone[to]].region;
            size_t here = from * net->regions + to;

            net->egress[here] = market->egress != NULL ? market->egress[there] : 0;
            net->wait[here] =
                net->job->delay + (market->carry != NULL ? market->carry[there] : 0);
        }
}

bool net_make(const struct sim_market *market, const struct sim_job *job, struct arena *arena,
              struct net *out, struct error *err)
{
    size_t zones = market->zone_count;

    *out = (struct net){
        .market = market, .job = job, .ticks = sim_deadline_ticks(job, market->gap)};
    if (out->ticks + 1 > CELLS_MAX / (PLACES + 3 * zones)) {
        error_set(err, ERROR_INPUT, "%zu ticks in %zu zones are too many for the optimum",
                  out->ticks, zones);
        error_hint(err, "give fewer zones, or a trace of longer ticks");
        return false;
    }
    /* As in the guard, only half of the simulator's tolerance, so that the plan holds there. */
    out->slack = (double)out->ticks * market->gap - job->work + WORK_TOLERANCE / 2;
    if (!allocate(out, arena, err))
        return false;
    number_net_regions(out);
    out->states = PLACES + 2 * out->regions + zones;
    fill_moves(out);
    for (size_t tick = 0; tick < out->ticks; tick++)
        for (size_t z = 0; z < zones; z++) {
            double usd = sim_spot_usd(market, job, z, tick);

            out->spot[tick * zones + z] = isnan(usd) ? INFINITY : usd;
        }
    return true;
}

struct sim_choice net_choice(const struct net *net, size_t state)
{
    if (state >= spot_in(net, 0))
        return (struct sim_choice){SIM_SPOT, state - spot_in(net, 0)};
    if (state != NOWHERE && (state - PLACES) % 2 == 1)
        return (struct sim_choice){SIM_ON_DEMAND, net->zone[(state - PLACES) / 2]};
    return (struct sim_choice){SIM_IDLE, 0};
}

#define SURELY_USD 1e-7             /* what long sums in another order may differ by */
#define PAIRS_MAX ((size_t)1 << 16) /* in a pool: of some 3 MB, and there are six */
#define SPENT_MAX ((size_t)1 << 31)
#define SOURCES_MAX (SIM_ZONES_MAX + 2)
#define BEAM 64 /* pairs of a list that the first look keeps */

struct pool {
    struct pair *at;
    size_t len, room;
};

struct search {
    struct net net;
    struct bound bound;
    struct arena *arena;
    struct pool now, next, leaving, entering, merge[2];
    struct list *lists, *later; /* [states] in `now` and in `next` */
    struct list *leave, *enter; /* [regions + 1] what may go on elsewhere; the last: NOWHERE */
    double at_most;             /* no plan that costs more is looked for */
    double found;               /* the cheapest complete plan so far */
    double refund;              /* the most that comes back for a last tick that is not used */
    size_t spent;               /* pairs looked at */
    size_t most;                /* that may be: then complete tables take no longer */
    bool gave_up;
    bool thin;  /* a first look, which keeps some pairs of each list only */
    bool keeps; /* the past, for a plan */
    struct past past;
    uint32_t last;
    size_t last_tick; /* where in the past the cheapest plan ends */
};

static bool refuse_large_search(struct search *search, struct error *err)
{
    search->gave_up = true;
    error_set(err, ERROR_FAILED, "the optimum over %zu ticks in %zu zones takes too long",
              search->net.ticks, search->net.market->zone_count);
    error_hint(err, "give fewer zones, or a trace of longer ticks");
    return false;
}

/* Room in a pool that holds nothing. */
static bool reserve_pool(struct search *search, struct pool *pool, size_t room,
                         struct error *err)
{
    pool->len = 0;
    if (room <= pool->room)
        return true;
    if (room > PAIRS_MAX)
        return refuse_large_search(search, err);
    pool->room = 2 * room + 64;
    pool->at = arena_array(search->arena, struct pair, pool->room, err);
    return pool->at != NULL;
}

/* All sources, two or more, as one list, at the end of a pool that has room for it. */
static bool gather_plans(struct search *search, const struct source *sources, size_t count,
                         struct pool *to, struct list *out, struct error *err)
{
    struct source so_far = sources[0];
    size_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += sources[i].list.len;
    search->spent += total;
    if (search->spent > search->most)
        return refuse_large_search(search, err);
    if (count > 2 && (!reserve_pool(search, &search->merge[0], total, err) ||
                      !reserve_pool(search, &search->merge[1], total, err)))
        return false;
    for (size_t i = 1; i < count; i++) {
        /* The last step writes where it belongs. */
        struct pair *room = i + 1 < count ? search->merge[i % 2].at : to->at + to->len;
        size_t len = pairs_merge(&so_far, &sources[i], room);

        so_far = (struct source){.list = {room, len}};
    }
    to->len += so_far.list.len;
    *out = so_far.list;
    return true;
}

/* What may be left in each region: waiting, on-demand, and every spot machine, also one that
 * was lost just now. */
static bool leave_all(struct search *search, struct error *err)
{
    const struct net *net = &search->net;
    struct source sources[SOURCES_MAX];

    if (!reserve_pool(search, &search->leaving, search->now.len, err))
        return false;
    for (size_t r = 0; r < net->regions; r++) {
        size_t n = 0;

        sources[n++] = (struct source){.list = search->lists[waits_in(r)]};
        sources[n++] = (struct source){.list = search->lists[on_demand_in(r)]};
        for (size_t z = 0; z < net->market->zone_count; z++)
            if (net->region[z] == r)
                sources[n++] = (struct source){.list = search->lists[spot_in(net, z)]};
        if (!gather_plans(search, sources, n, &search->leaving, &search->leave[r], err))
            return false;
    }
    search->leave[net->regions] = search->lists[NOWHERE];
    return true;
}

/* What may start in each region, from wherever it was. */
static bool enter_all(struct search *search, struct error *err)
{
    const struct net *net = &search->net;
    struct source sources[SOURCES_MAX];

    if (!reserve_pool(search, &search->entering, net->regions * search->now.len, err))
        return false;
    for (size_t to = 0; to < net->regions; to++) {
        for (size_t r = 0; r < net->regions; r++)
            sources[r] = (struct source){.list = search->leave[r],
                                         .waste = net->wait[r * net->regions + to],
                                         .usd = net->egress[r * net->regions + to]};
        sources[net->regions] =
            (struct source){.list = search->leave[net->regions], .waste = net->job->delay};
        if (!gather_plans(search, sources, net->regions + 1, &search->entering,
                          &search->enter[to], err))
            return false;
    }
    return true;
}

/* Note in the past how a pair was reached. */
static bool remember_pair(struct search *search, struct pair *pair, size_t state,
                          struct error *err)
{
    if (!search->keeps ||
        past_add(&search->past, pair->from, (uint8_t)state, search->arena, &pair->from, err))
        return true;
    return err->kind == ERROR_MEMORY ? false : refuse_large_search(search, err);
}

/* Drop from a new list what is done, which is a plan, and what cannot become the cheapest.
 * `usd` is what this tick costs on a machine; below 0: it is waiting. */
static bool sift(struct search *search, size_t tick, size_t state, double usd,
                 struct error *err)
{
    const struct net *net = &search->net;
    struct pair *at = search->next.at + (search->later[state].at - search->next.at);
    double rest = search->bound.rest[(tick + 1) * net->states + state];
    double idle = (double)(net->ticks - tick - 1) * net->market->gap;
    size_t len = 0;

    for (size_t i = 0; i < search->later[state].len; i++) {
        struct pair p = at[i];
        double spare = net->slack - p.waste - idle;
        double least = p.usd + rest - search->bound.price * (net->slack - p.waste);

        if (p.waste > net->slack || least > search->at_most + search->refund + SURELY_USD)
            continue;
        if (spare >= 0 && usd >= 0) {
            double total = p.usd;

            if (net->job->by_second)
                total -= usd * fmin(fmax(spare - WORK_TOLERANCE / 2, 0) / net->market->gap, 1);
            if (total < search->found) {
                if (!remember_pair(search, &p, state, err))
                    return false;
                search->found = total;
                search->at_most = fmin(search->at_most, total);
                search->last = p.from;
                search->last_tick = tick;
            }
            continue;
        }
        if (!remember_pair(search, &p, state, err))
            return false;
        at[len++] = p;
    }
    if (search->thin)
        len = pairs_thin(at, len, BEAM, search->bound.price);
    search->later[state].len = len;
    search->next.len = (size_t)(at - search->next.at) + len;
    return true;
}

/* One state's list after the tick: going on, and coming from elsewhere. */
static bool reach_state(struct search *search, size_t tick, size_t state, struct list coming,
                        double usd, struct error *err)
{
    const struct source sources[] = {
        {.list = search->lists[state], .usd = usd},
        {.list = coming, .usd = usd},
    };

    search->later[state] = (struct list){0};
    if (isinf(usd))
        return true;
    return gather_plans(search, sources, 2, &search->next, &search->later[state], err) &&
           sift(search, tick, state, usd, err);
}

static bool wait_on_list(struct search *search, size_t tick, size_t state, struct list waiting,
                         struct error *err)
{
    const struct source sources[] = {{.list = waiting, .waste = search->net.market->gap},
                                     {.waste = 0}};

    return gather_plans(search, sources, 2, &search->next, &search->later[state], err) &&
           sift(search, tick, state, -1, err);
}

static bool search_step(struct search *search, size_t tick, struct error *err)
{
    const struct net *net = &search->net;
    const double *spot = net->spot + tick * net->market->zone_count;
    size_t room = 2 * search->now.len;

    if (!leave_all(search, err) || !enter_all(search, err))
        return false;
    for (size_t r = 0; r < net->regions; r++)
        room += search->enter[r].len;
    for (size_t z = 0; z < net->market->zone_count; z++)
        room += search->enter[net->region[z]].len;
    if (!reserve_pool(search, &search->next, room, err) ||
        !wait_on_list(search, tick, NOWHERE, search->lists[NOWHERE], err))
        return false;
    for (size_t r = 0; r < net->regions; r++)
        if (!wait_on_list(search, tick, waits_in(r), search->leave[r], err) ||
            !reach_state(search, tick, on_demand_in(r), search->enter[r], net->on_demand[r],
                         err))
            return false;
    for (size_t z = 0; z < net->market->zone_count; z++)
        if (!reach_state(search, tick, spot_in(net, z), search->enter[net->region[z]], spot[z],
                         err))
            return false;
    return true;
}

static bool search_begin(struct search *search, struct error *err)
{
    const struct net *net = &search->net;

    search->lists = arena_array(search->arena, struct list, net->states, err);
    search->later = arena_array(search->arena, struct list, net->states, err);
    search->leave = arena_array(search->arena, struct list, net->regions + 1, err);
    search->enter = arena_array(search->arena, struct list, net->regions, err);
    if (search->lists == NULL || search->later == NULL || search->leave == NULL ||
        search->enter == NULL || !bound_find(net, search->arena, &search->bound, err))
        return false;
    search->at_most = search->bound.at_most;
    search->found = INFINITY;
    if (net->job->by_second) {
        for (size_t r = 0; r < net->regions; r++)
            search->refund = fmax(search->refund, net->on_demand[r]);
        for (size_t i = 0; i < net->ticks * net->market->zone_count; i++)
            if (isfinite(net->spot[i]))
                search->refund = fmax(search->refund, net->spot[i]);
        /* What is not used of the last tick is waste that was not needed, and the bound has
         * its price in it already. */
        search->refund = fmax(search->refund - search->bound.price * net->market->gap, 0);
    }
    return true;
}

/* Forget how pairs were reached that were given up since. */
static bool forget_pairs(struct search *search, struct error *err)
{
    struct pool *now = &search->now;

    if (!past_is_long(&search->past))
        return true;
    if (!past_begin(&search->past, search->arena, err))
        return false;
    past_keep(&search->past, search->last);
    for (size_t i = 0; i < now->len; i++)
        past_keep(&search->past, now->at[i].from);
    past_drop(&search->past);
    search->last = past_moved(&search->past, search->last);
    for (size_t i = 0; i < now->len; i++)
        now->at[i].from = past_moved(&search->past, now->at[i].from);
    return true;
}

/* All ticks. */
static bool search_plan(struct search *search, bool thin, struct error *err)
{
    search->thin = thin;
    if (!reserve_pool(search, &search->now, 1, err))
        return false;
    for (size_t s = 0; s < search->net.states; s++)
        search->lists[s] = (struct list){0};
    search->now.at[search->now.len++] = (struct pair){0};
    search->lists[NOWHERE] = (struct list){search->now.at, 1};
    for (size_t tick = 0; tick < search->net.ticks; tick++) {
        struct pool pool = search->now;
        struct list *lists = search->lists;

        if (!stop_check(err))
            return false;
        if (!search_step(search, tick, err))
            return false;
        search->now = search->next;
        search->next = pool;
        search->lists = search->later;
        search->later = lists;
        if (!forget_pairs(search, err))
            return false;
    }
    return true;
}

static void write_plan(const struct search *search, struct sim_choice *plan)
{
    uint32_t at = search->last;

    if (isinf(search->found))
        return;
    for (size_t tick = search->last_tick + 1; tick-- > 0;) {
        plan[tick] = net_choice(&search->net, past_back(&search->past, &at));
    }
}

/* Lists have grown too long: by complete tables, where those are possible. */
static bool find_dense(struct search *search, struct sim_choice *plan, struct error *err)
{
    const struct net *net = &search->net;
    uint8_t *states = NULL;
    size_t last;

    if (plan != NULL) {
        if (!dense_plan_fits(net))
            return false;
        states = arena_array(search->arena, uint8_t, net->ticks, err);
        if (states == NULL)
            return false;
    }
    if (!dense_find(net, search->arena, states, &last, &search->found, err))
        return false;
    for (size_t tick = 0; plan != NULL && isfinite(search->found) && tick <= last; tick++)
        plan[tick] = net_choice(net, states[tick]);
    return true;
}

/* Can any plan make it? */
static bool check_slack(const struct net *net, struct error *err)
{
    if (net->slack >= net->job->delay || net->job->work <= WORK_TOLERANCE)
        return true;
    return error_fail(err, ERROR_UNFIT,
                      "no plan makes the deadline: it takes %zu ticks of "
                      "%d s, and there are %zu",
                      sim_least_ticks(net->job, net->market->gap), net->market->gap,
                      net->ticks);
}

bool optimum_bound(const struct sim_market *market, const struct sim_job *job,
                   struct arena *arena, double *usd, double *above, struct error *err)
{
    struct search search = {.arena = arena, .most = SPENT_MAX};
    struct error ignored = {0};

    *usd = *above = 0;
    if (!sim_check(market, job, err) || !net_make(market, job, arena, &search.net, err) ||
        !check_slack(&search.net, err))
        return false;
    if (job->work <= WORK_TOLERANCE)
        return true;
    if (!search_begin(&search, err))
        return false;
    *usd = search.bound.rest[NOWHERE] - search.bound.price * search.net.slack - search.refund;
    *usd = fmax(*usd, 0);
    /* A look at few plans of each kind finds one that is nearly the best. */
    if (!search_plan(&search, true, &ignored) && ignored.kind != ERROR_FAILED) {
        *err = ignored;
        return false;
    }
    *above = fmax(fmin(search.at_most, search.found) - *usd, 0);
    return true;
}

bool optimum_find(const struct sim_market *market, const struct sim_job *job,
                  struct arena *arena, struct sim_choice *plan, double *usd, struct error *err)
{
    struct search search = {.arena = arena, .keeps = plan != NULL, .most = SPENT_MAX};
    double cells;

    if (!sim_check(market, job, err) || !net_make(market, job, arena, &search.net, err))
        return false;
    *usd = 0;
    if (!check_slack(&search.net, err))
        return false;
    cells = dense_cells(&search.net);
    if (isfinite(cells))
        search.most = (size_t)fmax(cells / 4, 1e6);
    for (size_t tick = 0; plan != NULL && tick < market->ticks; tick++)
        plan[tick] = (struct sim_choice){SIM_IDLE, 0};
    if (job->work <= WORK_TOLERANCE)
        return true;
    if (!search_begin(&search, err))
        return false;
    if (search_plan(&search, true, err) && search_plan(&search, false, err)) {
        if (plan != NULL)
            write_plan(&search, plan);
    } else if (!search.gave_up || isinf(cells) || !find_dense(&search, plan, err)) {
        return false;
    }
    if (isfinite(search.found))
        *usd = search.found;
    return true;
}
