/* What runs differ in: everything that was known before they began. */
#include "op/runs/compare.h"

#define DIFFERENCES_MAX 64

static const struct field difference_fields[] = {
    FIELD(TEXT, compare_difference, what, .help = "command, commit, a tag, a fact, ..."),
    FIELD(TEXTS, compare_difference, values, .help = "of each run, in order"),
};

const struct field_set compare_difference_fields =
    FIELD_SET(struct compare_difference, difference_fields);

struct finder {
    const struct compare_row *rows;
    size_t count;
    struct arena *arena;
    struct compare_difference *found;
    size_t found_count;
    struct error *err;
};

/* Take them down unless they are all the same. */
static bool differ(struct finder *f, struct str what, const struct str *values)
{
    struct str *copy;
    bool same = true;

    for (size_t i = 1; i < f->count; i++)
        same &= str_eq(values[i], values[0]);
    if (same || f->found_count == DIFFERENCES_MAX)
        return true;
    copy = arena_array(f->arena, struct str, f->count, f->err);
    if (copy == NULL)
        return false;
    for (size_t i = 0; i < f->count; i++)
        copy[i] = values[i].len > 0 ? values[i] : STR("-");
    f->found[f->found_count++] =
        (struct compare_difference){what, (struct strs){copy, f->count}};
    return true;
}

/* A field of one run as a person reads it. */
static bool value_text(const struct finder *f, const struct field *field, size_t run,
                       struct str *out)
{
    struct buf text = buf_new(f->arena->alloc, BUF_MAX_OUTPUT);

    field_write(field, &f->rows[run].run, &text);
    return buf_keep(&text, f->arena, out, f->err);
}

static bool plain(struct finder *f)
{
    static const char *const names[][2] = {
        {"name", "name"},   {"command", "command"}, {"commit", "commit"}, {"folder", "folder"},
        {"host", "host"},   {"user", "user"},       {"offer", "offer"},   {"market", "market"},
        {"price", "price"}, {"GPU", "gpu"},         {"GPUs", "gpus"},
    };
    struct str values[COMPARE_MAX];

    for (size_t n = 0; n < ARRAY_LEN(names); n++) {
        const struct field *field = field_find(&run_view_fields, str_from(names[n][1]));

        for (size_t i = 0; i < f->count; i++)
            if (!value_text(f, field, i, &values[i]))
                return false;
        if (!differ(f, str_from(names[n][0]), values))
            return false;
    }
    return true;
}

/* Tags or facts of a run. */
static const struct strs *list_of(const struct finder *f, size_t run, bool tags)
{
    return tags ? &f->rows[run].run.tags : &f->rows[run].run.facts;
}

/* What stands after "key=" in the list; empty when it is not there. */
static struct str value_of(const struct strs *list, struct str key)
{
    for (size_t i = 0; i < list->len; i++) {
        struct str value = list->at[i];

        if (str_eq(str_cut(&value, '='), key))
            return value.len > 0 ? value : STR("yes");
    }
    return (struct str){0};
}

/* Did an earlier run, or an earlier word of this one, have the key? */
static bool seen(const struct finder *f, size_t run, size_t at, bool tags, struct str key)
{
    for (size_t i = 0; i <= run; i++) {
        const struct strs *list = list_of(f, i, tags);

        for (size_t k = 0; k < (i < run ? list->len : at); k++) {
            struct str rest = list->at[k];

            if (str_eq(str_cut(&rest, '='), key))
                return true;
        }
    }
    return false;
}

static bool keyed(struct finder *f, bool tags)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct strs *list = list_of(f, i, tags);

        for (size_t k = 0; k < list->len; k++) {
            struct str values[COMPARE_MAX], rest = list->at[k], key = str_cut(&rest, '=');

            if (seen(f, i, k, tags, key))
                continue;
            for (size_t j = 0; j < f->count; j++)
                values[j] = value_of(list_of(f, j, tags), key);
            if (!differ(f, key, values))
                return false;
        }
    }
    return true;
}

bool compare_differences(const struct compare_row *rows, size_t count, struct arena *arena,
                         struct rows *out, struct error *err)
{
    struct finder f = {.rows = rows, .count = count, .arena = arena, .err = err};

    f.found = arena_array(arena, struct compare_difference, DIFFERENCES_MAX, err);
    if (f.found == NULL || !plain(&f) || !keyed(&f, true) || !keyed(&f, false))
        return false;
    *out = (struct rows){f.found, f.found_count};
    return true;
}
