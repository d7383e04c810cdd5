/* serve.h - one address for a team: the page, the HTTP API, metrics. The operation of
 * 'stint serve', which lasts until a signal ends it.
 *
 * It is not in the table of operations, which a server offers to others. */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "doc/field.h"
#include "op/op.h"

struct serve_request {
    struct str listen;           /* "127.0.0.1:8712", "[::1]:8712", ":8712" for every address */
    struct strs names;           /* by which it may be asked, besides its address */
    struct str certificate, key; /* files in PEM */
    struct strs proxies;         /* addresses whose X-Forwarded-... are trusted */
    bool unencrypted;            /* an address that others reach, without TLS */
    bool open;                   /* start a browser with a link that signs in once */
};

struct serve_result {
    struct str address;
    span duration;
    int64_t requests, refused, failed;
};

extern const struct op op_serve;

#endif
