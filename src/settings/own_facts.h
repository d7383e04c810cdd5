/* own_facts.h - the user's own facts: a folder with files such as offers.csv, compressed or
 * not, one for each table of the catalog.
 */
#ifndef SETTINGS_OWN_FACTS_H
#define SETTINGS_OWN_FACTS_H

#include "base/log.h"
#include "catalog/catalog.h"

/* Tables of which there is a file. */
struct own_facts {
    struct catalog_layer layers[TABLE_COUNT];
    size_t count;
};

/* A layer for each wanted table (TABLE_BIT) that has a file. A file that is named like a
 * table's but names none is an error. `optional`: the folder need not be there. */
bool own_facts_read(struct str folder, bool optional, uint64_t wanted, const struct log *log,
                    struct arena *arena, struct own_facts *out, struct error *err) MUST_USE;

#endif
