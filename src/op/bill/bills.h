/* bills.h - the bills in the ledger: listed, removed. */
#ifndef OP_BILL_BILLS_H
#define OP_BILL_BILLS_H

#include "account/import/bill_view.h"

extern const struct op op_bills, op_bills_remove;

struct bills_request {
    struct str what; /* a pattern of providers or accounts; empty: all */
};

struct bills_result {
    struct rows bills; /* struct bill_view, by period */
    int64_t count, lines;
    struct str ledger;
    bool no_ledger; /* there is no ledger */
};

struct bills_remove_request {
    struct str what;
    bool force;
};

struct bills_remove_result {
    struct rows removed; /* struct bill_view */
};

#endif
