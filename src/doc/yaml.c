/* YAML through libyaml's events. Only what a configuration needs: maps, lists and scalars, with
 * anchors, aliases and merge keys. An alias is a copy of what its anchor names: each node of
 * the copy counts as if it had been written out, so that no file can grow beyond the bounds. */
#include <string.h>
#include <yaml.h>

#include "doc/node.h"

#define ANCHORS_MAX 1000 /* each alias is looked for among them */

/* What an alias may repeat; `node` is NULL until all of it has been read. */
struct anchor {
    struct str name;
    struct node *node;
    struct anchor *before;
};

struct reader {
    yaml_parser_t parser;
    struct str text;
    const char *name;
    struct arena *arena;
    size_t nodes, anchor_count;
    struct anchor *anchors; /* the latest first: a name may be used again */
    bool written_out;       /* anchors and aliases are refused */
};

static bool fail_yaml_at(const struct reader *r, yaml_mark_t mark, struct error *err,
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
static yaml_mark_t yaml_mark_of(const struct reader *r)
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
    (void)fail_yaml_at(r, yaml_mark_of(r), err, problem, (struct str){0});
    if (strstr(problem, "cannot start any token") != NULL)
        error_hint(err,
                   "indent with blanks, not tabs, and quote values that start with %%, @ or `");
    return false;
}

