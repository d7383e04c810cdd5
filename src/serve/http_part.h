/* http_part.h - what the loadable part `http` does: connections, HTTP, TLS, time limits, and
 * nothing about what is asked or who may ask it.
 *
 * A request is handed to `handle` when it is complete. Its answer is returned at once, or later
 * by another thread (`later`); meanwhile the connection costs no thread. Answers are counted
 * references, so that one that is often asked for is made once.
 */
#ifndef SERVE_HTTP_PART_H
#define SERVE_HTTP_PART_H

#include "base/buf.h"
#include "base/clock.h"

#define HTTP_PART_VERSION 5
#define HTTP_HEADERS 16 /* of an answer, at most */
#define HTTP_ETAG 32    /* with the NUL */
#define HTTP_PEER 48    /* an address as text, with the NUL */
#define HTTP_CALLER 40  /* bytes of who asks, with the NUL */
#define HTTP_DIGEST 32

struct http_answer;
struct http_stream;
struct http_listener;

/* A request. It lives from `handle` until it is answered. */
struct http_request {
    struct str method;    /* "GET" */
    struct str path;      /* as it was sent: still encoded, without the query */
    struct str query;     /* likewise; empty: none */
    struct str body;      /* as long as `body_most` allowed */
    bool too_large;       /* the body was longer: it was not kept */
    bool unclear;         /* its headers, or where the body ends, can be read in two ways */
    bool unmeasured;      /* its body comes in chunks, which the library reads too leniently */
    bool encrypted;       /* it came over TLS */
    char peer[HTTP_PEER]; /* "127.0.0.1", "::1" */
    void *user;           /* the handler's own */
    /* For the log: */
    instant begun;
    int status;               /* of the answer; 0: the client went away first */
    char caller[HTTP_CALLER]; /* set by the handler */
};

struct http_header {
    const char *name, *value;
};

struct http_reply {
    int status;
    struct http_header headers[HTTP_HEADERS];
    size_t header_count;
    struct str body; /* is copied */
    /* ETag, with its quotes: who has the same already (If-None-Match) gets 304 and no body.
     * NULL: none. */
    const char *etag;
    bool last; /* the connection ends after it */
};

/* Called by threads of the part, several at once. */
struct http_handler {
    /* The headers are there: how many bytes of body may follow? Asked once for each request
     * that has a body. */
    size_t (*body_most)(void *ctx, const struct http_request *request);
    /* Answer it: the reference becomes the part's. NULL: `later` will be called. */
    struct http_answer *(*handle)(void *ctx, struct http_request *request);
    /* It was answered, or the client went away first. After it `request` is gone; never called
     * between a `handle` that returned NULL and `later`. */
    void (*done)(void *ctx, struct http_request *request);
    void *ctx;
};

struct http_options {
    const int *fds; /* listening sockets; they become the part's */
    size_t fd_count;
    unsigned threads;
    unsigned connections; /* at most; further ones wait */
    /* Of one address (a /64 of IPv6) at most; and from how many on who has most loses those
     * that wait longest, so that others get in. Addresses of `exempt` have no limit of their
     * own. */
    unsigned each, crowded;
    const struct str *exempt;
    size_t exempt_count;
    span idle, whole;    /* without a byte; until a request is complete, or an answer sent */
    size_t header_bytes; /* of a request, at most */
    const char *certificate, *key;            /* PEM; NULL: no TLS */
    const struct http_handler *handler;       /* outlives the listener */
    void (*log)(void *ctx, const char *text); /* of the library; may be NULL */
    void *log_ctx;
};

struct http_part {
    struct http_listener *(*open)(const struct http_options *options, struct error *err);
    /* No new connections, then the end of all: every request that was handed out must have been
     * answered, since their threads are the caller's. Two steps, so that they can be. */
    void (*quiet)(struct http_listener *listener);
    void (*close)(struct http_listener *listener);
    unsigned (*connections)(struct http_listener *listener); /* open now */
    /* Use this certificate for connections from now on; those that are open stay. On failure
     * the one before is used. */
    bool (*renew)(struct http_listener *listener, const char *certificate, const char *key,
                  struct error *err);

    /* The value of the request's header; at NULL when it has none. `count`: how often it was
     * sent. */
    struct str (*header)(const struct http_request *request, const char *name, unsigned *count);

    /* Has the client left a request that waits for `later`? Asked before `later` is called. */
    bool (*gone)(const struct http_request *request);

    /* NULL when memory runs out. */
    struct http_answer *(*answer)(const struct http_reply *reply);
    void (*keep)(struct http_answer *answer); /* one more reference */
    void (*drop)(struct http_answer *answer); /* NULL is fine */
    /* Answer a request whose `handle` returned NULL. The reference becomes the part's; NULL
     * (no memory) ends the connection. */
    void (*later)(struct http_request *request, struct http_answer *answer);

    /* An answer without an end, for server-sent events: what is written goes out as it comes.
     * `gone` is called once, by a thread of the part, when the client has left or `end` was
     * called and all was sent; the stream is no longer valid after it returns. A client that
     * does not read what waits (`most` bytes) is cut off. */
    struct http_answer *(*stream)(const struct http_reply *reply, size_t most,
                                  void (*gone)(void *ctx, struct http_stream *stream),
                                  void *ctx, struct http_stream **out);
    bool (*write)(struct http_stream *stream, struct str text); /* false: it is cut off */
    void (*end)(struct http_stream *stream);

    /* SHA-256, by the library that TLS uses: a server need not load another one for tokens. */
    bool (*digest)(struct str text, unsigned char out[static HTTP_DIGEST]);
};

#endif
