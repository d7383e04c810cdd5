/* token.h - who may ask a server, and for what: requests and results of token.*.
 *
 * A token is a secret text that is shown once, when it is made; the ledger keeps its digest. */
#ifndef OP_TOKEN_TOKEN_H
#define OP_TOKEN_TOKEN_H

#include "doc/field.h"

struct op_context; /* op/context.h */

extern const struct op op_token_add, op_token_list, op_token_remove;

enum token_scope {
    TOKEN_NONE,
    TOKEN_READ,  /* ask */
    TOKEN_WRITE, /* and send runs, acknowledge alerts, enter counts */
    TOKEN_ADMIN, /* and change budgets, channels, tokens, remove bills */
    TOKEN_SCOPES,
};
extern const char *const token_scope_names[TOKEN_SCOPES]; /* "", "read", ... */

#define TOKEN_NAME 65   /* bytes, with the NUL */
#define TOKEN_DIGEST 65 /* SHA-256 in hexadecimal, with the NUL */
#define TOKEN_TEAM 129

struct token {
    struct str name; /* what it is for: unique */
    enum token_scope scope;
    struct str team;        /* only what belongs to it; empty: everything */
    stamp created, expires; /* expires: -1 never */
    struct str by;          /* who made it */
    struct str digest;
    bool expired;
};

struct token_request {
    struct str name, scope, team, expires;
};

struct token_result {
    struct rows tokens; /* struct token: all, or the one that was made or removed */
    struct str secret;  /* of the one that was made: shown this once */
    struct str ledger;
};

/* Those of the ledger, into the arena; none when there is no ledger (`there`). */
bool op_tokens(struct op_context *ctx, const struct token **out, size_t *count, bool *there,
               struct error *err) MUST_USE;

/* A new secret, "stint_" and 48 digits. */
#define TOKEN_SECRET 55
bool op_token_secret(char out[static TOKEN_SECRET], struct error *err) MUST_USE;

#endif
