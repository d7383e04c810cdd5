/* token.* - who may ask a server, and for what. */
#include "op/token/token.h"

#include <errno.h>
#include <sys/random.h>

#include "base/characters.h"
#include "base/hex.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "ledger/budgets.h"
#include "net/sign.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"
#include "unit/time.h"

#define PREFIX "token/" /* of the documents of the ledger */
#define TOKEN_SCHEMA "stint.token.kept/1"
#define RANDOM 24 /* bytes of a secret */

const char *const token_scope_names[TOKEN_SCOPES] = {"", "read", "write", "admin"};
static const char *const scopes[] = {"read", "write", "admin", NULL};

/* What the ledger keeps; and what is shown of it, which is all but the digest. */
#define TOKEN_FIELDS \
    FIELD(TEXT, token, name, .help = "purpose of the token"), \
        FIELD(ENUM, token, scope, FIELD_NAMES(token_scope_names), \
              .help = "read, write or admin"), \
        FIELD(TEXT, token, team, .empty_unknown = true, \
              .help = "team whose data it can access"), \
        FIELD(TIME, token, created, .help = "creation time"), \
        FIELD(TIME, token, expires, .help = "expiry time; null: never"), \
        FIELD(TEXT, token, by, .help = "user who made it")

static const struct field kept_fields[] = {
    FIELD(TEXT, token, digest, .help = "SHA-256 of the secret"),
    TOKEN_FIELDS,
};
static const struct field_set kept_set = FIELD_SET(struct token, kept_fields);

static const struct field shown_fields[] = {
    TOKEN_FIELDS,
    FIELD(FLAG, token, expired, .help = "token has expired"),
};
static const struct field_set shown_set = FIELD_SET(struct token, shown_fields);

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
    FIELD(LIST, token_result, tokens, .row = &shown_set, .help = "tokens by name"),
    FIELD(TEXT, token_result, secret, .empty_unknown = true,
          .help = "secret of the new token: not shown again"),
    FIELD(TEXT, token_result, ledger, .help = "ledger that holds it"),
};
static const struct field_set result_set = FIELD_SET(struct token_result, result_fields);

bool op_token_secret(char out[static TOKEN_SECRET], struct error *err)
{
    unsigned char dice[RANDOM];
    struct buf text = buf_new(&alloc_system, TOKEN_SECRET);
    bool ok = getrandom(dice, sizeof dice, 0) == (ssize_t)sizeof dice;

    if (!ok) {
        error_system(err, errno, "no random numbers for a secret");
        return false;
    }
    buf_adds(&text, "stint_");
    hex_write((struct str){(const char *)dice, sizeof dice}, &text);
    ok = buf_ok(&text, err);
    if (ok)
        str_copy(buf_text(&text), out, TOKEN_SECRET);
    buf_free(&text);
    return ok;
}

/* ---- the ledger ---- */

static bool read_token(const struct ledger_document *document, stamp now, struct arena *arena,
                       struct token *out, struct error *err)
{
    struct node *root = json_read(document->text, document->name.at, arena, err);
    const struct node *schema;

    if (root == NULL || !fields_reset(&kept_set, out, arena, err))
        return false;
    schema = node_get(root, STR("schema"));
    if (schema == NULL || !str_eq(schema->text, STR(TOKEN_SCHEMA)))
        return error_fail(err, ERROR_DAMAGED, "the ledger's token '%.*s' cannot be read",
                          STR_ARG(document->name));
    root->first = root->first->next; /* `schema` is no field */
    if (!fields_from_node(&kept_set, root, document->name.at, out, arena, err))
        return false;
    out->expired = out->expires.s >= 0 && out->expires.s <= now.s;
    return true;
}

static bool read_all_tokens(struct op_context *ctx, struct ledger *ledger, struct token **out,
                            size_t *count, struct error *err)
{
    const struct ledger_document *documents;
    stamp now = op_now(ctx);

    *out = NULL;
    *count = 0;
    if (ledger == NULL)
        return true;
    if (!ledger_documents(ledger, PREFIX, ctx->arena, &documents, count, err))
        return false;
    *out = arena_array(ctx->arena, struct token, *count + 1, err);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < *count; i++)
        if (!read_token(&documents[i], now, ctx->arena, &(*out)[i], err))
            return false;
    return true;
}

bool op_tokens(struct op_context *ctx, const struct token **out, size_t *count, bool *there,
               struct error *err)
{
    struct ledger *ledger;
    struct token *all = NULL;
    bool ok =
        op_ledger_there(ctx, &ledger, err) && read_all_tokens(ctx, ledger, &all, count, err);

    *out = all;
    *there = ledger != NULL;
    ledger_close(ledger);
    return ok;
}

static bool check_token_name(struct str name, struct error *err)
{
    bool ok = name.len > 0 && name.len < TOKEN_NAME;

    for (size_t i = 0; ok && i < name.len; i++)
        ok = is_letter_or_digit(name.at[i]) || name.at[i] == '-' || name.at[i] == '.';
    if (ok)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is not a name for a token", STR_ARG(name));
    error_hint(err, "use letters, digits, '-' and '.': node-17");
    return false;
}

