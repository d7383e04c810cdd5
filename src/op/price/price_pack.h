/* price_pack.h - the current prices of the store as one signed file. */
#ifndef OP_PRICE_PRICE_PACK_H
#define OP_PRICE_PRICE_PACK_H

#include "market/price_pack.h"

extern const struct op op_price_pack;

struct price_pack_request {
    struct str file;
    struct str key;        /* the file with the private key; empty: not signed */
    struct str create_key; /* the file to put a new one into */
    bool own;
};

struct price_pack_result {
    struct str file, key, key_file;
    bytes size;
    struct price_pack_counts counts;
};

#endif
