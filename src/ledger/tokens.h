/* tokens.h - who may ask a server, and for what.
 *
 * A token is a secret text that is shown once, when it is made; the ledger keeps its digest, as
 * a document of its name.
 */
#ifndef LEDGER_TOKENS_H
#define LEDGER_TOKENS_H

#include "ledger/ledger.h"

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

/* What is shown of a token: all but the digest. */
extern const struct field_set token_fields;

/* A new secret, "stint_" and 48 digits. */
#define TOKEN_SECRET 55
bool token_secret(char out[static TOKEN_SECRET], struct error *err) MUST_USE;

/* Is it a name for a token? */
bool token_check_name(struct str name, struct error *err) MUST_USE;

/* "90d" from now, a date, or "never": -1. */
bool token_expiry_parse(stamp now, struct str text, stamp *out, struct error *err) MUST_USE;

/* All of them, by name. */
bool ledger_tokens(struct ledger *ledger, stamp now, struct arena *arena,
                   const struct token **out, size_t *count, struct error *err) MUST_USE;

/* Add one. ERROR_INPUT when there is one of the name. */
bool token_put(struct ledger *ledger, const struct token *token, struct arena *arena,
               struct error *err) MUST_USE;

/* Remove that of a name: `out` is what it was. ERROR_ABSENT with a suggestion. */
bool token_drop(struct ledger *ledger, struct str name, stamp now, struct arena *arena,
                const struct token **out, struct error *err) MUST_USE;

#endif
