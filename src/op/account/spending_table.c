/* Sums by day, dimensions and currency. */
#include "op/account/spending_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define FIRST_ROOM 64

static bool kept(const struct spending_table *t, int d)
{
    return (t->by >> d & 1) != 0;
}

static day first_day(const struct spending_table *t, day on)
{
    if (t->grain == GRAIN_ALL || on.n == DAY_UNKNOWN.n)
        return DAY_UNKNOWN;
    if (t->period != NULL)
        return t->period(on);
    return t->grain == GRAIN_MONTH ? day_month_start(on) : on;
}

static uint64_t hash_of(const struct spending_table *t, day from,
                        const struct spending_entry *e)
{
    uint64_t hash = text_hash((uintptr_t)t ^ (uint64_t)(uint32_t)from.n, str_from(e->currency));

    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (kept(t, d))
            hash = text_hash(hash, e->of->of[d]);
    if (t->how)
        hash = text_hash(text_hash(text_hash(hash, e->how.shared_by), e->how.recurring),
                         e->how.kept_by);
    return hash;
}

static int compare_how(const struct spending_how *x, const struct spending_how *y)
{
    int order = str_cmp(x->shared_by, y->shared_by);

    order = order != 0 ? order : str_cmp(x->recurring, y->recurring);
    return order != 0 ? order : str_cmp(x->kept_by, y->kept_by);
}

static bool same(const struct spending_table *t, const struct spending *row, day from,
                 const struct spending_entry *e)
{
    if (row->from.n != from.n || memcmp(row->currency, e->currency, sizeof e->currency) != 0)
        return false;
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (kept(t, d) && !str_eq(row->of.of[d], e->of->of[d]))
            return false;
    return !t->how || compare_how(&row->how, &e->how) == 0;
}

/* The slot of this key, or the free one where it belongs. */
static uint32_t *find_slot(const struct spending_table *t, day from,
                           const struct spending_entry *e)
{
    size_t mask = t->slot_count - 1;
    size_t at = (size_t)hash_of(t, from, e) & mask;

    while (t->slots[at] != 0 && !same(t, &t->at[t->slots[at] - 1], from, e))
        at = (at + 1) & mask;
    return &t->slots[at];
}

static void fill_slots(struct spending_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct spending_entry e = {.of = &t->at[i].of, .how = t->at[i].how};

        memcpy(e.currency, t->at[i].currency, sizeof e.currency);
        *find_slot(t, t->at[i].from, &e) = (uint32_t)i + 1;
    }
}

/* Twice the room; the slots are filled anew, since there are never more than half of them. */
static bool grow(struct spending_table *t, struct error *err)
{
    size_t room = t->room == 0 ? FIRST_ROOM : t->room * 2;
    struct spending *at = arena_array(t->arena, struct spending, room, err);
    int64_t *last_run = arena_array(t->arena, int64_t, room, err);
    uint32_t *slots = arena_array(t->arena, uint32_t, room * 2, err);

    if (at == NULL || last_run == NULL || slots == NULL)
        return false;
    if (t->count > 0) {
        memcpy(at, t->at, t->count * sizeof *at);
        memcpy(last_run, t->last_run, t->count * sizeof *last_run);
    }
    t->at = at;
    t->last_run = last_run;
    t->slots = slots;
    t->room = room;
    t->slot_count = room * 2;
    fill_slots(t);
    return true;
}

static bool copy(struct spending_table *t, struct str text, struct str *out, struct error *err)
{
    *out = (struct str){str_dup(text, t->arena, err), text.len};
    return out->at != NULL;
}

