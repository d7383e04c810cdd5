/* Open addressing with linear probing; at most half of the slots are taken. */
#include "base/map.h"

#include <string.h>

#include "base/hash.h"

#define ROOM_FIRST ((size_t)16)
#define ROOM_MOST ((size_t)1 << 31) /* slots hold 1 + a number in 32 bits */

struct map map_in_arena(struct arena *arena)
{
    return (struct map){.arena = arena};
}

struct map map_of(const struct alloc *alloc, size_t most)
{
    return (struct map){.alloc = alloc, .most = most};
}

static void map_put(const struct map *map, void *block)
{
    if (map->arena == NULL && block != NULL)
        map->alloc->put(map->alloc->ctx, block);
}

void map_free(struct map *map)
{
    map_put(map, map->at);
    map_put(map, map->slots);
    *map = (struct map){.arena = map->arena, .alloc = map->alloc, .most = map->most};
}

static void *map_get(const struct map *map, size_t count, size_t size, struct error *err)
{
    void *block = NULL;

    if (map->arena != NULL)
        return arena_get(map->arena, count, size, alignof(max_align_t), err);
    if (count <= SIZE_MAX / size)
        block = map->alloc->get(map->alloc->ctx, count * size);
    if (block == NULL)
        (void)error_memory(err);
    return block;
}

/* The slot of the key, or the free one that it would have. */
static uint32_t *map_slot_of(const struct map *map, struct str key, uint64_t hash)
{
    size_t mask = map->slot_count - 1, at = (size_t)hash & mask;

    for (; map->slots[at] != 0; at = (at + 1) & mask) {
        const struct map_entry *e = &map->at[map->slots[at] - 1];

        if (e->hash == hash && str_eq(e->key, key))
            break;
    }
    return &map->slots[at];
}

/* Slots for `room` entries and the entries themselves: both, or nothing changes. */
static bool map_grow(struct map *map, size_t room, struct error *err)
{
    struct map larger = *map;

    larger.room = room;
    larger.slot_count = 2 * room;
    larger.at = map_get(map, room, sizeof larger.at[0], err);
    larger.slots =
        larger.at != NULL ? map_get(map, 2 * room, sizeof larger.slots[0], err) : NULL;
    if (larger.slots == NULL) {
        map_put(map, larger.at);
        return false;
    }
    if (map->slots == NULL)
        larger.seed = (uint64_t)(uintptr_t)larger.slots;
    memset(larger.slots, 0, larger.slot_count * sizeof larger.slots[0]);
    for (size_t i = 0; i < map->count; i++) {
        size_t at = (size_t)map->at[i].hash & (larger.slot_count - 1);

        while (larger.slots[at] != 0)
            at = (at + 1) & (larger.slot_count - 1);
        larger.slots[at] = (uint32_t)i + 1;
        larger.at[i] = map->at[i];
    }
    map_put(map, map->at);
    map_put(map, map->slots);
    *map = larger;
    return true;
}

/* Room for this many keys. */
static bool map_reserve(struct map *map, size_t count, struct error *err)
{
    size_t room = map->room > 0 ? map->room : ROOM_FIRST;

    if (map->most > 0 && count > map->most)
        return error_fail(err, ERROR_INPUT, "more than %zu different names", map->most);
    if (count > ROOM_MOST)
        return error_memory(err);
    while (room < count)
        room *= 2;
    return room == map->room || map_grow(map, room, err);
}

struct map_entry *map_find(const struct map *map, struct str key)
{
    uint32_t number = map->count > 0 ? *map_slot_of(map, key, text_hash(map->seed, key)) : 0;

    return number > 0 ? &map->at[number - 1] : NULL;
}

struct map_entry *map_add(struct map *map, struct str key, bool *added, struct error *err)
{
    size_t room = map->room;
    uint32_t *slot;
    uint64_t hash;

    if (room == 0 && !map_reserve(map, 1, err))
        return NULL;
    hash = text_hash(map->seed, key);
    slot = map_slot_of(map, key, hash);
    if (added != NULL)
        *added = *slot == 0;
    if (*slot != 0)
        return &map->at[*slot - 1];
    if (!map_reserve(map, map->count + 1, err))
        return NULL;
    if (map->room != room)
        slot = map_slot_of(map, key, hash);
    map->at[map->count] = (struct map_entry){.key = key, .hash = hash};
    *slot = (uint32_t)++map->count;
    return &map->at[map->count - 1];
}
