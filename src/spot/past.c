#include "spot/past.h"

#include <string.h>

#define ENTRIES ((size_t)PAST_BLOCK * PAST_BLOCKS)
#define WORDS (ENTRIES / 64)

static uint32_t *from_of(const struct past *past, size_t entry)
{
    return &past->blocks[entry / PAST_BLOCK]->from[entry % PAST_BLOCK];
}

static uint8_t *past_state_of(const struct past *past, size_t entry)
{
    return &past->blocks[entry / PAST_BLOCK]->state[entry % PAST_BLOCK];
}

static bool is_used(const struct past *past, size_t entry)
{
    return (past->used[entry / 64] >> entry % 64 & 1) != 0;
}

bool past_add(struct past *past, uint32_t from, uint8_t state, struct arena *arena,
              uint32_t *out, struct error *err)
{
    size_t block = past->len / PAST_BLOCK;

    if (past->len == ENTRIES)
        return false;
    if (past->blocks[block] == NULL)
        past->blocks[block] = arena_array(arena, struct past_block, 1, err);
    if (past->blocks[block] == NULL)
        return false;
    *from_of(past, past->len) = from;
    *past_state_of(past, past->len) = state;
    *out = (uint32_t)past->len++;
    return true;
}

/* When it is half full, and then each time it has grown to twice what was left. */
bool past_is_long(const struct past *past)
{
    return past->len > ENTRIES / 2 && past->len > past->dropped_at + past->dropped_at / 2;
}

bool past_begin(struct past *past, struct arena *arena, struct error *err)
{
    if (past->used == NULL)
        past->used = arena_array(arena, uint64_t, WORDS, err);
    if (past->before == NULL)
        past->before = arena_array(arena, uint32_t, WORDS, err);
    if (past->used == NULL || past->before == NULL)
        return false;
    memset(past->used, 0, WORDS * sizeof past->used[0]);
    past_keep(past, 0); /* where all begin, also those that name nothing before them */
    return true;
}

void past_keep(struct past *past, uint32_t entry)
{
    while (!is_used(past, entry)) {
        past->used[entry / 64] |= UINT64_C(1) << entry % 64;
        entry = *from_of(past, entry);
    }
}

uint32_t past_moved(const struct past *past, uint32_t entry)
{
    uint64_t below = past->used[entry / 64] & ((UINT64_C(1) << entry % 64) - 1);

    return past->before[entry / 64] + (uint32_t)__builtin_popcountll(below);
}

/* An entry comes after the one that it names, so that they can move in their order. */
void past_drop(struct past *past)
{
    uint32_t count = 0;
    size_t to = 0;

    for (size_t w = 0; w < WORDS; w++) {
        past->before[w] = count;
        count += (uint32_t)__builtin_popcountll(past->used[w]);
    }
    for (size_t i = 0; i < past->len; i++) {
        if (!is_used(past, i))
            continue;
        *from_of(past, to) = past_moved(past, *from_of(past, i));
        *past_state_of(past, to) = *past_state_of(past, i);
        to++;
    }
    past->len = to;
    past->dropped_at = to;
}

uint8_t past_back(const struct past *past, uint32_t *entry)
{
    uint8_t state = *past_state_of(past, *entry);

    *entry = *from_of(past, *entry);
    return state;
}
