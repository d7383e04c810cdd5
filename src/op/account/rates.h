/* rates.h - requests and results of rates.*: exchange rates in the ledger, by day. */
#ifndef OP_ACCOUNT_RATES_H
#define OP_ACCOUNT_RATES_H

#include "account/query/rates.h"

extern const struct op op_rates_import, op_rates_list;

struct rates_import_request {
    struct str file;
};

struct rates_import_result {
    struct str file, ledger;
    int64_t rates;
    struct rates_read read;
};

struct rates_list_request {
    struct strs currency;
};

struct rates_list_result {
    struct rows rates; /* struct rates_row */
    struct str ledger;
    bool no_ledger;
};

#endif
