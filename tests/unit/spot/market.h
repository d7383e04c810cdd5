/* market.h - random little markets for tests, the same in every run. */
#ifndef TESTS_SPOT_MARKET_H
#define TESTS_SPOT_MARKET_H

#include <math.h>
#include <string.h>

#include "spot/policy.h"

enum { SMALL_TICKS = 160, SMALL_ZONES = 4 };

struct small {
    uint8_t nodes[SMALL_ZONES][SMALL_TICKS];
    double price[SMALL_ZONES][SMALL_TICKS];
    struct sim_zone zones[SMALL_ZONES];
    double egress[SMALL_ZONES * SMALL_ZONES], carry[SMALL_ZONES * SMALL_ZONES];
    struct sim_market market;
    struct sim_job job;
};

static uint64_t small_state;

/* 0 to n - 1. */
static unsigned small_roll(unsigned n)
{
    small_state = small_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(small_state >> 33) % n;
}

/* How a zone's availability changes: at random, or adversarially. */
static void small_trace(uint8_t *nodes, size_t ticks)
{
    unsigned kind = small_roll(6), turn = 1 + small_roll(9);
    bool up = small_roll(2) == 0;

    for (size_t i = 0; i < ticks; i++) {
        switch (kind) {
        case 0: /* each tick another */
            up = !up;
            break;
        case 1: /* never */
            up = false;
            break;
        case 2: /* taken away after so many ticks */
            up = i % (turn + 1) < turn;
            break;
        case 3: /* now and then for one tick */
            up = small_roll(10) == 0;
            break;
        default:
            up = small_roll(turn) == 0 ? !up : up;
        }
        nodes[i] = up ? 2 : (uint8_t)small_roll(2);
    }
}

/* A market of up to `zones` zones, and a job on it of which on-demand makes the deadline. */
static void small_make(struct small *small, size_t zones, size_t ticks)
{
    static const int32_t gaps[] = {600, 195, 60};
    size_t n = 1 + small_roll((unsigned)zones), regions = 1 + small_roll((unsigned)n);
    double gap = gaps[small_roll(3)], total, spare;

    memset(small, 0, sizeof *small);
    for (size_t z = 0; z < n; z++) {
        small_trace(small->nodes[z], ticks);
        for (size_t i = 0; i < ticks; i++)
            small->price[z][i] = 0.3 + 0.1 * small_roll(10);
        small->zones[z] = (struct sim_zone){.nodes_at = small->nodes[z], .region = z % regions};
        small->zones[z].price = small_roll(2) == 0 ? small->price[z] : NULL;
        small->zones[z].spot = 0.5 + 0.25 * small_roll(4);
        small->zones[z].on_demand = 1 + 0.5 * small_roll(5);
    }
    for (size_t i = 0; i < regions * regions; i++) {
        bool same = i % regions == i / regions;

        small->egress[i] = same ? 0 : 0.2;
        small->carry[i] = same ? 0 : 40;
    }
    small->market = (struct sim_market){.zones = small->zones,
                                        .zone_count = n,
                                        .gap = (int32_t)gap,
                                        .ticks = ticks,
                                        .regions = regions};
    small->market.egress = small_roll(2) == 0 ? small->egress : NULL;
    small->market.carry = small_roll(2) == 0 ? small->carry : NULL;
    small->job = (struct sim_job){.gang = 1 + (int32_t)small_roll(2)};
    small->job.delay = gap * 0.1 * small_roll(25);
    total = gap * (double)ticks;
    spare = total - small->job.delay;
    small->job.deadline = total + gap * 0.3 * small_roll(3);
    small->job.work = fmax(spare * (0.1 + 0.1 * small_roll(10)), 0);
}

#endif
