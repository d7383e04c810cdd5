/* json_internal.h - what json.c stands on: for json*.c and their tests only.
 *
 * json_input.c holds a stretch of the input and knows lines; json_scan.c (in bulk) and
 * json_text.c (one by one) look at bytes and know no buffers; json.c knows the grammar.
 */
#ifndef BASE_JSON_INTERNAL_H
#define BASE_JSON_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "base/json.h"

#define JSON_WINDOW ((size_t)8192) /* a multiple of 64 */

/* Of the bytes in a window, those where a plain run of a string stops (a quote, a backslash, a
 * control byte, or one that is not ASCII), and those that are not white space. Byte i is bit i,
 * the lowest first, of words that are little-endian on every machine; beyond the last byte all
 * bits are set, so that a search stops there. */
struct json_index {
    uint64_t special[JSON_WINDOW / 64 + 1], solid[JSON_WINDOW / 64 + 1];
};

/* The stretch of the input that is held: from `base`, next to read at `at`. As far as `end` it
 * may be looked at, because that far it is indexed, from `window` on.
 *
 * The index takes 16 bytes in a few instructions and does not wait for the parser, which then
 * finds the end of a string with one shift: far faster than to search from each quote.
 *
 * Lines are counted when bytes are let go, or when an error needs them: newlines stand only
 * between tokens, and one pass over the buffer is cheaper than care at every blank. */
struct json_input {
    const char *base, *at, *end;
    const char *window, *held_end;
    bool ended; /* there is no more than is held */

    const struct alloc *alloc;
    struct source source;
    char *buffer; /* NULL for text in memory */
    size_t capacity, most;

    uint64_t base_offset, base_line, line_start; /* offsets are from the start of the input */
    struct json_index index;
};

enum json_fill { JSON_FILL_FAILED, JSON_FILL_ENDED, JSON_FILL_MORE };

/* Hold all of `text`, or (at first nothing) of `source` as much as a token of `max_token` bytes
 * needs. */
void json_input_text(struct json_input *in, struct str text);
bool json_input_open(struct json_input *in, struct source source, size_t max_token,
                     const struct alloc *alloc, struct error *err) MUST_USE;
void json_input_close(struct json_input *in);

/* See further: `end` moves on, and `window` is where it was. What stands from in->at on is
 * kept, but may have moved. */
enum json_fill json_fill(struct json_input *in, struct error *err) MUST_USE;

#define JSON_PEEK_END (-1)
#define JSON_PEEK_FAILED (-2)

/* Step over white space: the byte that in->at then points at, or one of the above. */
int json_peek_past_space(struct json_input *in, struct error *err) MUST_USE;

/* Step over a byte-order mark, which only the very start may have, and then white space. */
int json_peek_past_mark(struct json_input *in, struct error *err) MUST_USE;

/* Put the place of `at` before the error. False, for the caller to return. Nothing can be read
 * after this. */
bool json_place(struct json_input *in, const char *at, struct error *err);

/* The line that in->at stands on. */
uint64_t json_input_line(struct json_input *in);

/* The first set bit of `index` that stands at or after `at`, which is not before the window. */
static inline const char *json_find(const struct json_input *in, const uint64_t *index,
                                    const char *at)
{
    size_t i = (size_t)(at - in->window);

    for (;;) {
        uint64_t bits;

        memcpy(&bits, (const char *)index + i / 8, sizeof bits);
        bits = le64toh(bits) >> (i % 8);
        if (bits != 0)
            return in->window + i + __builtin_ctzll(bits);
        i += 64 - i % 8;
    }
}

/* As json_peek_past_space(), for `*at` instead of in->at, and quick where there is no space or
 * one blank. */
static inline int json_peek(struct json_input *in, const char **at, struct error *err)
{
    int c;

    if (in->end - *at >= 2) {
        if ((unsigned char)(*at)[0] > ' ')
            return (unsigned char)(*at)[0];
        if ((*at)[0] == ' ' && (unsigned char)(*at)[1] > ' ')
            return (unsigned char)*++*at;
        *at = json_find(in, in->index.solid, *at);
        if (*at < in->end)
            return (unsigned char)**at;
    }
    in->at = *at;
    c = json_peek_past_space(in, err);
    *at = in->at;
    return c;
}

/* The functions below see the bytes they are given and no others. Those with a scalar form use
 * vectors (NEON, SSE2) and give the same answers. */

void json_index(const char *at, size_t len, struct json_index *to); /* len <= JSON_WINDOW */
void json_index_scalar(const char *at, size_t len, struct json_index *to);

size_t json_count_lines(const char *at, const char *end); /* newlines */
size_t json_count_lines_scalar(const char *at, const char *end);

/* The first byte that can stand in no number or bare word, or `end`. Wider than the grammar, so
 * that '0x10' or 'NaN' is refused, and quoted, as a whole. */
const char *json_word_end(const char *at, const char *end);

/* What stands at `at`: `len` good bytes, or a fault, or (neither) a beginning that is good as
 * far as `end` and needs more bytes to tell. */
struct json_piece {
    size_t len;
    const char *fault; /* NULL when there is none */
};

struct json_piece json_escape(const char *at, const char *end); /* one, at a backslash */
struct json_piece json_utf8(const char *at, const char *end);   /* a run that is not ASCII */

/* The text of a string whose escapes json_escape() has checked. `to` has room for raw.len. */
size_t json_decode(struct str raw, char *to);

/* Which kind a word is, given whether it starts as a number does; JSON_END for none. */
enum json_kind json_word_kind(struct str word, bool number);

#endif
