/* hash.h - a hash of text for tables in memory.
 *
 * Seeded: no author of a file can choose texts that all meet in one place of a table, when
 * its seed is not the same in two runs (the address of the table will do).
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

uint64_t text_hash(uint64_t seed, struct str text);

#endif
