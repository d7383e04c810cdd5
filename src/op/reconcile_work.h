/* reconcile_work.h - what the files of the operation `reconcile` share. */
#ifndef OP_RECONCILE_WORK_H
#define OP_RECONCILE_WORK_H

#include "op/reconcile.h"
#include "op/spending_work.h"

#define RECONCILE_CURRENCIES 16

/* The amounts of one day and currency, or of all days. */
struct tally {
    day on;
    char currency[4];
    struct decimal billed, matched, idle, untracked, other;
};

struct reconciler {
    struct op_context *ctx;
    struct ledger *ledger;
    day since, until;
    struct coverage coverage;
    struct run_dimensions dimensions;
    struct arena *arena;
    /* Machines and their days. */
    struct reconcile_machine *machines;
    size_t machine_count, machine_room;
    uint32_t *slots; /* a hash table of machines, one more; 0: free */
    size_t slot_count;
    struct reconcile_cell *cells;
    size_t cell_count, cell_room;
    struct tally *tallies; /* by day and currency */
    size_t tally_count, tally_room;
    struct reconcile_attempt *attempts;
    struct attempt_money *money; /* of each attempt */
    size_t attempt_count, attempt_room;
    struct buf scratch;
};

struct attempt_money {
    int64_t run;
    usd metered, estimated;
    bool counted; /* an attempt of a run that was counted with the first */
};

/* Read lines and attempts (reconcile_read.c). */
bool reconcile_gather(struct reconciler *r, struct error *err) MUST_USE;

/* The tally of a day and currency; NULL with the error set. */
struct tally *reconcile_tally(struct reconciler *r, day on, struct str currency,
                              struct error *err) MUST_USE;

/* Fill in the result from what was matched (reconcile_tell.c). */
bool reconcile_tell(struct reconciler *r, int64_t limit, struct reconcile_result *res,
                    struct error *err) MUST_USE;

bool reconcile_add(struct decimal *to, struct decimal amount, struct error *err) MUST_USE;

#endif
