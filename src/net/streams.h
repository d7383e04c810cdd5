/* streams.h - many requests to one server at once, whose answers are taken as they arrive.
 *
 * Thousands may be open, in one thread; connections are used again. Nothing is asked twice and
 * no redirect is followed: what happens to a request is what is reported of it. */
#ifndef NET_STREAMS_H
#define NET_STREAMS_H

#include "base/clock.h"
#include "net/end.h"
#include "net/http.h"

struct streams_place {
    const char *url; /* where all requests are posted */
    const struct http_header *headers;
    size_t header_count;
    const char *certificates; /* a file of those that are trusted; NULL: the usual ones */
    bool plain_allowed; /* secrets may go to other machines over plain http: the user said so */
    span connect;       /* give up when not connected after so long, */
    span altogether;    /* and when the answer is not complete after so long */
    size_t most;        /* requests open at once */
};

struct streams_events {
    void *ctx;
    /* Bytes of the body, as they arrive, and when they did; false ends the request. */
    bool (*arrived)(void *ctx, void *stream, int status, struct str bytes,
                    const struct net_moment *when);
    /* After it a new request may be sent, from here, too. */
    void (*ended)(void *ctx, void *stream, const struct net_ended *ended);
};

struct streams;

/* NULL with the error set: a wrong address, a key that would go over plain http, no part. */
struct streams *streams_open(const struct streams_place *place,
                             const struct streams_events *events, struct error *err) MUST_USE;

/* Post `body` (JSON) now, as far as the connection takes it. `stream` is what the events
 * name. False with the error set when memory or files run out, or too many are open. */
bool streams_send(struct streams *streams, struct str body, void *stream,
                  struct error *err) MUST_USE;

/* Take what happens until that moment. Returns early when something happened, or on a
 * signal. */
bool streams_wait(struct streams *streams, instant until, struct error *err) MUST_USE;

/* Requests that are open end without an event. NULL is fine. */
void streams_close(struct streams *streams);

#endif
