/* Recurring costs by the day. */
#include "account/policy/internal.h"

/* The month, year or day that `d` is in: its first day, and the first day after. */
static void unit_around(enum per per, day d, day *first, day *after)
{
    *first = *after = (day){0};
    switch (per) {
    case PER_DAY:
        *first = d;
        *after = (day){d.n + 1};
        break;
    case PER_MONTH:
        *first = day_month_start(d);
        *after = day_month_add(d, 1);
        break;
    case PER_YEAR:
        *first = day_year_start(d);
        *after = day_month_add(*first, 12);
        break;
    }
}

/* Days of a unit from `a` on until `b`: what they come to is what the unit had cost by then,
 * less what it had before, so that any cut of it adds up. */
static struct decimal part_of(struct decimal cost, int64_t a, int64_t b, int64_t whole)
{
    struct decimal fine = cost;
    struct quotient before, then;
    const wide most = (wide)1 << 122;

    while (fine.scale < DIVIDE_DECIMALS && fine.coefficient < most) {
        fine.coefficient *= 10;
        fine.scale++;
    }
    before = divide_share((natural)fine.coefficient, (uint64_t)a, (uint64_t)whole);
    then = divide_share((natural)fine.coefficient, (uint64_t)b, (uint64_t)whole);
    return decimal_trim((struct decimal){(wide)(then.q - before.q), fine.scale}, cost.scale);
}

bool policy_recurring_cost(const struct policy *policy, size_t i, day since, day until,
                           struct decimal *out, struct error *err)
{
    const struct recurring *r = &policy->recurring[i];
    day from = r->from, end = until;

    *out = (struct decimal){0};
    if (since.n != INT32_MIN && since.n > from.n)
        from = since;
    if (r->until.n != INT32_MIN && (end.n == INT32_MIN || end.n > r->until.n))
        end = (day){r->until.n + 1};
    while (end.n != INT32_MIN && from.n < end.n) {
        day first, after, last;

        unit_around(r->per, from, &first, &after);
        last = after.n < end.n ? after : end;
        if (!decimal_add(
                *out,
                part_of(r->cost.amount, from.n - first.n, last.n - first.n, after.n - first.n),
                out))
            return error_fail(err, ERROR_INPUT,
                              "the recurring cost '%.*s' is too large to add up",
                              STR_ARG(r->name));
        from = last;
    }
    return true;
}