/* ---- spellings ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

uint64_t spelling_hash(uint64_t seed, struct str value)
{
    uint64_t hash = seed ^ UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < value.len; i++)
        hash = (hash ^ (unsigned char)lower(value.at[i])) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

int spelling_cmp(struct str a, struct str b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        unsigned char x = (unsigned char)lower(a.at[i]), y = (unsigned char)lower(b.at[i]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static size_t spelling_slot(const struct spending_table *t, int dimension, struct str value)
{
    uint64_t seed = (uint64_t)(uintptr_t)t + (uint64_t)dimension;

    return (size_t)spelling_hash(seed, value) % SPELLING_SLOTS;
}

static bool add_spelling(struct spending_table *t, int dimension, struct str value,
                         struct str counts, size_t slot, struct error *err)
{
    struct spellings *s = t->spellings;
    struct spelling *made;

    s->at = arena_grow(t->arena, s->at, s->count, sizeof s->at[0], &s->room, err);
    if (s->at == NULL)
        return false;
    made = &s->at[s->count];
    *made = (struct spelling){.dimension = dimension, .next = s->slots[slot]};
    if (!copy(t, value, &made->value, err))
        return false;
    made->counts = counts.len > 0 ? counts : made->value;
    if (counts.len > 0 && s->merged++ == 0)
        s->example = s->count;
    s->slots[slot] = (uint32_t)++s->count;
    return true;
}

/* The spelling that counts for this value. */
static bool spell(struct spending_table *t, int dimension, struct str *value, struct error *err)
{
    struct spellings *s = t->spellings;
    size_t slot = spelling_slot(t, dimension, *value);
    struct str counts = {0};

    for (uint32_t n = s->slots[slot]; n != 0; n = s->at[n - 1].next) {
        const struct spelling *k = &s->at[n - 1];

        if (k->dimension != dimension || !str_eq_nocase(k->value, *value))
            continue;
        counts = k->counts;
        if (str_eq(k->value, *value)) {
            *value = counts;
            return true;
        }
    }
    if (!add_spelling(t, dimension, *value, counts, slot, err))
        return false;
    *value = s->at[s->count - 1].counts;
    return true;
}

static bool spell_all(struct spending_table *t, struct dimensions *of, struct error *err)
{
    if (t->spellings == NULL &&
        (t->spellings = arena_array(t->arena, struct spellings, 1, err)) == NULL)
        return false;
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (kept(t, d) && of->of[d].len > 0 && !spell(t, d, &of->of[d], err))
            return false;
    return true;
}

void spending_say_spellings(const struct op_context *ctx, const struct spending_table *t)
{
    const struct spellings *s = t->spellings;
    const struct spelling *one;
    char more[64] = "";

    if (s == NULL || s->merged == 0)
        return;
    one = &s->at[s->example];
    if (s->merged > 1)
        (void)snprintf(more, sizeof more, "; so are %zu other spelling%s", s->merged - 1,
                       s->merged == 2 ? "" : "s");
    message_warn(&ctx->messages, "%s '%.*s' is counted as '%.*s'%s: use one spelling",
                 dimension_name((enum dimension)one->dimension), STR_ARG(one->value),
                 STR_ARG(one->counts), more);
}

static bool add_row(struct spending_table *t, day from, const struct spending_entry *e,
                    struct error *err)
{
    struct spending *row = &t->at[t->count];

    *row = (struct spending){.from = from};
    memcpy(row->currency, e->currency, sizeof row->currency);
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (kept(t, d) && e->of->of[d].len > 0 && !copy(t, e->of->of[d], &row->of.of[d], err))
            return false;
    if (t->how) /* names of the policy, which lives as long as the answer */
        row->how = e->how;
    t->last_run[t->count] = -1;
    t->count++;
    return true;
}

bool spending_put(struct spending_table *t, const struct spending_entry *put, struct error *err)
{
    day from = first_day(t, put->from);
    struct dimensions spelled = *put->of;
    struct spending_entry entry = *put, *e = &entry;
    struct spending *row;
    uint32_t *slot;

    if (t->count == t->room && !grow(t, err))
        return false;
    if (!spell_all(t, &spelled, err))
        return false;
    entry.of = &spelled;
    slot = find_slot(t, from, e);
    if (*slot == 0) {
        if (!add_row(t, from, e, err))
            return false;
        *slot = (uint32_t)t->count;
    }
    row = &t->at[*slot - 1];
    row->lines += e->lines;
    row->runs += e->runs;
    if (e->run >= 0 && t->last_run[*slot - 1] != e->run) {
        t->last_run[*slot - 1] = e->run;
        row->runs++;
    }
    if (!decimal_add(row->amount, e->amount, &row->amount) ||
        !decimal_add(row->metered, e->metered, &row->metered))
        return error_fail(err, ERROR_INPUT, "the sum of costs in %s does not fit in 38 digits",
                          e->currency);
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;
    int order = (x->from.n > y->from.n) - (x->from.n < y->from.n);

    for (int d = 0; d < DIMENSION_COUNT && order == 0; d++)
        order = str_cmp(x->of.of[d], y->of.of[d]);
    order = order != 0 ? order : compare_how(&x->how, &y->how);
    return order != 0 ? order : memcmp(x->currency, y->currency, sizeof x->currency);
}

void spending_sort(struct spending_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        t->at[i].amount = decimal_trim(t->at[i].amount, 0);
        t->at[i].metered = decimal_trim(t->at[i].metered, 0);
    }
    if (t->count > 1)
        qsort(t->at, t->count, sizeof *t->at, compare);
}
