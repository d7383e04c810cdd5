/* price_import.h - price lists from files into the store. */
#ifndef OP_PRICE_PRICE_IMPORT_H
#define OP_PRICE_PRICE_IMPORT_H

#include "market/import.h"
#include "market/own_tables.h"

extern const struct op op_price_import;

struct price_import_request {
    struct strs files;
    struct str format, provider, feed;
    day date;
    bool skip_bad;
    struct strs trust; /* public keys, or files that have one */
    bool allow_unsigned;
};

struct price_import_result {
    struct str store;
    struct rows files;  /* struct imported_file */
    struct rows tables; /* struct installed_table */
    struct store_change changes;
};

#endif
