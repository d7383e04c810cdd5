/* catalog_import.h - prices of hosted models from a file, as facts of the user's own. */
#ifndef OP_FACTS_CATALOG_IMPORT_H
#define OP_FACTS_CATALOG_IMPORT_H

#include "doc/field.h"
#include "unit/time.h"

extern const struct op op_catalog_import;

struct catalog_import_request {
    struct str file;
    day date;
};

struct catalog_import_result {
    struct str table, written; /* the file */
    day date;
    int64_t rows, open, skipped; /* open: with weights that are in TABLE_MODELS */
    int64_t kept;                /* rows of the user's that the file does not have */
};

#endif
