/* map.h - a hash map: texts (any bytes) with a value each, in the order in which they were
 * added.
 *
 *     struct map map = map_in_arena(arena);
 *     struct map_entry *e = map_add(&map, name, &added, err);
 *
 *     if (e == NULL)
 *         return false;
 *     if (added)
 *         ...                      // entry map.count - 1, its value is NULL so far
 *     for (size_t i = 0; i < map.count; i++)
 *         use(map.at[i].key, map.at[i].value);
 *
 * An entry's number never changes, so that a list of the caller's can run beside the map. The
 * map does not copy keys: their bytes must outlive it. A caller whose key does not may point
 * `key.at` of an entry that was just added to a copy of the same bytes.
 *
 * Each map has its own seed for the hash: a file cannot be written so that all its texts
 * collide. Nothing that a program prints depends on it. Keys cannot be removed alone. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"
#include "base/str.h"

struct map_entry {
    struct str key;
    uint64_t hash;
    void *value; /* NULL until the caller sets it */
};

struct map {
    struct arena *arena;       /* memory comes from here... */
    const struct alloc *alloc; /* ...or, without an arena, from here */
    size_t most;               /* keys it may have; 0: as many as fit */
    struct map_entry *at;      /* the entries, oldest first */
    size_t count, room;
    uint32_t *slots; /* 1 + the number of an entry; 0: free */
    size_t slot_count;
    uint64_t seed; /* of the hash; set with the first slots */
};

/* Empty maps, which take no memory before the first key. One in an arena is freed with it: what
 * it grew out of stays there until then, at most as much again as it has. One of an allocator
 * holds two blocks, and map_free() gives them back. */
struct map map_in_arena(struct arena *arena);
struct map map_of(const struct alloc *alloc, size_t most);
void map_free(struct map *map); /* empty then; an arena keeps its memory */

/* The entry of the key, or NULL. Entries move when a key is added: hold their number. */
struct map_entry *map_find(const struct map *map, struct str key);

/* The entry of the key, added when there was none; `*added` is then true (it may be NULL). NULL
 * with the error set when memory runs out or there would be more than `most` keys
 * (ERROR_INPUT); the map is then as it was. */
struct map_entry *map_add(struct map *map, struct str key, bool *added,
                          struct error *err) MUST_USE;

#endif
