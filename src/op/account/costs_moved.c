#include "op/account/costs_moved.h"

#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/hash.h"

#define FIRST_ROOM 32

static uint64_t spelling_hash(uint64_t seed, struct str value)
{
    uint64_t hash = seed ^ UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < value.len; i++)
        hash = (hash ^ (unsigned char)to_lower(value.at[i])) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* The slot of this key, or the free one where it belongs. */
static uint32_t *find_slot(const struct moved_table *t, struct str value,
                           const char currency[static 4])
{
    size_t mask = t->room * 2 - 1;
    uint64_t hash = text_hash(spelling_hash((uintptr_t)t, value), str_from(currency));
    size_t at = (size_t)hash & mask;

    for (; t->slots[at] != 0; at = (at + 1) & mask) {
        const struct moved *m = &t->at[t->slots[at] - 1];

        if (str_eq_nocase(m->value, value) &&
            memcmp(m->currency, currency, sizeof m->currency) == 0)
            break;
    }
    return &t->slots[at];
}

/* Twice the room; never more than half of the slots are taken. */
static bool grow(struct moved_table *t, struct error *err)
{
    size_t room = t->room == 0 ? FIRST_ROOM : t->room * 2;
    struct moved *at = arena_array(t->arena, struct moved, room, err);
    uint32_t *slots = arena_array(t->arena, uint32_t, room * 2, err);

    if (at == NULL || slots == NULL)
        return false;
    if (t->count > 0)
        memcpy(at, t->at, t->count * sizeof *at);
    t->at = at;
    t->slots = slots;
    t->room = room;
    for (size_t i = 0; i < t->count; i++)
        *find_slot(t, at[i].value, at[i].currency) = (uint32_t)i + 1;
    return true;
}

bool moved_put(struct moved_table *t, struct str value, const struct spending *s, bool before,
               struct error *err)
{
    struct moved *m;
    uint32_t *slot;

    if (t->count == t->room && !grow(t, err))
        return false;
    slot = find_slot(t, value, s->currency);
    if (*slot == 0) {
        m = &t->at[t->count];
        *m = (struct moved){.value = {NULL, value.len}};
        memcpy(m->currency, s->currency, sizeof m->currency);
        if (value.len > 0 && (m->value.at = str_dup(value, t->arena, err)) == NULL)
            return false;
        *slot = (uint32_t)++t->count;
    }
    m = &t->at[*slot - 1];
    return costs_plus(before ? &m->before : &m->amount, s->amount, err);
}

static struct decimal size_of(struct decimal d)
{
    if (d.coefficient < 0)
        d.coefficient = -d.coefficient;
    return d;
}

static int larger(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    int order = memcmp(x->currency, y->currency, sizeof x->currency);

    order = order != 0 ? order : decimal_cmp(size_of(y->change), size_of(x->change));
    return order != 0 ? order : str_cmp(x->value, y->value);
}

bool moved_sort(struct moved_table *t, struct error *err)
{
    for (size_t i = 0; i < t->count; i++)
        if (!costs_minus(t->at[i].amount, t->at[i].before, &t->at[i].change, err))
            return false;
    if (t->count > 1)
        qsort(t->at, t->count, sizeof *t->at, larger);
    return true;
}
