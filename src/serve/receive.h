/* receive.h - POST /api/v1/agents/records: runs that other machines send. */
#ifndef SERVE_RECEIVE_H
#define SERVE_RECEIVE_H

#include "serve/internal.h"

/* The thread that writes what arrives; NULL with the error set. */
struct receiver_thread *receiver_start(struct server *s, struct error *err) MUST_USE;
void receiver_end(
    struct receiver_thread *thread); /* what waits is answered first; NULL: none */

/* Hand a post to it: NULL, or the answer that too many wait. */
struct http_answer *receive_post(struct server *s, const struct caller *caller,
                                 struct http_request *request);

#endif
