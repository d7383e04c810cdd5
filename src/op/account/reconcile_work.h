/* reconcile_work.h - what the files of the operation `reconcile` share. */
#ifndef OP_ACCOUNT_RECONCILE_WORK_H
#define OP_ACCOUNT_RECONCILE_WORK_H

#include "account/query/charge.h"
#include "account/reconcile/reconcile.h"
#include "op/account/reconcile.h"
#include "op/spending.h"

#define RECONCILE_CURRENCIES 16

/* The amounts of one day and currency, or of all days. */
struct tally {
    day on;
    char currency[4];
    int64_t lines; /* of bills */
    struct decimal billed, matched, idle, untracked, other;
    usd metered, only; /* of runs: by the meter, and of it what no line was found for */
};

/* Lines of one machine, day, currency and meter: what cells are made of. */
struct piece {
    uint32_t machine;
    uint32_t meter; /* a hash of its name; 0: not paid by time */
    day on;
    char currency[4];
    stamp from, to;
    double hours;  /* of the quantities; several at a time when there are several cores */
    double period; /* hours that the lines are of */
    double at_a_time, longest; /* the largest of hours by period, and period */
    struct decimal cost;
};

/* A hash table of places in a list, one more; 0: free. */
struct slots {
    uint32_t *at;
    size_t count;
};

struct reconciler {
    struct op_context *ctx;
    struct ledger *ledger;
    day since, until;
    struct coverage coverage;
    struct run_dimensions dimensions;
    struct arena *arena;
    /* As they are read. */
    struct reconcile_machine *machines;
    uint64_t *seen; /* of each machine: a hash of the tags that were looked at last */
    size_t machine_count, machine_room, seen_room;
    struct slots machine_slots;
    struct piece *pieces;
    size_t piece_count, piece_room;
    struct slots piece_slots;
    struct tally *tallies; /* by day and currency */
    size_t tally_count, tally_room;
    struct slots tally_slots;
    struct reconcile_attempt *attempts;
    struct attempt_money *money; /* of each attempt */
    size_t attempt_count, attempt_room, money_room;
    /* Made of them. */
    struct reconcile_cell *cells;
    size_t cell_count;
    int64_t *users; /* of each machine: attempts that were on it */
};

struct attempt_money {
    int64_t run;
    struct ledger_charge charge; /* when, and how much of it: no texts */
    usd metered, estimated;      /* metered: within the days that are asked for */
};

/* Read lines and attempts (reconcile_read.c). */
bool reconcile_gather(struct reconciler *r, struct error *err) MUST_USE;

/* The tally of a day and currency, made when there is none; NULL with the error set. */
struct tally *reconcile_tally(struct reconciler *r, day on, struct str currency,
                              struct error *err) MUST_USE;

bool reconcile_add(struct decimal *to, struct decimal amount, struct error *err) MUST_USE;
bool reconcile_in_range(const struct reconciler *r, day on);

/* Lines as machines and pieces of days (reconcile_line.c). */
bool reconcile_line(struct reconciler *r, const struct ledger_bill *bill,
                    const struct bill_line *line, struct error *err) MUST_USE;

bool reconcile_grow_slots(struct reconciler *r, struct slots *slots, size_t used,
                          uint64_t (*hash)(const struct reconciler *r, size_t at),
                          struct error *err) MUST_USE;

/* Make cells of pieces; what turns out to be no machine goes to `other` of its day
 * (reconcile_cells.c). */
bool reconcile_cells(struct reconciler *r, struct error *err) MUST_USE;

/* How many hours a quantity in this unit is; 0: it is no time. `of_azure`: its bills count
 * single hours whatever the size of the unit. */
double reconcile_unit_hours(struct str unit, bool of_azure);

/* Fill in the result from what was matched (reconcile_tell.c). */
bool reconcile_tell(struct reconciler *r, int64_t limit, struct reconcile_result *res,
                    struct error *err) MUST_USE;

#endif
