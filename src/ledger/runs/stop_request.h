/* stop_request.h - runs on other machines that are asked to end.
 *
 * The request is an event of the attempt, so that it stays on record who asked. The server that
 * receives the run passes it on with its next answer. */
#ifndef LEDGER_RUNS_STOP_REQUEST_H
#define LEDGER_RUNS_STOP_REQUEST_H

#include "ledger/ledger.h"

#define STOP_REQUEST_KIND "stop-asked"

/* Does the run report to a server that receives runs? Only then is a request seen. */
bool stop_request_reaches(const struct ledger_run *run);

/* The fact of an attempt that says so, "to=https://...". */
#define STOP_REQUEST_FACT "to"

/* Ask for the end of the newest attempt. Asking twice is asking once. */
bool stop_request_put(struct ledger *ledger, const char *id, struct str by, stamp now,
                      struct error *err) MUST_USE;

struct ledger_stop_request {
    struct str run; /* its id */
    struct str by;
};

/* Of all attempts that have not ended. */
bool stop_requests_read(struct ledger *ledger, struct arena *arena,
                        const struct ledger_stop_request **out, size_t *count,
                        struct error *err) MUST_USE;

#endif
