#include "base/dice.h"

#include "base/str.h"

/* xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64 as its authors advise: good,
 * fast, and the same everywhere. */
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
