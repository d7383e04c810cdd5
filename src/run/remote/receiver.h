/* receiver.h - a server that receives runs, as `stint run --to` sees it.
 *
 * The same records that go to a ledger, or to a journal while it cannot be written, are posted
 * to the server, which answers when they are in its ledger for good. A post whose answer was
 * lost is sent again: records are numbered, and the ledger adds each once.
 *
 * For one thread at a time. */
#ifndef RUN_REMOTE_RECEIVER_H
#define RUN_REMOTE_RECEIVER_H

#include "base/log.h"
#include "ledger/ledger.h"
#include "ledger/runs/receipt.h"
#include "ledger/runs/shared.h"

struct receiver;

struct receiver_options {
    const char *address;      /* "https://costs.example.org:8712" */
    const char *token;        /* "stint_..." */
    const char *certificates; /* a file of those that are trusted; NULL: the usual ones */
    bool unencrypted;         /* plain http to another machine is wanted */
    usd month_budget;         /* of all runs of the month; unknown: none */
    const struct clock *clock;
    const struct alloc *alloc;
    const struct log *log;
};

/* Is it one that can be used? ERROR_USAGE for what is no address, and for plain http to another
 * machine unless that is wanted. A slash at its end is left out: the address is copied. */
char *receiver_address(struct str text, bool unencrypted, struct arena *arena,
                       struct error *err) MUST_USE;

/* NULL with the error set: no memory, or the part `net` is not installed. Texts are copied. */
struct receiver *receiver_open(const struct receiver_options *options,
                               struct error *err) MUST_USE;
void receiver_close(struct receiver *receiver); /* NULL is fine */

const char *receiver_name(const struct receiver *receiver); /* its address */

/* What to begin with. */
struct receiver_begin {
    bool begin;        /* the attempt is about to begin: may it? */
    bool resume;       /* go on with the newest run of this name and folder */
    struct str wanted; /* or with this one; empty: none */
    span most;         /* to wait for the answer */
};

/* Post the records of an attempt, those after the last that the server is known to have. True
 * when all of them are in its ledger for good. `refused`: it will not take them, however often
 * they are sent; else it may later. `begin` NULL: the attempt has begun. */
bool receiver_send(struct receiver *receiver, struct str start, struct str records,
                   const struct receiver_begin *begin, bool *refused,
                   struct error *err) MUST_USE;

/* What is sent next is of another attempt, of which it is not known what the server has.
 * `others`: of one that this process does not supervise: its receipts are not kept. */
void receiver_next(struct receiver *receiver, bool others);

/* From another thread: do not wait any longer, for good. What is being sent fails soon. */
void receiver_abandon(struct receiver *receiver);

/* The last answer; texts live until the next post. */
const struct run_receipt *receiver_receipt(const struct receiver *receiver);

/* How long the server asks to be left alone; 0: it does not. */
span receiver_wait(const struct receiver *receiver);

/* What is left of the budgets that hold for the run, by the last answer: as `month_spent` of
 * struct supervise_options. The receiver is the context, the ledger NULL. */
bool receiver_spent(void *receiver, struct ledger *none, const char *id, usd_per_hour rate,
                    struct shared_look *out, struct error *err);

/* What a run that begins takes from the last answer of its receiver: its id, its attempt, what
 * earlier attempts cost, and the budget that it shares. */
struct supervise_options; /* run/supervise/supervise.h */
void receiver_take_answer(struct supervise_options *options);

#endif
