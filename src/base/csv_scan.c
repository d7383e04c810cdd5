#include "base/csv_internal.h"

#if defined(__aarch64__) && !defined(__AARCH64EB__)
#include <arm_neon.h>
#define HAVE_VECTOR 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#define HAVE_VECTOR 1
#endif

enum mark { MARK_NONE, MARK_FIELD, MARK_ROW, MARK_DOUBLED, MARK_NEWLINE, MARK_BAD };

/* A byte after a closing quote, or after that and a CR, that does not end the field. */
static inline unsigned step_closed(unsigned state, char c, enum mark *mark)
{
    if (state == CSV_CLOSED && c == '\r')
        return CSV_CLOSED_CR;
    if (state == CSV_CLOSED && c == '"') {
        *mark = MARK_DOUBLED;
        return CSV_IN_QUOTES;
    }
    *mark = MARK_BAD;
    return CSV_IN_PLAIN;
}

/* One byte of the grammar. The vector path is right when it agrees with this. */
static inline unsigned step_csv_state(unsigned state, char c, bool comments, enum mark *mark)
{
    *mark = MARK_NONE;
    if (c == '\0') {
        *mark = MARK_BAD;
        return state;
    }
    switch (state) {
    case CSV_IN_QUOTES:
        if (c == '\n')
            *mark = MARK_NEWLINE;
        return c == '"' ? CSV_CLOSED : CSV_IN_QUOTES;
    case CSV_IN_COMMENT:
        if (c != '\n')
            return CSV_IN_COMMENT;
        break;
    case CSV_CLOSED:
    case CSV_CLOSED_CR:
        if (c != '\n' && (c != ',' || state == CSV_CLOSED_CR))
            return step_closed(state, c, mark);
        break;
    case CSV_AT_ROW:
        if (c == '#' && comments)
            return CSV_IN_COMMENT;
        /* fall through */
    case CSV_AT_FIELD:
        if (c == '"')
            return CSV_IN_QUOTES;
        break;
    default: /* in plain text, where a quote is a letter like any other */
        break;
    }
    if (c == '\n') {
        *mark = MARK_ROW;
        return CSV_AT_ROW;
    }
    if (c == ',') {
        *mark = MARK_FIELD;
        return CSV_AT_FIELD;
    }
    return CSV_IN_PLAIN;
}

/* Scan up to the first bad byte, or to the end; returns how far. */
static size_t scan_bytes(struct csv_scanner *scanner, const char *block, size_t len,
                         struct csv_marks *marks)
{
    unsigned state = scanner->state;
    size_t i;

    *marks = (struct csv_marks){0};
    for (i = 0; i < len; i++) {
        uint64_t bit = (uint64_t)1 << i;
        enum mark mark;

        state = step_csv_state(state, block[i], scanner->comments, &mark);
        if (mark == MARK_NONE)
            continue;
        if (mark == MARK_BAD)
            break;
        if (mark == MARK_FIELD || mark == MARK_ROW)
            marks->ends |= bit;
        if (mark == MARK_ROW)
            marks->rows |= bit;
        if (mark == MARK_DOUBLED)
            marks->doubled |= bit;
        if (mark == MARK_NEWLINE)
            marks->newlines |= bit;
    }
    scanner->state = state;
    return i;
}

#ifdef HAVE_VECTOR

struct classes {
    uint64_t quotes, commas, newlines;
};

#if defined(__aarch64__)

typedef uint8x16_t vector;

/* Bit i of the result is set where byte i is `wanted`. NEON has no such instruction: give each
 * byte that matches the weight of its bit, and add neighbors until eight have become one. */
static inline uint64_t equal64(const uint8x16_t v[4], uint8_t wanted)
{
    const uint8x16_t weight = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t pattern = vdupq_n_u8(wanted);
    uint8x16_t a = vandq_u8(vceqq_u8(v[0], pattern), weight);
    uint8x16_t b = vandq_u8(vceqq_u8(v[1], pattern), weight);
    uint8x16_t c = vandq_u8(vceqq_u8(v[2], pattern), weight);
    uint8x16_t d = vandq_u8(vceqq_u8(v[3], pattern), weight);
    uint8x16_t sum = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));

    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}

/* `least` takes the lesser of what it has and the bytes of the block: so a NUL shows later. */
static inline struct classes classify_csv_block(const char *block, vector *least)
{
    const uint8_t *bytes = (const uint8_t *)block;
    const uint8x16_t v[4] = {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32),
                             vld1q_u8(bytes + 48)};

    *least = vminq_u8(*least, vminq_u8(vminq_u8(v[0], v[1]), vminq_u8(v[2], v[3])));
    return (struct classes){
        .quotes = equal64(v, '"'), .commas = equal64(v, ','), .newlines = equal64(v, '\n')};
}

static inline vector no_least(void)
{
    return vdupq_n_u8(255);
}

static inline bool any_nul(vector least)
{
    return vminvq_u8(least) == 0;
}

#else

typedef __m128i vector;

static inline uint64_t equal16(__m128i v, char wanted)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(wanted)));
}

static inline uint64_t equal64(const __m128i v[4], char wanted)
{
    return equal16(v[0], wanted) | equal16(v[1], wanted) << 16 | equal16(v[2], wanted) << 32 |
           equal16(v[3], wanted) << 48;
}

