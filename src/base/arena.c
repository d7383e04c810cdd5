#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

#define FIRST_ROOM 8 /* elements of a list that grows */

struct arena_block {
    struct arena_block *older;
    size_t used, capacity;
    alignas(max_align_t) unsigned char bytes[];
};

static void *system_get(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void system_put(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

const struct alloc alloc_system = {.get = system_get, .put = system_put};

/* What the system gives zeroed it need not touch. */
static struct arena_block *add_arena_block(struct arena *arena, size_t capacity, bool zeroed)
{
    struct arena_block *block;

    if (capacity > SIZE_MAX - sizeof *block)
        return NULL;
    block = zeroed ? calloc(1, sizeof *block + capacity)
                   : arena->alloc->get(arena->alloc->ctx, sizeof *block + capacity);
    if (block == NULL)
        return NULL;
    block->used = 0;
    block->capacity = capacity;
    block->older = arena->newest;
    arena->newest = block;
    return block;
}

void *arena_get(struct arena *arena, size_t count, size_t size, size_t align, struct error *err)
{
    struct arena_block *block = arena->newest;
    size_t total, start = 0;
    bool zeroed = false;

    if (!stop_check(err))
        return NULL;
    if (__builtin_mul_overflow(count, size, &total)) {
        (void)error_memory(err);
        return NULL;
    }
    if (block != NULL)
        start = (block->used + align - 1) & ~(align - 1);
    if (block == NULL || start > block->capacity || total > block->capacity - start) {
        zeroed = total > ARENA_BLOCK_SIZE && arena->alloc == &alloc_system;
        block = add_arena_block(arena, total > arena->block_size ? total : arena->block_size,
                                zeroed);
        start = 0;
    }
    if (block == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    block->used = start + total;
    return zeroed ? block->bytes + start : memset(block->bytes + start, 0, total);
}

void *arena_grow(struct arena *arena, void *list, size_t count, size_t size, size_t *room,
                 struct error *err)
{
    size_t wanted = *room == 0 ? FIRST_ROOM : *room * 2;
    void *larger;

    if (count < *room)
        return list;
    if (wanted < *room) {
        (void)error_memory(err);
        return NULL;
    }
    larger = arena_get(arena, wanted, size, alignof(max_align_t), err);
    if (larger == NULL)
        return NULL;
    if (count > 0)
        memcpy(larger, list, count * size);
    *room = wanted;
    return larger;
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->newest;

    while (block != NULL) {
        struct arena_block *older = block->older;

        arena->alloc->put(arena->alloc->ctx, block);
        block = older;
    }
    arena->newest = NULL;
}
