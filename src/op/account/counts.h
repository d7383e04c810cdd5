/* counts.h - requests and results of counts.*: predictions, requests, tokens. */
#ifndef OP_ACCOUNT_COUNTS_H
#define OP_ACCOUNT_COUNTS_H

#include "account/unit/counts.h"

extern const struct op op_counts_add, op_counts_import, op_counts_list, op_counts_remove;

struct counts_request {
    struct str what, amount, from, to, file, since, until;
    struct strs tag;
    bool force;
};

struct counts_result {
    struct rows rows; /* struct counts_row */
    int64_t count, replaced, removed;
    struct str file, ledger;
    bool no_ledger;
};

#endif
