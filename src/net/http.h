/* http.h - asking a web server, politely and with an end.
 *
 * libcurl sits in the loadable part `net`. Every request has a limit on size and time; a server
 * that answers "too many requests" (429, or 403 with the time to wait) or fails is asked again
 * after the time it names, a few times; a body that was cut off is a failure. Secrets travel in
 * headers or in a signature, are never sent to another host by a redirect, never over plain
 * http except to this machine itself, and never written to a log or an error. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "base/clock.h"
#include "base/log.h"
#include "base/source.h"
#include "base/str.h"

#define HTTP_WATCHED 2048 /* bytes of a header that is wanted, with its NUL */

struct http_header {
    const char *name;
    const char *value;
    bool secret;
};

/* AWS Signature Version 4. */
struct http_aws {
    const char *key, *secret, *token; /* token NULL for lasting credentials */
    const char *region, *service;
};

struct http_parameter {
    struct str name, value; /* not encoded yet */
};

struct http_request {
    const char *url;    /* http or https; it may have a query of its own, encoded already */
    const char *method; /* NULL: GET, or POST with a body */
    /* For a service of this very machine: never through a proxy, no redirects, and the answer
     * is kept in memory, so that a full disk does not lose it. */
    bool direct;
    bool plain_allowed; /* secrets may go to other machines over plain http: the user said so */
    const char *certificates; /* a file of those that are trusted; NULL: the usual ones */
    bool stay;                /* a redirect is not followed: it is a refusal like others */
    /* The address and the body are secrets: the path is hidden in messages, and it
     * goes to no other machine over plain http. */
    bool secret;
    /* It makes something new: a failure after which it may have been made is not followed by
     * another try, only one by which the server refused to begin (too many requests). */
    bool once;
    const char *watch; /* a header of the answer that is wanted, "Name:"; NULL: none */
    const struct http_parameter *parameters;
    size_t parameter_count; /* encoded and sorted by name when sent: signatures need that */
    const struct http_header *headers;
    size_t header_count;
    const struct http_aws *aws; /* NULL: not signed */
    struct str body;            /* POST when not empty, unless `method` is another */
    const char *content_type;
    const char *etag;     /* of what we have: the server may answer "not changed"; NULL: none */
    const char *modified; /* likewise, a Last-Modified */
    uint64_t max_body;    /* bytes, unpacked */
    const char *refused;  /* hint when credentials are missing or refused; NULL: none */
};

/* How to behave: tests make it quick. */
struct http_manners {
    unsigned tries;   /* in all, for failures that may pass */
    span wait;        /* before the second try; twice as long before each one after */
    span patience;    /* the longest to wait: a server that asks for more is not asked again */
    span connect;     /* give up when not connected after so long, */
    span stall;       /* when next to nothing came for so long (complete seconds), */
    span attempt;     /* when the answer to one try is not complete after so long, */
    span altogether;  /* and when all tries with their waits took so long; 0: no such limit */
    bool no_metadata; /* refuse addresses of address.h, whatever name leads there */
    const char *longer; /* how to allow more than that, for its message; NULL: none */
};

extern const struct http_manners http_default_manners;

/* Connections that are kept open from one request to the next: for one thread at a time. */
struct http_session;

struct http_client {
    const struct alloc *alloc;
    const struct log *log;
    const struct http_manners *manners;
    struct http_session *session; /* NULL: a new connection for each request */
    /* Called as bytes arrive, and several times a second while waiting; `total` 0 when not
     * known. False stops. NULL: nothing listens. */
    bool (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
};

/* An answer. The body lies in an unnamed temporary file, since it may be hundreds of
 * megabytes. */
struct http_response {
    int status; /* 200; 304 when nothing changed; of a failure too: 0 when none was given */
    int64_t retry_after; /* seconds that the server asks to wait, of a failure too; -1 */
    bool stopped;        /* by `progress` */
    int fd;              /* the body, at its start; -1 when there is none */
    uint64_t size;       /* of it */
    char etag[256], modified[64];
    /* The header that was wanted; empty when it was not there, or too long. */
    char watched[HTTP_WATCHED];
    char url[1024]; /* where it came from in the end, without parameters */
};

/* True for 2xx, and for 304 when the request named what we have; anything else is an error that
 * repeats what the server answered, in a line without the request's secrets. A refusal of
 * credentials hints at where they are looked for. After a failure there is nothing to close. */
bool http_get(const struct http_client *client, const struct http_request *request,
              struct http_response *out, struct error *err) MUST_USE;

void http_response_close(struct http_response *response); /* also when it is all zero */

/* Wait before asking again; false as soon as `progress` says that the answer is not wanted any
 * more. */
bool http_sleep(const struct http_client *client, span wait) MUST_USE;

/* A moment as servers write it: "Sat, 22 Aug 2026 10:00:00 GMT". The two older forms, which no
 * server must send any more, are not read. */
bool http_date(struct str text, stamp *out) MUST_USE;

/* NULL with the error set when the part is not installed or memory runs out. */
struct http_session *http_session_open(struct error *err) MUST_USE;
void http_session_close(struct http_session *session); /* NULL is fine */

#endif
