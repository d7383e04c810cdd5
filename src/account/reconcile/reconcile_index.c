/* Machines by a text of theirs: ten thousand runs ask for ten thousand machines. */
#include <string.h>

#include "account/reconcile/reconcile_internal.h"
#include "base/characters.h"
#include "base/hash.h"

#define HASHED 128 /* the end of a text tells it from others */

struct str reconcile_last_part(struct str id)
{
    for (size_t i = id.len; i > 0; i--)
        if (id.at[i - 1] == '/' || id.at[i - 1] == ':')
            return (struct str){id.at + i, id.len - i};
    return id;
}

static size_t slot_of(const struct reconcile_index *index, struct str text)
{
    char small[HASHED];
    size_t len = text.len < HASHED ? text.len : HASHED;

    for (size_t i = 0; i < len; i++) {
        char c = text.at[text.len - len + i];

        small[i] = to_lower(c);
    }
    return text_hash((uint64_t)(uintptr_t)index->first, (struct str){small, len}) &
           (index->slots - 1);
}

bool reconcile_index_make(struct reconcile_index *index,
                          const struct reconcile_machine *machines, size_t count,
                          struct str (*key)(const struct reconcile_machine *machine),
                          struct arena *arena, struct error *err)
{
    size_t slots = 64;

    while (slots < 2 * count)
        slots *= 2;
    *index = (struct reconcile_index){.machines = machines, .key = key, .slots = slots};
    index->first = arena_array(arena, size_t, slots, err);
    index->next = index->first != NULL ? arena_array(arena, size_t, count, err) : NULL;
    if (index->next == NULL)
        return false;
    for (size_t i = 0; i < slots; i++)
        index->first[i] = RECONCILE_NONE;
    for (size_t i = count; i-- > 0;) { /* the last first, so that they are told in order */
        struct str text = key(&machines[i]);
        size_t *slot = &index->first[slot_of(index, text)];

        if (text.len == 0)
            continue;
        index->next[i] = *slot;
        *slot = i;
    }
    return true;
}

static size_t matching(const struct reconcile_index *index, size_t at, struct str text)
{
    while (at != RECONCILE_NONE && !str_eq_nocase(index->key(&index->machines[at]), text))
        at = index->next[at];
    return at;
}

size_t reconcile_index_first(const struct reconcile_index *index, struct str text)
{
    return text.len == 0 ? RECONCILE_NONE
                         : matching(index, index->first[slot_of(index, text)], text);
}

size_t reconcile_index_next(const struct reconcile_index *index, size_t at, struct str text)
{
    return matching(index, index->next[at], text);
}
