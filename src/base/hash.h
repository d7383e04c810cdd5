/* hash.h - hashes of text and numbers for tables in memory.
 *
 * Seeded: no author of a file can choose texts that all meet in one place of a table, when
 * its seed is not the same in two runs (the address of the table will do).
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

uint64_t text_hash(uint64_t seed, struct str text);

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define HASH_WORD UINT64_C(0xd6e8feb86659fd93)
#define HASH_END UINT64_C(0xa0761d6478bd642f)

/* text_hash() of eight bytes, for those who hash all of a file. */
static inline uint64_t word_hash(uint64_t seed, uint64_t word)
{
    uint64_t hash = seed ^ sizeof word ^ UINT64_C(0x9e3779b97f4a7c15);

    return hash_mix(hash_mix(hash ^ word, HASH_WORD), HASH_END ^ seed);
}

/* Likewise of a number: a hash of both. */
static inline uint64_t number_hash(uint64_t seed, uint64_t number)
{
    uint64_t hash = (seed ^ number) * UINT64_C(0x9e3779b97f4a7c15);

    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 29;
}

#endif
