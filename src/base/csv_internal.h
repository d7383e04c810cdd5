/* csv_internal.h - the steps of the CSV reader, for its own files only: csv_scan.c marks where
 * fields end, 64 bytes at a time; csv_split.c makes lists of the marks; csv.c reads the input
 * and hands out rows; csv_fail.c says what is wrong.
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

/* Places in the text, in order, counted from the batch's origin. */
struct csv_list {
    uint32_t *at;
    size_t count, room;
};

/* What a list must have to spare for a batch: blocks are stored without asking how many of
 * their places are taken. */
#define CSV_SPARE (CSV_BATCH + CSV_BLOCK)

/* Which bits are set in a byte, from the lowest; and more, to make it eight. */
struct csv_bits {
    uint8_t at[8];
};

void csv_fill_table(struct csv_bits table[256]);

/* Field i is what stands between separators i and i + 1: before the first, one byte before the
 * origin, is taken to be one. Of a row whose end is in a later batch, separators and doubled
 * quotes so far come before the others. Doubled quotes and newlines are followed by UINT32_MAX,
 * so that a loop up to some place needs no second test for the end. */
struct csv_batch {
    uint32_t base;            /* where the batch starts, from the origin */
    bool bad;                 /* what follows it is bad */
    size_t len;               /* bytes scanned */
    size_t kept;              /* fields that end before it */
    struct csv_list seps;     /* separators, and newlines that end a row */
    struct csv_list rows;     /* not places: how many fields there are up to the end of each */
    struct csv_list doubled;  /* the second of two quotes */
    struct csv_list newlines; /* inside quotes */

    struct csv_marks marks[CSV_BLOCKS];
    uint16_t before[CSV_BLOCKS];    /* how many fields end in the blocks before it */
    uint8_t rowed[CSV_BLOCKS + 1];  /* blocks in which a row ends */
    uint8_t noted[CSV_BLOCKS + 1];  /* blocks with doubled quotes, or newlines inside quotes */
    uint16_t places[CSV_SPARE + 8]; /* of separators, from the start of the batch */
    struct csv_bits table[256];
};

/* Scan on from `text`, which is at `base`, for up to `len` bytes. Adds to the separators and
 * doubled quotes that are there already; the other lists start anew. */
void csv_split(struct csv_scanner *scanner, const char *text, size_t len,
               struct csv_batch *batch);

/* The field which a doubled quote is in. */
size_t csv_field_at(const struct csv_batch *batch, uint32_t place);

/* Make `count` fields, still with doubled quotes in them. */
void csv_slice(const struct csv_batch *batch, const char *origin, size_t first, size_t count,
               struct str *fields);

/* The field from `start` up to the separator at `end`. Without a branch, as nobody can predict
 * which fields are quoted. The scanner has seen to it that what opens also closes. */
static inline struct str csv_field(const char *start, const char *end)
{
    size_t quoted = *start == '"';

    return (struct str){start + quoted, (size_t)(end - start) - 2 * quoted};
}

enum csv_step { CSV_STEP_MORE, CSV_STEP_ROW, CSV_STEP_SKIP, CSV_STEP_END, CSV_STEP_FAILED };

struct csv {
    const struct alloc *alloc;
    struct source source; /* no `read` for text in memory */
    size_t max_row, max_fields;

    const char *text; /* what is in memory of the input: the buffer, or the whole text */
    size_t len;
    char *buffer; /* NULL for text in memory */
    size_t capacity;
    bool begun, ended, failed; /* ended: nothing follows what is in memory */

    size_t origin,
        next; /* where the places in the batch count from; where the next one starts */
    size_t rows, doubled, newlines; /* how many of the batch are dealt with */
    size_t row;                     /* where the current row starts */
    uint64_t row_line, line;        /* the line on which it does, and the one we are on */
    size_t first, count;            /* its first field, of those in the batch, and how many */

    struct str *fields; /* of the row last handed out */
    size_t field_room;
    char *side; /* where those of them with doubled quotes are put without */
    size_t side_room;
    struct csv_scanner scanner;
    struct csv_batch batch;
};

/* Where field `index` of the current row starts. */
static inline size_t csv_field_start(const struct csv *csv, size_t index)
{
    return csv->origin + (uint32_t)(csv->batch.seps.at[csv->first + index] + 1);
}

/* Each sets the error and returns CSV_STEP_FAILED. Of what is wrong past the longest row, only
 * the length is reported: whether the rest is seen depends on how much the source gives. */
enum csv_step csv_fail_long(const struct csv *csv, struct error *err);
enum csv_step csv_fail_bad(const struct csv *csv, size_t at, struct error *err);
enum csv_step csv_fail_fields(const struct csv *csv, struct error *err);
enum csv_step csv_fail_open_quote(const struct csv *csv, struct error *err);

#endif
