#include "ledger/tokens.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/characters.h"
#include "base/hex.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "ledger/budgets.h"
#include "unit/time.h"

#define PREFIX "token/" /* of the documents of the ledger */
#define TOKEN_SCHEMA "stint.token.kept/1"
#define RANDOM 24 /* bytes of a secret */

const char *const token_scope_names[TOKEN_SCOPES] = {"", "read", "write", "admin"};

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
const struct field_set token_fields = FIELD_SET(struct token, shown_fields);

bool token_secret(char out[static TOKEN_SECRET], struct error *err)
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

bool token_check_name(struct str name, struct error *err)
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

bool token_expiry_parse(stamp now, struct str text, stamp *out, struct error *err)
{
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

/* ---- in the ledger ---- */

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

bool ledger_tokens(struct ledger *ledger, stamp now, struct arena *arena,
                   const struct token **out, size_t *count, struct error *err)
{
    const struct ledger_document *documents;
    struct token *all;

    *out = NULL;
    if (!ledger_documents(ledger, PREFIX, arena, &documents, count, err))
        return false;
    *out = all = arena_array(arena, struct token, *count + 1, err);
    if (all == NULL)
        return false;
    for (size_t i = 0; i < *count; i++)
        if (!read_token(&documents[i], now, arena, &all[i], err))
            return false;
    return true;
}

static char *token_document_name(struct str name, struct arena *arena, struct error *err)
{
    char full[sizeof PREFIX + TOKEN_NAME];

    (void)snprintf(full, sizeof full, PREFIX "%.*s", STR_ARG(name));
    return str_dup(str_from(full), arena, err);
}

static const struct token *find_named_token(const struct token *all, size_t count,
                                            struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(all[i].name, name))
            return &all[i];
    return NULL;
}

bool token_put(struct ledger *ledger, const struct token *token, struct arena *arena,
               struct error *err)
{
    struct buf text = buf_new(arena->alloc, 4096);
    const char *name = token_document_name(token->name, arena, err);
    const struct token *all;
    size_t count;
    bool ok;

    if (name == NULL || !ledger_tokens(ledger, token->created, arena, &all, &count, err))
        return false;
    if (find_named_token(all, count, token->name) != NULL) {
        error_set(err, ERROR_INPUT, "there is a token '%.*s' already", STR_ARG(token->name));
        error_hint(err, "'stint token remove %.*s' ends it", STR_ARG(token->name));
        return false;
    }
    json_write_record(&kept_set, token, TOKEN_SCHEMA, &text);
    ok = buf_ok(&text, err) &&
         ledger_document_put(ledger, name, buf_text(&text), token->by, token->created, err);
    buf_free(&text);
    return ok;
}

bool token_drop(struct ledger *ledger, struct str name, stamp now, struct arena *arena,
                const struct token **out, struct error *err)
{
    struct suggestion s = {.wanted = name};
    const struct token *all;
    const char *document = token_document_name(name, arena, err);
    size_t count;

    if (document == NULL || !ledger_tokens(ledger, now, arena, &all, &count, err))
        return false;
    *out = find_named_token(all, count, name);
    if (*out != NULL)
        return ledger_document_put(ledger, document, (struct str){0}, (struct str){0},
                                   (*out)->created, err);
    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, all[i].name);
    error_set(err, ERROR_ABSENT, "there is no token '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint token list' shows them");
    return false;
}
