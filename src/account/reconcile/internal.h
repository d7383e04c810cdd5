/* internal.h - bills and runs while they are compared: what lines.c and reconciliation.c share.
 */
#ifndef ACCOUNT_RECONCILE_INTERNAL_H
#define ACCOUNT_RECONCILE_INTERNAL_H

#include "account/query/amount.h"
#include "account/query/charge.h"
#include "account/reconcile/extras.h"
#include "account/reconcile/reconciliation.h"
#include "base/map.h"

/* Lines of one machine, day, currency and meter: what cells are made of. */
struct piece {
    uint32_t machine;
    uint32_t meter; /* a hash of its name; 0: not paid by time */
    day on;
    struct currency currency;
    stamp from, to;
    double hours;  /* of the quantities; several at a time when there are several cores */
    double period; /* hours that the lines are of */
    double at_a_time, longest; /* the largest of hours by period, and period */
    struct decimal cost;
};

struct attempt_money {
    int64_t run;
    struct ledger_charge charge; /* when, and how much of it: no texts */
    usd metered, estimated;      /* metered: within the days that are asked for */
};

struct reconciler {
    const struct account_source *account; /* its arena has what the result points to */
    struct arena *scratch;
    day since, until;
    struct coverage coverage;
    struct run_dimensions dimensions;
    /* As they are read. Numbers in a map are places in its list. */
    struct map machine_ids; /* lower-case ids of resources */
    struct reconcile_machine *machines;
    uint64_t *seen; /* of each machine: a hash of the tags that were read last */
    size_t machine_count, machine_room, seen_room;
    struct buf lower; /* an id in lower case */
    struct map piece_keys;
    struct piece *pieces;
    size_t piece_count, piece_room;
    struct map day_keys; /* days and currencies */
    struct reconcile_day *days;
    size_t day_count, day_room;
    struct reconcile_attempt *attempts;
    struct attempt_money *money; /* of each attempt */
    size_t attempt_count, attempt_room, money_room;
    struct map extra_keys;
    struct reconcile_extra *extras;
    double **extra_days; /* of each: what it cost by day; NULL: not asked */
    size_t extra_count, extra_room, extra_day_room;
    struct kind_seen *kinds; /* of charges, by a hash of their words: few are new */
    /* Made of them. */
    struct reconcile_cell *cells;
    size_t cell_count;
    int64_t *users; /* of each machine: attempts that were on it */
};

/* The sums of a day and currency, made when there are none; NULL with the error set. */
struct reconcile_day *reconcile_day_of(struct reconciler *r, day on, struct currency currency,
                                       struct error *err) MUST_USE;

/* A line as a piece of its machine's day. */
bool reconcile_line(struct reconciler *r, const struct ledger_bill *bill,
                    const struct bill_line *line, struct error *err) MUST_USE;

/* The kind of a line, as extra_kind_of(). */
bool reconcile_kind(struct reconciler *r, const struct bill_line *line, enum extra_kind *kind,
                    bool *use, struct error *err) MUST_USE;

/* A line that is of no machine, as a part of what it is for. */
bool reconcile_add_extra(struct reconciler *r, const struct bill_line *line,
                         struct currency currency, struct error *err) MUST_USE;

/* On how many days they were charged, and what volumes cost while no machine was near them.
 * Cells must be made. */
bool reconcile_extras_finish(struct reconciler *r, struct error *err) MUST_USE;

/* Make cells of pieces; what turns out to be no machine goes to `other` of its day. */
bool reconcile_cells(struct reconciler *r, struct error *err) MUST_USE;

#endif
