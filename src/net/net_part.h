/* net_part.h - what the loadable part `net` does: one request or mail over the wire, and
 * nothing about when to ask again or where to go next; and the digest of libcurl's library.
 */
#ifndef NET_NET_PART_H
#define NET_NET_PART_H

#include "net/end.h"
#include "net/http.h"
#include "net/smtp.h"
#include "net/streams.h"

#define NET_PART_VERSION 10
#define NET_DIGEST 32    /* bytes of SHA-256 */
#define NET_KEY 32       /* of an Ed25519 key, private or public */
#define NET_SIGNATURE 64 /* of a signature with one */

struct net_transfer {
    const char *url;            /* complete and encoded */
    const char *method;         /* NULL: GET, or POST with a body */
    const char *watch;          /* "Name:" of a header that is wanted; NULL: none */
    const char *const *headers; /* complete lines, "Name: value" */
    size_t header_count;
    const struct http_aws *aws; /* NULL: not signed */
    struct str body;            /* POST when not empty */
    const char *agent;          /* our name */
    const char *certificates;   /* a file of those that are trusted; NULL: the usual ones */
    bool direct;                /* never through a proxy */
    bool no_metadata;           /* refuse addresses of address.h */
    int fd;                     /* where the body goes */
    uint64_t max_body;
    span connect, stall, altogether;
    bool (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL */
    void *progress_ctx;
};

struct net_answer {
    int status;
    uint64_t size;       /* of the body, unpacked */
    int64_t retry_after; /* seconds; -1: not given */
    char etag[256], modified[64], watched[HTTP_WATCHED];
    char location[2048]; /* of a redirect, as one address; empty when there is none */
    char reply[256];     /* by a mail server, last */
    char problem[256];   /* libcurl's words, or the system's */
};

struct net_mail {
    const struct smtp_mail *mail;
    bool need_tls; /* and not only when it is offered */
    bool no_metadata;
    span connect, stall, altogether;
    bool (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL */
    void *progress_ctx;
};

struct stream_set; /* streams_part.c */

struct net_part {
    void *(*open)(void); /* a session, or NULL */
    void (*close)(void *session);
    enum net_end (*transfer)(void *session, const struct net_transfer *transfer,
                             struct net_answer *out);
    /* The status is that of the server's last line. */
    enum net_end (*mail)(void *session, const struct net_mail *mail, struct net_answer *out);
    /* False when memory runs out. */
    bool (*hmac)(struct str key, const struct str *texts, size_t count,
                 unsigned char out[static NET_DIGEST]);
    /* SHA-256. These are false when memory runs out or the library cannot do it. */
    bool (*digest)(struct str text, unsigned char out[static NET_DIGEST]);
    /* Ed25519: a new key; the public key of a private one; a signature; whether it is right. */
    bool (*new_key)(unsigned char secret[static NET_KEY]);
    bool (*public_key)(const unsigned char secret[static NET_KEY],
                       unsigned char out[static NET_KEY]);
    bool (*sign)(const unsigned char secret[static NET_KEY], struct str text,
                 unsigned char out[static NET_SIGNATURE]);
    bool (*verify)(const unsigned char key[static NET_KEY], struct str text,
                   const unsigned char signature[static NET_SIGNATURE], bool *good);
    /* Of streams.h, with complete header lines. NULL and false: memory or files ran out. */
    struct stream_set *(*streams_open)(const struct streams_place *place,
                                       const char *const *headers, size_t header_count,
                                       const struct streams_events *events);
    bool (*streams_send)(struct stream_set *streams, struct str body, void *stream);
    bool (*streams_wait)(struct stream_set *streams, instant until);
    void (*streams_close)(struct stream_set *streams);
};

#endif
