/* own_tables.h - discounts and exchange rates that 'price import' finds: checked, then put into
 * the user's catalog folder, where operations read them. */
#ifndef OP_PRICE_OWN_TABLES_H
#define OP_PRICE_OWN_TABLES_H

#include "op/import_files.h"
#include "op/price/price_import.h"

struct op_context; /* op/context.h */

#define OWN_TABLES_MAX 16

struct own_tables {
    struct installed_table *at; /* room for OWN_TABLES_MAX, in the context's arena */
    struct str texts[OWN_TABLES_MAX];
    size_t count;
};

/* Read and check it; nothing is written yet. */
bool own_tables_read(struct own_tables *tables, struct op_context *ctx,
                     enum catalog_table table, struct import_stream *stream,
                     struct error *err) MUST_USE;

/* Write them all. A file that was there before stays beside the new one as FILE.bak. */
bool own_tables_install(struct own_tables *tables, struct op_context *ctx,
                        struct error *err) MUST_USE;

#endif