static inline struct classes classify_csv_block(const char *block, vector *least)
{
    const __m128i *from = (const __m128i *)(const void *)block;
    const __m128i v[4] = {_mm_loadu_si128(from), _mm_loadu_si128(from + 1),
                          _mm_loadu_si128(from + 2), _mm_loadu_si128(from + 3)};

    *least =
        _mm_min_epu8(*least, _mm_min_epu8(_mm_min_epu8(v[0], v[1]), _mm_min_epu8(v[2], v[3])));
    return (struct classes){
        .quotes = equal64(v, '"'), .commas = equal64(v, ','), .newlines = equal64(v, '\n')};
}

static inline vector no_least(void)
{
    return _mm_set1_epi8((char)0xff);
}

static inline bool any_nul(vector least)
{
    return equal16(least, '\0') != 0;
}

#endif

/* Bit i of the result is the parity of bits 0 to i. */
static inline uint64_t parity_so_far(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

/* Is each of these bytes a CR with a newline after it, within the block? */
static inline bool all_crlf(const char *block, uint64_t bits, uint64_t newlines)
{
    if ((bits & ~(newlines >> 1)) != 0)
        return false;
    for (; bits != 0; bits &= bits - 1)
        if (block[__builtin_ctzll(bits)] != '\r')
            return false;
    return true;
}

static inline bool any_hash(const char *block, uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        if (block[__builtin_ctzll(bits)] == '#')
            return true;
    return false;
}

/* What a block needs to know of the last byte before it: each is 0 or 1. */
struct carry {
    uint64_t inside, start, closed, row;
};

static inline struct carry carry_from(unsigned state)
{
    return (struct carry){.inside = (state & CSV_IN_QUOTES) != 0,
                          .start = (state & CSV_AT_FIELD) != 0,
                          .closed = (state & CSV_CLOSED) != 0,
                          .row = state == CSV_AT_ROW};
}

static inline unsigned state_from(struct carry carry)
{
    if (carry.row != 0)
        return CSV_AT_ROW;
    return (unsigned)(carry.inside * CSV_IN_QUOTES | carry.start * CSV_AT_FIELD |
                      carry.closed * CSV_CLOSED);
}

/* Take every other quote to open a field. That is so only in input that quotes as RFC 4180
 * says: check it, and refuse a block where it is not, or that holds anything else out of the
 * ordinary, except a NUL. */
static inline bool scan_vector(struct carry *carry, bool comments, const char *block,
                               vector *least, struct csv_marks *marks)
{
    struct classes is = classify_csv_block(block, least);
    uint64_t inside = parity_so_far(is.quotes) ^ (0 - carry->inside);
    uint64_t opening = is.quotes & inside, closing = is.quotes & ~inside;
    uint64_t ends = (is.commas | is.newlines) & ~inside, rows = is.newlines & ~inside;
    uint64_t starts = ends << 1 | carry->start;
    uint64_t closed = closing << 1 | carry->closed;
    uint64_t after = closed & ~(ends | is.quotes);

    if ((opening & ~(starts | closed)) != 0)
        return false;
    if (after != 0 && !all_crlf(block, after, is.newlines))
        return false;
    if (comments && any_hash(block, rows << 1 | carry->row))
        return false;
    *marks = (struct csv_marks){.ends = ends,
                                .rows = rows,
                                .doubled = opening & closed,
                                .newlines = is.newlines & inside};
    *carry = (struct carry){inside >> 63, ends >> 63, closing >> 63, rows >> 63};
    return true;
}

/* Scan complete blocks for as long as they are ordinary; returns how many bytes. With a NUL in
 * any of them that is none: the bytes up to it are then scanned one by one. As it is the end
 * of all reading, that happens once at most. */
static size_t scan_blocks(struct csv_scanner *scanner, const char *text, size_t len,
                          struct csv_marks *marks)
{
    const bool comments = scanner->comments;
    struct carry carry = carry_from(scanner->state);
    vector least = no_least();
    size_t at = 0;

    if ((scanner->state & (CSV_CLOSED_CR | CSV_IN_COMMENT)) != 0)
        return 0;
    while (len - at >= CSV_BLOCK && scan_vector(&carry, comments, text + at, &least, marks++))
        at += CSV_BLOCK;
    if (any_nul(least))
        return 0;
    scanner->state = state_from(carry);
    return at;
}

#else

static size_t scan_blocks(struct csv_scanner *scanner, const char *text, size_t len,
                          struct csv_marks *marks)
{
    (void)scanner, (void)text, (void)len, (void)marks;
    return 0;
}

#endif

size_t csv_scan(struct csv_scanner *scanner, const char *text, size_t len,
                struct csv_marks marks[CSV_BLOCKS])
{
    size_t end = len < CSV_BATCH ? len : CSV_BATCH, at = 0;

    for (;;) {
        size_t part, done;

        if (!scanner->scalar)
            at += scan_blocks(scanner, text + at, end - at, marks + at / CSV_BLOCK);
        if (at == end)
            return at;
        part = end - at < CSV_BLOCK ? end - at : CSV_BLOCK;
        done = scan_bytes(scanner, text + at, part, marks + at / CSV_BLOCK);
        at += done;
        if (done < part)
            return at;
    }
}
