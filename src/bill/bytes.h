/* bytes.h - the bytes of a bill on their way to its reader.
 *
 * They are hashed, so that a copy is known whatever it is packed with, and checked to be UTF-8.
 * Not against malice: who makes two bills look the same hides their own.
 */
#ifndef BILL_BYTES_H
#define BILL_BYTES_H

#include <stdint.h>

#include "base/source.h"

struct bill_bytes {
    struct source inner;
    uint64_t hash[2];
    char left[16];
    size_t left_len;
    uint64_t len;
    bool utf16;        /* it begins with the mark of UTF-16 */
    int wanted;        /* bytes that the character goes on for */
    uint64_t lines;    /* from 1, up to the first that is no UTF-8 */
    uint64_t odd_line; /* that one; 0: none so far */
};

struct bill_bytes bill_bytes_of(struct source inner);
struct source bill_bytes_source(struct bill_bytes *bytes);

/* Of all that was read: 32 hexadecimal digits. */
void bill_bytes_digest(const struct bill_bytes *bytes, char out[static 40]);

#endif
