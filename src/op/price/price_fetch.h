/* price_fetch.h - prices from providers' own servers into the store. */
#ifndef OP_PRICE_PRICE_FETCH_H
#define OP_PRICE_PRICE_FETCH_H

#include "market/update.h"

extern const struct op op_price_fetch;

struct price_fetch_request {
    struct strs providers, regions, clouds;
    int64_t tries;
    span timeout;
    bool all, again;
};

struct price_fetch_result {
    struct str store;
    struct update_result update;
};

#endif
