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

#endif
