/* sha256.h - SHA-256 and HMAC (FIPS 180-4, RFC 2104): to check signatures without the library
 * that made them. */
#ifndef TESTS_SHA256_H
#define TESTS_SHA256_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint32_t sha256_turn(uint32_t x, unsigned n)
{
    return (x >> n) | (x << (32 - n));
}

static inline void sha256_block(uint32_t h[8], const unsigned char *at)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[64], v[8];

    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)at[4 * i] << 24 | (uint32_t)at[4 * i + 1] << 16 |
               (uint32_t)at[4 * i + 2] << 8 | at[4 * i + 3];
    for (unsigned i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (sha256_turn(w[i - 15], 7) ^ sha256_turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (sha256_turn(w[i - 2], 17) ^ sha256_turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t one = v[7] + k[i] + w[i] + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                       (sha256_turn(v[4], 6) ^ sha256_turn(v[4], 11) ^ sha256_turn(v[4], 25));
        uint32_t two = ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])) +
                       (sha256_turn(v[0], 2) ^ sha256_turn(v[0], 13) ^ sha256_turn(v[0], 22));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

static inline void sha256(const void *data, size_t len, unsigned char out[32])
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = data;
    unsigned char last[128] = {0};
    size_t left = len % 64, end = left < 56 ? 64 : 128;

    for (size_t i = 0; i + 64 <= len; i += 64)
        sha256_block(h, at + i);
    memcpy(last, at + (len - left), left);
    last[left] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        last[end - 1 - i] = (unsigned char)((uint64_t)len * 8 >> (8 * i));
    for (size_t i = 0; i < end; i += 64)
        sha256_block(h, last + i);
    for (unsigned i = 0; i < 32; i++)
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

/* Keys of at most 64 bytes, texts of at most 4000. */
static inline void hmac_sha256(const void *key, size_t key_len, const char *text,
                               unsigned char out[32])
{
    unsigned char inner[64 + 4000] = {0}, outer[64 + 32] = {0};
    size_t len = strlen(text);

    memcpy(inner, key, key_len);
    memcpy(outer, key, key_len);
    for (unsigned i = 0; i < 64; i++) {
        inner[i] ^= 0x36;
        outer[i] ^= 0x5c;
    }
    memcpy(inner + 64, text, len);
    sha256(inner, 64 + len, outer + 64);
    sha256(outer, sizeof outer, out);
}

static inline void sha256_hex(const unsigned char digest[32], char out[65])
{
    for (unsigned i = 0; i < 32; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

#endif