static bool is_null(const yaml_event_t *event)
{
    struct str text = {(const char *)event->data.scalar.value, event->data.scalar.length};

    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (text.len == 0 || str_eq(text, STR("~")) || str_eq(text, STR("null")) ||
            str_eq(text, STR("Null")) || str_eq(text, STR("NULL")));
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

/* Count a node at this depth. */
static bool within_bounds(struct reader *r, yaml_mark_t mark, unsigned depth, struct error *err)
{
    return (depth < DOC_MAX_DEPTH && ++r->nodes <= DOC_MAX_NODES) ||
           fail_yaml_at(r, mark, err, "too many values, or too deep inside each other",
                        (struct str){0});
}

/* ---- anchors, aliases and merge keys ---- */

static bool refuse_anchor(const struct reader *r, const yaml_event_t *event, struct error *err)
{
    (void)fail_yaml_at(r, event->start_mark, err,
                       "anchors and aliases are not read here:", str_from(anchor_of(event)));
    error_hint(err, "write the values out: yq 'explode(.)' %s", r->name);
    return false;
}

/* Note the anchor of what is about to be read; NULL: it has none. */
static bool open_anchor(struct reader *r, const yaml_event_t *event, struct anchor **out,
                        struct error *err)
{
    const char *name = anchor_of(event);

    *out = NULL;
    if (name == NULL)
        return true;
    if (r->written_out)
        return refuse_anchor(r, event, err);
    if (++r->anchor_count > ANCHORS_MAX)
        return fail_yaml_at(r, event->start_mark, err, "too many anchors", (struct str){0});
    *out = arena_array(r->arena, struct anchor, 1, err);
    if (*out == NULL || !str_keep(str_from(name), r->arena, &(*out)->name, err))
        return false;
    (*out)->before = r->anchors;
    r->anchors = *out;
    return true;
}

/* What the alias repeats; NULL with the error set. */
static const struct node *find_anchor(const struct reader *r, const yaml_event_t *event,
                                      struct error *err)
{
    struct str name = str_from(anchor_of(event));

    if (r->written_out) {
        (void)refuse_anchor(r, event, err);
        return NULL;
    }
    for (struct anchor *a = r->anchors; a != NULL; a = a->before) {
        if (!str_eq(a->name, name))
            continue;
        if (a->node == NULL)
            (void)fail_yaml_at(r, event->start_mark, err,
                               "an alias within what it repeats:", name);
        else
            a->node->repeated = true;
        return a->node;
    }
    (void)fail_yaml_at(r, event->start_mark, err,
                       "there is no anchor before this alias:", name);
    error_hint(err,
               "write &%.*s before the value to repeat, or quote a text that starts with *",
               STR_ARG(name));
    return NULL;
}

/* A copy that may be changed apart from the original; only the texts are shared. */
static struct node *copy_node(struct reader *r, const struct node *from, yaml_mark_t mark,
                              unsigned depth, struct error *err)
{
    struct node *copy =
        within_bounds(r, mark, depth, err) ? node_new(from->kind, r->arena, err) : NULL;
    struct node *last = NULL;

    if (copy == NULL)
        return NULL;
    *copy = *from;
    copy->first = copy->next = NULL;
    copy->repeated = false;
    for (const struct node *child = from->first; child != NULL; child = child->next) {
        struct node *inside = copy_node(r, child, mark, depth + 1, err);

        if (inside == NULL)
            return NULL;
        node_append(copy, &last, inside);
    }
    return copy;
}

/* A plain "<<" before a map or a list of maps; "<<" in quotes is a key like any other. */
static bool is_merge_key(const yaml_event_t *event)
{
    struct str text;

    if (event->type != YAML_SCALAR_EVENT || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    text = (struct str){(const char *)event->data.scalar.value, event->data.scalar.length};
    return str_eq(text, STR("<<"));
}

static size_t count_children(const struct node *parent)
{
    size_t count = 0;

    for (const struct node *child = parent->first; child != NULL; child = child->next)
        count++;
    return count;
}

/* Add the keys of `from` that `to` does not have. */
static bool merge_map(struct reader *r, struct node *to, struct node **last, struct node *from,
                      yaml_mark_t mark, struct error *err)
{
    size_t count = count_children(to);

    if (from->kind != NODE_MAP)
        return fail_yaml_at(r, mark, err, "<< merges a map, or a list of maps",
                            (struct str){0});
    for (struct node *child = from->first, *next; child != NULL; child = next) {
        next = child->next;
        if (node_get(to, child->key) != NULL)
            continue;
        if (++count > DOC_MAX_KEYS)
            return fail_yaml_at(r, mark, err, "too many keys in one place", (struct str){0});
        child->next = NULL;
        node_append(to, last, child);
    }
    return true;
}

/* What the map itself has counts more than what is merged, and the first of several maps more
 * than the next. `merged` is a list with one node for each "<<". */
static bool merge_all(struct reader *r, struct node *map, struct node **last,
                      const struct node *merged, yaml_mark_t mark, struct error *err)
{
    for (struct node *each = merged->first, *next; each != NULL; each = next) {
        next = each->next;
        if (each->kind != NODE_LIST) {
            if (each->kind != NODE_NULL && !merge_map(r, map, last, each, mark, err))
                return false;
            continue;
        }
        for (struct node *item = each->first; item != NULL; item = item->next)
            if (!merge_map(r, map, last, item, mark, err))
                return false;
    }
    return true;
}

/* ---- values ---- */

static struct node *read_yaml_node(struct reader *r, const yaml_event_t *event, unsigned depth,
                                   struct error *err);

/* A key that has an anchor: aliases repeat it as a value. */
static bool close_key_anchor(struct reader *r, struct anchor *anchor, struct str key,
                             struct error *err)
{
    struct node *node;

    if (anchor == NULL)
        return true;
    node = node_new(NODE_SCALAR, r->arena, err);
    if (node != NULL)
        node->text = key;
    anchor->node = node;
    return node != NULL;
}

static bool read_yaml_key(struct reader *r, const yaml_event_t *event, const struct node *map,
                          struct str *key, struct error *err)
{
    const struct node *earlier, *repeated = NULL;
    struct anchor *anchor;
    char *copy;

    if (event->type == YAML_ALIAS_EVENT) {
        repeated = find_anchor(r, event, err);
        if (repeated == NULL)
            return false;
    }
    if (repeated != NULL ? repeated->kind != NODE_SCALAR : event->type != YAML_SCALAR_EVENT)
        return fail_yaml_at(r, event->start_mark, err, "a key must be one word",
                            (struct str){0});
    *key = repeated != NULL ? repeated->text
                            : (struct str){(const char *)event->data.scalar.value,
                                           event->data.scalar.length};
    earlier = node_get(map, *key);
    if (earlier != NULL) {
        (void)fail_yaml_at(r, event->start_mark, err, "the second key", *key);
        error_hint(err, "the first '%.*s' is on line %u: keep one of them", STR_ARG(*key),
                   earlier->key_line);
        return false;
    }
    copy = str_dup(*key, r->arena, err);
    key->at = copy;
    return copy != NULL && (repeated != NULL || (open_anchor(r, event, &anchor, err) &&
                                                 close_key_anchor(r, anchor, *key, err)));
}

/* The key of a child, whose event is given back, and the event of its value. */
static bool read_child_key(struct reader *r, const struct node *parent, size_t count,
                           yaml_event_t *event, struct str *key, bool *merges,
                           struct error *err)
{
    bool ok;

    *merges = is_merge_key(event);
    ok = count >= DOC_MAX_KEYS ? fail_yaml_at(r, event->start_mark, err,
                                              "too many keys in one place", (struct str){0})
                               : *merges || read_yaml_key(r, event, parent, key, err);
    yaml_event_delete(event);
    return ok && next_event(r, event, err);
}

/* The children of a map or list, up to its end event. */
static bool read_children(struct reader *r, struct node *parent, unsigned depth,
                          struct error *err)
{
    struct node *last = NULL, *last_merged = NULL, merged = {.kind = NODE_LIST};
    yaml_mark_t merged_at = {0};

    for (size_t count = 0;; count++) {
        struct node *child = NULL;
        struct str key = {0};
        yaml_event_t event;
        yaml_mark_t mark;
        bool end, merges = false;

        if (!next_event(r, &event, err))
            return false;
        mark = event.start_mark;
        end = event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT;
        if (!end && parent->kind == NODE_MAP &&
            !read_child_key(r, parent, count, &event, &key, &merges, err))
            return false;
        if (!end)
            child = read_yaml_node(r, &event, depth, err);
        yaml_event_delete(&event);
        if (end)
            return merge_all(r, parent, &last, &merged, merged_at, err);
        if (child == NULL)
            return false;
        child->key = key;
        child->key_line = (unsigned)mark.line + 1;
        child->key_column = (unsigned)mark.column + 1;
        merged_at = merges ? mark : merged_at;
        node_append(merges ? &merged : parent, merges ? &last_merged : &last, child);
    }
}

/* All but an alias. */
static struct node *read_yaml_value(struct reader *r, const yaml_event_t *event, unsigned depth,
                                    struct error *err)
{
    enum node_kind kind = event->type == YAML_MAPPING_START_EVENT    ? NODE_MAP
                          : event->type == YAML_SEQUENCE_START_EVENT ? NODE_LIST
                                                                     : NODE_SCALAR;
    struct node *node;

    if (!within_bounds(r, event->start_mark, depth, err))
        return NULL;
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

static struct node *read_yaml_node(struct reader *r, const yaml_event_t *event, unsigned depth,
                                   struct error *err)
{
    const struct node *repeated;
    struct anchor *anchor;
    struct node *node;

    if (event->type == YAML_ALIAS_EVENT) {
        repeated = find_anchor(r, event, err);
        node = repeated != NULL ? copy_node(r, repeated, event->start_mark, depth, err) : NULL;
        if (node != NULL) { /* what is wrong with it is wrong here */
            node->line = (unsigned)event->start_mark.line + 1;
            node->column = (unsigned)event->start_mark.column + 1;
        }
        return node;
    }
    if (!open_anchor(r, event, &anchor, err))
        return NULL;
    node = read_yaml_value(r, event, depth, err);
    if (anchor != NULL)
        anchor->node = node;
    return node;
}

/* Stream start, document start, the one value, document end, stream end. */
static struct node *read_yaml_document(struct reader *r, struct error *err)
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
                (void)fail_yaml_at(r, event.start_mark, err, "a second document starts here",
                                   (struct str){0});
            else
                node = read_yaml_node(r, &event, 0, err);
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

static struct node *read_yaml_text(struct reader r, struct error *err)
{
    struct str text = r.text;
    struct node *root;

    if (!yaml_parser_initialize(&r.parser)) {
        (void)error_memory(err);
        return NULL;
    }
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(text.len > 0 ? text.at : ""), text.len);
    root = read_yaml_document(&r, err);
    yaml_parser_delete(&r.parser);
    return root;
}

struct node *yaml_read(struct str text, const char *name, struct arena *arena,
                       struct error *err)
{
    return read_yaml_text((struct reader){.name = name, .text = text, .arena = arena}, err);
}

struct node *yaml_read_written_out(struct str text, const char *name, struct arena *arena,
                                   struct error *err)
{
    return read_yaml_text(
        (struct reader){.name = name, .text = text, .arena = arena, .written_out = true}, err);
}

const char *yaml_library(void)
{
    return "libyaml " YAML_VERSION;
}
