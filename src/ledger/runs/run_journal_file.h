/* run_journal_file.h - journals that wait for a ledger or a server: for those who add or send
 * them. */
#ifndef LEDGER_RUNS_RUN_JOURNAL_FILE_H
#define LEDGER_RUNS_RUN_JOURNAL_FILE_H

#include <limits.h>

#include "ledger/runs/run_journal.h"

#define JOURNAL_PLACES 4 /* beside it, the state folder, the temporary folder, memory */

struct run_journal_file {
    const char *path;
    struct str records;
    int fd;
    bool locked;     /* its writer is gone: it may be removed */
    bool unreadable; /* not written by this Stint, or not for this user */
    bool done;       /* set by `each`: its records are in the ledger */
};

/* Every journal that waits for the ledger but the one at `but` (NULL: all), by the time its run
 * began in each folder. `each` returns false to stop. */
void run_journal_each(const char *ledger, const char *but,
                      bool (*each)(void *ctx, struct run_journal_file *file), void *ctx);

#endif
