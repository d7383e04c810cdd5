#include <string.h>

#include "base/csv_internal.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#define TOP_BIT ((uint64_t)1 << 63)

static inline uint32_t count_bits(uint64_t bits)
{
#if defined(__x86_64__) && !defined(__POPCNT__)
    /* Without the instruction the builtin is a call. */
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(bits * 0x0101010101010101 >> 56);
#else
    return (uint32_t)__builtin_popcountll(bits);
#endif
}

#if defined(__aarch64__)

/* Bits are counted from the top here, which takes one instruction. */
static inline uint64_t prepare(uint64_t bits)
{
    __asm__("rbit %0, %1" : "=r"(bits) : "r"(bits));
    return bits;
}

static inline uint64_t take_first(uint64_t *bits)
{
    uint64_t n;

    __asm__("clz %0, %1" : "=r"(n) : "r"(*bits));
    *bits ^= TOP_BIT >> (n & 63);
    return n;
}

#else

static inline uint64_t prepare(uint64_t bits)
{
    return bits;
}

static inline uint64_t take_first(uint64_t *bits)
{
    uint64_t n = (uint64_t)__builtin_ctzll(*bits | TOP_BIT);

    *bits &= *bits - 1;
    return n;
}

#endif

static inline uint64_t add_eight(volatile uint8_t *to, uint64_t bits)
{
    to[0] = (uint8_t)take_first(&bits);
    to[1] = (uint8_t)take_first(&bits);
    to[2] = (uint8_t)take_first(&bits);
    to[3] = (uint8_t)take_first(&bits);
    to[4] = (uint8_t)take_first(&bits);
    to[5] = (uint8_t)take_first(&bits);
    to[6] = (uint8_t)take_first(&bits);
    to[7] = (uint8_t)take_first(&bits);
    return bits;
}

static inline size_t add_places(struct csv_places *places, size_t at, uint64_t bits,
                                uint64_t block)
{
    const size_t end = at + count_bits(bits);
    const uint64_t blocks = block * 0x0101010101010101;

    bits = add_eight(places->offset + at, prepare(bits));
    memcpy(places->block + at, &blocks, 8);
    for (at += 8; at < end; at += 8) {
        bits = add_eight(places->offset + at, bits);
        memcpy(places->block + at, &blocks, 8);
    }
    return end;
}

static size_t convert(const struct csv_places *places, size_t count, uint32_t *to,
                      uint32_t base)
{
    for (size_t i = 0; i < count; i += 8) {
#if defined(__aarch64__)
        uint16x8_t p = vaddw_u8(vshll_n_u8(vld1_u8(places->block + i), 6),
                                vld1_u8(places->offset + i));
        vst1q_u32(to + i, vaddw_u16(vdupq_n_u32(base), vget_low_u16(p)));
        vst1q_u32(to + i + 4, vaddw_high_u16(vdupq_n_u32(base), p));
#else
        for (size_t k = i; k < i + 8; k++)
            to[k] = base + places->block[k] * 64u + places->offset[k];
#endif
    }
    return count;
}

static size_t add_note(uint32_t *to, uint64_t bits, uint32_t base)
{
    size_t count = count_bits(bits);

    bits = prepare(bits);
    for (size_t i = 0; i < count; i += 4) {
        to[i] = base + (uint32_t)take_first(&bits);
        to[i + 1] = base + (uint32_t)take_first(&bits);
        to[i + 2] = base + (uint32_t)take_first(&bits);
        to[i + 3] = base + (uint32_t)take_first(&bits);
    }
    return count;
}

