#include "account/query/day_amounts.h"

#define BLOCK 32 /* days */

/* Almost every amount has a coefficient of 64 bits; the others are kept apart. */
struct packed_amount {
    union {
        int64_t coefficient;
        struct decimal *wide;
    };
    int8_t scale;
    bool there, recorded, is_wide;
};

struct day_block {
    struct day_block *next; /* of later days */
    int32_t first;
    struct packed_amount at[BLOCK];
};

static int32_t block_start(day on)
{
    int32_t within = on.n % BLOCK;

    return on.n - (within < 0 ? within + BLOCK : within);
}

static struct decimal unpack(const struct packed_amount *p)
{
    return p->is_wide ? *p->wide : (struct decimal){p->coefficient, p->scale};
}

static bool pack_amount(struct decimal amount, struct packed_amount *out, struct arena *arena,
                        struct error *err)
{
    if (amount.coefficient <= INT64_MAX && amount.coefficient >= INT64_MIN) {
        out->coefficient = (int64_t)amount.coefficient;
        out->scale = (int8_t)amount.scale;
        out->is_wide = false;
        return true;
    }
    if (!out->is_wide && (out->wide = arena_array(arena, struct decimal, 1, err)) == NULL)
        return false;
    *out->wide = amount;
    out->is_wide = true;
    return true;
}

/* The block of a day, which is made when there is none. Amounts come mostly in order. */
static struct day_block *find_block(struct day_amounts *days, int32_t start,
                                    struct arena *arena, struct error *err)
{
    struct day_block **link = &days->first, *made;

    if (days->last_used != NULL && days->last_used->first <= start) {
        if (days->last_used->first == start)
            return days->last_used;
        link = &days->last_used->next;
    }
    while (*link != NULL && (*link)->first < start)
        link = &(*link)->next;
    if (*link == NULL || (*link)->first != start) {
        made = arena_array(arena, struct day_block, 1, err);
        if (made == NULL)
            return NULL;
        made->first = start;
        made->next = *link;
        *link = made;
    }
    days->last_used = *link;
    return *link;
}

bool day_amounts_add(struct day_amounts *days, day on, struct decimal amount, bool recorded,
                     struct arena *arena, struct error *err)
{
    struct day_block *block = find_block(days, block_start(on), arena, err);
    struct packed_amount *p;

    if (block == NULL)
        return false;
    p = &block->at[on.n - block->first];
    if (p->there && !decimal_add(unpack(p), amount, &amount))
        return error_fail(err, ERROR_INPUT,
                          "the sum of a day's costs does not fit in 38 digits");
    p->there = true;
    p->recorded |= recorded;
    return pack_amount(amount, p, arena, err);
}

struct day_cursor day_amounts_from(const struct day_amounts *days, day since)
{
    struct day_cursor c = {.block = days != NULL ? days->first : NULL};

    if (since.n == DAY_UNKNOWN.n)
        return c;
    while (c.block != NULL && c.block->first + BLOCK <= since.n)
        c.block = c.block->next;
    if (c.block != NULL && since.n > c.block->first)
        c.at = (size_t)(since.n - c.block->first);
    return c;
}

bool day_amounts_next(struct day_cursor *c, struct day_amount *out)
{
    for (; c->block != NULL; c->block = c->block->next, c->at = 0)
        while (c->at < BLOCK) {
            const struct packed_amount *p = &c->block->at[c->at++];

            if (!p->there)
                continue;
            *out = (struct day_amount){
                {c->block->first + (int32_t)c->at - 1}, unpack(p), p->recorded};
            return true;
        }
    return false;
}
