#include "feed/json_walk.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"

#define LONGEST_TOKEN ((size_t)64 * 1024)   /* addresses of next pages are the longest texts */
#define LONGEST_RECORD ((size_t)512 * 1024) /* a member may be there any number of times */
#define LONGEST_NAME 120
#define TEXTS_BLOCK ((size_t)4096)

static bool is_json_container(enum json_kind kind)
{
    return kind == JSON_OBJECT || kind == JSON_ARRAY;
}

/* Keep a token's text, which the reader will overwrite. */
static bool keep_token(struct walk *walk, const struct json_token *token,
                       struct walk_value *value, struct error *err)
{
    *value = (struct walk_value){.kind = token->kind};
    if (token->kind == JSON_STRING || token->kind == JSON_NUMBER) {
        if (!str_keep(token->text, &walk->texts, &value->text, err))
            return false;
        walk->texts_len += token->text.len;
        if (walk->texts_len > LONGEST_RECORD)
            return error_fail(err, ERROR_INPUT, "an object in it is too long");
    }
    return true;
}

static struct walk_value *walk_member_place(const struct walk_member *member, void *record)
{
    return (struct walk_value *)(void *)((char *)record + member->at);
}

static void forget_values(const struct walk_member *members, void *record)
{
    for (; members->key != NULL; members++) {
        if (members->inside != NULL)
            forget_values(members->inside, record);
        else if (members->stored)
            *walk_member_place(members, record) = (struct walk_value){.kind = JSON_END};
    }
}

static bool read_walk_object(struct walk *walk, const struct walk_member *members, void *record,
                             struct error *err);

/* One element, with memory of its own for what is read inside it. */
static bool give_element(struct walk *walk, walk_each *each, void *record,
                         const struct json_token *token, struct error *err)
{
    struct arena around = walk->texts;
    struct walk_value value = {token->kind, token->text};
    size_t len = walk->texts_len;
    bool ok;

    walk->texts = (struct arena){.alloc = around.alloc, .block_size = around.block_size};
    ok = each(walk, record, &value, err);
    arena_free(&walk->texts);
    walk->texts = around;
    walk->texts_len = len;
    return ok;
}

/* The elements of the array or object just opened; of an object its values. */
static bool read_each(struct walk *walk, walk_each *each, void *record, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(walk->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END || token.kind == JSON_OBJECT_END)
            return true;
        if (token.kind != JSON_KEY && !give_element(walk, each, record, &token, err))
            return false;
    }
}

/* The value of a wanted member. */
static bool read_walk_member(struct walk *walk, const struct walk_member *member, void *record,
                             struct error *err)
{
    struct json_token token;

    if (!json_next(walk->json, &token, err))
        return false;
    if (member->inside != NULL && token.kind == JSON_OBJECT)
        return read_walk_object(walk, member->inside, record, err);
    if (member->each != NULL && member->stored)
        walk_member_place(member, record)->kind = token.kind;
    if (member->each != NULL && is_json_container(token.kind))
        return read_each(walk, member->each, record, err);
    if (member->each != NULL && token.kind != JSON_NULL)
        return give_element(walk, member->each, record, &token, err);
    if (member->inside == NULL && member->each == NULL &&
        !keep_token(walk, &token, walk_member_place(member, record), err))
        return false;
    return !is_json_container(token.kind) || json_skip(walk->json, err);
}

static const struct walk_member *find_walk_member(const struct walk_member *members,
                                                  struct str key)
{
    for (; members->key != NULL; members++) {
        if (members->key[0] == '\0' && find_walk_member(members->inside, key) != NULL)
            return find_walk_member(members->inside, key);
        if (members->key[0] != '\0' && str_eq(key, str_from(members->key)))
            return members;
    }
    return NULL;
}

static bool read_walk_object(struct walk *walk, const struct walk_member *members, void *record,
                             struct error *err)
{
    struct json_token token;

