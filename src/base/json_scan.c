#include "base/json_internal.h"

/* Each bit of a mask is one byte of a block of 64. JSON_SCALAR is for trying, on any machine,
 * what a machine without vectors would run. */
#if defined(__ARM_NEON) && defined(__AARCH64EL__) && !defined(JSON_SCALAR)

#include <arm_neon.h>
#define HAS_VECTORS

static inline uint8x16_t load(const char *at)
{
    return vld1q_u8((const uint8_t *)at);
}

/* Sixty-four bytes, each all ones or all zeros, to as many bits. */
static inline uint64_t pack_masks(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    uint8x16_t high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    uint8x16_t sums = vpaddq_u8(low, high);

    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

static inline uint8x16_t find_stops(uint8x16_t v)
{
    uint8x16_t mark = vorrq_u8(vceqq_u8(v, vdupq_n_u8('"')), vceqq_u8(v, vdupq_n_u8('\\')));

    /* Signed, what is not ASCII is negative: this finds it and the control bytes. */
    return vorrq_u8(mark, vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20)));
}

static inline uint8x16_t spaces(uint8x16_t v)
{
    /* By its low half, a byte finds the one white space it could be. A 0 is where there is
     * none: only a NUL would be equal to it, and that one finds the blank. */
    const uint8x16_t table = {' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0};

    return vceqq_u8(v, vqtbl1q_u8(table, vandq_u8(v, vdupq_n_u8(0x0f))));
}

static inline void index_block(const char *at, uint64_t *special, uint64_t *solid)
{
    uint8x16_t a = load(at), b = load(at + 16), c = load(at + 32), d = load(at + 48);

    *special = pack_masks(find_stops(a), find_stops(b), find_stops(c), find_stops(d));
    *solid = ~pack_masks(spaces(a), spaces(b), spaces(c), spaces(d));
}

static size_t count_clean_rows(const char *at, size_t rows)
{
    uint8x16_t sum = vdupq_n_u8(0);

    for (size_t i = 0; i < rows; i++) /* a hit is 255, that is -1 */
        sum = vsubq_u8(sum, vceqq_u8(load(at + i * 16), vdupq_n_u8('\n')));
    return vaddlvq_u8(sum);
}

#elif defined(__SSE2__) && !defined(JSON_SCALAR)

#include <emmintrin.h>
#define HAS_VECTORS

static inline __m128i load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline __m128i equal(__m128i v, char c)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline uint64_t pack_masks(__m128i hits)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(hits);
}

static inline void index_block(const char *at, uint64_t *special, uint64_t *solid)
{
    uint64_t stops = 0, spaces = 0;

    for (int i = 0; i < 4; i++) {
        __m128i v = load(at + i * 16);
        __m128i blank = _mm_or_si128(equal(v, ' '), equal(v, '\t'));
        __m128i line = _mm_or_si128(equal(v, '\n'), equal(v, '\r'));
        __m128i mark = _mm_or_si128(equal(v, '"'), equal(v, '\\'));
        /* Signed, what is not ASCII is negative: this finds it and the control bytes. */
        __m128i odd = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));

        stops |= pack_masks(_mm_or_si128(odd, mark)) << (i * 16);
        spaces |= pack_masks(_mm_or_si128(blank, line)) << (i * 16);
    }
    *special = stops;
    *solid = ~spaces;
}

static size_t count_clean_rows(const char *at, size_t rows)
{
    __m128i sum = _mm_setzero_si128(), halves;

    for (size_t i = 0; i < rows; i++) /* a hit is 255, that is -1 */
        sum = _mm_sub_epi8(sum, equal(load(at + i * 16), '\n'));
    halves = _mm_sad_epu8(sum, _mm_setzero_si128());
    halves = _mm_add_epi32(halves, _mm_unpackhi_epi64(halves, halves));
    return (size_t)_mm_cvtsi128_si32(halves);
}

#endif

static void index_block_scalar(const char *at, uint64_t *special, uint64_t *solid)
{
    uint64_t stops = 0, spaces = 0;

    for (int i = 0; i < 64; i++) {
        unsigned char c = (unsigned char)at[i];

        stops |= (uint64_t)(c == '"' || c == '\\' || c < 0x20 || c >= 0x80) << i;
        spaces |= (uint64_t)(c == ' ' || c == '\n' || c == '\t' || c == '\r') << i;
    }
    *special = stops;
    *solid = ~spaces;
}

#ifndef HAS_VECTORS
#define index_block index_block_scalar
#endif

/* Inlined twice, so that neither pays for a call at each block. */
static inline void index_with(void (*block)(const char *, uint64_t *, uint64_t *),
                              const char *at, size_t len, struct json_index *to)
{
    size_t words = len / 64, rest = len % 64;

    for (size_t i = 0; i < words; i++) {
        block(at + i * 64, &to->special[i], &to->solid[i]);
        to->special[i] = htole64(to->special[i]);
        to->solid[i] = htole64(to->solid[i]);
    }
    if (rest > 0) {
        char padded[64] = {0};

        memcpy(padded, at + words * 64, rest);
        block(padded, &to->special[words], &to->solid[words]);
        to->special[words] = htole64(to->special[words] | ~(uint64_t)0 << rest);
        to->solid[words] = htole64(to->solid[words] | ~(uint64_t)0 << rest);
        words++;
    }
    to->special[words] = to->solid[words] = ~(uint64_t)0;
}

void json_index(const char *at, size_t len, struct json_index *to)
{
    index_with(index_block, at, len, to);
}

void json_index_scalar(const char *at, size_t len, struct json_index *to)
{
    index_with(index_block_scalar, at, len, to);
}

size_t json_count_lines_scalar(const char *at, const char *end)
{
    size_t count = 0;

    for (; at < end; at++)
        count += *at == '\n';
    return count;
}

size_t json_count_lines(const char *at, const char *end)
{
    size_t count = 0;

#ifdef HAS_VECTORS
    while (end - at >= 16) {
        size_t rows = (size_t)(end - at) / 16;

        if (rows > 255) /* more could overflow one of the sixteen sums */
            rows = 255;
        count += count_clean_rows(at, rows);
        at += rows * 16;
    }
#endif
    return count + json_count_lines_scalar(at, end);
}
