/* JSON documents in memory, from the reader of base/json.h: the same grammar and the same words
 * for mistakes as in feeds of any size. */
#include <string.h>

#include "base/characters.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/map.h"
#include "doc/node.h"

struct json_document {
    struct json *json;
    struct arena *arena;
};

static bool read_json_node(const struct json_document *d, const struct json_token *token,
                           struct node *node, struct error *err);

/* Refuse what was just read: a fault that the grammar allows. */
static bool refuse_json(const struct json_document *d, struct error *err)
{
    error_context(err, "line %llu", (unsigned long long)json_line(d->json));
    return false;
}

static bool keep_json_text(const struct json_document *d, struct str text, struct str *out,
                           struct error *err)
{
    if (memchr(text.at, '\0', text.len) != NULL) {
        error_set(err, ERROR_INPUT, "\\u0000 is in a text");
        return refuse_json(d, err);
    }
    *out = (struct str){str_dup(text, d->arena, err), text.len};
    return out->at != NULL;
}

/* A whole number stays as it is written; "8.0" is 8 and "2.5e3" is 2500, for those who count.
 * What is not finite, which only Python writes, is null. */
static bool read_json_number(const struct json_document *d, struct str text, struct node *node,
                             struct error *err)
{
    struct buf plain = buf_new(d->arena->alloc, 256);
    struct decimal number;
    bool whole = true, ok;

    if (!is_digit(text.at[text.len - 1])) {
        node->kind = NODE_NULL;
        return true;
    }
    for (size_t i = 0; i < text.len && whole; i++)
        whole = is_digit(text.at[i]) || text.at[i] == '-';
    if (whole || !decimal_parse(text, &number))
        return keep_json_text(d, text, &node->text, err);
    decimal_write(decimal_trim(number, 0), &plain);
    ok = buf_ok(&plain, err) && keep_json_text(d, buf_text(&plain), &node->text, err);
    buf_free(&plain);
    return ok;
}

/* The key of a child, new among those of its object, and the token of its value. */
static bool read_json_key(const struct json_document *d, struct map *keys,
                          struct json_token *token, struct node *child, struct error *err)
{
    bool added;

    if (!keep_json_text(d, token->text, &child->key, err) ||
        map_add(keys, child->key, &added, err) == NULL)
        return false;
    if (!added) {
        error_set(err, ERROR_INPUT, "the second key '%.*s'", STR_ARG(child->key));
        error_hint(err, "keep one of them");
        return refuse_json(d, err);
    }
    return json_next(d->json, token, err);
}

static bool read_json_children(const struct json_document *d, unsigned depth,
                               struct node *parent, struct map *keys, struct error *err)
{
    struct node *last = NULL;
    struct json_token token;

    while (json_next(d->json, &token, err)) {
        struct node *child;

        if (token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END)
            return true;
        if (depth + 1 >= DOC_MAX_DEPTH) {
            error_set(err, ERROR_INPUT, "values are too deep inside each other");
            return refuse_json(d, err);
        }
        child = node_new(NODE_SCALAR, d->arena, err);
        if (child == NULL ||
            (token.kind == JSON_KEY && !read_json_key(d, keys, &token, child, err)) ||
            !read_json_node(d, &token, child, err))
            return false;
        node_append(parent, &last, child);
    }
    return false;
}

static bool read_json_node(const struct json_document *d, const struct json_token *token,
                           struct node *node, struct error *err)
{
    struct map keys = map_of(d->arena->alloc, 0);
    bool ok = true;

    switch (token->kind) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        node->kind = token->kind == JSON_OBJECT ? NODE_MAP : NODE_LIST;
        ok = read_json_children(d, token->depth, node, &keys, err);
        map_free(&keys);
        return ok;
    case JSON_NUMBER:
        return read_json_number(d, token->text, node, err);
    case JSON_STRING:
        return keep_json_text(d, token->text, &node->text, err);
    case JSON_TRUE:
    case JSON_FALSE:
        node->text = token->kind == JSON_TRUE ? STR("true") : STR("false");
        return true;
    case JSON_NULL:
    case JSON_KEY: /* the rest is never a value */
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
    case JSON_END:
        break;
    }
    node->kind = NODE_NULL;
    return true;
}

static struct node *read_json_document(struct str text, bool not_finite, const char *name,
                                       struct arena *arena, struct error *err)
{
    struct json_options options = {
        .alloc = arena->alloc, .max_token = text.len, .not_finite = not_finite};
    struct json_document d = {json_open_text(text, &options, err), arena};
    struct node *root = d.json != NULL ? node_new(NODE_SCALAR, arena, err) : NULL;
    struct json_token token;

    if (root != NULL &&
        (!json_next(d.json, &token, err) || !read_json_node(&d, &token, root, err) ||
         !json_next(d.json, &token, err))) {
        if (err->kind == ERROR_INPUT)
            error_place(err, name);
        root = NULL;
    }
    json_close(d.json);
    return root;
}

struct node *json_read(struct str text, const char *name, struct arena *arena,
                       struct error *err)
{
    return read_json_document(text, false, name, arena, err);
}

struct node *json_read_python(struct str text, const char *name, struct arena *arena,
                              struct error *err)
{
    return read_json_document(text, true, name, arena, err);
}
