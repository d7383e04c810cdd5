/* cache.h - what commands made, kept for the next time that all they depend on is the same.
 *
 * An entry is a folder with the name of its key: the file `entry` says what it is, and each
 * output is a bundle (bundle.h), "0.tar.zst". It gets its name last, so it is complete. */
#ifndef DATA_CACHE_CACHE_H
#define DATA_CACHE_CACHE_H

#include "data/tree.h"
#include "doc/field.h"
#include "unit/size.h"
#include "unit/time.h"

#define CACHE_OUTPUTS 16
#define CACHE_KEY (2 * TREE_DIGEST) /* hex digits */

struct cache {
    const char *folder; /* made when something is kept */
    const struct watch *watch;
    stamp now;
};

struct cache_output {
    struct str path;   /* as it was given */
    struct str sha256; /* of the content */
    bool folder;       /* or one file */
    bytes size;
};

struct cache_entry {
    struct str key;
    struct str command;
    struct rows outputs; /* struct cache_output */
    span duration;       /* by the command */
    stamp made, used;
    bytes kept; /* in the cache, packed */
};

extern const struct field_set cache_entry_fields;

/* Only one process at a time works on a key: wait for the others. The descriptor to close, or
 * -1 with the error set. */
int cache_lock(const struct cache *cache, const char *key, struct arena *arena,
               struct error *err) MUST_USE;

/* The entry of the key; `*there`: it has one. One that is damaged is removed. */
bool cache_find(const struct cache *cache, const char *key, struct arena *arena,
                struct cache_entry *out, bool *there, struct error *err) MUST_USE;

/* Unpack an output to a path that is not there, and compare it with its digest. */
bool cache_restore(const struct cache *cache, const struct cache_entry *entry, size_t output,
                   const char *to, struct arena *arena, struct error *err) MUST_USE;

/* Keep the outputs, which are at their paths with these trees: `entry->outputs` is filled
 * in. */
bool cache_keep(const struct cache *cache, struct cache_entry *entry,
                struct cache_output *outputs, const struct tree *trees, struct arena *arena,
                struct error *err) MUST_USE;

/* All entries, the last used first. */
bool cache_list(const struct cache *cache, struct arena *arena, struct cache_entry **out,
                size_t *count, struct error *err) MUST_USE;

bool cache_remove(const struct cache *cache, struct str key, struct error *err) MUST_USE;

/* Remove what was used longest ago until no more than `most` bytes are kept; `spared` stays. */
bool cache_shrink(const struct cache *cache, uint64_t most, const char *spared,
                  struct arena *arena, size_t *removed, struct error *err) MUST_USE;

#endif
