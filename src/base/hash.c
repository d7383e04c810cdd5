#include "base/hash.h"

#include <string.h>

uint64_t text_hash(uint64_t seed, struct str text)
{
    uint64_t hash = seed ^ text.len ^ UINT64_C(0x9e3779b97f4a7c15), word;

    for (; text.len >= 8; text.at += 8, text.len -= 8) {
        memcpy(&word, text.at, 8);
        hash = hash_mix(hash ^ word, HASH_WORD);
    }
    word = 0;
    if (text.len > 0)
        memcpy(&word, text.at, text.len);
    return hash_mix(hash ^ word, HASH_END ^ seed);
}
