/* arena.h - memory that is freed all at once.
 *
 * One arena for each command or request: nothing in it is freed alone, so "who frees this?"
 * has one answer. The bytes come from a replaceable allocator, which is how tests make the
 * Nth allocation fail.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdalign.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/error.h"

struct alloc {
    void *(*get)(void *ctx, size_t size);
    void (*put)(void *ctx, void *block); /* `block` is never NULL */
    void *ctx;
};

extern const struct alloc alloc_system; /* malloc and free */

struct arena {
    const struct alloc *alloc;
    size_t block_size; /* 0: a block for each request, so that ASan sees every overrun */
    struct arena_block *newest;
};

#define ARENA_BLOCK_SIZE ((size_t)64 * 1024)

/* `count` zeroed objects of `size` bytes each, or NULL with the error set: also when the thread
 * is asked to end (stop.h), so that whatever needs memory does. */
void *arena_get(struct arena *arena, size_t count, size_t size, size_t align,
                struct error *err) MUST_USE;

#define arena_array(arena, type, count, err) \
    ((type *)arena_get((arena), (count), sizeof(type), alignof(type), (err)))

/* Room for one more element of a list that has `count` and room for `*room`: the list itself,
 * or a copy of it with twice the room. NULL with the error set when memory runs out; `*room` is
 * then as it was.
 *
 *     list->at = arena_grow(arena, list->at, list->count, sizeof *list->at, &list->room, err);
 *     if (list->at == NULL) ...
 */
void *arena_grow(struct arena *arena, void *list, size_t count, size_t size, size_t *room,
                 struct error *err) MUST_USE;

/* Free everything; the arena can be used again. */
void arena_free(struct arena *arena);

#endif
