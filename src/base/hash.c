#include "base/hash.h"

#include <string.h>

static uint64_t mix_hash(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t text_hash(uint64_t seed, struct str text)
{
    uint64_t hash = seed ^ text.len ^ UINT64_C(0x9e3779b97f4a7c15), word;

    for (; text.len >= 8; text.at += 8, text.len -= 8) {
        memcpy(&word, text.at, 8);
        hash = mix_hash(hash ^ word, UINT64_C(0xd6e8feb86659fd93));
    }
    word = 0;
    if (text.len > 0)
        memcpy(&word, text.at, text.len);
    return mix_hash(hash ^ word, UINT64_C(0xa0761d6478bd642f) ^ seed);
}
