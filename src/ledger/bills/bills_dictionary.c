/* What is said again and again, kept once: digests to keys, in bounded memory. */
#include "ledger/bills_internal.h"

#include <string.h>

#define TEXTS_ROOM 4 /* a share of the memory: 1 in so many, for texts of new entries */
#define FRESH_ROOM BLOCK_LINES
#define SLOTS_LEAST ((size_t)64)

/* Texts are few or many; a single one may be longer than its share. */
#define TEXT_MAX ((size_t)64 << 20)

static void *get(const struct alloc *alloc, size_t size)
{
    return alloc->get(alloc->ctx, size);
}

static void put(const struct alloc *alloc, void *block)
{
    if (block != NULL)
        alloc->put(alloc->ctx, block);
}

bool dictionary_make(struct dictionary *d, const struct alloc *alloc, size_t memory,
                     struct error *err)
{
    size_t most = (memory - memory / TEXTS_ROOM) / (sizeof d->entries[0] - 4), room;
    size_t slots = SLOTS_LEAST;

    while (slots * 2 <= most)
        slots *= 2;
    room = slots - slots / 4; /* three quarters of the slots may be taken */
    *d = (struct dictionary){.alloc = alloc,
                             .room = room,
                             .slot_count = slots,
                             .fresh_room = room < FRESH_ROOM ? room : FRESH_ROOM,
                             .text_limit = memory / TEXTS_ROOM,
                             .texts = buf_new(alloc, TEXT_MAX)};
    d->entries = get(alloc, room * sizeof d->entries[0]);
    d->slots = get(alloc, slots * sizeof d->slots[0]);
    d->fresh = get(alloc, d->fresh_room * sizeof d->fresh[0]);
    if (d->entries == NULL || d->slots == NULL || d->fresh == NULL)
        return error_memory(err);
    memset(d->slots, 0, slots * sizeof d->slots[0]);
    return true;
}

void dictionary_free(struct dictionary *d)
{
    if (d->alloc == NULL)
        return;
    put(d->alloc, d->entries);
    put(d->alloc, d->slots);
    put(d->alloc, d->fresh);
    buf_free(&d->texts);
}

uint32_t dictionary_find(struct dictionary *d, struct digest digest, bool *added)
{
    size_t mask = d->slot_count - 1, at = (size_t)digest.at[0] & mask;

    for (; d->slots[at] != 0; at = (at + 1) & mask) {
        const struct entry *e = &d->entries[d->slots[at] - 1];

        if (e->digest.at[0] == digest.at[0] && e->digest.at[1] == digest.at[1]) {
            *added = false;
            return d->slots[at] - 1;
        }
    }
    d->entries[d->count] = (struct entry){.digest = digest};
    d->slots[at] = (uint32_t)++d->count;
    *added = true;
    return (uint32_t)d->count - 1;
}

bool dictionary_fresh(struct dictionary *d, uint32_t entry, size_t start, struct error *err)
{
    if (!buf_ok(&d->texts, err))
        return false;
    d->fresh[d->fresh_count++] = (struct fresh){
        .entry = entry, .text = start, .length = (uint32_t)(d->texts.len - start)};
    return true;
}

bool dictionary_full(const struct dictionary *d)
{
    return d->count == d->room || d->fresh_count == d->fresh_room ||
           d->texts.len > d->text_limit;
}

bool dictionary_spent(const struct dictionary *d)
{
    return d->count + d->fresh_room / 2 >= d->room;
}

void dictionary_forget(struct dictionary *d)
{
    memset(d->slots, 0, d->slot_count * sizeof d->slots[0]);
    d->count = 0;
    d->complete = false;
}
