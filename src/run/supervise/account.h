/* account.h - what a run has cost so far. Pure.
 *
 * A rented machine is paid by the time it is held, one's own by the electricity it draws, some
 * by both. What was paid up front (set-up, labels) counts from the first moment on.
 */
#ifndef RUN_SUPERVISE_ACCOUNT_H
#define RUN_SUPERVISE_ACCOUNT_H

#include "base/clock.h"
#include "run/supervise/phase.h"
#include "unit/money.h"

struct run_charge {
    usd_per_hour rate;                   /* unknown: electricity counts, or nothing is known */
    usd_per_kwh electricity;             /* unknown: the rate counts */
    double pue;                          /* energy of the place for each of the machine's; 1 */
    double grams_per_kwh;                /* NaN unknown */
    usd setup, storage, transfer, extra; /* up front; unknown: not known, and not counted */
};

/* What a run pays of its machine beside the other runs on it: machine_share.h. */
struct account_share {
    span paid; /* the time of the machine that it pays for, until `at` */
    instant at;
    double part; /* of the price that it pays now */
    bool fixed;  /* and will pay, whatever others do */
    bool inside; /* another run pays, also for the electricity */
};

struct account {
    struct run_charge charge;
    instant began, last;
    struct account_share share;
    double joules;      /* when they were last known; NaN: never */
    double joules_free; /* of them, those that another run paid for */
    usd compute;        /* of time or electricity, until the last look */
    usd phase[PHASE_COUNT];
    usd_per_hour rate; /* now */
    usd lately;        /* of compute: what the last look added */
    double lately_s;   /* likewise of time */
};

void account_start(struct account *account, const struct run_charge *charge, instant now);

/* What it pays of its machine from now on. Until this is set, it pays for all of it. */
void account_share(struct account *account, const struct account_share *share);

/* Time has passed, in this phase; `joules` since the start (NaN: unknown), `watts` now. */
void account_see(struct account *account, instant now, enum run_phase phase, double joules,
                 double watts);

/* So many seconds of the last look were another phase, after all: they and their share of its
 * cost move there. */
void account_move(struct account *account, enum run_phase from, enum run_phase to,
                  double seconds);

/* The command was not started: nothing was paid, not even up front. */
void account_nothing(struct account *account);

/* What an hour costs when the run pays for all of the machine; and the most that it may cost
 * from now on: that, when all others on the machine have ended, unless the share is fixed. */
usd_per_hour account_rate_full(const struct account *account);
usd_per_hour account_rate_most(const struct account *account);

/* All of it: unknown when the price is. */
usd account_cost(const struct account *account);
/* False when what is paid up front uses up the budget (unknown: none). */
bool account_leaves_budget(const struct run_charge *charge, usd budget,
                           struct error *err) MUST_USE;
double account_grams(const struct account *account);

#endif
