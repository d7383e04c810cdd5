/* share_row.h - what was measured of a server, as a row that `validate inference` reads. */
#ifndef TRUTH_SHARE_ROW_H
#define TRUTH_SHARE_ROW_H

#include "base/buf.h"
#include "base/clock.h"

/* NaN and empty: not known. */
struct share_row {
    char id[64], source[64];
    struct str model, gpu;
    int64_t gpus;
    struct str weights, engine;
    double concurrency;        /* requests in flight */
    double input, output;      /* tokens of a request */
    double tokens_per_s;       /* output */
    double first_ms, token_ms; /* means: to the first token, from token to token */
    char quality;              /* A, B or C */
};

/* The columns of tests/truth/inference.csv, with the end of the line. */
extern const char share_row_header[];

/* Its id and its source, "stint bench@2026-11-20": what is before the @ is one source. */
void share_row_name(struct share_row *row, stamp at, int64_t number);

void share_row_write(const struct share_row *row, struct buf *out);

#endif
