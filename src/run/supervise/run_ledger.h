/* run_ledger.h - the ledger as `stint run` opens it: once, for what is asked of it before the
 * command starts and for the record. Nothing waits for it; what cannot be written goes to a
 * journal.
 */
#ifndef RUN_SUPERVISE_RUN_LEDGER_H
#define RUN_SUPERVISE_RUN_LEDGER_H

#include "run/supervise/supervise.h"

struct run_ledger {
    struct ledger *ledger; /* to read; NULL: there is none, or it cannot be read */
    struct error why;      /* then; ERROR_ABSENT: there is none yet */
    bool reads_only;       /* and is closed before the command starts */
};

/* Open options->ledger (NULL: none) and set what the supervisor needs of it. `must`: it is asked
 * which run to resume, so a server is given more time to answer. */
void run_ledger_open(struct supervise_options *options, bool must, struct run_ledger *out);

void run_ledger_close_reader(struct run_ledger *of);

/* Resume the run with this id or name: fails when it cannot be found or is still running. */
bool run_ledger_resume(const struct run_ledger *of, struct str wanted, struct arena *arena,
                       struct ledger_start *start, struct error *err) MUST_USE;

#endif
