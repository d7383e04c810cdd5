#include "account/query/sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"

static bool is_dimension_kept(const struct spending_sums *t, int d)
{
    return (t->by >> d & 1) != 0;
}

static day first_day_of_sum(const struct spending_sums *t, day on)
{
    if (t->grain == GRAIN_ALL || on.n == DAY_UNKNOWN.n)
        return DAY_UNKNOWN;
    if (t->period != NULL)
        return t->period(on);
    return t->grain == GRAIN_MONTH ? day_month_start(on) : on;
}

/* ---- spellings ---- */

/* How a value is spelled: `text` lives in the arena, and its address is part of a row's key. */
struct spelling {
    struct str text;
};

int spelling_cmp(struct str a, struct str b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        unsigned char x = (unsigned char)to_lower(a.at[i]),
                      y = (unsigned char)to_lower(b.at[i]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static bool copy_lower(struct spending_sums *t, struct str text, struct str *out,
                       struct error *err)
{
    char *copy = str_dup(text, t->arena, err);

    for (size_t i = 0; copy != NULL && i < text.len; i++)
        copy[i] = to_lower(copy[i]);
    *out = (struct str){copy, text.len};
    return copy != NULL;
}

/* A value that was not seen before: one that differs in case alone has its spelling. */
static const struct spelling *add_spelling(struct spending_sums *t, int d, struct str value,
                                           struct error *err)
{
    struct str text, folded;
    struct map_entry *seen, *same;
    struct spelling *made;
    bool added;

    if (!str_keep(value, t->arena, &text, err) || !copy_lower(t, value, &folded, err) ||
        (same = map_add(&t->folded[d], folded, &added, err)) == NULL)
        return NULL;
    if (added) {
        made = arena_array(t->arena, struct spelling, 1, err);
        if (made == NULL)
            return NULL;
        made->text = text;
        same->value = made;
    }
    made = same->value;
    if (!added && t->merged_count++ == 0) {
        t->merged = text;
        t->merged_into = made->text;
        t->merged_of = (enum dimension)d;
    }
    seen = map_add(&t->spellings[d], text, NULL, err);
    if (seen == NULL)
        return NULL;
    seen->value = made;
    return made;
}

void spending_sums_warn(const struct spending_sums *t, const struct messages *to)
{
    char more[64] = "";

    if (t->merged_count == 0)
        return;
    if (t->merged_count > 1)
        (void)snprintf(more, sizeof more, "; so are %zu other spelling%s", t->merged_count - 1,
                       t->merged_count == 2 ? "" : "s");
    message_warn(to, "%s '%.*s' is counted as '%.*s'%s: use one spelling",
                 dimension_name(t->merged_of), STR_ARG(t->merged), STR_ARG(t->merged_into),
                 more);
}

/* ---- rows ---- */

/* Equal words, equal rows: a text is the address of its only spelling. */
struct row_key {
    uintptr_t word[DIMENSION_COUNT + 5];
    size_t count;
    const struct spelling *as[DIMENSION_COUNT]; /* of what is kept; NULL: it has no value */
};

static void put_key_word(struct row_key *key, uintptr_t word)
{
    key->word[key->count++] = word;
}

/* A name of the policy, which lives as long as the answer. */
static bool put_key_name(struct spending_sums *t, struct row_key *key, struct str name,
                         struct error *err)
{
    const struct map_entry *e = name.len > 0 ? map_add(&t->names, name, NULL, err) : NULL;

    put_key_word(key, e != NULL ? (uintptr_t)e->key.at : 0);
    return name.len == 0 || e != NULL;
}

static bool make_key(struct spending_sums *t, day from, const struct spending_entry *e,
                     struct row_key *key, struct error *err)
{
    uint32_t currency;

    memcpy(&currency, e->currency.code, sizeof currency);
    key->count = 0;
    put_key_word(key, (uint32_t)from.n);
    put_key_word(key, currency);
    for (int d = 0; d < DIMENSION_COUNT; d++) {
        const struct map_entry *seen;

        if (!is_dimension_kept(t, d))
            continue;
        key->as[d] = NULL;
        if (e->of->of[d].len > 0) {
            seen = map_find(&t->spellings[d], e->of->of[d]);
            key->as[d] = seen != NULL ? seen->value : add_spelling(t, d, e->of->of[d], err);
            if (key->as[d] == NULL)
                return false;
        }
        put_key_word(key, (uintptr_t)key->as[d]);
    }
    return !t->how || (put_key_name(t, key, e->how.shared_by, err) &&
                       put_key_name(t, key, e->how.recurring, err) &&
                       put_key_name(t, key, e->how.kept_by, err));
}

static bool add_sums_row(struct spending_sums *t, day from, const struct spending_entry *e,
                         const struct row_key *key, struct error *err)
{
    struct spending *row;

    t->at = arena_grow(t->arena, t->at, t->count, sizeof *t->at, &t->room, err);
    if (t->at == NULL)
        return false;
    t->state = arena_grow(t->arena, t->state, t->count, sizeof *t->state, &t->state_room, err);
    if (t->state == NULL)
        return false;
    t->state[t->count] = (struct row_state){.last_run = -1};
    row = &t->at[t->count];
    *row = (struct spending){.from = from, .currency = e->currency};
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (is_dimension_kept(t, d) && key->as[d] != NULL)
            row->of.of[d] = key->as[d]->text;
    if (t->how)
        row->how = e->how;
    if (t->days) {
        t->state[t->count].days = arena_array(t->arena, struct day_amounts, 1, err);
        row->days = t->state[t->count].days;
        if (row->days == NULL)
            return false;
    }
    t->count++;
    return true;
}

/* The number of the entry's row, which is made when there is none. */
static bool find_sums_row(struct spending_sums *t, const struct spending_entry *e, size_t *out,
                          struct error *err)
{
    day from = first_day_of_sum(t, e->from);
    struct map_entry *found;
    struct row_key key;
    bool added;
    char *copy;

    if (!make_key(t, from, e, &key, err))
        return false;
    found =
        map_add(&t->rows, (struct str){(const char *)key.word, key.count * sizeof key.word[0]},
                &added, err);
    if (found == NULL)
        return false;
    *out = (size_t)(found - t->rows.at);
    if (!added)
        return true;
    copy = str_dup(found->key, t->arena, err);
    if (copy == NULL)
        return false;
    found->key.at = copy;
    return add_sums_row(t, from, e, &key, err);
}

/* Empty maps, before the first entry. */
static void prepare_maps(struct spending_sums *t)
{
    t->rows = t->names = map_in_arena(t->arena);
    for (int d = 0; d < DIMENSION_COUNT; d++)
        t->spellings[d] = t->folded[d] = map_in_arena(t->arena);
}

bool spending_sums_add(struct spending_sums *t, const struct spending_entry *e,
                       struct error *err)
{
    struct spending *row;
    size_t at;

    if (t->rows.arena == NULL)
        prepare_maps(t);
    if (!find_sums_row(t, e, &at, err))
        return false;
    row = &t->at[at];
    row->lines += e->lines;
    row->runs += e->runs;
    if (e->run >= 0 && t->state[at].last_run != e->run) {
        t->state[at].last_run = e->run;
        row->runs++;
    }
    if (t->days && !day_amounts_add(t->state[at].days, e->from, e->amount,
                                    e->lines > 0 || e->run >= 0 || e->runs > 0, t->arena, err))
        return false;
    if (!decimal_add(row->amount, e->amount, &row->amount) ||
        !decimal_add(row->metered, e->metered, &row->metered))
        return error_fail(err, ERROR_INPUT, "the sum of costs in %s does not fit in 38 digits",
                          e->currency.code);
    return true;
}

static int compare_how(const struct spending_how *x, const struct spending_how *y)
{
    int order = str_cmp(x->shared_by, y->shared_by);

    order = order != 0 ? order : str_cmp(x->recurring, y->recurring);
    return order != 0 ? order : str_cmp(x->kept_by, y->kept_by);
}

static int compare_sums_rows(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;
    int order = (x->from.n > y->from.n) - (x->from.n < y->from.n);

    for (int d = 0; d < DIMENSION_COUNT && order == 0; d++)
        order = str_cmp(x->of.of[d], y->of.of[d]);
    order = order != 0 ? order : compare_how(&x->how, &y->how);
    return order != 0 ? order : currency_compare(x->currency, y->currency);
}

void spending_sums_sort(struct spending_sums *t)
{
    for (size_t i = 0; i < t->count; i++) {
        t->at[i].amount = decimal_trim(t->at[i].amount, 0);
        t->at[i].metered = decimal_trim(t->at[i].metered, 0);
    }
    if (t->count > 1)
        qsort(t->at, t->count, sizeof *t->at, compare_sums_rows);
}
