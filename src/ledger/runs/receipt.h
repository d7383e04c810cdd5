/* receipt.h - what a server that receives runs answers: how much of a run it has for good, and
 * what the run must know of others. Written by the server, read by `stint run --to`; what a
 * newer server adds is passed over. */
#ifndef LEDGER_RUNS_RECEIPT_H
#define LEDGER_RUNS_RECEIPT_H

#include "doc/field.h"
#include "unit/money.h"

#define RECEIPT_SCHEMA "stint.receipt/1"
#define RECEIPT_PATH "/api/v1/agents/records"
#define RECEIPT_TYPE "application/vnd.stint.records" /* of what is sent */
#define RECEIPT_BODY ((size_t)768 << 10)  /* bytes of what is sent, at most: one start */
#define RECEIPT_CHUNK ((size_t)256 << 10) /* bytes of records in it, as a rule */

/* A budget that runs share, as the server saw it last. */
struct receipt_budget {
    struct str name; /* "the budget 'nlp'"; empty: the month's */
    usd limit;       /* unknown: there is none */
    usd remaining;
    usd own;             /* what this attempt has spent of the rest, as far as counted */
    usd_per_hour others; /* what others spend of it meanwhile, at most */
    int64_t unknown;     /* runs whose cost is not known */
};

struct run_receipt {
    struct str run;  /* its id */
    int64_t attempt; /* its number */
    int64_t records; /* the number of the last record that is in the ledger for good */
    /* Of earlier attempts at the run; unknown: there are none. */
    usd before_cost, before_budget;
    struct str stop; /* who asks the run to end; empty: no one */
    bool counted; /* among those that spend from budgets: else what follows is not known yet */
    struct receipt_budget budget; /* that stops runs, with least left */
    usd month_spent;              /* of all runs of the month; unknown: not asked for */
    usd month_own;
    usd_per_hour month_others;
    int64_t month_unknown;
    struct strs notes; /* for the user */
};

extern const struct field_set run_receipt_fields;

/* Nothing is known yet. */
struct run_receipt run_receipt_blank(void);

/* Note that the sender's clock is so many seconds behind the server's (below 0: ahead), by
 * which the times of its run were corrected. 0: nothing to note. */
bool run_receipt_note_clock(struct run_receipt *receipt, int64_t behind, struct arena *arena,
                            struct error *err) MUST_USE;

#endif
