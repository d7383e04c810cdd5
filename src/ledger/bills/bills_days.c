/* Exact sums by bill, day and group, in bounded memory. */
#include "ledger/bills_internal.h"

#include <string.h>

#define SLOTS_LEAST ((size_t)64)

struct decimal amounts_get(const struct amounts *from, int which)
{
    return (struct decimal){from->coefficient[which], from->scale[which]};
}

void amounts_set(struct amounts *to, int which, struct decimal amount)
{
    to->coefficient[which] = amount.coefficient;
    to->scale[which] = (int8_t)amount.scale;
}

bool amounts_add(struct amounts *sum, const struct amounts *more, struct error *err)
{
    for (int i = 0; i < BILL_AMOUNTS; i++) {
        struct decimal total;

        if (sum->scale[i] == more->scale[i]) {
            if (__builtin_add_overflow(sum->coefficient[i], more->coefficient[i],
                                       &sum->coefficient[i]))
                return error_fail(err, ERROR_INPUT,
                                  "the sum of the amounts has too many digits");
            continue;
        }
        if (!decimal_add(amounts_get(sum, i), amounts_get(more, i), &total))
            return error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
        amounts_set(sum, i, total);
    }
    return true;
}

/* Digits from the right, by arithmetic of 64 bits while it will do. */
static char *put_wide_digits(wide value, char *end)
{
    __extension__ unsigned __int128 n =
        value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    uint64_t low;

    while (n > UINT64_MAX) {
        *--end = (char)('0' + (int)(n % 10));
        n /= 10;
    }
    low = (uint64_t)n;
    do {
        *--end = (char)('0' + (int)(low % 10));
        low /= 10;
    } while (low != 0);
    return end;
}

struct str decimal_text(struct decimal d, char *room)
{
    char digits[40], *at = put_wide_digits(d.coefficient, digits + sizeof digits);
    size_t count = (size_t)(digits + sizeof digits - at), whole, used = 0;

    if (d.coefficient < 0)
        room[used++] = '-';
    if (d.scale <= 0) {
        memcpy(room + used, at, count);
        used += count;
        for (int i = d.coefficient != 0 ? -d.scale : 0; i > 0; i--)
            room[used++] = '0';
        return (struct str){room, used};
    }
    whole = count > (size_t)d.scale ? count - (size_t)d.scale : 0;
    if (whole == 0)
        room[used++] = '0';
    memcpy(room + used, at, whole);
    used += whole;
    room[used++] = '.';
    for (size_t i = count; i < (size_t)d.scale; i++)
        room[used++] = '0';
    memcpy(room + used, at + whole, count - whole);
    return (struct str){room, used + count - whole};
}

bool days_make(struct day_sums *d, const struct alloc *alloc, size_t memory, struct error *err)
{
    size_t slots = SLOTS_LEAST;

    while (slots * 2 * (sizeof d->slots[0] + sizeof d->at[0] * 3 / 4) <= memory)
        slots *= 2;
    *d = (struct day_sums){.alloc = alloc, .slot_count = slots, .room = slots - slots / 4};
    d->at = alloc->get(alloc->ctx, d->room * sizeof d->at[0]);
    d->slots = alloc->get(alloc->ctx, slots * sizeof d->slots[0]);
    if (d->at == NULL || d->slots == NULL)
        return error_memory(err);
    memset(d->slots, 0, slots * sizeof d->slots[0]);
    return true;
}

void days_free(struct day_sums *d)
{
    if (d->at != NULL)
        d->alloc->put(d->alloc->ctx, d->at);
    if (d->slots != NULL)
        d->alloc->put(d->alloc->ctx, d->slots);
}

bool days_full(const struct day_sums *d)
{
    return d->count == d->room;
}

/* Groups are keys that we assigned: an input cannot make them collide. */
static size_t day_slot_of(const struct day_sums *d, const struct day_sum *what)
{
    uint64_t hash = (uint64_t)what->group * UINT64_C(0x9e3779b97f4a7c15);

    hash = (hash ^ (uint64_t)(uint32_t)what->day) * UINT64_C(0xd6e8feb86659fd93);
    hash = (hash ^ what->bill) * UINT64_C(0xa0761d6478bd642f);
    return (size_t)(hash ^ hash >> 32) & (d->slot_count - 1);
}

const struct day_sum *days_find(const struct day_sums *d, uint32_t bill, int32_t on,
                                int64_t group)
{
    struct day_sum like = {.bill = bill, .day = on, .group = group};

    for (size_t at = day_slot_of(d, &like); d->slots[at] != 0;
         at = (at + 1) & (d->slot_count - 1)) {
        const struct day_sum *s = &d->at[d->slots[at] - 1];

        if (s->group == group && s->day == on && s->bill == bill)
            return s;
    }
    return NULL;
}

bool days_grow(struct day_sums *d, size_t limit, bool *grown, struct error *err)
{
    size_t memory = 2 * d->slot_count * (sizeof d->slots[0] + sizeof d->at[0] * 3 / 4);
    struct day_sums larger = {0};
    bool ok;

    *grown = memory <= limit;
    if (!*grown)
        return true;
    ok = days_make(&larger, d->alloc, memory, err);
    for (size_t i = 0; ok && i < d->count; i++)
        ok = days_add(&larger, &d->at[i], err);
    if (!ok) {
        days_free(&larger);
        return false;
    }
    larger.part = d->part;
    days_free(d);
    *d = larger;
    return true;
}

bool days_add(struct day_sums *d, const struct day_sum *what, struct error *err)
{
    size_t at = day_slot_of(d, what);

    for (; d->slots[at] != 0; at = (at + 1) & (d->slot_count - 1)) {
        struct day_sum *s = &d->at[d->slots[at] - 1];

        if (s->group == what->group && s->day == what->day && s->bill == what->bill) {
            s->lines += what->lines;
            s->marks += what->marks;
            return amounts_add(&s->sum, &what->sum, err);
        }
    }
    d->at[d->count] = *what;
    d->slots[at] = (uint32_t)++d->count;
    return true;
}

void days_forget(struct day_sums *d)
{
    d->count = 0;
    memset(d->slots, 0, d->slot_count * sizeof d->slots[0]);
}
