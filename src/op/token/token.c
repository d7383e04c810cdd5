/* token.* - who may ask a server, and for what. */
#include "op/token/token.h"

#include "net/sign.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"

static const char *const scopes[] = {"read", "write", "admin", NULL};

static const struct field add_request[] = {
    FIELD(TEXT, token_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "purpose: grafana, ci, node-17"),
    FIELD(CHOICE, token_request, scope, .value = "SCOPE", .choices = scopes, .fallback = "read",
          .help =
              "read: query; write: also send runs and acknowledge alerts; admin: everything"),
    FIELD(TEXT, token_request, team, .value = "TEAM",
          .help = "limit to data with the tag team=TEAM"),
    FIELD(TEXT, token_request, expires, .value = "WHEN", .fallback = "365d",
          .help = "expiry: 90d from now, a date, or never"),
};

static const struct field remove_request[] = {
    FIELD(TEXT, token_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the token"),
};

static const struct field result_fields[] = {
    FIELD(LIST, token_result, tokens, .row = &token_fields, .help = "tokens by name"),
    FIELD(TEXT, token_result, secret, .empty_unknown = true,
          .help = "secret of the new token: not shown again"),
    FIELD(TEXT, token_result, ledger, .help = "ledger that holds it"),
};
static const struct field_set result_set = FIELD_SET(struct token_result, result_fields);

bool op_tokens(struct op_context *ctx, const struct token **out, size_t *count, bool *there,
               struct error *err)
{
    struct ledger *ledger;
    bool ok = op_ledger_there(ctx, &ledger, err);

    *out = NULL;
    *count = 0;
    *there = ledger != NULL;
    if (ok && ledger != NULL)
        ok = ledger_tokens(ledger, op_now(ctx), ctx->arena, out, count, err);
    ledger_close(ledger);
    return ok;
}

/* Check the name, and open the ledger that holds the token. */
static struct ledger *open_token_ledger(struct op_context *ctx, enum ledger_mode mode,
                                        const struct token_request *req,
                                        struct token_result *res, struct error *err)
{
    return token_check_name(req->name, err) && op_ledger_name(ctx, &res->ledger, err)
               ? op_ledger(ctx, mode, err)
               : NULL;
}

static bool make_token(struct op_context *ctx, const struct token_request *req,
                       struct token *made, struct token_result *res, struct error *err)
{
    char secret[TOKEN_SECRET], digest[TOKEN_DIGEST];

    *made = (struct token){
        .name = req->name, .team = req->team, .created = op_now(ctx), .by = op_user(ctx)};
    for (int s = TOKEN_READ; s < TOKEN_SCOPES; s++)
        if (str_eq(req->scope, str_from(token_scope_names[s])))
            made->scope = (enum token_scope)s;
    return token_expiry_parse(made->created, req->expires, &made->expires, err) &&
           token_secret(secret, err) && sign_digest(str_from(secret), digest, err) &&
           str_keep(str_from(secret), ctx->arena, &res->secret, err) &&
           str_keep(str_from(digest), ctx->arena, &made->digest, err);
}

static bool token_add(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct token_request *req = in;
    struct token *made = arena_array(ctx->arena, struct token, 1, err);
    struct token_result *res = out;
    struct ledger *ledger;
    bool ok;

    if (made == NULL || !op_team_name(req->team, err))
        return false;
    if (req->team.len >= TOKEN_TEAM)
        return error_fail(err, ERROR_USAGE, "--team: a name of at most %d bytes",
                          TOKEN_TEAM - 1);
    ledger = open_token_ledger(ctx, LEDGER_WRITE, req, res, err);
    ok = ledger != NULL && make_token(ctx, req, made, res, err) &&
         token_put(ledger, made, ctx->arena, err);
    ledger_close(ledger);
    res->tokens = (struct rows){made, 1};
    return ok;
}

static bool token_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct token_result *res = out;
    const struct token *all;
    size_t count = 0;
    bool there;

    (void)in;
    if (!op_ledger_name(ctx, &res->ledger, err) || !op_tokens(ctx, &all, &count, &there, err))
        return false;
    res->tokens = (struct rows){all, count};
    return true;
}

static bool token_remove(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct token_request *req = in;
    struct token_result *res = out;
    struct ledger *ledger = open_token_ledger(ctx, LEDGER_CHANGE, req, res, err);
    const struct token *gone = NULL;
    bool ok =
        ledger != NULL && token_drop(ledger, req->name, op_now(ctx), ctx->arena, &gone, err);

    ledger_close(ledger);
    res->tokens = (struct rows){gone, 1};
    return ok;
}

const struct op op_token_add = {
    .name = "token.add",
    .schema = "stint.token.add/1",
    .summary = "create a token for the server's page and API",
    .remote = OP_ADMIN,
    .changes = true,
    .request = &(const struct field_set)FIELD_SET(struct token_request, add_request),
    .result = &result_set,
    .run = token_add,
};

const struct op op_token_list = {
    .name = "token.list",
    .schema = "stint.token.list/1",
    .summary = "list tokens, without their secrets",
    .remote = OP_ADMIN,
    .request =
        &(const struct field_set){.at = NULL, .len = 0, .size = sizeof(struct token_request)},
    .result = &result_set,
    .run = token_list,
};

const struct op op_token_remove = {
    .name = "token.remove",
    .schema = "stint.token.remove/1",
    .summary = "revoke a token at once",
    .remote = OP_ADMIN,
    .changes = true,
    .request = &(const struct field_set)FIELD_SET(struct token_request, remove_request),
    .result = &result_set,
    .run = token_remove,
};
