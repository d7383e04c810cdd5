/* Some fields of the rows of lists: ?fields=id,name,cost. */
#include <string.h>

#include "serve/api.h"

#define NAMES_MOST 64

struct selection {
    struct str names[NAMES_MOST];
    bool found[NAMES_MOST];
    size_t count;
    struct arena *arena;
    struct suggestion near[NAMES_MOST];
};

static bool wants(struct selection *s, const struct field *field)
{
    bool wanted = false;

    for (size_t i = 0; i < s->count; i++) {
        suggestion_try(&s->near[i], str_from(field->name));
        if (str_eq(s->names[i], str_from(field->name)))
            wanted = s->found[i] = true;
    }
    return wanted;
}

/* Those of the set that are wanted; none: the set itself. */
static const struct field_set *select_of(struct selection *s, const struct field_set *set,
                                         struct error *err)
{
    struct field *fields = arena_array(s->arena, struct field, set->len, err);
    struct field_set *out = arena_array(s->arena, struct field_set, 1, err);
    size_t count = 0;

    if (fields == NULL || out == NULL)
        return NULL;
    for (size_t i = 0; i < set->len; i++) {
        fields[count] = set->at[i];
        if (set->at[i].inlined) {
            fields[count].row = select_of(s, set->at[i].row, err);
            if (fields[count].row == NULL)
                return NULL;
            count += fields[count].row != set->at[i].row;
        } else {
            count += wants(s, &set->at[i]);
        }
    }
    *out = (struct field_set){fields, count, set->size};
    return count > 0 ? out : set;
}

static bool read_selected_names(struct selection *s, struct str names, struct error *err)
{
    while (names.len > 0) {
        struct str name = str_trim(str_cut(&names, ','));

        if (name.len == 0)
            continue;
        if (s->count == NAMES_MOST)
            return error_fail(err, ERROR_USAGE, "fields: more than %d names", NAMES_MOST);
        s->near[s->count] = (struct suggestion){.wanted = name};
        s->names[s->count++] = name;
    }
    return true;
}

/* A table knows its fields with its data. */
static bool select_table(struct selection *s, const struct field *field, void *result,
                         struct error *err)
{
    struct table_rows table;
    unsigned char *at = (unsigned char *)result + field->offset;

    memcpy(&table, at, sizeof table);
    if (table.row == NULL)
        return true;
    table.row = select_of(s, table.row, err);
    memcpy(at, &table, sizeof table);
    return table.row != NULL;
}

static bool check_found(const struct selection *s, struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->found[i])
            continue;
        error_set(err, ERROR_USAGE, "fields: no row has a field '%.*s'", STR_ARG(s->names[i]));
        (void)suggestion_hint(&s->near[i], err);
        return false;
    }
    return true;
}

bool api_select(const struct field_set *set, void *result, struct str names,
                struct arena *arena, struct field_set *out, struct error *err)
{
    struct selection s = {.arena = arena};
    struct field *fields;

    *out = *set;
    if (names.len == 0)
        return true;
    fields = arena_array(arena, struct field, set->len, err);
    if (fields == NULL || !read_selected_names(&s, names, err))
        return false;
    for (size_t i = 0; i < set->len; i++) {
        fields[i] = set->at[i];
        if (fields[i].type == FIELD_LIST &&
            (fields[i].row = select_of(&s, fields[i].row, err)) == NULL)
            return false;
        if (fields[i].type == FIELD_TABLE && !select_table(&s, &fields[i], result, err))
            return false;
    }
    out->at = fields;
    return check_found(&s, err);
}
