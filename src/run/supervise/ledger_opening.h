/* ledger_opening.h - a ledger that a thread of its own opens.
 *
 * A server's name may have to be looked up, and it may accept a connection and say nothing:
 * libpq waits for both, for seconds. The caller waits as long as suits it, and goes on without
 * it. */
#ifndef RUN_SUPERVISE_LEDGER_OPENING_H
#define RUN_SUPERVISE_LEDGER_OPENING_H

#include "ledger/ledger.h"

struct ledger_opening;

struct ledger_opened {
    struct ledger *ledger; /* for writing; NULL: it cannot be */
    struct ledger *reader; /* then: one that can be read all the same; or NULL */
    struct error why;      /* likewise */
};

/* NULL with the error set when there is no memory, or no thread. */
struct ledger_opening *ledger_opening_start(const char *path, span patience,
                                            const struct clock *clock,
                                            const struct alloc *alloc,
                                            struct error *err) MUST_USE;

/* Wait for it, no longer than `most`: true when it is done. Then `opening` is gone, and what
 * was opened is the caller's. */
bool ledger_opening_wait(struct ledger_opening *opening, span most,
                         struct ledger_opened *out) MUST_USE;

/* It is not needed any more; what is opened is closed again. NULL is fine. */
void ledger_opening_leave(struct ledger_opening *opening);

/* ---- the ledger as `stint run` opens it: once, for what is asked of it before the command
 * starts and for the record. Nothing waits for it; what cannot be written goes to a journal.
 * ---- */

struct supervise_options; /* supervise.h */

struct run_ledger {
    struct ledger *ledger; /* to read; NULL: there is none, or it cannot be read */
    struct error why;      /* then; ERROR_ABSENT: there is none yet */
    bool reads_only;       /* and is closed before the command starts */
};

/* Open options->ledger (NULL: none) and set what the supervisor needs of it. `must`: it is
 * asked which run to resume, so a server is given more time to answer. */
void run_ledger_open(struct supervise_options *options, bool must, struct run_ledger *out);

void run_ledger_close_reader(struct run_ledger *of);

/* Resume the run with this id or name: fails when it cannot be found or is still running. */
bool run_ledger_resume(const struct run_ledger *of, struct str wanted, struct arena *arena,
                       struct ledger_start *start, struct error *err) MUST_USE;

#endif
