/* Random numbers, and traces made of them. */
#include <math.h>

#include "spot/lifetimes_internal.h"

/* xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64 as its authors advise: good, fast,
 * and the same everywhere. */
struct dice dice_seed(uint64_t seed)
{
    struct dice dice;

    for (size_t i = 0; i < ARRAY_LEN(dice.state); i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        dice.state[i] = z ^ (z >> 31);
    }
    return dice;
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

uint64_t dice_roll(struct dice *dice)
{
    uint64_t *s = dice->state, out = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return out;
}

double dice_unit(struct dice *dice)
{
    return (double)(dice_roll(dice) >> 11) * 0x1p-53;
}

/* At a random moment an age is as likely as spells are to reach it. */
static double draw_age(const double *rates, struct dice *dice)
{
    double area[AGE_BINS], alive = 1, total = 0, left;
    size_t bin = 0;

    for (size_t i = 0; i < AGE_BINS; i++) {
        double rate = hazard_rate(rates[i]);
        double lost = -expm1(-rate * (age_end(i) - age_edges[i]));

        area[i] = alive * lost / rate;
        total += area[i];
        alive *= 1 - lost;
    }
    left = dice_unit(dice) * total;
    while (bin + 1 < AGE_BINS && left >= area[bin])
        left -= area[bin++];
    alive = exp(-hazard_between(rates, 0, age_edges[bin]));
    return age_edges[bin] -
           log1p(-left * hazard_rate(rates[bin]) / alive) / hazard_rate(rates[bin]);
}

bool lifetimes_draw(const struct lifetimes *of, struct dice *dice, int32_t gap, size_t ticks,
                    struct arena *arena, struct trace *out, struct error *err)
{
    double step = gap / 3600.0, age;
    uint8_t *nodes;
    bool up;

    if (gap < 1 || gap > TRACE_GAP_MAX || ticks < 1 || ticks > TRACE_TICKS_MAX)
        return error_fail(err, ERROR_INPUT,
                          "a trace has 1 to %zu ticks of 1 to %d seconds, not %zu of %d",
                          TRACE_TICKS_MAX, TRACE_GAP_MAX, ticks, (int)gap);
    nodes = arena_array(arena, uint8_t, ticks, err);
    if (nodes == NULL)
        return false;
    up = dice_unit(dice) < of->up;
    age = draw_age(up ? of->lose : of->gain, dice);
    for (size_t i = 0; i < ticks; i++) {
        nodes[i] = up;
        if (dice_unit(dice) < exp(-hazard_between(up ? of->lose : of->gain, age, age + step))) {
            age += step;
        } else {
            up = !up;
            age = 0;
        }
    }
    *out = (struct trace){.id = STR("drawn"),
                          .gap = gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = STAMP_UNKNOWN,
                          .on_demand = NAN,
                          .spot = NAN,
                          .nodes_at = nodes};
    return true;
}
