/* split.h - a month's money: experiments, production, storage, reserve.
 *
 * Amounts are billionths of a unit of the budget's currency, whatever that is: budgets are kept
 * in euros too. MONEY_UNKNOWN is unknown.
 */
#ifndef PLAN_SPLIT_H
#define PLAN_SPLIT_H

#include "unit/money.h"

enum split_part {
    SPLIT_EXPERIMENTS,
    SPLIT_PRODUCTION,
    SPLIT_STORAGE,
    SPLIT_RESERVE,
    SPLIT_PARTS
};

extern const char *const split_names[SPLIT_PARTS];
extern const double split_usual[SPLIT_PARTS]; /* 30, 50, 10, 10 %: a rule of thumb */

struct split_line {
    double share;
    int64_t amount;
    int64_t planned; /* what the plans held against it come to; unknown: none was given */
    int64_t left;    /* negative: over; unknown when `planned` is */
};

/* The parts add up to the whole (above 0) to the last billionth: what is left over by rounding
 * goes to those that lost most by it. A share is of the whole; those that are NaN have what the
 * others leave, in the proportion of the usual ones. `storage` is what is known to be stored:
 * it gets that instead of a share (unknown: it has one). False, with the error set, when they
 * come to more than the whole, or all are given and come to less. */
bool split_budget(int64_t whole, const double shares[static SPLIT_PARTS], int64_t storage,
                  struct split_line out[static SPLIT_PARTS], struct error *err) MUST_USE;

/* Hold so much against a part: all that is planned for it. */
void split_hold(struct split_line *line, int64_t planned);

/* All parts together. */
struct split_sum {
    int64_t planned;     /* with the known storage; unknown: some of it is */
    int64_t left;        /* of the budget; negative: over */
    int64_t over;        /* by which parts are over, together */
    bool reserve_covers; /* that */
};

struct split_sum split_sum(int64_t whole, const struct split_line lines[static SPLIT_PARTS]);

#endif
