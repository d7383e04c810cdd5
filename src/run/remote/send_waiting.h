/* send_waiting.h - runs that wait on this machine to be sent to a server. */
#ifndef RUN_REMOTE_SEND_WAITING_H
#define RUN_REMOTE_SEND_WAITING_H

#include "run/remote/receiver.h"

struct send_result {
    int64_t sent;    /* journals whose records the server has now */
    int64_t waiting; /* journals that are left */
    usd cost;        /* of those left, as far as known; unknown: of none */
    char folder[256];
    struct error why; /* they are left */
};

/* Send what waits for the server but the file `but` (the caller's own; NULL: none), and remove
 * what it has; stop after `most`. What it refuses stays where it is. Two may send the same at
 * the same time. Never fails: `out` says what is left and why. */
void send_waiting(struct receiver *receiver, const char *but, span most,
                  struct send_result *out);

#endif
