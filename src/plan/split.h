/* split.h - a month's money: experiments, production, storage, reserve. */
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

struct split_line {
    double share;
    usd amount;
    usd planned; /* what the plans held against it come to; unknown: none was given */
    usd left;    /* negative: over */
};

/* The parts add up to the whole to the last nano-dollar. Shares NaN: the usual ones (30, 50, 10,
 * 10 %), where storage gets what is known to be stored instead and the others share the rest. */
void split_budget(usd whole, const double shares[static SPLIT_PARTS], usd storage,
                  struct split_line out[static SPLIT_PARTS]);

#endif
