#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "market/store_edit.h"

bool grow_array(const struct alloc *alloc, void **array, size_t *capacity, size_t element,
                struct error *err)
{
    size_t room = *capacity > 0 ? *capacity * 2 : 64;
    void *grown = room > SIZE_MAX / element ? NULL : alloc->get(alloc->ctx, room * element);

    if (grown == NULL)
        return error_memory(err);
    if (*array != NULL) {
        memcpy(grown, *array, *capacity * element);
        alloc->put(alloc->ctx, *array);
    }
    *array = grown;
    *capacity = room;
    return true;
}

int offer_order(const struct str a[TEXT_COUNT], const struct str b[TEXT_COUNT])
{
    for (unsigned i = 0; i <= TEXT_INSTANCE; i++) {
        int order = str_cmp(a[i], b[i]);

        if (order != 0)
            return order;
    }
    return 0;
}

bool edit_keep(struct store_edit *edit, struct str text, struct str *out, struct error *err)
{
    char *copy = str_dup(text, &edit->arena, err);

    *out = (struct str){copy, text.len};
    return copy != NULL;
}

/* --- offers --- */

static void fill_slots(struct store_edit *edit)
{
    memset(edit->slots, 0, edit->slot_count * sizeof *edit->slots);
    for (size_t i = 0; i < edit->count; i++) {
        size_t slot = edit->offers[i]->hash & (edit->slot_count - 1);

        while (edit->slots[slot] != 0)
            slot = (slot + 1) & (edit->slot_count - 1);
        edit->slots[slot] = (uint32_t)(i + 1);
    }
}

static bool more_slots(struct store_edit *edit, struct error *err)
{
    size_t count = edit->slot_count > 0 ? edit->slot_count * 2 : 256;
    uint32_t *slots = edit->alloc->get(edit->alloc->ctx, count * sizeof *slots);

    if (slots == NULL)
        return error_memory(err);
    if (edit->slots != NULL)
        edit->alloc->put(edit->alloc->ctx, edit->slots);
    edit->slots = slots;
    edit->slot_count = count;
    fill_slots(edit);
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct edit_offer *const *x = a, *const *y = b;

    return offer_order((*x)->text, (*y)->text);
}

void edit_sort(struct store_edit *edit)
{
    if (edit->count == 0)
        return;
    qsort(edit->offers, edit->count, sizeof(struct edit_offer *), by_key);
    fill_slots(edit);
}

static struct edit_offer *add_offer(struct store_edit *edit, const struct str *text,
                                    uint64_t hash, struct error *err)
{
    struct edit_offer *offer = arena_array(&edit->arena, struct edit_offer, 1, err);
    void *offers = edit->offers;
    size_t slot;

    if (offer == NULL ||
        (edit->count == edit->capacity &&
         !grow_array(edit->alloc, &offers, &edit->capacity, sizeof(struct edit_offer *), err)))
        return NULL;
    edit->offers = offers;
    if (edit->count >= UINT32_MAX - 1) {
        error_set(err, ERROR_INPUT, "there are too many offers");
        return NULL;
    }
    for (unsigned i = 0; i <= TEXT_INSTANCE; i++)
        if (!edit_keep(edit, text[i], &offer->text[i], err))
            return NULL;
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        offer->number[i] = NAN;
    offer->hash = hash;
    offer->newest = -1;
    if (edit->count >= edit->slot_count / 2 && !more_slots(edit, err))
        return NULL;
    slot = hash & (edit->slot_count - 1);
    while (edit->slots[slot] != 0)
        slot = (slot + 1) & (edit->slot_count - 1);
    edit->offers[edit->count++] = offer;
    edit->slots[slot] = (uint32_t)edit->count;
    return offer;
}

struct edit_offer *edit_offer_of(struct store_edit *edit, const struct str text[TEXT_COUNT],
                                 struct error *err)
{
    uint64_t hash = (uint64_t)(uintptr_t)edit;
    size_t slot;

    for (unsigned i = 0; i <= TEXT_INSTANCE; i++)
        hash = text_hash(hash, text[i]);
    if (edit->slot_count > 0) {
        slot = hash & (edit->slot_count - 1);
        for (; edit->slots[slot] != 0; slot = (slot + 1) & (edit->slot_count - 1)) {
            struct edit_offer *offer = edit->offers[edit->slots[slot] - 1];

            if (offer->hash == hash && offer_order(offer->text, text) == 0)
                return offer;
        }
    }
    return add_offer(edit, text, hash, err);
}
