/* YAML through libyaml's events. Only what a configuration needs: maps, lists and scalars;
 * anchors and aliases are refused, so that no file can grow when it is read. */
#include <string.h>
#include <yaml.h>

#include "doc/node.h"

struct reader {
    yaml_parser_t parser;
    struct str text;
    const char *name;
    struct arena *arena;
    size_t nodes;
};

static bool fail_at(const struct reader *r, yaml_mark_t mark, struct error *err,
                    const char *text, struct str value)
{
    if (value.at != NULL)
        error_set(err, ERROR_INPUT, "%s:%zu:%zu: %s '%.*s'", r->name, mark.line + 1,
                  mark.column + 1, text, STR_ARG(value));
    else
        error_set(err, ERROR_INPUT, "%s:%zu:%zu: %s", r->name, mark.line + 1, mark.column + 1,
                  text);
    return false;
}

/* Of bytes that are no text libyaml reports only the offset. */
static yaml_mark_t mark_of(const struct reader *r)
{
    yaml_mark_t mark = {0};

    if (r->parser.error != YAML_READER_ERROR)
        return r->parser.problem_mark;
    for (size_t i = 0; i < r->parser.problem_offset && i < r->text.len; i++) {
        mark.column = r->text.at[i] == '\n' ? 0 : mark.column + 1;
        mark.line += r->text.at[i] == '\n';
    }
    return mark;
}

static bool next_event(struct reader *r, yaml_event_t *event, struct error *err)
{
    const char *problem;

    if (yaml_parser_parse(&r->parser, event))
        return true;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return error_memory(err);
    problem = r->parser.problem != NULL ? r->parser.problem : "this is not YAML";
    (void)fail_at(r, mark_of(r), err, problem, (struct str){0});
    if (strstr(problem, "cannot start any token") != NULL)
        error_hint(err,
                   "indent with blanks, not tabs, and quote values that start with %%, @ or `");
    return false;
}

static bool is_null(const yaml_event_t *event)
{
    struct str text = {(const char *)event->data.scalar.value, event->data.scalar.length};

    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (text.len == 0 || str_eq(text, STR("~")) || str_eq(text, STR("null")));
}

static const char *anchor_of(const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;

    if (event->type == YAML_SCALAR_EVENT)
        anchor = event->data.scalar.anchor;
    else if (event->type == YAML_MAPPING_START_EVENT)
        anchor = event->data.mapping_start.anchor;
    else if (event->type == YAML_SEQUENCE_START_EVENT)
        anchor = event->data.sequence_start.anchor;
    else if (event->type == YAML_ALIAS_EVENT)
        anchor = event->data.alias.anchor;
    return (const char *)anchor;
}

static bool refuse_anchor(const struct reader *r, const yaml_event_t *event, struct error *err)
{
    (void)fail_at(r, event->start_mark, err,
                  "anchors and aliases are not read here:", str_from(anchor_of(event)));
    error_hint(err, "write the values out: yq 'explode(.)' %s", r->name);
    return false;
}

static struct node *read_node(struct reader *r, const yaml_event_t *event, unsigned depth,
                              struct error *err);

static bool read_key(struct reader *r, const yaml_event_t *event, const struct node *map,
                     struct str *key, struct error *err)
{
    const struct node *earlier;
    char *copy;

    if (anchor_of(event) != NULL)
        return refuse_anchor(r, event, err);
    if (event->type != YAML_SCALAR_EVENT)
        return fail_at(r, event->start_mark, err, "a key must be one word", (struct str){0});
    *key = (struct str){(const char *)event->data.scalar.value, event->data.scalar.length};
    earlier = node_get(map, *key);
    if (earlier != NULL) {
        (void)fail_at(r, event->start_mark, err, "the second key", *key);
        error_hint(err, "the first '%.*s' is on line %u: keep one of them", STR_ARG(*key),
                   earlier->key_line);
        return false;
    }
    copy = str_dup(*key, r->arena, err);
    key->at = copy;
    return copy != NULL;
}

