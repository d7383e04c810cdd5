/* query.h - the tables of the catalog as such: their size and age, and rows by conditions. */
#ifndef CATALOG_QUERY_H
#define CATALOG_QUERY_H

#include "catalog/catalog.h"

struct catalog_summary {
    struct str table, about;
    int64_t rows, yours;
    day newest, oldest;
};

extern const struct field_set catalog_summary_fields;

/* Of a table that is loaded. */
struct catalog_summary catalog_summary(const struct catalog *catalog, enum catalog_table table);

/* The table of this name; ERROR_ABSENT with a suggestion when there is none. */
bool catalog_table_named(struct str name, enum catalog_table *out, struct error *err) MUST_USE;

/* The rows of a table that meet all conditions ("column=pattern"), older prices only with
 * `history`. None is no error; a condition on an unknown column is. */
bool catalog_query(const struct catalog *catalog, enum catalog_table table, struct strs where,
                   bool history, struct arena *arena, struct table_rows *out,
                   struct error *err) MUST_USE;

#endif
