/* Tags of counts: as they are typed, kept and shown. */
#include <stdlib.h>

#include "base/json.h"
#include "doc/json_write.h"
#include "op/account/counts.h"

#define TAGS_MAX ((size_t)1 << 20)

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* "Model=bert" as "model=bert". */
static bool canonical(struct str tag, struct arena *arena, struct str *out, struct error *err)
{
    struct str value = tag, key = str_cut(&value, '=');
    enum dimension d = dimension_of_tag(key);
    struct buf text = buf_new(arena->alloc, 4096);

    buf_add(&text, d != DIMENSION_COUNT ? str_from(dimension_name(d)) : key);
    buf_char(&text, '=');
    buf_add(&text, value);
    return buf_keep(&text, arena, out, err);
}

bool counts_tags(struct strs tags, struct arena *arena, struct str *out, struct error *err)
{
    struct str *sorted = arena_array(arena, struct str, tags.len, err);
    struct buf text = buf_new(arena->alloc, TAGS_MAX);
    struct str before = {0};

    *out = (struct str){0};
    for (size_t i = 0; sorted != NULL && i < tags.len; i++)
        if (!canonical(tags.at[i], arena, &sorted[i], err))
            return false;
    if (sorted == NULL)
        return false;
    if (tags.len > 0)
        qsort(sorted, tags.len, sizeof *sorted, by_text);
    buf_char(&text, '{');
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = sorted[i], key = str_cut(&value, '=');

        if (i > 0 && str_eq(key, before)) {
            buf_free(&text);
            return error_fail(err, ERROR_USAGE, "the tag '%.*s' is said twice", STR_ARG(key));
        }
        before = key;
        buf_adds(&text, i > 0 ? "," : "");
        json_write_text(key, &text);
        buf_char(&text, ':');
        json_write_text(value, &text);
    }
    buf_char(&text, '}');
    return buf_keep(&text, arena, out, err);
}

/* "key=value" of each tag. */
static bool read_tags(struct json *json, struct arena *arena, struct strs *out,
                      struct error *err)
{
    struct str *list = NULL;
    size_t room = 0;
    struct json_token token = {.kind = JSON_OBJECT};

    while (token.kind != JSON_END) {
        struct buf text = buf_new(arena->alloc, TAGS_MAX);

        if (!json_next(json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            continue;
        buf_add(&text, token.text);
        buf_char(&text, '=');
        list = arena_grow(arena, list, out->len, sizeof *list, &room, err);
        if (list == NULL || !json_next(json, &token, err)) {
            buf_free(&text);
            return false;
        }
        buf_add(&text, token.text);
        if (!buf_keep(&text, arena, &list[out->len], err))
            return false;
        *out = (struct strs){list, out->len + 1};
    }
    return true;
}

bool counts_tags_shown(struct str tags, struct arena *arena, struct strs *out,
                       struct error *err)
{
    struct json *json =
        json_open_text(tags, &(struct json_options){.alloc = arena->alloc}, err);
    bool ok = json != NULL && read_tags(json, arena, out, err);

    json_close(json);
    return ok;
}
