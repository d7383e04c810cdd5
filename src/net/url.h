/* url.h - addresses taken apart, strictly: what we check and what libcurl connects to must be
 * the same host, so that whatever is unusual is refused.
 */
#ifndef NET_URL_H
#define NET_URL_H

#include "base/buf.h"
#include "base/str.h"

struct url {
    bool tls;         /* https */
    struct str host;  /* "prices.azure.com", "127.0.0.1", "[::1]" */
    unsigned port;    /* 80 or 443 when it is not given */
    struct str place; /* all before the query: "https://prices.azure.com/api" */
    struct str path;  /* "/api/retail/prices"; may be empty */
    struct str query; /* after the '?', encoded; empty when there is none */
};

/* Slices of `text`. Refused: other schemes, a user name or password, blanks, control characters
 * and bytes that are not ASCII. A fragment is cut off. The error does not repeat the text. */
bool url_parse(struct str text, struct url *out, struct error *err) MUST_USE;

/* Of the same machine as far as we know: same host and port. */
bool url_same_host(const struct url *a, const struct url *b);

/* This machine itself: localhost, 127.x.y.z, [::1]. */
bool url_is_loopback(const struct url *url);

/* Text as a query has it: all but letters, digits and "-_.~" as %XX. */
void url_encode(struct str text, struct buf *out);

/* A link found in an answer, as an address on `base`: its path and query there. A link that
 * names a host must name that of `base` or of `home`, which `base` may replace. */
bool url_rebase(struct str link, struct str base, struct str home, struct buf *out,
                struct error *err) MUST_USE;

#endif