    for (;;) {
        const struct walk_member *member;

        if (!json_next(walk->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        member = find_walk_member(members, token.text);
        if (!(member != NULL ? read_walk_member(walk, member, record, err)
                             : json_skip(walk->json, err)))
            return false;
    }
}

bool walk_element(struct walk *walk, const struct walk_value *value,
                  const struct walk_member *members, void *record, bool *object,
                  struct error *err)
{
    *object = value->kind == JSON_OBJECT;
    forget_values(members, record);
    if (*object)
        return read_walk_object(walk, members, record, err);
    return !is_json_container(value->kind) || json_skip(walk->json, err);
}

/* All documents, and in an array at the top all elements, are objects. */
static bool read_documents(struct walk *walk, const struct walk_member *members,
                           walk_done *done, void *record, struct error *err)
{
    struct json_token token;
    bool any = false;

    for (;;) {
        if (!json_next(walk->json, &token, err))
            return false;
        if (token.kind == JSON_END)
            return any || error_fail(err, ERROR_INPUT, "there is no JSON object in it");
        if (token.kind == JSON_ARRAY_END || (token.kind == JSON_ARRAY && token.depth == 0))
            continue;
        if (token.kind != JSON_OBJECT)
            return error_fail(err, ERROR_INPUT, "it holds something that is not a JSON object");
        any = true;
        forget_values(members, record);
        if (!read_walk_object(walk, members, record, err) ||
            (done != NULL && !done(walk, record, err)))
            return false;
        arena_free(&walk->texts);
        walk->texts_len = 0;
    }
}

bool walk_read(const struct feed_reading *feed, const struct walk_member *members,
               walk_done *done, void *record, struct error *err)
{
    struct json_options options = {
        .alloc = feed->alloc, .max_token = LONGEST_TOKEN, .many = true};
    struct walk walk = {.feed = feed,
                        .json = json_open(feed->source, &options, err),
                        .texts = {.alloc = feed->alloc, .block_size = TEXTS_BLOCK}};
    bool ok = walk.json != NULL && read_documents(&walk, members, done, record, err);

    json_close(walk.json);
    arena_free(&walk.texts);
    return ok;
}

bool walk_refusal(struct walk *walk, void *record, const struct walk_value *value,
                  struct error *err)
{
    (void)record;
    if (value->kind == JSON_STRING && walk->refusal[0] == '\0')
        (void)snprintf(walk->refusal, sizeof walk->refusal, "%.*s", STR_ARG(value->text));
    return !is_json_container(value->kind) || json_skip(walk->json, err);
}

bool walk_text(const struct walk_value *value, struct buf *out, struct error *err)
{
    buf_clear(out);
    if (value->kind == JSON_STRING)
        buf_add(out, value->text);
    return buf_ok(out, err);
}

bool walk_missing(const struct walk *walk, const char *what, struct error *err)
{
    if (walk->refusal[0] != '\0')
        return error_fail(err, ERROR_INPUT, "the service answered: %s", walk->refusal);
    return error_fail(err, ERROR_INPUT, "there is no %s in it", what);
}

bool walk_price(const struct walk_value *value, int64_t *nano)
{
    *nano = value->kind == JSON_END ? PRICE_UNSAID : PRICE_NONE;
    if (value->kind == JSON_END || value->kind == JSON_NULL)
        return true;
    if ((value->kind != JSON_NUMBER && value->kind != JSON_STRING) ||
        !quote_price(value->text, nano))
        return false;
    if (*nano == 0)
        *nano = PRICE_NONE;
    return true;
}

double walk_number(const struct walk_value *value)
{
    double number;

    if ((value->kind == JSON_NUMBER || value->kind == JSON_STRING) &&
        num_double(value->text, &number) && number >= 0)
        return number;
    return NAN;
}

struct str walk_name(const struct walk_value *value)
{
    struct str name = str_trim(value->text);

    if (value->kind != JSON_STRING || name.len > LONGEST_NAME)
        return (struct str){0};
    return name;
}

bool walk_is(const struct walk_value *value, const char *text)
{
    return value->kind == JSON_STRING && str_eq(value->text, str_from(text));
}

bool walk_currency(const struct walk_value *value, struct currency *currency)
{
    struct currency code = currency_from(value->text);

    if (value->kind == JSON_END || value->kind == JSON_NULL)
        return true;
    if (value->kind != JSON_STRING || currency_unset(code) ||
        !str_eq(value->text, currency_text(&code)))
        return false;
    *currency = code;
    return true;
}

static struct str without_blanks(struct str s)
{
    while (s.len > 0 &&
           (s.at[0] == ' ' || s.at[0] == '\t' || s.at[0] == '\r' || s.at[0] == '\n'))
        s = (struct str){s.at + 1, s.len - 1};
    return s;
}

/* The text '"KEY"' and a colon. Inside a string the quotes would be escaped. */
static bool has_key(struct str head, struct str key)
{
    for (size_t i = 0; i + key.len + 2 < head.len; i++) {
        struct str rest = {head.at + i + 1, head.len - i - 1};

        if (head.at[i] != '"' || !str_starts(rest, key) || rest.at[key.len] != '"')
            continue;
        rest = without_blanks((struct str){rest.at + key.len + 1, rest.len - key.len - 1});
        if (rest.len > 0 && rest.at[0] == ':')
            return true;
    }
    return false;
}

bool walk_looks_like(struct str head, const char *const *keys)
{
    head = without_blanks(head);
    if (head.len == 0 || (head.at[0] != '{' && head.at[0] != '['))
        return false;
    for (size_t i = 0; keys[i] != NULL; i++)
        if (!has_key(head, str_from(keys[i])))
            return false;
    return true;
}