static bool read_expiry(const struct op_context *ctx, struct str text, stamp *out,
                        struct error *err)
{
    stamp now = op_now(ctx);
    struct error ignored;
    span life;

    *out = (stamp){-1};
    if (str_eq(text, STR("never")))
        return true;
    if (span_parse(text, &life, &ignored) && life.ns > 0) {
        out->s = now.s + life.ns / SECOND;
        return true;
    }
    if (stamp_parse(text, out) && out->s > now.s)
        return true;
    error_set(err, ERROR_USAGE, "--expires: '%.*s' is not a time to come", STR_ARG(text));
    error_hint(err, "write 90d, a date such as 2027-06-30, or never");
    return false;
}

static char *token_document_name(struct str name, struct arena *arena, struct error *err)
{
    char full[sizeof PREFIX + TOKEN_NAME];

    (void)snprintf(full, sizeof full, PREFIX "%.*s", STR_ARG(name));
    return str_dup(str_from(full), arena, err);
}

static bool find_named_token(const struct token *all, size_t count, struct str name,
                             const struct token **out)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(all[i].name, name)) {
            *out = &all[i];
            return true;
        }
    return false;
}

static bool put_token(struct op_context *ctx, struct ledger *ledger, const struct token *token,
                      struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 4096);
    const char *name = token_document_name(token->name, ctx->arena, err);
    bool ok;

    json_write_record(&kept_set, token, TOKEN_SCHEMA, &text);
    ok = name != NULL && buf_ok(&text, err) &&
         ledger_document_put(ledger, name, buf_text(&text), token->by, token->created, err);
    buf_free(&text);
    return ok;
}

/* ---- the operations ---- */

static bool make_token(struct op_context *ctx, struct ledger *ledger,
                       const struct token_request *req, struct token_result *res,
                       struct error *err)
{
    struct token *made = arena_array(ctx->arena, struct token, 1, err), *all;
    char secret[TOKEN_SECRET], digest[TOKEN_DIGEST];
    const struct token *same;
    size_t count;

    if (made == NULL || !read_all_tokens(ctx, ledger, &all, &count, err))
        return false;
    if (find_named_token(all, count, req->name, &same)) {
        error_set(err, ERROR_INPUT, "there is a token '%.*s' already", STR_ARG(req->name));
        error_hint(err, "'stint token remove %.*s' ends it", STR_ARG(req->name));
        return false;
    }
    *made = (struct token){
        .name = req->name, .team = req->team, .created = op_now(ctx), .by = op_user(ctx)};
    for (int s = TOKEN_READ; s < TOKEN_SCOPES; s++)
        if (str_eq(req->scope, str_from(token_scope_names[s])))
            made->scope = (enum token_scope)s;
    if (!read_expiry(ctx, req->expires, &made->expires, err) || !op_token_secret(secret, err) ||
        !sign_digest(str_from(secret), digest, err) ||
        !str_keep(str_from(secret), ctx->arena, &res->secret, err) ||
        !str_keep(str_from(digest), ctx->arena, &made->digest, err))
        return false;
    res->tokens = (struct rows){made, 1};
    return put_token(ctx, ledger, made, err);
}

/* Check the name, and `change` the tokens of the ledger. */
static bool change_tokens(struct op_context *ctx, enum ledger_mode mode,
                          const struct token_request *req, struct token_result *res,
                          bool (*change)(struct op_context *ctx, struct ledger *ledger,
                                         const struct token_request *req,
                                         struct token_result *res, struct error *err),
                          struct error *err)
{
    struct ledger *ledger;
    bool ok;

    if (!check_token_name(req->name, err) || !op_ledger_name(ctx, &res->ledger, err))
        return false;
    ledger = op_ledger(ctx, mode, err);
    ok = ledger != NULL && change(ctx, ledger, req, res, err);
    ledger_close(ledger);
    return ok;
}

static bool token_add(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct token_request *req = in;

    if (!op_team_name(req->team, err))
        return false;
    if (req->team.len >= TOKEN_TEAM)
        return error_fail(err, ERROR_USAGE, "--team: a name of at most %d bytes",
                          TOKEN_TEAM - 1);
    return change_tokens(ctx, LEDGER_WRITE, req, out, make_token, err);
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

static bool remove_token(struct op_context *ctx, struct ledger *ledger,
                         const struct token_request *req, struct token_result *res,
                         struct error *err)
{
    struct str name = req->name;
    struct suggestion s = {.wanted = name};
    const struct token *found;
    struct token *all;
    const char *document;
    size_t count;

    if (!read_all_tokens(ctx, ledger, &all, &count, err))
        return false;
    if (!find_named_token(all, count, name, &found)) {
        for (size_t i = 0; i < count; i++)
            suggestion_try(&s, all[i].name);
        error_set(err, ERROR_ABSENT, "there is no token '%.*s'", STR_ARG(name));
        if (!suggestion_hint(&s, err))
            error_hint(err, "'stint token list' shows them");
        return false;
    }
    res->tokens = (struct rows){found, 1};
    document = token_document_name(name, ctx->arena, err);
    return document != NULL && ledger_document_put(ledger, document, (struct str){0},
                                                   (struct str){0}, found->created, err);
}

static bool token_remove(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    return change_tokens(ctx, LEDGER_CHANGE, in, out, remove_token, err);
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
