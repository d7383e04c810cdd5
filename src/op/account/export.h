/* export.h - the account as a file for others: request and result of export. */
#ifndef OP_ACCOUNT_EXPORT_H
#define OP_ACCOUNT_EXPORT_H

#include "account/export/focus.h"
#include "op/options.h"

extern const struct op op_export;

struct export_request {
    struct str file; /* "-": standard output */
    bool focus, csv;
    struct str version; /* of FOCUS */
    struct days_asked days;
    struct str from;
};

struct export_result {
    struct str file, metadata, version;
    struct focus_export exported; /* of days: only their number, and runs without a cost */
    struct rows days;             /* struct spending: when no file is written */
};

#endif
