#include "base/lz.h"

#include <string.h>

#define HASH_BITS 14 /* of struct lz_table */
#define MATCH_LEAST 4
#define DISTANCE_MOST 65535
#define LAST_LITERALS 5 /* the format: the last bytes are always literals, */
#define MATCH_END 12    /* and no match starts in the last twelve */
#define SKIP_BITS 6     /* after so many (2^6) bytes without a match, steps get longer */

static uint32_t read_4(const unsigned char *at)
{
    uint32_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t read_8(const unsigned char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint32_t lz_slot_of(const unsigned char *at)
{
    return read_4(at) * UINT32_C(2654435761) >> (32 - HASH_BITS);
}

size_t lz_bound(size_t len)
{
    return len + len / 255 + 16;
}

/* How many bytes are the same from here on, up to `end`. */
static size_t same_length(const unsigned char *a, const unsigned char *b,
                          const unsigned char *end)
{
    const unsigned char *start = a;

    while (end - a >= 8 && read_8(a) == read_8(b)) {
        a += 8;
        b += 8;
    }
    while (a < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(a - start);
}

/* What a length has above the 15 that its half of the token holds. */
static unsigned char *put_length(unsigned char *out, size_t more)
{
    for (; more >= 255; more -= 255)
        *out++ = 255;
    *out++ = (unsigned char)more;
    return out;
}

static unsigned char *put_literals(unsigned char *out, const unsigned char *from, size_t count,
                                   unsigned match)
{
    *out++ = (unsigned char)((count < 15 ? count : 15) << 4 | (match < 15 ? match : 15));
    if (count >= 15)
        out = put_length(out, count - 15);
    if (count > 0)
        memcpy(out, from, count);
    return out + count;
}

/* The next place from `at` on where four bytes or more are the same as earlier ones, which
 * `*earlier` then is; NULL when there is none before `end`. */
static const unsigned char *find_match(const unsigned char *start, const unsigned char *at,
                                       const unsigned char *end, struct lz_table *table,
                                       const unsigned char **earlier)
{
    unsigned tried = 1u << SKIP_BITS;

    while (at < end) {
        uint32_t *slot = &table->at[lz_slot_of(at)];
        const unsigned char *candidate = start + *slot;

        *slot = (uint32_t)(at - start);
        if (candidate < at && at - candidate <= DISTANCE_MOST &&
            read_4(candidate) == read_4(at)) {
            *earlier = candidate;
            return at;
        }
        at += tried++ >> SKIP_BITS;
    }
    return NULL;
}

size_t lz_pack(const void *data, size_t len, void *to, struct lz_table *table)
{
    const unsigned char *start = data, *literals = start, *at = start, *earlier;
    const unsigned char *end = len > MATCH_END ? start + len - MATCH_END : start;
    unsigned char *out = to;

    memset(table, 0, sizeof *table);
    while ((at = find_match(start, at, end, table, &earlier)) != NULL) {
        size_t length, distance;

        while (at > literals && earlier > start && at[-1] == earlier[-1]) {
            at--;
            earlier--;
        }
        distance = (size_t)(at - earlier);
        length = MATCH_LEAST + same_length(at + MATCH_LEAST, earlier + MATCH_LEAST,
                                           start + len - LAST_LITERALS);
        out = put_literals(out, literals, (size_t)(at - literals),
                           length - MATCH_LEAST < 15 ? (unsigned)(length - MATCH_LEAST) : 15);
        *out++ = (unsigned char)(distance & 255);
        *out++ = (unsigned char)(distance >> 8);
        if (length - MATCH_LEAST >= 15)
            out = put_length(out, length - MATCH_LEAST - 15);
        at += length;
        literals = at;
        if (at < end)
            table->at[lz_slot_of(at - 2)] = (uint32_t)(at - 2 - start);
    }
    out = put_literals(out, literals, (size_t)(start + len - literals), 0);
    return (size_t)(out - (unsigned char *)to);
}

/* Where the reader and the writer are, and how far they may go. */
struct unpacking {
    const unsigned char *in, *in_end;
    unsigned char *start, *out, *out_end;
};

static bool read_lz_length(struct unpacking *u, size_t *length)
{
    unsigned char more;

    if (*length < 15)
        return true;
    do {
        if (u->in == u->in_end)
            return false;
        more = *u->in++;
        *length += more;
    } while (more == 255);
    return true;
}

static bool copy_literals(struct unpacking *u, size_t count)
{
    if (!read_lz_length(u, &count) || count > (size_t)(u->in_end - u->in) ||
        count > (size_t)(u->out_end - u->out))
        return false;
    if (count > 0)
        memcpy(u->out, u->in, count);
    u->in += count;
    u->out += count;
    return true;
}

static bool copy_match(struct unpacking *u, size_t length)
{
    size_t distance;

    if (u->in_end - u->in < 2)
        return false;
    distance = (size_t)u->in[0] | (size_t)u->in[1] << 8;
    u->in += 2;
    if (distance == 0 || distance > (size_t)(u->out - u->start) || !read_lz_length(u, &length))
        return false;
    length += MATCH_LEAST;
    if (length > (size_t)(u->out_end - u->out))
        return false;
    if (distance >= length) {
        memcpy(u->out, u->out - distance, length);
        u->out += length;
        return true;
    }
    for (; length > 0; length--, u->out++) /* it repeats what it writes */
        *u->out = *(u->out - distance);
    return true;
}

bool lz_unpack(const void *data, size_t len, void *to, size_t to_len)
{
    struct unpacking u = {.in = data, .start = to, .out = to};

    u.in_end = u.in + len;
    u.out_end = u.out + to_len;
    while (u.in < u.in_end) {
        unsigned token = *u.in++;

        if (!copy_literals(&u, token >> 4))
            return false;
        if (u.in == u.in_end)
            return u.out == u.out_end;
        if (!copy_match(&u, token & 15))
            return false;
    }
    return false;
}
