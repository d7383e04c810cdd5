/* http_internal.h - one request on its way: what http.c, http_hop.c and http_fail.c share. */
#ifndef NET_HTTP_INTERNAL_H
#define NET_HTTP_INTERNAL_H

#include "base/buf.h"
#include "net/net_part.h"
#include "net/url.h"

struct http_exchange {
    const struct http_client *client;
    const struct http_request *request;
    const struct net_part *part;
    void *session;
    int fd; /* of the body */
    /* Where it goes now. */
    struct buf address; /* complete, with a NUL after it */
    struct url at;      /* slices of it */
    bool secrets;       /* may they go there? */
    bool posting;       /* does the body? */
    /* What came of it. */
    enum net_end end;
    struct net_answer answer;
    unsigned tries;
    instant started;
};

/* What is left of the time for the request; INT64_MAX when it has no limit. */
span exchange_time_left(const struct http_exchange *x);

/* Set out: the request's own address with its parameters, encoded and sorted. */
bool exchange_start(struct http_exchange *x, struct error *err) MUST_USE;

/* Go where the redirect says, if that is allowed. */
bool exchange_move(struct http_exchange *x, struct error *err) MUST_USE;

/* Ask, at the present address. False when it may not or cannot be asked at all. */
bool exchange_send(struct http_exchange *x, struct error *err) MUST_USE;

/* Say what came instead of a good answer. Returns false. */
bool exchange_failed(const struct http_exchange *x, struct error *err);

/* Hide the request's secrets in a text that may have come from a server; its new length. */
size_t exchange_hide(const struct http_request *request, char *text, size_t len);

#endif
