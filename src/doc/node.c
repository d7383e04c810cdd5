#include "doc/node.h"

#include <string.h>

struct node *node_new(enum node_kind kind, struct arena *arena, struct error *err)
{
    struct node *node = arena_array(arena, struct node, 1, err);

    if (node != NULL)
        node->kind = kind;
    return node;
}

void node_append(struct node *parent, struct node **last, struct node *child)
{
    if (*last != NULL)
        (*last)->next = child;
    else
        parent->first = child;
    *last = child;
}

const struct node *node_get(const struct node *map, struct str key)
{
    for (const struct node *child = map->first; child != NULL; child = child->next)
        if (str_eq(child->key, key))
            return child;
    return NULL;
}

/* Say where: "config.yaml:3:9", or just the name when the format has no lines. */
static bool add_place_at(unsigned line, unsigned column, const char *name, struct error *err)
{
    if (err->kind == ERROR_MEMORY)
        return false;
    if (line > 0)
        error_context(err, "%s:%u:%u", name, line, column);
    else
        error_context(err, "%s", name);
    return false;
}

static bool add_node_place(const struct node *node, const char *name, struct error *err)
{
    return add_place_at(node->line, node->column, name, err);
}

static bool wrong_kind(const struct field *field, const struct node *node, const char *wanted,
                       const char *name, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s: expected %s", field->name, wanted);
    return add_node_place(node, name, err);
}

static bool read_node_texts(const struct field *field, const struct node *list,
                            const char *name, void *record, struct arena *arena,
                            struct error *err)
{
    struct strs *out = (struct strs *)((unsigned char *)record + field->offset);
    struct str *all;
    size_t count = 0;

    for (const struct node *item = list->first; item != NULL; item = item->next)
        count++;
    all = arena_array(arena, struct str, count, err);
    if (all == NULL)
        return false;
    *out = (struct strs){all, count};
    count = 0;
    for (const struct node *item = list->first; item != NULL; item = item->next) {
        if (item->kind != NODE_SCALAR)
            return wrong_kind(field, item, "a list of plain values", name, err);
        all[count++] = item->text;
    }
    return true;
}

static bool read_node_rows(const struct field *field, const struct node *list, const char *name,
                           void *record, struct arena *arena, struct error *err)
{
    struct rows *out = (struct rows *)((unsigned char *)record + field->offset);
    unsigned char *rows;
    size_t count = 0;

    if (list->kind != NODE_LIST)
        return wrong_kind(field, list, "a list", name, err);
    for (const struct node *item = list->first; item != NULL; item = item->next)
        count++;
    rows = arena_get(arena, count, field->row->size, alignof(max_align_t), err);
    if (rows == NULL)
        return false;
    *out = (struct rows){rows, count};
    for (const struct node *item = list->first; item != NULL; item = item->next) {
        if (!fields_reset(field->row, rows, arena, err) ||
            !fields_from_node(field->row, item, name, rows, arena, err))
            return false;
        rows += field->row->size;
    }
    return true;
}

static bool read_node_value(const struct field *field, const struct node *node,
                            const char *name, void *record, struct arena *arena,
                            struct error *err)
{
    if (node->kind == NODE_NULL)
        return true;
    if (field->type == FIELD_RECORD)
        return fields_from_node(field->row, node, name, (unsigned char *)record + field->offset,
                                arena, err);
    if (field->type == FIELD_LIST)
        return read_node_rows(field, node, name, record, arena, err);
    if (field->type == FIELD_TEXTS && node->kind == NODE_LIST)
        return read_node_texts(field, node, name, record, arena, err);
    if (node->kind != NODE_SCALAR)
        return wrong_kind(field, node, "one value", name, err);
    return field_parse(field, FIELD_SPELLED, node->text, record, arena, err) ||
           add_node_place(node, name, err);
}

static bool check_required(const struct field_set *set, const struct node *map,
                           const char *name, struct error *err)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct node *given = NULL;

        if (!set->at[i].required)
            continue;
        for (const struct node *child = map->first; child != NULL; child = child->next)
            if (child->kind != NODE_NULL && field_find(set, child->key) == &set->at[i])
                given = child;
        if (given == NULL) {
            error_set(err, ERROR_INPUT, "'%s' is missing", set->at[i].name);
            if (set->at[i].help != NULL)
                error_hint(err, "%s: %s", set->at[i].name, set->at[i].help);
            return add_node_place(map, name, err);
        }
    }
    return true;
}

/* The field that a key names: known, and not named twice in two spellings. */
static const struct field *field_of_key(const struct field_set *set, const struct node *map,
                                        const struct node *child, struct error *err)
{
    const struct field *field = field_find(set, child->key);

    if (field == NULL) {
        (void)field_unknown(set, "key", child->key, err);
        return NULL;
    }
    for (const struct node *other = map->first; other != child; other = other->next)
        if (field_find(set, other->key) == field) { /* max_price and max-price */
            error_set(err, ERROR_INPUT, "'%.*s' is the same key as '%.*s'", STR_ARG(child->key),
                      STR_ARG(other->key));
            return NULL;
        }
    return field;
}

bool fields_from_node(const struct field_set *set, const struct node *map, const char *name,
                      void *record, struct arena *arena, struct error *err)
{
    if (map->kind == NODE_NULL)
        return check_required(set, map, name, err);
    if (map->kind != NODE_MAP) {
        error_set(err, ERROR_INPUT, "expected keys and values");
        return add_node_place(map, name, err);
    }
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        const struct field *field = field_of_key(set, map, child, err);

        if (field == NULL)
            return add_place_at(child->key_line, child->key_column, name, err);
        if (!read_node_value(field, child, name, record, arena, err))
            return false;
    }
    return check_required(set, map, name, err);
}
