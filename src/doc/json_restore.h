/* json_restore.h - records read back from the JSON that json_write_record() wrote.
 *
 * What people write comes through fields_from_node(), which wants units and refuses unknown
 * keys. This is for files that the program wrote itself: money is exact, spans are seconds, and
 * keys that are not known were written by a newer program, and are passed over.
 */
#ifndef DOC_JSON_RESTORE_H
#define DOC_JSON_RESTORE_H

#include "doc/node.h"

/* Fill the record, which is reset first. Texts are those of the nodes. A FIELD_TABLE stays
 * empty. ERROR_INPUT "NAME: plans: cost: 'x' is not an amount" for what the writer never
 * writes. */
bool json_restore(const struct field_set *set, const struct node *map, const char *name,
                  void *record, struct arena *arena, struct error *err) MUST_USE;

#endif
