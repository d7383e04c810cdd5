/* receive.h - runs that other machines send to a server.
 *
 * What arrives at about the same time is added to the ledger in one transaction, and each
 * sender learns how much of its own is there for good. A record is added once, however often it
 * is sent. */
#ifndef OP_RUN_RECEIVE_H
#define OP_RUN_RECEIVE_H

#include "base/arena.h"
#include "ledger/ledger.h"
#include "ledger/runs/receipt.h"

struct op_context; /* op/context.h */
struct receive;

/* One post. */
struct received {
    struct str body;   /* as run_journal_split() reads it */
    struct str team;   /* that the token is of; empty: any */
    stamp clock;       /* of the sender, when it was sent; -1: not said */
    bool begin;        /* the run is about to begin: budgets and policies may refuse it */
    bool month;        /* the sender asks for what the runs of the month cost */
    struct str resume; /* "name", an id, or empty: none */

    struct run_receipt receipt;
    bool foreign;     /* refused: the run is another team's */
    struct error err; /* ERROR_NONE: it is in the ledger for good */
};

/* For one thread: the context is its own, quiet, and outlives it. NULL without memory. */
struct receive *receive_open(struct op_context *ctx, struct error *err) MUST_USE;
void receive_close(struct receive *receive); /* NULL is fine */

/* Add them all; texts of the receipts live in the arena. Errors of one are its own: ERROR_INPUT
 * for records that are none, ERROR_GUARD for another team's run or a budget that is spent,
 * ERROR_ABSENT for a run that is not there to be resumed; all others may pass. */
void receive_all(struct receive *receive, struct received *items, size_t count,
                 struct arena *arena);

#endif
