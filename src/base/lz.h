/* lz.h - bytes made smaller, fast: the block format of LZ4
 * (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md), in memory, with nothing
 * linked.
 *
 * For what the program keeps itself. Files of others are read with doc/compress.h.
 */
#ifndef BASE_LZ_H
#define BASE_LZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The most that `len` bytes can become. */
size_t lz_bound(size_t len);

/* What lz_pack() works with: 64 KB, whose content does not matter. */
struct lz_table {
    uint32_t at[16384];
};

/* Returns how many bytes were written to `out`, which has room for lz_bound(len). `len` is
 * below 2 GB. */
size_t lz_pack(const void *data, size_t len, void *out, struct lz_table *table);

/* False when these are no bytes that lz_pack() made of `out_len` others: nothing beyond `out`
 * and `data` is touched whatever they are. */
bool lz_unpack(const void *data, size_t len, void *out, size_t out_len) MUST_USE;

#endif