static void make_lists(struct csv_batch *batch, uint32_t base)
{
    const size_t blocks = (batch->len + CSV_BLOCK - 1) / CSV_BLOCK;
    const size_t had = batch->seps.count;
    size_t at = 0, rows = 0, notes = 0;
    uint32_t *row = batch->rows.at;

    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[i];

        batch->before[i] = (uint16_t)at;
        batch->rowed[rows] = (uint8_t)i;
        rows += marks->rows != 0;
        batch->noted[notes] = (uint8_t)i;
        notes += (marks->doubled | marks->newlines) != 0;
        at = add_places(&batch->places, at, marks->ends, i);
    }
    batch->seps.count += convert(&batch->places, at, batch->seps.at + had, base);
    for (size_t k = 0; k < rows; k++) {
        size_t i = batch->rowed[k];
        const struct csv_marks *marks = &batch->marks[i];
        uint32_t before = (uint32_t)(had - 1 + batch->before[i]);

        for (uint64_t bits = marks->rows; bits != 0; bits &= bits - 1)
            *row++ = before + count_bits(marks->ends & (bits ^ (bits - 1)));
    }
    batch->rows.count = (size_t)(row - batch->rows.at);
    batch->newlines.count = 0;
    for (size_t k = 0; k < notes; k++) {
        size_t i = batch->noted[k];
        const struct csv_marks *marks = &batch->marks[i];
        uint32_t here = base + (uint32_t)(i * CSV_BLOCK);

        batch->doubled.count +=
            add_note(batch->doubled.at + batch->doubled.count, marks->doubled, here);
        if (marks->newlines != 0)
            batch->newlines.count +=
                add_note(batch->newlines.at + batch->newlines.count, marks->newlines, here);
    }
    batch->doubled.at[batch->doubled.count] = UINT32_MAX;
    batch->newlines.at[batch->newlines.count] = UINT32_MAX;
}

#if defined(__aarch64__)

/* Four fields at a time, with the arithmetic of csv_field(). Returns how many are done. */
static inline size_t make_fours(struct str *to, const uint32_t *seps, size_t count,
                                const char *origin)
{
    const uint64x2_t origins = vdupq_n_u64((uint64_t)(uintptr_t)origin);
    const uint32x4_t quote = vdupq_n_u32('"'), one = vdupq_n_u32(1);
    const uint8_t *after = (const uint8_t *)origin + 1;
    size_t i;

    for (i = 0; i + 4 <= count; i += 4) {
        uint64_t *out = (uint64_t *)(void *)(to + i);
        uint8x16_t bytes = vdupq_n_u8(0);
        uint32x4_t start = vaddq_u32(vld1q_u32(seps + i), one), quoted, len;
        uint64x2x2_t low, high;

        bytes = vld1q_lane_u8(after + (int32_t)seps[i], bytes, 0);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 1], bytes, 4);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 2], bytes, 8);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 3], bytes, 12);
        quoted = vceqq_u32(vreinterpretq_u32_u8(bytes), quote); /* -1 where it is */
        start = vsubq_u32(start, quoted);
        len = vaddq_u32(vsubq_u32(vld1q_u32(seps + i + 1), start), quoted);
        low.val[0] = vaddw_u32(origins, vget_low_u32(start));
        low.val[1] = vmovl_u32(vget_low_u32(len));
        high.val[0] = vaddw_high_u32(origins, start);
        high.val[1] = vmovl_high_u32(len);
        vst1q_u64(out, vzip1q_u64(low.val[0], low.val[1]));
        vst1q_u64(out + 2, vzip2q_u64(low.val[0], low.val[1]));
        vst1q_u64(out + 4, vzip1q_u64(high.val[0], high.val[1]));
        vst1q_u64(out + 6, vzip2q_u64(high.val[0], high.val[1]));
    }
    return i;
}

#else

static inline size_t make_fours(struct str *to, const uint32_t *seps, size_t count,
                                const char *origin)
{
    (void)to, (void)seps, (void)count, (void)origin;
    return 0;
}

#endif

static void make_fields(struct csv_batch *batch, const char *origin)
{
    const size_t count = batch->rows.count > 0 ? batch->rows.at[batch->rows.count - 1] : 0;
    const uint32_t *seps = batch->seps.at;

    for (size_t i = make_fours(batch->fields, seps, count, origin); i < count; i++)
        batch->fields[i] = csv_field(origin + (uint32_t)(seps[i] + 1), origin + seps[i + 1]);
}

void csv_split(struct csv_scanner *scanner, const char *text, size_t len, uint32_t base,
               struct csv_batch *batch)
{
    batch->len = csv_scan(scanner, text, len, batch->marks);
    batch->bad = batch->len < (len < CSV_BATCH ? len : CSV_BATCH);
    make_lists(batch, base);
    make_fields(batch, text - base);
}
