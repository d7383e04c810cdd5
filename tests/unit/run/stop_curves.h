/* stop_curves.h - curves to test early stopping on: a power law with noise, as it is, with an
 * end to progress, with a late drop, and one that gets worse (overfitting). */
#ifndef TESTS_STOP_CURVES_H
#define TESTS_STOP_CURVES_H

#include <math.h>
#include <stdint.h>

#define CURVE_VALUES 200

enum curve_kind {
    CURVE_POWER,   /* a + b n^-c all the way */
    CURVE_PLATEAU, /* flat from some value on */
    CURVE_DROP,    /* flat, then better again (a lower learning rate) */
    CURVE_OVERFIT, /* worse from some value on */
    CURVE_KINDS,
};

struct curve {
    double true_value[CURVE_VALUES], value[CURVE_VALUES];
};

/* A stream of numbers that is the same everywhere. */
struct curve_dice {
    uint64_t state;
};

static inline double dice_share(struct curve_dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static inline double dice_normal(struct curve_dice *dice)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += dice_share(dice);
    return sum;
}

/* `noise` is relative to the value. */
static inline void curve_make(struct curve *out, enum curve_kind kind, double noise,
                              struct curve_dice *dice)
{
    double a = 0.5 + 2 * dice_share(dice), b = a * (0.5 + 2 * dice_share(dice));
    double c = 0.3 + 0.7 * dice_share(dice);
    int turn = 30 + (int)(70 * dice_share(dice));

    for (int n = 0; n < CURVE_VALUES; n++) {
        int until = kind == CURVE_POWER || n < turn ? n : turn;
        double v = a + b * pow(1 + until, -c);

        if (kind == CURVE_DROP && n > turn + 40)
            v -= 0.15 * b * (1 - exp(-(n - turn - 40) / 5.0));
        if (kind == CURVE_OVERFIT && n > turn)
            v += 0.004 * b * (n - turn);
        out->true_value[n] = v;
        out->value[n] = v * (1 + noise * dice_normal(dice));
    }
}

#endif
