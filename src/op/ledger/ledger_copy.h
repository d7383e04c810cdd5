/* ledger_copy.h - one ledger into another: request and result of ledger.copy. */
#ifndef OP_LEDGER_LEDGER_COPY_H
#define OP_LEDGER_LEDGER_COPY_H

#include "doc/field.h"

extern const struct op op_ledger_copy;

struct ledger_copy_request {
    struct str from, to; /* files, or addresses of servers */
    bool damaged;        /* what can be read of a file that is damaged */
};

struct copied_table {
    struct str table;
    int64_t rows;
    struct str digest; /* of all its values, the same in both */
    int64_t lost;      /* rows that were read, but could not be kept */
    bool damaged;      /* not all of it could be read */
    struct str what;   /* why */
};

struct ledger_copy_result {
    struct str from, to; /* as they may be shown */
    int64_t version, rows;
    int64_t replaced; /* texts that a server does not take as they are */
    int64_t lost;
    bool damaged; /* something could not be read */
    struct rows tables;
};

#endif
