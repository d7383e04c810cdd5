/* past.h - how the ways of a search were reached, step by step, so that the best can be
 * followed.
 *
 * Each entry names the one before it. Most ways are given up soon: what no way that is still
 * open goes back to is dropped now and then, so that memory stays bounded.
 */
#ifndef SPOT_PAST_H
#define SPOT_PAST_H

#include <stdint.h>

#include "base/arena.h"

enum { PAST_BLOCK = 1 << 16, PAST_BLOCKS = 176 };

struct past_block {
    uint32_t from[PAST_BLOCK];
    uint8_t state[PAST_BLOCK];
};

/* Starts as all zero bytes. */
struct past {
    struct past_block *blocks[PAST_BLOCKS]; /* 58 MB in all */
    size_t len;
    size_t dropped_at; /* entries that were left when some were last dropped */
    uint64_t *used;    /* a bit for each entry */
    uint32_t *before;  /* [words of `used`] bits in the words before */
};

/* Add an entry that comes after `from` (0 for the first). False with no error set: it is
 * full. */
bool past_add(struct past *past, uint32_t from, uint8_t state, struct arena *arena,
              uint32_t *out, struct error *err) MUST_USE;

/* Is it time to drop what is not needed? */
bool past_is_long(const struct past *past);

/* Drop it: past_keep() each entry that a way ends with, past_drop(), then past_moved() says
 * where each of them went. */
bool past_begin(struct past *past, struct arena *arena, struct error *err) MUST_USE;
void past_keep(struct past *past, uint32_t entry);
void past_drop(struct past *past);
uint32_t past_moved(const struct past *past, uint32_t entry);

/* The state of an entry; `entry` becomes the one before it. */
uint8_t past_back(const struct past *past, uint32_t *entry);

#endif
