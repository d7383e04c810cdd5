/* draw.h - the same random numbers every time, so that answers do not change from run to run.
 *
 * For samples and shuffles. dice.h has better ones, for simulations.
 */
#ifndef BASE_DRAW_H
#define BASE_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* One of 0 to below - 1. `below` is at least 1 and less than 2^31; `state` may begin as
 * anything. */
static inline size_t draw_below(uint64_t *state, size_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((*state >> 33) % below);
}

#endif
