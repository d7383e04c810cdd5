/* Charges that two files of one import have in common would count twice. A delivery in parts
 * may have some of a day in each; but no two parts have the very same charges of a day. */
#include "ledger/bills_internal.h"

#include <stdlib.h>

#define BY_FILE_MAX ((size_t)8 << 20)

static uint64_t mix_mark(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What distinguishes a charge, as a number that can be added up in any order. */
static uint64_t record_mark(const struct record *r, struct digest thing)
{
    uint64_t hash = mix_mark(thing.at[0], (uint64_t)r->start);

    hash = mix_mark(hash, (uint64_t)r->end);
    for (int n = 0; n < BILL_AMOUNTS; n++) {
        hash = mix_mark(hash, (uint64_t)r->amounts.coefficient[n]);
        hash = mix_mark(hash, (uint64_t)(uint8_t)r->amounts.scale[n]);
    }
    return hash;
}

bool twice_note(struct ledger_import *i, const struct record *r, int32_t on,
                struct digest thing, struct error *err)
{
    struct day_sum sum = {.bill = r->bill,
                          .day = on,
                          .group = (int64_t)i->file_count,
                          .lines = 1,
                          .marks = record_mark(r, thing)};
    bool grown = true;

    if (i->by_file_lost)
        return true;
    if (days_full(&i->by_file) && !days_grow(&i->by_file, BY_FILE_MAX, &grown, err))
        return false;
    i->by_file_lost = !grown;
    return !grown || days_add(&i->by_file, &sum, err);
}

static int order_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Equal ones are neighbors, the earlier file first. */
static int compare_sums(const void *a, const void *b)
{
    const struct day_sum *x = a, *y = b;
    int by = order_numbers(x->bill, y->bill);

    if (by == 0)
        by = x->day < y->day ? -1 : x->day > y->day;
    if (by == 0)
        by = order_numbers(x->marks, y->marks);
    if (by == 0)
        by = order_numbers(x->lines, y->lines);
    return by != 0 ? by : order_numbers((uint64_t)x->group, (uint64_t)y->group);
}

static bool same(const struct day_sum *a, const struct day_sum *b)
{
    return a->bill == b->bill && a->day == b->day && a->marks == b->marks &&
           a->lines == b->lines;
}

static bool refuse_twice(const struct ledger_import *i, const struct day_sum *first,
                         const struct day_sum *second, size_t days, struct error *err)
{
    const struct import_file *a = &i->files[first->group - 1],
                             *b = &i->files[second->group - 1];
    struct buf date = buf_new(i->l->alloc, 64);

    day_write((day){first->day}, &date);
    error_set(err, ERROR_INPUT, "'%.*s' has the same %lld charge%s of %.*s as '%.*s'",
              STR_ARG(b->name), (long long)first->lines, first->lines == 1 ? "" : "s",
              (int)date.len, date.len > 0 ? date.at : "", STR_ARG(a->name));
    if (days > 1)
        error_hint(err,
                   "nothing was changed: there are %zu such days; leave one of the files out, "
                   "or --force when they are others",
                   days);
    else
        error_hint(err, "nothing was changed: leave one of the files out, or --force when they "
                        "are others");
    buf_free(&date);
    return false;
}

bool twice_check(struct ledger_import *i, struct error *err)
{
    struct day_sums *d = &i->by_file;
    size_t first = 0, days = 0;

    if (i->options.force || i->file_count < 2 || d->count < 2)
        return true;
    qsort(d->at, d->count, sizeof d->at[0], compare_sums);
    for (size_t n = 1; n < d->count; n++)
        if (same(&d->at[n - 1], &d->at[n])) {
            first = days == 0 ? n - 1 : first;
            days++;
        }
    if (days > 0)
        return refuse_twice(i, &d->at[first], &d->at[first + 1], days, err);
    days_forget(d); /* they are no longer where they would be found */
    return true;
}
