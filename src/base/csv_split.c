#include "base/csv_internal.h"

#if defined(__aarch64__) && !defined(__AARCH64EB__)
#include <arm_neon.h>
#define HAVE_NEON 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#define HAVE_SSE2 1
#endif

/* Byte i of the result is how many bits are set in bytes 0 to i. */
static inline uint64_t count_so_far(uint64_t bits)
{
#ifdef HAVE_NEON
    bits = vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits))), 0);
#else
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
#endif
    return bits * 0x0101010101010101;
}

static inline uint32_t count_bits(uint64_t bits)
{
    return (uint32_t)(count_so_far(bits) >> 56);
}

void csv_fill_table(struct csv_bits table[256])
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned count = 0;

        table[byte] = (struct csv_bits){{0}};
        for (unsigned bit = 0; bit < 8; bit++)
            if ((byte >> bit & 1) != 0)
                table[byte].at[count++] = (uint8_t)bit;
    }
}

/* Eight numbers of 16 bits: all the same; with one more number added to each; with eight others
 * added and stored. */
#if defined(HAVE_NEON)

typedef uint16x8_t eight;

static inline eight eight_of(unsigned number)
{
    return vdupq_n_u16((uint16_t)number);
}

static inline eight plus(eight base, unsigned number)
{
    return vaddq_u16(base, eight_of(number));
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    vst1q_u16(to, vaddw_u8(base, vld1_u8(bits->at)));
}

#elif defined(HAVE_SSE2)

typedef __m128i eight;

static inline eight eight_of(unsigned number)
{
    return _mm_set1_epi16((short)number);
}

static inline eight plus(eight base, unsigned number)
{
    return _mm_add_epi16(base, eight_of(number));
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)bits->at),
                                     _mm_setzero_si128());

    _mm_storeu_si128((__m128i *)(void *)to, _mm_add_epi16(base, wide));
}

#else

typedef unsigned eight;

static inline eight eight_of(unsigned number)
{
    return number;
}

static inline eight plus(eight base, unsigned number)
{
    return base + number;
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint16_t)(base + bits->at[i]);
}

#endif

/* Store the place of each bit. For each byte of them eight places are looked up and stored, of
 * which the next byte's cover those that are too many: a loop over the bits would end elsewhere
 * in each block, and nobody can predict where. Not inline, as measured: gcc 12 then mixes it
 * with the loop around it, and that is 5 % slower. */
static __attribute__((noinline)) uint16_t *add_places(uint16_t *to, uint64_t bits, eight base,
                                                      const struct csv_bits table[256])
{
    const uint64_t counts = count_so_far(bits);

    store_sum(to, base, &table[bits & 255]);
    store_sum(to + (counts & 255), plus(base, 8), &table[bits >> 8 & 255]);
    store_sum(to + (counts >> 8 & 255), plus(base, 16), &table[bits >> 16 & 255]);
    store_sum(to + (counts >> 16 & 255), plus(base, 24), &table[bits >> 24 & 255]);
    store_sum(to + (counts >> 24 & 255), plus(base, 32), &table[bits >> 32 & 255]);
    store_sum(to + (counts >> 32 & 255), plus(base, 40), &table[bits >> 40 & 255]);
    store_sum(to + (counts >> 40 & 255), plus(base, 48), &table[bits >> 48 & 255]);
    store_sum(to + (counts >> 48 & 255), plus(base, 56), &table[bits >> 56]);
    return to + (counts >> 56);
}

/* Add `places`, from the start of the batch, to the separators, as places from the origin. */
static void add_seps(struct csv_batch *batch, size_t count)
{
    const uint16_t *places = batch->places;
    uint32_t *to = batch->seps.at + batch->seps.count;

#ifdef HAVE_NEON
    const uint32x4_t base = vdupq_n_u32(batch->base);

    for (size_t i = 0; i < count; i += 8) { /* up to seven too many, for which there is room */
        uint16x8_t some = vld1q_u16(places + i);

        vst1q_u32(to + i, vaddw_u16(base, vget_low_u16(some)));
        vst1q_u32(to + i + 4, vaddw_high_u16(base, some));
    }
#else
    for (size_t i = 0; i < count; i++)
        to[i] = batch->base + places[i];
#endif
    batch->seps.count += count;
}

