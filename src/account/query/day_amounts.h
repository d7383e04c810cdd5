/* day_amounts.h - exact amounts by day, in little memory.
 *
 * Questions about days ask for every day of every group at once: tens of thousands of tags over
 * months are millions of amounts. Here one takes 16 bytes, where a row of an answer takes
 * hundreds.
 */
#ifndef ACCOUNT_QUERY_DAY_AMOUNTS_H
#define ACCOUNT_QUERY_DAY_AMOUNTS_H

#include "base/arena.h"
#include "base/decimal.h"
#include "unit/time.h"

/* All zero: no days. */
struct day_amounts {
    struct day_block *first, *last_used;
};

/* `recorded`: a line of a bill or a run is in it, not a recurring cost alone. False with the
 * error set when memory runs out or the sum does not fit. */
bool day_amounts_add(struct day_amounts *days, day on, struct decimal amount, bool recorded,
                     struct arena *arena, struct error *err) MUST_USE;

struct day_amount {
    day on;
    struct decimal amount;
    bool recorded;
};

/* Each day that has an amount, oldest first:
 *
 *     struct day_cursor at = day_amounts_from(days, since);
 *
 *     for (struct day_amount d; day_amounts_next(&at, &d);)
 */
struct day_cursor {
    const struct day_block *block;
    size_t at;
};

/* From that day on; DAY_UNKNOWN: from the first. NULL has no days. */
struct day_cursor day_amounts_from(const struct day_amounts *days, day since);
bool day_amounts_next(struct day_cursor *cursor, struct day_amount *out);

#endif
