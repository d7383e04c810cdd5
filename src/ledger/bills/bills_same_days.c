/* The same money by what each day cost, for bills that name no resources, or name them
 * differently: Google's export has names where its FOCUS file has numbers. Days that cost the
 * same to the cent, and not all the same, are no coincidence. Where every day costs about the
 * same, two accounts may well have equal machines: that is the same money only in another
 * format, and when nothing that both name speaks against it. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "ledger/bills_internal.h"

#define DAYS_MAX 4000 /* a bill of more is not compared by its days */
#define CENT 0.010001
#define LEAST_DAYS 3

static const char read_totals[] = "SELECT day, SUM_AMOUNT(billed), SUM_AMOUNT(effective)"
                                  " FROM bill_days WHERE bill = ?1 GROUP BY day ORDER BY day";

static bool make_day_totals(struct day_totals *t, int32_t first, int32_t last,
                            struct arena *arena, struct error *err)
{
    *t = (struct day_totals){.first = first};
    if (last < first || (int64_t)last - first >= DAYS_MAX)
        return true;
    t->count = (size_t)(last - first) + 1;
    for (int n = 0; n < 2; n++) {
        t->of[n] = arena_array(arena, double, t->count, err);
        if (t->of[n] == NULL)
            return false;
    }
    return true;
}

static bool read_day_totals(struct ledger_import *i, int64_t bill, struct day_totals *t,
                            struct error *err)
{
    struct query *q = ledger_query(i->l, read_totals, VALUES(as_int(bill)), err);
    int got;

    while ((got = ledger_row(i->l, q, "read", err)) > 0) {
        int64_t at = column_int(q, 0) - t->first;
        struct decimal sums[2];

        if (!column_amount(q, 1, &sums[0], err) || !column_amount(q, 2, &sums[1], err)) {
            query_reset(q);
            return false;
        }
        for (int n = 0; n < 2 && at >= 0 && at < (int64_t)t->count; n++)
            t->of[n][at] = decimal_double(sums[n]);
    }
    return got == 0;
}

bool same_days_there(struct ledger_import *i, const struct ledger_bill *bill,
                     struct day_totals *out, struct error *err)
{
    int tables;

    if (!make_day_totals(out, bill->first_day.n, bill->last_day.n, &i->arena, err))
        return false;
    if (out->count == 0)
        return true;
    tables = ledger_start_read(i->l, err);
    if (tables <= 0)
        return tables == 0;
    return ledger_finish(i->l, read_day_totals(i, bill->key, out, err), err);
}

bool same_days_loading(struct ledger_import *i, const struct loading *b, struct day_totals *out,
                       struct error *err)
{
    if (!make_day_totals(out, b->first_day, i->by_day_lost ? b->first_day - 1 : b->last_day,
                         &i->arena, err))
        return false;
    for (size_t d = 0; d < out->count; d++) {
        const struct day_sum *sum =
            days_find(&i->by_day, b->number, out->first + (int32_t)d, 0);

        for (int n = 0; n < 2 && sum != NULL; n++)
            out->of[n][d] = decimal_double(amounts_get(&sum->sum, n));
    }
    return true;
}

static double total_of_day(const struct day_totals *t, int which, int32_t on)
{
    int64_t at = (int64_t)on - t->first;

    return at >= 0 && at < (int64_t)t->count ? t->of[which][at] : 0;
}

double same_days_sum(const struct day_totals *t, int which, int32_t first, int32_t last)
{
    double sum = 0;

    for (size_t d = 0; d < t->count; d++)
        if (t->first + (int32_t)d >= first && t->first + (int32_t)d <= last)
            sum += t->of[which][d];
    return sum;
}

/* How many amounts are there that are not as good as equal? */
static size_t count_distinct(double *at, size_t count)
{
    size_t distinct = count > 0;
    double last;

    if (count == 0)
        return 0;
    qsort(at, count, sizeof at[0], num_by_value);
    last = at[0];
    for (size_t n = 1; n < count; n++)
        if (at[n] - last > 2 * CENT && at[n] - last > 1e-4 * fabs(at[n])) {
            distinct++;
            last = at[n];
        }
    return distinct;
}

struct same_days same_days_compare(const struct day_totals *a, const struct day_totals *b,
                                   int which)
{
    int32_t first = a->first > b->first ? a->first : b->first;
    int32_t ends[2] = {a->first + (int32_t)a->count, b->first + (int32_t)b->count};
    int32_t end = ends[0] < ends[1] ? ends[0] : ends[1];
    double equal[DAYS_MAX];
    struct same_days out = {0};

    for (int32_t on = first; on < end; on++) {
        double x = total_of_day(a, which, on), y = total_of_day(b, which, on);

        if (fabs(x) < CENT && fabs(y) < CENT)
            continue;
        out.days++;
        out.both += fabs(x) >= CENT && fabs(y) >= CENT;
        out.near +=
            fabs(x) >= CENT && fabs(y) >= CENT && fabs(x - y) <= 0.05 * fmax(fabs(x), fabs(y));
        if (fabs(x - y) <= CENT)
            equal[out.equal++] = x;
    }
    out.distinct = count_distinct(equal, out.equal);
    return out;
}

bool same_days_agree(const struct same_days *d)
{
    return d->equal >= LEAST_DAYS && 10 * d->equal >= 9 * d->days;
}

bool same_days_telling(const struct same_days *d)
{
    return same_days_agree(d) && d->distinct >= LEAST_DAYS && 4 * d->distinct >= d->equal;
}
