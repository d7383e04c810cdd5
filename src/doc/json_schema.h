/* json_schema.h - what JSON a set of fields reads and writes, as JSON Schema (draft 2020-12).
 *
 * The same table that reads requests and writes results describes them, so that a schema cannot
 * differ from what the program does.
 */
#ifndef DOC_JSON_SCHEMA_H
#define DOC_JSON_SCHEMA_H

#include "doc/field.h"

/* What json_write_record() writes. `schema` is the value of its first key; NULL: it has none.
 * Readers must accept keys that are not listed: newer versions may add some. */
void json_schema_write_result(const struct field_set *set, const char *schema, struct buf *out);

/* The same where only some fields of the rows of lists may be asked for: rows may lack any. */
void json_schema_write_selected(const struct field_set *set, const char *schema,
                                struct buf *out);

/* What fields_from_node() reads: other keys are refused. Values with a unit are texts. */
void json_schema_write_request(const struct field_set *set, struct buf *out);

/* Both of an operation, as texts in the arena. */
bool json_schema_texts(const struct field_set *asked, const struct field_set *answered,
                       const char *schema, struct arena *arena, struct str *request,
                       struct str *result, struct error *err) MUST_USE;

#endif