/* How many bits there are up to and with the lowest of `upto`. */
static inline uint32_t count_upto(uint64_t bits, uint64_t upto)
{
    return count_bits(bits & (upto ^ (upto - 1)));
}

/* Of each row that ends here, how many fields there are up to its end. */
static void add_rows(struct csv_batch *batch, size_t blocks)
{
    uint32_t *to = batch->rows.at;

    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[batch->rowed[i]];
        uint32_t before = batch->before[batch->rowed[i]];

        for (uint64_t rows = marks->rows; rows != 0; rows &= rows - 1)
            *to++ = (uint32_t)batch->kept + before + count_upto(marks->ends, rows);
    }
    batch->rows.count = (size_t)(to - batch->rows.at);
}

static void add_note(struct csv_list *list, uint64_t bits, uint32_t base)
{
    for (; bits != 0; bits &= bits - 1)
        list->at[list->count++] = base + (uint32_t)__builtin_ctzll(bits);
}

static void add_notes(struct csv_batch *batch, size_t blocks)
{
    batch->newlines.count = 0;
    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[batch->noted[i]];
        uint32_t base = batch->base + (uint32_t)(batch->noted[i] * CSV_BLOCK);

        add_note(&batch->doubled, marks->doubled, base);
        add_note(&batch->newlines, marks->newlines, base);
    }
    batch->doubled.at[batch->doubled.count] = UINT32_MAX;
    batch->newlines.at[batch->newlines.count] = UINT32_MAX;
}

void csv_split(struct csv_scanner *scanner, const char *text, size_t len,
               struct csv_batch *batch)
{
    uint16_t *to = batch->places;
    size_t blocks, rowed = 0, noted = 0;

    batch->len = csv_scan(scanner, text, len, batch->marks);
    batch->bad = batch->len < (len < CSV_BATCH ? len : CSV_BATCH);
    batch->kept = batch->seps.count - 1;
    blocks = (batch->len + CSV_BLOCK - 1) / CSV_BLOCK;
    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[i];

        /* Blocks with something rare in them are listed, for loops of their own. Written
         * always, but kept only when it is there: no branch to guess. */
        batch->rowed[rowed] = (uint8_t)i;
        rowed += marks->rows != 0;
        batch->noted[noted] = (uint8_t)i;
        noted += (marks->doubled | marks->newlines) != 0;
        batch->before[i] = (uint16_t)(to - batch->places);
        to = add_places(to, marks->ends, eight_of((unsigned)(i * CSV_BLOCK)), batch->table);
    }
    add_seps(batch, (size_t)(to - batch->places));
    add_rows(batch, rowed);
    add_notes(batch, noted);
}

size_t csv_field_at(const struct csv_batch *batch, uint32_t place)
{
    size_t block = (place - batch->base) / CSV_BLOCK, i = 0;
    uint64_t bit = (uint64_t)1 << (place - batch->base) % CSV_BLOCK;

    if (place >= batch->base)
        return batch->kept + batch->before[block] + count_upto(batch->marks[block].ends, bit);
    while (batch->seps.at[i + 1] < place)
        i++;
    return i;
}

#ifdef HAVE_NEON

/* Four fields at a time, with the arithmetic of csv_field(). Returns how many are done. */
static inline size_t slice_fours(struct str *to, const uint32_t *seps, size_t count,
                                 const char *origin)
{
    const uint64x2_t origins = vdupq_n_u64((uint64_t)(uintptr_t)origin);
    const uint32x4_t quote = vdupq_n_u32('"'), one = vdupq_n_u32(1);
    const uint8_t *after = (const uint8_t *)origin + 1;
    size_t i;

    for (i = 0; i + 4 <= count; i += 4) {
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
        vst2q_u64((uint64_t *)(void *)(to + i), low);
        vst2q_u64((uint64_t *)(void *)(to + i + 2), high);
    }
    return i;
}

#else

static inline size_t slice_fours(struct str *to, const uint32_t *seps, size_t count,
                                 const char *origin)
{
    (void)to, (void)seps, (void)count, (void)origin;
    return 0;
}

#endif

void csv_slice(const struct csv_batch *batch, const char *origin, size_t first, size_t count,
               struct str *fields)
{
    const uint32_t *seps = batch->seps.at + first;

    for (size_t i = slice_fours(fields, seps, count, origin); i < count; i++)
        fields[i] = csv_field(origin + (uint32_t)(seps[i] + 1), origin + seps[i + 1]);
}
