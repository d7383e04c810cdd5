/* rates.h - exchange rates in the ledger: given once, by day, kept for good. */
#ifndef OP_ACCOUNT_RATES_H
#define OP_ACCOUNT_RATES_H

#include "doc/field.h"
#include "ledger/rates.h"

extern const struct op op_rates_import, op_rates_list;

struct rates_import_request {
    struct str file;
};

struct rates_import_result {
    struct str file, ledger;
    int64_t rates;
    struct strs currencies, left_out;
    day first, last;
};

struct rates_list_request {
    struct strs currency;
};

/* What is known of a currency. */
struct rates_row {
    struct str currency, source;
    int64_t rates;
    day first, last;
    struct str usd; /* of the last day: what one unit is worth */
};

struct rates_list_result {
    struct rows rates; /* struct rates_row */
    struct str ledger;
    bool none_yet;
};

#endif
