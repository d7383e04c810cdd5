#include "spot/fleet_risk.h"

#include <math.h>

#include "base/num.h"

/* Insertion by family, then group; few pools. */
static void put_in_order(struct fleet_risk *r, const struct fleet_pool *pools)
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

bool fleet_risk_new(const struct fleet_pool *pools, size_t count, int64_t most,
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
    put_in_order(out, pools);
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

static void nothing(struct lost *l)
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
static void shock(struct lost *l, double chance)
{
    for (int64_t i = 0; i <= l->sum; i++)
        l->at[i] *= 1 - chance;
    l->at[l->sum] += chance;
}

/* Both, which fail apart. From the top down, so that `to` can be changed in place. */
static void join(struct lost *to, const struct lost *more)
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

    nothing(&all);
    nothing(&family);
    nothing(&group);
    for (size_t k = 0; k < r->count; k++) {
        size_t i = r->order[k], next = k + 1 < r->count ? r->order[k + 1] : SIZE_MAX;
        bool last = next == SIZE_MAX || r->family[next] != r->family[i];

        if (machines[i] > 0)
            add_pool(&group, machines[i] * r->units[i], r->own[i]);
        if (last || r->group[next] != r->group[i]) {
            shock(&group, r->group_shock[i]);
            join(&family, &group);
            nothing(&group);
        }
        if (last) {
            shock(&family, r->family_shock[i]);
            join(&all, &family);
            nothing(&family);
        }
    }
    return all;
}

double fleet_risk_above(struct fleet_risk *r, const int64_t machines[static FLEET_POOLS_MAX],
                        double limit)
{
    struct lost all = all_lost(r, machines);
    double above = 0;

    for (int64_t i = all.sum; i >= 0 && (double)(i * r->part) > limit + 1e-9; i--)
        above += all.at[i];
    return fmin(above, 1);
}

double fleet_risk_mean(struct fleet_risk *r, const int64_t machines[static FLEET_POOLS_MAX],
                       double most)
{
    struct lost all = all_lost(r, machines);
    double mean = 0;

    for (int64_t i = 1; i <= all.sum; i++)
        mean += all.at[i] * fmin((double)(i * r->part), most);
    return mean;
}
