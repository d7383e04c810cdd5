/* SipHash-1-3 of 128 bits (Aumasson and Bernstein, https://www.aumasson.jp/siphash), over words
 * of eight bytes: each text is padded to whole words after one that has its number and length,
 * so that nothing is copied together first and no two lists of texts look the same. */
#include "ledger/bills_internal.h"

#include <string.h>

static inline uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void mix_round(uint64_t v[static 4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static inline void take(struct digester *d, uint64_t word)
{
    d->v[3] ^= word;
    mix_round(d->v);
    d->v[0] ^= word;
}

void digest_start(struct digester *d, const uint64_t key[2])
{
    d->v[0] = key[0] ^ UINT64_C(0x736f6d6570736575);
    d->v[1] = key[1] ^ UINT64_C(0x646f72616e646f6d) ^ 0xee;
    d->v[2] = key[0] ^ UINT64_C(0x6c7967656e657261);
    d->v[3] = key[1] ^ UINT64_C(0x7465646279746573);
    d->words = 0;
}

void digest_text(struct digester *d, uint32_t number, struct str text)
{
    const char *at = text.at;
    size_t len = text.len;
    struct digester local = *d; /* in registers */
    uint64_t word;

    take(&local, (uint64_t)number << 40 ^ len);
    for (; len >= sizeof word; at += sizeof word, len -= sizeof word) {
        memcpy(&word, at, sizeof word);
        take(&local, word);
    }
    if (len > 0) {
        word = 0;
        memcpy(&word, at, len);
        take(&local, word);
    }
    local.words += 1 + (text.len + 7) / 8;
    *d = local;
}

struct digest digest_end(struct digester *d)
{
    struct digest out;

    take(d, d->words);
    d->v[2] ^= 0xee;
    for (int i = 0; i < 3; i++)
        mix_round(d->v);
    out.at[0] = d->v[0] ^ d->v[1] ^ d->v[2] ^ d->v[3];
    d->v[1] ^= 0xdd;
    for (int i = 0; i < 3; i++)
        mix_round(d->v);
    out.at[1] = d->v[0] ^ d->v[1] ^ d->v[2] ^ d->v[3];
    return out;
}
