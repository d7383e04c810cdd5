/* account.h - what a run has cost so far. Pure.
 *
 * A rented machine is paid by the time it is held, one's own by the electricity it draws, some
 * by both. What was paid up front (set-up, labels) counts from the first moment on.
 */
#ifndef RUN_ACCOUNT_H
#define RUN_ACCOUNT_H

#include "base/clock.h"
#include "run/phase.h"
#include "unit/money.h"

struct run_charge {
    usd_per_hour rate;                   /* unknown: electricity counts, or nothing is known */
    usd_per_kwh electricity;             /* unknown: the rate counts */
    double pue;                          /* energy of the place for each of the machine's; 1 */
    double grams_per_kwh;                /* NaN unknown */
    usd setup, storage, transfer, extra; /* up front; unknown: not known, and not counted */
};

struct account {
    struct run_charge charge;
    instant began, last;
    double joules; /* when they were last known; NaN: never */
    usd compute;   /* of time or electricity, until the last look */
    usd phase[PHASE_COUNT];
    double phase_s[PHASE_COUNT];
    usd_per_hour rate; /* now */
    usd lately;        /* of compute: what the last look added */
    double lately_s;   /* likewise of time */
};

void account_start(struct account *account, const struct run_charge *charge, instant now);

/* Time has passed, in this phase; `joules` since the start (NaN: unknown), `watts` now. */
void account_see(struct account *account, instant now, enum run_phase phase, double joules,
                 double watts);

/* So many seconds of the last look were another phase, after all: they and their share of its
 * cost move there. */
void account_move(struct account *account, enum run_phase from, enum run_phase to,
                  double seconds);

/* It was not begun: nothing was paid, up front neither. */
void account_nothing(struct account *account);

/* All of it: unknown when the price is. */
usd account_cost(const struct account *account);
/* The part that was paid up front. */
usd account_upfront(const struct run_charge *charge);
double account_grams(const struct account *account);

#endif
