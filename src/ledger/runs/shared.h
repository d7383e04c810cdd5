/* shared.h - a budget that other runs spend from, too.
 *
 * Runs report to the ledger what they have cost each second or so. What each may have spent
 * since its last report is counted as spent, so that together they never spend more than there
 * is. */
#ifndef LEDGER_RUNS_SHARED_H
#define LEDGER_RUNS_SHARED_H

#include "ledger/runs/charges.h"

#define SHARED_MACHINES 64

/* Runs that divide the price of a machine: together they spend no more than one of them alone
 * would, whichever of them ends. */
struct shared_machine {
    uint64_t key;
    int64_t rate;   /* the highest that one of the others says */
    int64_t own;    /* that of this run, which is counted apart */
    int64_t unseen; /* of all of them since the last word of any */
};

struct shared_look {
    usd spent;           /* what the ledger has of this run among it */
    usd_per_hour others; /* the most that those that run meanwhile spend together */
    int64_t unknown;     /* runs whose cost is not known, and not in it */
    struct shared_machine machine[SHARED_MACHINES];
    size_t machines;
    bool counted;     /* by a server, which says what of `spent` is this attempt's: */
    usd recorded;     /* that; unknown: nothing */
    usd limit;        /* of what `spent` is spent; unknown: there is no such budget */
    const char *name; /* of it; NULL: the month's */
};

/* One of those that are under way: its rate, and what it may have spent unseen; nothing but its
 * machine when it is `own`. Pure. */
void shared_add(struct shared_look *look, const struct ledger_charge *charge, stamp now,
                bool own);

/* Of all runs since `began`; `id` is that of this one. */
bool shared_month(struct ledger *ledger, stamp began, const char *id, stamp now,
                  struct shared_look *out, struct error *err) MUST_USE;

#endif
