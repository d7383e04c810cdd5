/* map.h - maps of names in a cell, however they are written, for files of this module only. */
#ifndef BILL_MAP_H
#define BILL_MAP_H

#include "bill/internal.h"

typedef bool (*bill_map_each)(void *ctx, struct str key, struct str value, struct error *err);

/* Every entry of a JSON object ({"team":"nlp"}), of one without its braces ("team":"nlp"), of a
 * list of pairs ([{"key":"team","value":"nlp"}]), or of a map as Athena and DuckDB print it
 * ({team=nlp, run=42}). Null is an empty value. Texts are valid until `each` returns. Fails for
 * anything else, naming the column. */
bool bill_map(struct bill *bill, const char *column, struct str text, bill_map_each each,
              void *ctx, struct error *err);

/* `*text`, which is a map, as a JSON object: as it is when it is one already. What cannot be
 * read as a map stays as it is. */
bool bill_map_normal(struct bill *bill, struct str *text, struct error *err);

#endif
