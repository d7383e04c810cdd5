/* dice.h - random numbers: the same seed gives the same, on every machine. */
#ifndef BASE_DICE_H
#define BASE_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state[4];
};

struct dice dice_seed(uint64_t seed);
uint64_t dice_roll(struct dice *dice);
double dice_unit(struct dice *dice); /* 0 <= x < 1 */

#endif