/* The children of a map or list, up to its end event. */
static bool read_children(struct reader *r, struct node *parent, unsigned depth,
                          struct error *err)
{
    struct node *last = NULL;

    for (size_t count = 0;; count++) {
        struct node *child = NULL;
        struct str key = {0};
        yaml_event_t event;
        yaml_mark_t mark;
        bool end, ok = true;

        if (!next_event(r, &event, err))
            return false;
        mark = event.start_mark;
        end = event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT;
        if (!end && parent->kind == NODE_MAP) {
            ok = count < DOC_MAX_KEYS
                     ? read_key(r, &event, parent, &key, err)
                     : fail_at(r, mark, err, "too many keys in one place", (struct str){0});
            yaml_event_delete(&event);
            if (!ok || !next_event(r, &event, err))
                return false;
        }
        if (!end)
            child = read_node(r, &event, depth, err);
        yaml_event_delete(&event);
        if (end)
            return true;
        if (child == NULL)
            return false;
        child->key = key;
        child->key_line = (unsigned)mark.line + 1;
        child->key_column = (unsigned)mark.column + 1;
        node_append(parent, &last, child);
    }
}

static struct node *read_node(struct reader *r, const yaml_event_t *event, unsigned depth,
                              struct error *err)
{
    enum node_kind kind = event->type == YAML_MAPPING_START_EVENT    ? NODE_MAP
                          : event->type == YAML_SEQUENCE_START_EVENT ? NODE_LIST
                                                                     : NODE_SCALAR;
    struct node *node;

    if (anchor_of(event) != NULL) {
        (void)refuse_anchor(r, event, err);
        return NULL;
    }
    if (depth >= DOC_MAX_DEPTH || ++r->nodes > DOC_MAX_NODES) {
        (void)fail_at(r, event->start_mark, err,
                      "too many values, or too deep inside each other", (struct str){0});
        return NULL;
    }
    if (kind == NODE_SCALAR && is_null(event))
        kind = NODE_NULL;
    node = node_new(kind, r->arena, err);
    if (node == NULL)
        return NULL;
    node->line = (unsigned)event->start_mark.line + 1;
    node->column = (unsigned)event->start_mark.column + 1;
    if (kind == NODE_SCALAR) {
        struct str text = {(const char *)event->data.scalar.value, event->data.scalar.length};

        node->text.at = str_dup(text, r->arena, err);
        node->text.len = text.len;
        return node->text.at != NULL ? node : NULL;
    }
    if (kind != NODE_NULL && !read_children(r, node, depth + 1, err))
        return NULL;
    return node;
}

/* Stream start, document start, the one value, document end, stream end. */
static struct node *read_document(struct reader *r, struct error *err)
{
    struct node *root = NULL;

    for (;;) {
        yaml_event_t event;
        yaml_event_type_t type;
        struct node *node = NULL;

        if (!next_event(r, &event, err))
            return NULL;
        type = event.type;
        if (type == YAML_SCALAR_EVENT || type == YAML_MAPPING_START_EVENT ||
            type == YAML_SEQUENCE_START_EVENT || type == YAML_ALIAS_EVENT) {
            if (root != NULL)
                (void)fail_at(r, event.start_mark, err, "a second document starts here",
                              (struct str){0});
            else
                node = read_node(r, &event, 0, err);
            if (node == NULL) {
                yaml_event_delete(&event);
                return NULL;
            }
            root = node;
        }
        yaml_event_delete(&event);
        if (type == YAML_STREAM_END_EVENT)
            return root != NULL ? root : node_new(NODE_NULL, r->arena, err);
    }
}

struct node *yaml_read(struct str text, const char *name, struct arena *arena,
                       struct error *err)
{
    struct reader r = {.name = name, .text = text, .arena = arena};
    struct node *root;

    if (!yaml_parser_initialize(&r.parser)) {
        (void)error_memory(err);
        return NULL;
    }
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(text.len > 0 ? text.at : ""), text.len);
    root = read_document(&r, err);
    yaml_parser_delete(&r.parser);
    return root;
}

const char *yaml_library(void)
{
    return "libyaml " YAML_VERSION;
}
