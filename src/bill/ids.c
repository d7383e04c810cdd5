/* Ids of lines, so that a row that is in a file twice is found. Exact up to three million of
 * them; of more, a part that their hashes choose, so that what was appended twice is still
 * found. */
#include <string.h>

#include "base/hash.h"
#include "bill/internal.h"

#define SLOTS_FIRST ((size_t)1024)
#define SLOTS_MOST ((size_t)1 << 22) /* 32 MB */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 29;
}

void bill_ids_free(struct bill *bill)
{
    if (bill->ids.at != NULL)
        bill->alloc->put(bill->alloc->ctx, bill->ids.at);
}

static bool is_kept(const struct bill_ids *ids, uint64_t hash)
{
    return (hash & ids->left_out) == 0;
}

/* Where it is, or would be. */
static uint64_t *slot_of(const struct bill_ids *ids, uint64_t hash)
{
    size_t at = (size_t)(hash >> 20) & (ids->slots - 1);

    while (ids->at[at] != 0 && ids->at[at] != hash)
        at = (at + 1) & (ids->slots - 1);
    return &ids->at[at];
}

/* Twice the room, or half of the ids. */
static bool grow(struct bill *bill, struct error *err)
{
    struct bill_ids *ids = &bill->ids, next = *ids;

    if (ids->slots == SLOTS_MOST)
        next.left_out = next.left_out << 1 | 1;
    else
        next.slots = ids->slots > 0 ? 2 * ids->slots : SLOTS_FIRST;
    next.count = 0;
    next.at = bill->alloc->get(bill->alloc->ctx, next.slots * sizeof next.at[0]);
    if (next.at == NULL)
        return error_memory(err);
    memset(next.at, 0, next.slots * sizeof next.at[0]);
    for (size_t i = 0; i < ids->slots; i++)
        if (ids->at[i] != 0 && is_kept(&next, ids->at[i])) {
            *slot_of(&next, ids->at[i]) = ids->at[i];
            next.count++;
        }
    bill_ids_free(bill);
    *ids = next;
    return true;
}

bool bill_id_check(struct bill *bill, const struct bill_line *line, struct error *err)
{
    struct bill_ids *ids = &bill->ids;
    uint64_t hash, *slot;

    if (line->id.len == 0 || bill->options.repeats)
        return true;
    hash = text_hash((uint64_t)(uintptr_t)bill, line->id);
    hash = mix(mix(hash, (uint64_t)line->start.s), (uint64_t)line->end.s);
    hash =
        text_hash(hash, line->of[FOCUS_ChargeCategory]); /* a discount may go with its usage */
    hash = mix(hash, (uint64_t)line->billed.coefficient);
    hash += hash == 0;
    if (!is_kept(ids, hash))
        return true;
    if (ids->count >= ids->slots / 4 * 3 && !grow(bill, err))
        return false;
    slot = slot_of(ids, hash);
    if (*slot == hash) {
        (void)bill_refuse(bill, "the line id", line->id,
                          "was there before: the row is in the file twice", err);
        error_hint(err, "remove what is repeated; --force when they are different charges");
        return false;
    }
    if (is_kept(ids, hash)) {
        *slot = hash;
        ids->count++;
    }
    return true;
}
