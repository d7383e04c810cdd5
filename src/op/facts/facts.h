/* facts.h - the catalog itself: which tables there are, and any of them row by row. */
#ifndef OP_FACTS_FACTS_H
#define OP_FACTS_FACTS_H

#include "catalog/query.h"

extern const struct op op_catalog_list, op_catalog_show;

struct catalog_list_request {
    bool unused; /* a struct needs a member; the request has no field */
};

struct catalog_list_result {
    struct str folder;  /* of the user's own files */
    struct rows tables; /* struct catalog_summary */
};

struct catalog_show_request {
    struct str table;
    struct strs where;
    bool history;
};

struct catalog_show_result {
    struct str table;
    struct table_rows rows; /* of the table's own columns */
};

#endif
