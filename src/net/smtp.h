/* smtp.h - handing a mail to a server, with an end.
 *
 * libcurl sits in the loadable part `net`. Everything but a server on this machine itself must
 * offer TLS (STARTTLS at smtp://, from the start at smtps://), or nothing is sent; a password
 * is never in a log or an error.
 */
#ifndef NET_SMTP_H
#define NET_SMTP_H

#include "net/http.h"

struct smtp_mail {
    const char *url;  /* smtp://HOST[:PORT] or smtps://HOST[:PORT] */
    const char *from; /* an address alone: a@example.org */
    const char *const *to;
    size_t to_count;
    const char *user, *password; /* NULL: none */
    const char *ca;              /* a file of certificates to trust; NULL: the system's */
    struct str text;             /* headers, an empty line, the body; lines end with CR LF */
};

/* What became of it. */
struct smtp_outcome {
    int status;       /* the server's last: 250; 0: no answer */
    bool retry;       /* it may work later */
    char answer[200]; /* one line without secrets */
};

/* True when the server took it for every one of the receivers. Of the client, the manners
 * (`tries` is 1 here), the log and `progress` hold. */
bool smtp_send(const struct http_client *client, const struct smtp_mail *mail,
               struct smtp_outcome *out);

/* Is it an address that can be sent to? ASCII, one '@', nothing that a header or a command of
 * SMTP could be made of. */
bool smtp_address_ok(struct str address);

/* Does the address name a server, and no more: no user, no path? The error does not repeat
 * it. */
bool smtp_url_ok(struct str url, bool *tls, bool *loopback, struct error *err) MUST_USE;

#endif
