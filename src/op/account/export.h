/* export.h - the account as a file for others: request and result of export. */
#ifndef OP_ACCOUNT_EXPORT_H
#define OP_ACCOUNT_EXPORT_H

#include "op/spending.h"

extern const struct op op_export;

struct export_request {
    struct str file; /* "-": standard output */
    bool focus, csv;
    struct str version; /* of FOCUS */
    struct op_days days;
    struct str from;
};

/* How rows were made to keep the rules. */
struct export_change {
    int64_t rows;
    struct str what;
};

/* A day of the account. */
struct export_day {
    day on;
    struct str currency, amount, metered; /* exact */
    int64_t lines, runs;
    struct dimensions of;
};

struct export_result {
    struct str file, metadata, version;
    int64_t rows, bill_rows, run_rows, recurring_rows;
    struct rows changes; /* struct export_change */
    struct rows days;    /* struct export_day: when no file is written */
    struct strs billed;  /* the sum of each currency: "12.5 USD" */
    int64_t unpriced;    /* runs */
};

#endif
