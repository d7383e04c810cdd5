/* shared.h - a budget that other runs spend from, too.
 *
 * Runs tell the ledger what they have cost each second or so. What each may have spent since
 * its last word is counted as spent, so that together they never spend more than there is.
 */
#ifndef RUN_SHARED_H
#define RUN_SHARED_H

#include "ledger/charges.h"

struct shared_look {
    usd spent;           /* what the ledger has of this run among it */
    usd_per_hour others; /* what those that run meanwhile spend together */
    int64_t unknown;     /* runs whose cost is not known, and not in it */
};

/* One of the others that is under way: its rate, and what it may have spent unseen. Pure. */
void shared_add(struct shared_look *look, const struct ledger_charge *charge, stamp now);

/* Of all runs since `began`; `id` is that of this one. */
bool shared_month(struct ledger *ledger, stamp began, const char *id, stamp now,
                  struct shared_look *out, struct error *err) MUST_USE;

#endif
