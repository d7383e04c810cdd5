/* price_history.h - what one offer cost over time: the request and the result of
 * price.history. */
#ifndef OP_PRICE_PRICE_HISTORY_H
#define OP_PRICE_PRICE_HISTORY_H

#include "market/history.h"

extern const struct op op_price_history;

struct price_history_request {
    struct str offer, market;
    struct strs feeds;
    int64_t days;
    day until;
    bool zones;
};

struct price_history_result {
    struct str offer;
    struct store_offer chosen;
    int64_t days;
    struct rows series; /* struct history_series */
};

#endif
