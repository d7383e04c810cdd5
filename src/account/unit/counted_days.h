/* counted_days.h - the days of a model that cost and counts are both known of: 11 days of cost
 * divided by 17 days of counts mean nothing. */
#ifndef ACCOUNT_UNIT_COUNTED_DAYS_H
#define ACCOUNT_UNIT_COUNTED_DAYS_H

#include "account/query/charge.h"
#include "account/unit/unit_costs.h"

/* Those of one model. */
struct counted_days {
    struct str model;
    day since;
    size_t len;
    bool *costed;                /* of each day from `since` on: it has a cost */
    bool *counted;               /* in the same way: some count is of it */
    bool monthly;                /* its charges are by the month */
    day known_from, known_until; /* within which a day without a cost cost nothing */
    bool any_count;              /* its predictions are counted at all */
};

struct counted_days_list {
    const struct account_source *account;
    const struct spending_answer *spent; /* by day */
    day since, until;                    /* `until` is the first day after */
    const struct ledger_count *counts;
    struct str *models; /* of each count */
    size_t count_count;
    struct coverage coverage;
    struct counted_days *at; /* one for each model that was asked about */
    size_t count, room;
};

/* Read what was counted of `what`. `spent`: what making it cost, by day, model and provider; it
 * must stay. */
bool counted_days_read(const struct account_source *account, struct str what, day since,
                       day until, const struct spending_answer *spent,
                       struct counted_days_list *out, struct error *err) MUST_USE;

/* Those of a model, until the next call; NULL with the error set. */
const struct counted_days *counted_days_of(struct counted_days_list *list, struct str model,
                                           struct error *err);

/* Is the cost of the day in the ratio? Of a model without counts, all of it is shown. */
bool counted_days_compared(const struct counted_days *days, day on);

/* From `first` to before `after`: the days that cost and counts are both known of, and how many
 * were counted on them; of a count that is only partly in them, its share by time. NaN when
 * none were. */
struct unit_days counted_days_between(const struct counted_days_list *list,
                                      const struct counted_days *days, day first, day after);
double counted_days_counted(const struct counted_days_list *list,
                            const struct counted_days *days, day first, day after);

#endif
