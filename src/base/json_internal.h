/* json_internal.h - looking at bytes in bulk (json_scan.c), for json.c and the tests. */
#ifndef BASE_JSON_INTERNAL_H
#define BASE_JSON_INTERNAL_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define JSON_WINDOW ((size_t)8192) /* a multiple of 64 */

/* Of the bytes in a window, those where a plain run of a string stops (a quote, a backslash, a
 * control byte, or one that is not ASCII), and those that are not white space. Byte i is bit i,
 * the lowest first, of words that are little-endian on every machine; beyond the last byte all
 * bits are set, so that a search stops there. */
struct json_index {
    uint64_t special[JSON_WINDOW / 64 + 1], solid[JSON_WINDOW / 64 + 1];
};

/* The functions below see the bytes they are given and no others. Those with a scalar form use
 * vectors (NEON, SSE2) and give the same answers. */

void json_index(const char *at, size_t len, struct json_index *to); /* len <= JSON_WINDOW */
void json_index_scalar(const char *at, size_t len, struct json_index *to);

size_t json_count_lines(const char *at, const char *end); /* newlines */
size_t json_count_lines_scalar(const char *at, const char *end);

/* The first set bit of `index` at or after `at`, which is in the indexed window. */
static inline const char *json_find(const char *window, const uint64_t *index, const char *at)
{
    size_t i = (size_t)(at - window);

    for (;;) {
        uint64_t bits;

        memcpy(&bits, (const char *)index + i / 8, sizeof bits);
        bits = le64toh(bits) >> (i % 8);
        if (bits != 0)
            return window + i + __builtin_ctzll(bits);
        i += 64 - i % 8;
    }
}

#endif
