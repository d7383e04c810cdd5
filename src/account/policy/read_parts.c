/* The maps of a policy whose keys are dimensions, tags and names: conditions, settings,
 * weights. */
#include "account/policy/internal.h"

#include <string.h>

static bool place(unsigned line, unsigned column, const char *name, struct error *err)
{
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u:%u", name, line, column);
    return false;
}

bool reading_fail(const struct reading *r, const struct node *at, struct error *err)
{
    return place(at->line, at->column, r->name, err);
}

static bool fail_key(const struct reading *r, const struct node *at, struct error *err)
{
    return place(at->key_line, at->key_column, r->name, err);
}

/* A null is nothing to fields_from_node(), and its key is known. */
bool reading_fields(const struct reading *r, const struct field_set *set,
                    const struct node *map, const char *const *apart, void *record,
                    struct error *err)
{
    struct node plain = *map, *last = NULL;

    plain.first = NULL;
    if (map->kind != NODE_MAP && map->kind != NODE_NULL) {
        error_set(err, ERROR_INPUT, "expected keys and values");
        return reading_fail(r, map, err);
    }
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct node *copy = node_new(child->kind, r->arena, err);

        if (copy == NULL)
            return false;
        *copy = *child;
        copy->next = NULL;
        for (size_t i = 0; apart[i] != NULL; i++)
            if (str_eq(child->key, str_from(apart[i])))
                copy->kind = NODE_NULL;
        node_append(&plain, &last, copy);
    }
    return fields_from_node(set, &plain, r->name, record, r->arena, err);
}

static size_t count_of(const struct node *map)
{
    size_t count = 0;

    for (const struct node *child = map->first; child != NULL; child = child->next)
        count++;
    return count;
}

static bool expect_map(const struct reading *r, const struct node *map, const char *example,
                       struct error *err)
{
    if (map->kind == NODE_MAP)
        return true;
    error_set(err, ERROR_INPUT, "%.*s: expected keys and values", STR_ARG(map->key));
    error_hint(err, "write %s", example);
    return reading_fail(r, map, err);
}

static bool reading_scalar(const struct reading *r, const struct node *node, struct str *out,
                           struct error *err)
{
    *out = node->text;
    if (node->kind == NODE_SCALAR)
        return true;
    *out = (struct str){0};
    if (node->kind == NODE_NULL) /* "team:" means without one */
        return true;
    error_set(err, ERROR_INPUT, "%.*s: expected one value", STR_ARG(node->key));
    return reading_fail(r, node, err);
}

/* One pattern, or a list of them. */
static bool reading_globs(const struct reading *r, const struct node *node, struct strs *out,
                          struct error *err)
{
    const struct node *first = node->kind == NODE_LIST ? node->first : node;
    size_t count = node->kind == NODE_LIST ? count_of(node) : 1, n = 0;
    struct str *globs = arena_array(r->arena, struct str, count, err);

    if (globs == NULL)
        return false;
    for (const struct node *item = first; n < count; item = item->next)
        if (!reading_scalar(r, item, &globs[n++], err))
            return false;
    *out = (struct strs){globs, count};
    if (count > 0)
        return true;
    error_set(err, ERROR_INPUT, "%.*s: the list is empty, so nothing can match",
              STR_ARG(node->key));
    return reading_fail(r, node, err);
}

static const struct {
    const char *name;
    enum look look;
} looks[] = {{"resource", LOOK_RESOURCE},
             {"resource_name", LOOK_RESOURCE_NAME},
             {"description", LOOK_DESCRIPTION}};

