/* csv_internal.h - the steps of the CSV reader, for its own files only: csv_scan.c marks where
 * fields end, 64 bytes at a time; csv.c makes lists of the marks, reads the input and returns
 * rows.
 *
 * Each step runs over some kilobytes before the next one starts. That lets the processor
 * overlap the work on many blocks, where one by one it would have to guess at each branch.
 */
#ifndef BASE_CSV_INTERNAL_H
#define BASE_CSV_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/csv.h"
#include "base/str.h"

#define CSV_BLOCK ((size_t)64)
#define CSV_BLOCKS ((size_t)128) /* scanned in one go */
#define CSV_BATCH (CSV_BLOCK * CSV_BLOCKS)

/* Where the last byte scanned left us. Flags, so that the vector path carries them from block
 * to block without a branch: the start of a row is also the start of a field. */
enum csv_state {
    CSV_IN_PLAIN = 0,
    CSV_IN_QUOTES = 1,
    CSV_AT_FIELD = 2,
    CSV_AT_ROW = 2 | 4,
    CSV_CLOSED = 8,     /* after a quote that closes a field, or is the first of two */
    CSV_CLOSED_CR = 16, /* and a CR, which only a newline may follow */
    CSV_IN_COMMENT = 32,
};

struct csv_scanner {
    unsigned state; /* enum csv_state; CSV_AT_ROW at first */
    bool comments, scalar;
};

/* What was found in a block, bit i for byte i. */
struct csv_marks {
    uint64_t ends;     /* a separator or newline that ends a field */
    uint64_t rows;     /* those that end a row */
    uint64_t doubled;  /* the second of two quotes */
    uint64_t newlines; /* a newline inside quotes */
};

/* Mark up to CSV_BATCH bytes. Returns how many were scanned: fewer than the lesser of `len` and
 * CSV_BATCH only when a bad byte is next, which is a NUL or text after a closing quote. What is
 * found depends neither on how the input is cut, nor on `scalar`. */
size_t csv_scan(struct csv_scanner *scanner, const char *text, size_t len,
                struct csv_marks marks[CSV_BLOCKS]);

#endif
