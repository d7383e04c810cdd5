/* json_write.h - records as JSON, straight to a buffer.
 *
 * Money is exact: {"amount":"2.49","currency":"USD"}. Unknown is null. A count of bytes, a span
 * (in seconds) and statistics are numbers.
 */
#ifndef DOC_JSON_WRITE_H
#define DOC_JSON_WRITE_H

#include "doc/field.h"

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void json_write_text(struct str text, struct buf *out);

/* The same in ASCII: other characters as \\uXXXX. */
void json_write_ascii(struct str text, struct buf *out);

/* {"schema":SCHEMA,"field":value,...}; without a schema, just the fields. */
void json_write_record(const struct field_set *set, const void *record, const char *schema,
                       struct buf *out);

#endif
