/* A bill that is delivered again with a few lines less: a correction, not a part. What left is
 * found line by line: the lines that came are kept as two numbers each, what the charge is for
 * and that with its amounts, and those that are there are looked for among them. */
#include <stdlib.h>

#include "ledger/bills_internal.h"

#define LINES_MAX ((size_t)1 << 19) /* that are remembered */

static int by_exact(const void *a, const void *b)
{
    const struct line_mark *x = a, *y = b;

    return x->exact < y->exact ? -1 : x->exact > y->exact;
}

static int by_correction_order(const void *a, const void *b)
{
    const struct line_mark *x = a, *y = b;

    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

bool correct_note(struct loading *b, uint64_t kind, uint64_t exact, struct arena *arena,
                  struct error *err)
{
    struct line_marks *m = &b->line_marks;

    if (m->lost || b->kept_count == 0)
        return true;
    m->lost = m->count == LINES_MAX;
    if (m->lost)
        return true;
    m->at = arena_grow(arena, m->at, m->count, sizeof m->at[0], &m->room, err);
    if (m->at == NULL)
        return false;
    m->at[m->count++] = (struct line_mark){.kind = kind, .exact = exact};
    return true;
}

/* ---- lines that are there, among those that came ---- */

struct comparison {
    struct line_mark *at; /* sorted; the first of equal ones counts how many are taken */
    size_t count;
    int (*order)(const void *a, const void *b);
};

/* One more of the lines like this: is there one that is not taken? */
static struct line_mark *take_mark(struct comparison *c, struct line_mark like)
{
    size_t low = 0, high = c->count;
    struct line_mark *first;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->order(&c->at[middle], &like) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == c->count || c->order(&c->at[low], &like) != 0)
        return NULL;
    first = &c->at[low];
    if (low + first->taken == c->count || c->order(first + first->taken, &like) != 0)
        return NULL;
    return first + first->taken++;
}

/* The first time lines are found with their amounts, the second time the others without. */
struct correcting {
    struct ledger_import *i;
    struct correction *out;
    struct comparison exact, kinds;
    bool *used; /* by number of `exact`: found with its amounts */
    bool second;
    enum bill_amounts amounts;
};

static bool keep_left(struct correcting *c, const struct bill_line *line, struct error *err)
{
    struct correction *out = c->out;
    struct arena *arena = &c->i->arena;
    struct ledger_left *left = &out->charges[out->charge_count];
    struct decimal amount = c->amounts == BILL_BOTH ? line->billed : line->effective;
    struct str words = line->of[FOCUS_ChargeDescription];

    out->left++;
    if (!decimal_add(out->left_amount, amount, &out->left_amount))
        return error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
    if (out->charge_count == CORRECTION_CHARGES)
        return true;
    if (words.len == 0)
        words = line->of[FOCUS_SkuMeter];
    *left = (struct ledger_left){.on = day_of(line->start), .amount = amount};
    out->charge_count++;
    return str_keep(line->of[FOCUS_ServiceName], arena, &left->service, err) &&
           str_keep(line->of[FOCUS_ResourceId], arena, &left->resource, err) &&
           str_keep(words, arena, &left->description, err);
}

static bool compare_line(void *ctx, const struct ledger_bill *bill,
                         const struct bill_line *line, struct error *err)
{
    struct correcting *c = ctx;
    struct line_mark like = contain_mark(line);
    struct line_mark *found = take_mark(&c->exact, like);

    (void)bill;
    if (found != NULL) {
        c->used[found - c->exact.at] = true;
        return true;
    }
    if (!c->second)
        return true;
    if (take_mark(&c->kinds, like) == NULL)
        return keep_left(c, line, err);
    c->out->changed++;
    return true;
}

/* Those that were not found with their amounts, by what they are for. */
static bool gather_rest(struct correcting *c, struct error *err)
{
    size_t count = c->exact.count;

    c->kinds =
        (struct comparison){.at = arena_array(&c->i->arena, struct line_mark, count, err),
                            .order = by_correction_order};
    if (c->kinds.at == NULL)
        return false;
    for (size_t n = 0; n < count; n++) {
        if (!c->used[n])
            c->kinds.at[c->kinds.count++] = (struct line_mark){.kind = c->exact.at[n].kind};
        c->exact.at[n].taken = 0;
    }
    if (c->kinds.count > 0)
        qsort(c->kinds.at, c->kinds.count, sizeof c->kinds.at[0], by_correction_order);
    return true;
}

/* At least 95 % of the lines are there, and the total is within 5 %. */
static bool is_correction(const struct loading *b, const struct ledger_bill *t,
                          const struct correction *c)
{
    struct decimal before = t->amounts == BILL_BOTH ? t->billed : t->effective;
    struct decimal now = amounts_get(&b->total, t->amounts == BILL_BOTH ? 0 : 1), off = before;

    off.coefficient = -off.coefficient;
    if (20 * c->left > t->lines || !decimal_add(now, off, &off) ||
        !decimal_multiply(off, (struct decimal){20, 0}, &off))
        return false;
    off.coefficient = off.coefficient < 0 ? -off.coefficient : off.coefficient;
    before.coefficient = before.coefficient < 0 ? -before.coefficient : before.coefficient;
    return decimal_cmp(off, before) <= 0;
}

static bool correct_bill(struct ledger_import *i, struct loading *b,
                         const struct ledger_bill *t, struct error *err)
{
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, t->key};
    struct correcting c = {.i = i,
                           .out = arena_array(&i->arena, struct correction, 1, err),
                           .exact = {b->line_marks.at, b->line_marks.count, by_exact},
                           .used = arena_array(&i->arena, bool, b->line_marks.count, err),
                           .amounts = t->amounts};

    if (c.out == NULL || c.used == NULL)
        return false;
    if (c.exact.count > 0)
        qsort(c.exact.at, c.exact.count, sizeof c.exact.at[0], by_exact);
    if (!ledger_bill_lines(i->l, &query, compare_line, &c, err) || !gather_rest(&c, err))
        return false;
    c.second = true;
    if (!ledger_bill_lines(i->l, &query, compare_line, &c, err))
        return false;
    c.out->added = (int64_t)c.exact.count - (t->lines - c.out->left);
    b->correction = is_correction(b, t, c.out) ? c.out : NULL;
    return true;
}

bool correct_meet(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->bill_count && !i->options.add && !i->options.replace; n++) {
        struct loading *b = i->bills[n];

        if (b->kept_count != 1 || b->line_marks.lost || !b->wanted)
            continue;
        for (size_t k = 0; k < i->there_count; k++) {
            const struct ledger_bill *t = &i->there[k];

            /* Only one that has a few lines less: any other is no question. */
            if (t->key == b->kept[0].bill && b->lines < t->lines &&
                20 * b->lines >= 19 * t->lines && !correct_bill(i, b, t, err))
                return false;
        }
    }
    return true;
}
