/* guard.h - who may ask what: names of the server, tokens, sessions of browsers.
 *
 * A browser signs in with a token or with a link that works once, and gets a cookie; programs
 * send the token itself. Secrets are kept as digests. For several threads at once. */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include "op/token/token.h"
#include "serve/http_part.h"

struct guard;
struct route;
struct server;

/* Who asks. */
struct caller {
    enum token_scope scope; /* TOKEN_NONE: no one we know */
    char name[TOKEN_NAME];  /* of the token; "local" of the link */
    char team[TOKEN_TEAM];  /* only what belongs to it; empty: everything */
    bool by_cookie;         /* a browser */
    /* Which token it is: a name may be used again for another one. Empty: the link's. */
    char token[TOKEN_DIGEST];
    char session[TOKEN_DIGEST]; /* of a browser: of its cookie */
};

struct guard *guard_new(struct server *s, const char *port, struct error *err) MUST_USE;
void guard_free(struct guard *guard);

/* Read the tokens of the ledger again. */
bool guard_tokens(struct guard *guard, struct error *err) MUST_USE;

/* Is it for us? The rest of the request is of no interest before. False, with what to
 * answer. */
bool guard_host(struct guard *guard, const struct http_request *request, int *status,
                struct error *err) MUST_USE;

/* From our own page, if it changes something (Origin, Sec-Fetch-Site), by whom, and may they?
 * False, with what to answer. */
bool guard_check(struct guard *guard, const struct http_request *request,
                 const struct route *route, struct caller *caller, int *status,
                 struct error *err) MUST_USE;

/* May who asked still ask: is the token there and current, and is the browser signed in? */
bool guard_still(struct guard *guard, const struct caller *caller);

/* The address that asks: of the client before a proxy that is trusted (--proxy). */
void guard_peer(const struct guard *guard, const struct http_request *request,
                char out[static HTTP_PEER]);

/* Did it come over TLS, to us or to a proxy that is trusted? */
bool guard_encrypted(const struct guard *guard, const struct http_request *request);

/* Does it send a token of its own, as programs do? A browser without one is led to sign in. */
bool guard_has_token(const struct guard *guard, const struct http_request *request);

/* A secret that signs in once, within five minutes; it replaces the one before. */
bool guard_link(struct guard *guard, char secret[static TOKEN_SECRET],
                struct error *err) MUST_USE;

/* A session for who has this token or link: what the cookie holds. */
bool guard_sign_in(struct guard *guard, const char *peer, struct str secret,
                   char cookie[static TOKEN_SECRET], struct error *err) MUST_USE;
void guard_sign_out(struct guard *guard, const struct http_request *request);

/* The cookie's name; and the digest of the one that the request has. */
const char *guard_cookie_name(const struct guard *guard);
bool guard_cookie(const struct guard *guard, const struct http_request *request,
                  char digest[static TOKEN_DIGEST]);

#endif