/* What a key of `when` looks at. */
static bool look_of(struct str key, struct condition *out, struct error *err)
{
    const struct str tag = STR("tag.");
    struct suggestion s = {.wanted = key};

    *out = (struct condition){.look = LOOK_DIMENSION, .dimension = dimension_find(key)};
    if (out->dimension != DIMENSION_COUNT)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        out->look = looks[i].look;
        if (str_eq(key, str_from(looks[i].name)))
            return true;
        suggestion_try(&s, str_from(looks[i].name));
    }
    if (str_starts(key, tag) && key.len > tag.len) {
        out->look = LOOK_TAG;
        out->tag = (struct str){key.at + tag.len, key.len - tag.len};
        return true;
    }
    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    error_set(err, ERROR_INPUT, "a rule cannot look at '%.*s'", STR_ARG(key));
    if (!suggestion_hint(&s, err))
        error_hint(err, "for a tag of the bill write 'tag.%.*s'", STR_ARG(key));
    return false;
}

bool reading_conditions(const struct reading *r, const struct node *map, bool dimensions_only,
                        struct conditions *out, struct error *err)
{
    struct condition *all;
    size_t n = 0;

    *out = (struct conditions){0};
    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "when: {account: '1234*', service: AmazonEC2}", err))
        return false;
    all = arena_array(r->arena, struct condition, count_of(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        if (!look_of(child->key, &all[n], err))
            return fail_key(r, child, err);
        if (dimensions_only && all[n].look != LOOK_DIMENSION) {
            error_set(err, ERROR_INPUT, "a shared cost cannot be known by '%.*s'",
                      STR_ARG(child->key));
            error_hint(err, "let a rule set a tag by it, and name that tag here: "
                            "when: {project: shared}");
            return fail_key(r, child, err);
        }
        if (!reading_globs(r, child, &all[n++].globs, err))
            return false;
    }
    *out = (struct conditions){all, n};
    return true;
}

enum dimension reading_tag(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};
    enum dimension d = dimension_find(name);

    if (d != DIMENSION_COUNT && d >= DIMENSION_FIRST_TAG)
        return d;
    if (d != DIMENSION_COUNT) {
        error_set(err, ERROR_INPUT, "'%.*s' is what the provider says, not a tag",
                  STR_ARG(name));
        error_hint(err, "tags are team, project, environment, experiment, cost_centre, model, "
                        "phase and owner");
        return DIMENSION_COUNT;
    }
    for (int t = DIMENSION_FIRST_TAG; t < DIMENSION_COUNT; t++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)t)));
    error_set(err, ERROR_INPUT, "there is no tag '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "tags are team, project, environment, experiment, cost_centre, model, "
                        "phase and owner");
    return DIMENSION_COUNT;
}

bool reading_settings(const struct reading *r, const struct node *map, struct settings_of *out,
                      struct error *err)
{
    struct setting *all;
    size_t n = 0;

    *out = (struct settings_of){0};
    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "{team: nlp, project: ads}", err))
        return false;
    all = arena_array(r->arena, struct setting, count_of(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next, n++) {
        all[n].dimension = reading_tag(child->key, err);
        if (all[n].dimension == DIMENSION_COUNT)
            return fail_key(r, child, err);
        if (!reading_scalar(r, child, &all[n].value, err))
            return false;
        if (all[n].value.len == 0) {
            error_set(err, ERROR_INPUT, "%.*s: there is no value to set", STR_ARG(child->key));
            return fail_key(r, child, err);
        }
    }
    *out = (struct settings_of){all, n};
    return true;
}

bool reading_weights(const struct reading *r, const struct node *map, struct shared *out,
                     struct error *err)
{
    struct weight *all;

    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "weights: {nlp: 3, vision: 1}", err))
        return false;
    all = arena_array(r->arena, struct weight, count_of(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct weight *w = &all[out->weight_count++];

        w->name = child->key;
        if (child->kind != NODE_SCALAR || !decimal_parse(child->text, &w->amount) ||
            w->amount.coefficient <= 0) {
            error_set(err, ERROR_INPUT, "the weight of '%.*s' is no number above zero",
                      STR_ARG(child->key));
            error_hint(err, "leave out who takes no part");
            return reading_fail(r, child, err);
        }
    }
    out->weights = all;
    return true;
}
