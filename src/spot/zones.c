#include "spot/zones.h"

#include <math.h>
#include <string.h>

/* As sure of the way out beforehand, that it is on-demand, as after so many hours. */
#define SURE_OUT_HOURS 1.0

/* How old one elsewhere is, beforehand; as sure of it as after one. */
#define SURE_OTHER_HOURS 1.0

bool zones_init(struct zones *zones, size_t count, double gap_hours, struct arena *arena,
                struct error *err)
{
    *zones = (struct zones){.count = count, .gap = gap_hours};
    zones->each = arena_array(arena, struct learner, count, err);
    if (zones->each == NULL)
        return false;
    for (size_t z = 0; z < count; z++)
        learner_start(&zones->each[z], &lifetimes_typical, gap_hours);
    if (count == 1)
        return true; /* nothing to take together */
    zones->seen = arena_array(arena, uint64_t, ZONES_KEPT, err);
    return zones->seen != NULL;
}

void zones_see(struct zones *zones, const bool *up)
{
    uint64_t bits = 0;

    for (size_t z = 0; z < zones->count; z++) {
        learner_see(&zones->each[z], up[z]);
        bits |= (uint64_t)up[z] << z;
    }
    if (zones->seen == NULL)
        return;
    if (zones->seen_len == ZONES_KEPT) {
        zones->seen_len /= 2;
        memmove(zones->seen, zones->seen + zones->seen_len,
                zones->seen_len * sizeof *zones->seen);
    }
    zones->seen[zones->seen_len++] = bits;
}

/* The least price of the zones that are up and among `of`. */
static double least_zone_price(uint64_t up, uint64_t of, const double *price)
{
    double least = INFINITY;

    for (uint64_t left = up & of; left != 0; left &= left - 1)
        least = fmin(least, price[__builtin_ctzll(left)]);
    return least;
}

/* Each zone's age in ticks, and of those that are up the oldest. */
static double oldest_age(size_t count, uint64_t up, double *age)
{
    double oldest = 0;

    for (size_t z = 0; z < count; z++) {
        age[z] = up >> z & 1 ? age[z] + 1 : 0;
        oldest = fmax(oldest, age[z]);
    }
    return oldest;
}

/* Go through what was seen once more, with these members. */
static void recall(const struct zones *zones, const double *price, double on_demand,
                   struct group *group)
{
    double spot = 0, up_ticks = 0, out = on_demand * SURE_OUT_HOURS / zones->gap;
    double out_ticks = SURE_OUT_HOURS / zones->gap, lost = 2, found = 1;
    double age[SIM_ZONES_MAX] = {0}, ages = SURE_OTHER_HOURS / zones->gap;
    uint64_t before = 0;

    for (size_t i = 0; i < zones->seen_len; i++) {
        uint64_t up = zones->seen[i], in = up & group->members;
        int gone = __builtin_popcountll(before & ~in);
        double oldest = oldest_age(zones->count, in, age);

        learner_see(&group->any, in != 0);
        lost += gone;
        found += in != 0 ? gone : 0;
        ages += gone * oldest;
        if (in != 0) {
            double least = least_zone_price(in, in, price);

            spot += isfinite(least) ? least : on_demand;
            up_ticks++;
        } else {
            out += fmin(least_zone_price(up, ~group->members, price), on_demand);
            out_ticks++;
        }
        before = in;
    }
    group->other_age = ages / found * zones->gap;
    group->way_out = out / out_ticks;
    /* A lone one has no other; of several it is even odds beforehand. */
    group->other = group->members & (group->members - 1) ? found / lost : 0;
    if (up_ticks > 0)
        group->spot = spot / up_ticks;
}

/* Put what was seen of others to what was seen of these. */
static void spells_add(struct spells *to, const struct spells *from)
{
    for (size_t i = 0; i < AGE_BINS; i++) {
        to->watched[i] += from->watched[i];
        to->ended[i] += from->ended[i];
    }
    to->expected += from->expected;
    to->happened += from->happened;
}

void zones_group(const struct zones *zones, uint64_t members, const double *price,
                 double on_demand, struct group *out)
{
    double least = least_zone_price(members, members, price);

    *out = (struct group){
        .members = members, .spot = isfinite(least) ? least : on_demand, .way_out = on_demand};
    learner_start(&out->any, &lifetimes_typical, zones->gap);
    out->up = out->any.up;
    for (size_t z = 0; z < zones->count; z++) {
        if (!(members >> z & 1))
            continue;
        spells_add(&out->up, &zones->each[z].up);
        out->highest = fmax(out->highest, price[z]);
    }
    if (zones->count > 1)
        recall(zones, price, on_demand, out);
    else
        out->any = zones->each[0];
}

uint64_t zones_all(const struct zones *zones)
{
    return zones->count < 64 ? ((uint64_t)1 << zones->count) - 1 : UINT64_MAX;
}

size_t zones_levels(const struct zones *zones, const double *price, size_t most, uint64_t *out)
{
    uint64_t all = zones_all(zones), members = 0, levels[SIM_ZONES_MAX];
    size_t n = 0, kept = 0;

    for (;;) {
        double least = least_zone_price(all & ~members, UINT64_MAX, price);

        if (!isfinite(least))
            break;
        for (size_t z = 0; z < zones->count; z++) {
            if (price[z] <= least)
                members |= (uint64_t)1 << z;
        }
        levels[n++] = members;
    }
    if (n == 0 || levels[n - 1] != all)
        levels[n > 0 ? n - 1 : n++] = all;
    /* Evenly among them when they are many. */
    for (size_t i = 0; i < n; i++) {
        if (n <= most || i * most / n != (i + 1) * most / n)
            out[kept++] = levels[i];
    }
    return kept;
}
