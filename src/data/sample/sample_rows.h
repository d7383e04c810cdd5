/* sample_rows.h - a part of the rows of a table: of lines of JSON or text, or of a CSV. */
#ifndef DATA_SAMPLE_SAMPLE_ROWS_H
#define DATA_SAMPLE_SAMPLE_ROWS_H

#include "data/sample/sample.h"

#define SAMPLE_FRACTIONS 20 /* that can be counted at once */

struct sample_rows {
    const char *path;
    uint64_t seed;
    const double *fractions;
    size_t fraction_count; /* at most SAMPLE_FRACTIONS */
    const struct watch *watch;
};

struct sample_rows_sum {
    uint64_t rows, bytes;
    struct {
        uint64_t rows, bytes;
    } taken[SAMPLE_FRACTIONS];
};

/* Is it a file with an example in each row: .jsonl, .ndjson, .csv or .tsv? */
bool sample_has_rows(struct str path);

/* How many rows there are and how many each fraction has. The content of a row decides, so that
 * equal rows go together, a larger fraction has all of a smaller one, and the number is right
 * on average: of n rows within about 2 * sqrt(n * fraction). The first line of a CSV is in all,
 * and a quoted field may have newlines. Memory does not grow with the file. */
bool sample_rows_count(const struct sample_rows *work, struct sample_rows_sum *out,
                       struct error *err) MUST_USE;

/* Write the rows of the first fraction, as they are, to a new file. */
bool sample_rows_write(const struct sample_rows *work, const char *to,
                       struct error *err) MUST_USE;

#endif
