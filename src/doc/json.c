/* JSON documents through jansson: strict UTF-8, duplicate keys refused. Large feeds go through
 * base/json.h instead. */
#include <jansson.h>
#include <string.h>

#include "base/num.h"
#include "doc/node.h"

static struct node *convert_json(const json_t *value, unsigned depth, struct arena *arena,
                                 struct error *err);

static bool set_node_text(struct node *node, struct str text, struct arena *arena,
                          struct error *err)
{
    node->text.at = str_dup(text, arena, err);
    node->text.len = text.len;
    return node->text.at != NULL;
}

static bool convert_number(struct node *node, const json_t *value, struct arena *arena,
                           struct error *err)
{
    struct buf digits = buf_new(arena->alloc, 400);
    bool ok;

    if (json_is_integer(value))
        buf_addf(&digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        num_write(json_real_value(value), &digits);
    ok = buf_ok(&digits, err) && set_node_text(node, buf_text(&digits), arena, err);
    buf_free(&digits);
    return ok;
}

static bool convert_object(struct node *node, const json_t *value, unsigned depth,
                           struct arena *arena, struct error *err)
{
    struct node *last = NULL;

    /* jansson's iterators want a pointer to non-const but change nothing. */
    union {
        const json_t *in;
        json_t *out;
    } object = {.in = value};

    for (void *it = json_object_iter(object.out); it != NULL;
         it = json_object_iter_next(object.out, it)) {
        struct str key = str_from(json_object_iter_key(it));
        struct node *child = convert_json(json_object_iter_value(it), depth + 1, arena, err);

        if (child == NULL)
            return false;
        child->key.at = str_dup(key, arena, err);
        child->key.len = key.len;
        if (child->key.at == NULL)
            return false;
        node_append(node, &last, child);
    }
    return true;
}

static bool convert_array(struct node *node, const json_t *value, unsigned depth,
                          struct arena *arena, struct error *err)
{
    struct node *last = NULL;

    for (size_t i = 0; i < json_array_size(value); i++) {
        struct node *child = convert_json(json_array_get(value, i), depth + 1, arena, err);

        if (child == NULL)
            return false;
        node_append(node, &last, child);
    }
    return true;
}

static struct node *convert_json(const json_t *value, unsigned depth, struct arena *arena,
                                 struct error *err)
{
    enum node_kind kind = json_is_object(value)  ? NODE_MAP
                          : json_is_array(value) ? NODE_LIST
                          : json_is_null(value)  ? NODE_NULL
                                                 : NODE_SCALAR;
    struct node *node = node_new(kind, arena, err);
    bool ok = node != NULL;

    if (ok && depth >= DOC_MAX_DEPTH)
        ok = error_fail(err, ERROR_INPUT, "values are too deep inside each other");
    if (!ok)
        return NULL;
    if (kind == NODE_MAP)
        ok = convert_object(node, value, depth, arena, err);
    else if (kind == NODE_LIST)
        ok = convert_array(node, value, depth, arena, err);
    else if (json_is_string(value))
        ok = set_node_text(node,
                           (struct str){json_string_value(value), json_string_length(value)},
                           arena, err);
    else if (json_is_number(value))
        ok = convert_number(node, value, arena, err);
    else if (kind == NODE_SCALAR)
        ok = set_node_text(node, json_is_true(value) ? STR("true") : STR("false"), arena, err);
    return ok ? node : NULL;
}

struct node *json_read(struct str text, const char *name, struct arena *arena,
                       struct error *err)
{
    json_error_t problem;
    struct node *root;
    json_t *value = json_loadb(text.len > 0 ? text.at : "", text.len,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);

    if (value == NULL) {
        /* When memory runs out before the first byte is read, jansson reports nothing at
         * all. */
        if (json_error_code(&problem) == json_error_out_of_memory || problem.text[0] == '\0')
            (void)error_memory(err);
        else
            error_set(err, ERROR_INPUT, "%s:%d:%d: %s", name, problem.line, problem.column,
                      problem.text);
        return NULL;
    }
    root = convert_json(value, 0, arena, err);
    if (root == NULL && err->kind == ERROR_INPUT)
        error_context(err, "%s", name);
    json_decref(value);
    return root;
}

/* The length of NaN, Infinity or -Infinity at the start of `rest`; 0: it is none. */
static size_t not_finite_length(struct str rest)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_starts(rest, str_from(words[i])))
            return strlen(words[i]);
    return 0;
}

/* The text with null in place of numbers that JSON does not have. */
static void write_finite(struct str text, struct buf *out)
{
    bool quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        struct str rest = {text.at + i, text.len - i};
        size_t word = quoted ? 0 : not_finite_length(rest);

        if (word > 0) {
            buf_adds(out, "null");
            i += word - 1;
            continue;
        }
        buf_char(out, text.at[i]);
        if (quoted && text.at[i] == '\\' && i + 1 < text.len)
            buf_char(out, text.at[++i]);
        else if (text.at[i] == '"')
            quoted = !quoted;
    }
}

struct node *json_read_python(struct str text, const char *name, struct arena *arena,
                              struct error *err)
{
    struct buf finite = buf_new(arena->alloc, 2 * text.len + 16);
    struct node *root = NULL;

    write_finite(text, &finite);
    if (buf_ok(&finite, err))
        root = json_read(buf_text(&finite), name, arena, err);
    buf_free(&finite);
    return root;
}

const char *json_library(void)
{
    return "jansson " JANSSON_VERSION;
}
