#include "base/crc.h"

#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <nmmintrin.h>
#endif

/* A table's entry is the sum of its bits' entries, so eight numbers make a table: the compiler
 * writes the 256 out. TABLES[k] is for a byte that k more bytes follow. */
#define BIT(i, n, value) (((i) >> (n)&1) != 0 ? UINT32_C(value) : UINT32_C(0))
#define ONE(i, a, b, c, d, e, f, g, h) \
    BIT(i, 0, a) ^ BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^ \
        BIT(i, 6, g) ^ BIT(i, 7, h)
#define FOUR(i, ...) \
    ONE(i, __VA_ARGS__), ONE((i) + 1, __VA_ARGS__), ONE((i) + 2, __VA_ARGS__), \
        ONE((i) + 3, __VA_ARGS__)
#define SIXTEEN(i, ...) \
    FOUR(i, __VA_ARGS__), FOUR((i) + 4, __VA_ARGS__), FOUR((i) + 8, __VA_ARGS__), \
        FOUR((i) + 12, __VA_ARGS__)
#define SIXTY_FOUR(i, ...) \
    SIXTEEN(i, __VA_ARGS__), SIXTEEN((i) + 16, __VA_ARGS__), SIXTEEN((i) + 32, __VA_ARGS__), \
        SIXTEEN((i) + 48, __VA_ARGS__)
#define ALL(...) \
    SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__), \
        SIXTY_FOUR(192, __VA_ARGS__)

static const uint32_t TABLES[8][256] = {
    {ALL(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc,
         0x82f63b78)},
    {ALL(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604,
         0xfbc3faf9)},
    {ALL(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9,
         0x8b277743)},
    {ALL(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7,
         0x52a0c93f)},
    {ALL(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae,
         0x6ea2d55c)},
    {ALL(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb,
         0x1c08b7d6)},
    {ALL(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a,
         0xf56e0ef4)},
    {ALL(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32,
         0x34019664)},
};

uint32_t crc32c_portable(uint32_t before, const void *data, size_t len)
{
    const unsigned char *at = data;
    uint32_t crc = ~before;

    for (; len >= 8; at += 8, len -= 8) {
        crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
               (uint32_t)at[3] << 24;
        crc = TABLES[7][crc & 255] ^ TABLES[6][crc >> 8 & 255] ^ TABLES[5][crc >> 16 & 255] ^
              TABLES[4][crc >> 24] ^ TABLES[3][at[4]] ^ TABLES[2][at[5]] ^ TABLES[1][at[6]] ^
              TABLES[0][at[7]];
    }
    for (; len > 0; at++, len--)
        crc = crc >> 8 ^ TABLES[0][(crc ^ *at) & 255];
    return ~crc;
}

/* The instruction is not in the oldest processors of either kind, so they are asked. */
#if defined(__aarch64__) && defined(__clang__)
#define INSTRUCTION __attribute__((target("crc")))
#define EIGHT(crc, word) __builtin_arm_crc32cd(crc, word)
#define BYTE(crc, value) __builtin_arm_crc32cb(crc, value)
#elif defined(__aarch64__)
#define INSTRUCTION __attribute__((target("+crc")))
#define EIGHT(crc, word) __builtin_aarch64_crc32cx(crc, word)
#define BYTE(crc, value) __builtin_aarch64_crc32cb(crc, value)
#elif defined(__x86_64__)
#define INSTRUCTION __attribute__((target("sse4.2")))
#define EIGHT(crc, word) (uint32_t) _mm_crc32_u64(crc, word)
#define BYTE(crc, value) _mm_crc32_u8(crc, value)
#endif

#ifdef INSTRUCTION

static int has_instruction(void)
{
#ifdef __aarch64__
    return (getauxval(AT_HWCAP) & 1UL << 7) != 0; /* HWCAP_CRC32 */
#else
    return __builtin_cpu_supports("sse4.2");
#endif
}

INSTRUCTION static uint32_t by_instruction(uint32_t before, const unsigned char *at, size_t len)
{
    uint32_t crc = ~before;

    for (; len >= 8; at += 8, len -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        crc = EIGHT(crc, word);
    }
    for (; len > 0; at++, len--)
        crc = BYTE(crc, *at);
    return ~crc;
}

#endif

uint32_t crc32c(uint32_t before, const void *data, size_t len)
{
#ifdef INSTRUCTION
    if (has_instruction())
        return by_instruction(before, data, len);
#endif
    return crc32c_portable(before, data, len);
}
