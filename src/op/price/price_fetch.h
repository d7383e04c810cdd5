/* price_fetch.h - prices from providers' own servers into the store. */
#ifndef OP_PRICE_PRICE_FETCH_H
#define OP_PRICE_PRICE_FETCH_H

#include "op/price/price_import.h"
#include "unit/time.h"

extern const struct op op_price_fetch;

struct price_fetch_request {
    struct strs providers, regions, clouds;
    int64_t tries;
    span timeout;
    bool all, again;
};

/* One price list: a provider may have several. */
struct fetched_list {
    struct str provider, feed, part, from;
    struct str end; /* read, unchanged, empty or failed */
    struct str problem;
    int64_t pages, size, rows, quotes, bad;
    day date; /* of its prices */
    struct price_changes changes;
};

struct price_fetch_result {
    struct str store;
    struct rows lists; /* struct fetched_list */
    int64_t failed;    /* of the lists, and of providers that could not be asked */
};

#endif
