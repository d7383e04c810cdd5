/* charge.h - runs as the account sees them: by day, by dimension, and whether a bill covers
 * them.
 */
#ifndef ACCOUNT_QUERY_CHARGE_H
#define ACCOUNT_QUERY_CHARGE_H

#include "account/account.h"
#include "account/policy/allocate.h"
#include "base/map.h"
#include "bill/provider.h"
#include "ledger/bills/bills.h"
#include "ledger/runs/charges.h"

/* ---- days ---- */

/* What of an attempt's cost falls on each day that it ran: evenly over its time, and exact -
 * the days add up to the cost. */
struct charge_days {
    int64_t cost, started, until; /* nano-dollars, seconds */
    int64_t at;                   /* seconds: where the next day begins */
};

struct charge_days charge_days_of(const struct ledger_charge *charge);

/* The next day and its cost (MONEY_UNKNOWN when that is unknown); false when there is none. */
bool charge_days_next(struct charge_days *d, day *on, int64_t *nano);

/* ---- bills ---- */

/* Consecutive days that bills of a provider cover. */
struct cover {
    struct str provider; /* as a bill calls it */
    const struct known_provider *known;
    day first, last;
};

struct coverage {
    struct cover *at; /* one or more for each provider */
    size_t count;
};

/* Of the ledger's bills. */
bool coverage_read(struct ledger *ledger, struct arena *arena, struct coverage *out,
                   struct error *err) MUST_USE;
bool coverage_make(const struct ledger_bill *bills, size_t count, struct arena *arena,
                   struct coverage *out, struct error *err) MUST_USE;

/* Does a bill cover the day? `provider` as coverage_name() returns it. */
bool coverage_has(const struct coverage *c, struct str provider, day on);

/* The provider as bills call it, so that both are one; else provider_name(). */
struct str coverage_name(const struct coverage *c, struct str provider);

/* The newest day that a bill covers; DAY_UNKNOWN: none does. */
day coverage_last(const struct coverage *c);

/* ---- dimensions ---- */

#define RUN_DIMENSION_MAX 200 /* bytes of a value; of a longer one the first count */
struct run_dimensions {
    const struct account_source *account;
    const struct coverage *coverage;
    const struct allocation_policy *policy; /* whose rules set tags; NULL: none */
    uint64_t wanted;                        /* dimensions: looking up a GPU takes time */
    struct buf scratch;                     /* the last run's tags */
    struct map gpus, instances; /* names that were looked up: struct str, what they are */
    struct map offers;          /* likewise: struct dimensions */
    bool told_long;             /* that a value is longer than RUN_DIMENSION_MAX */
};

void run_dimensions_open(struct run_dimensions *d, const struct account_source *account,
                         const struct coverage *coverage,
                         const struct allocation_policy *policy, uint64_t wanted);
void run_dimensions_close(struct run_dimensions *d);

/* Texts live in the account's arena, or as long as the charge. */
bool run_dimensions_of(struct run_dimensions *d, const struct ledger_charge *charge,
                       struct dimensions *out, struct error *err) MUST_USE;

#endif
