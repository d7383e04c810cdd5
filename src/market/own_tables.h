/* own_tables.h - tables of the user's (discounts, exchange rates) on their way into the catalog
 * folder: all are read and checked before the first is written.
 */
#ifndef MARKET_OWN_TABLES_H
#define MARKET_OWN_TABLES_H

#include "catalog/catalog.h"
#include "doc/files.h"

/* Discounts and exchange rates are facts of the user's and go to the catalog folder. */
struct installed_table {
    struct str file, table, path;
    int64_t rows, replaced; /* that the file there had; it stays as .bak */
};

extern const struct field_set installed_table_fields;

#define OWN_TABLES_MAX 16

struct own_tables {
    struct arena *arena;
    struct installed_table at[OWN_TABLES_MAX];
    struct str texts[OWN_TABLES_MAX];
    size_t count;
};

/* Read and check one; nothing is written yet. `read`: the table alone, for warnings. */
bool own_tables_read(struct own_tables *tables, enum catalog_table table,
                     const struct file_stream *stream, struct catalog *read,
                     struct error *err) MUST_USE;

/* Write them all into the folder. A file that was there before stays beside the new one as
 * FILE.bak. */
bool own_tables_install(struct own_tables *tables, struct str folder,
                        struct error *err) MUST_USE;

#endif
