/* token.h - who may ask a server, and for what: requests and results of token.* (the tokens
 * themselves: ledger/tokens.h). */
#ifndef OP_TOKEN_TOKEN_H
#define OP_TOKEN_TOKEN_H

#include "ledger/tokens.h"

struct op_context; /* op/context.h */

extern const struct op op_token_add, op_token_list, op_token_remove;

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

#endif
