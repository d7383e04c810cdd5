/* Documents of a model's folder that say something about its tensors: indexes of shards and
 * configurations. */
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/num.h"
#include "data/weights/weights_internal.h"
#include "doc/json_write.h"

#define DOCUMENT_MOST ((uint64_t)64 << 20)
#define INDENT 2 /* as the programs that write these files do */
#define KEYS 2   /* of the objects around a value: as far as it matters here */

static struct str folder_of(struct str path)
{
    path.len -= str_after_last(path, '/').len;
    return path;
}

static bool is_index(struct str path)
{
    return str_ends(path, STR(".safetensors.index.json")) ||
           str_ends(path, STR(".bin.index.json"));
}

bool weights_is_about(const struct weights_item *item)
{
    struct str path = item->entry->path;

    return item->entry->kind == TREE_FILE && item->fate == WEIGHTS_OTHER &&
           item->stat.size <= DOCUMENT_MOST &&
           (is_index(path) || str_eq(str_after_last(path, '/'), STR("config.json")));
}

/* ---- a document written again, with other values ---- */

struct about {
    const struct weights_crew *crew;
    struct weights_item *item;
    struct str keys[KEYS]; /* of the value: the outer one first */
    struct arena *arena;
    struct buf out;
    /* The value of a key: writes another one, or not. */
    bool (*edit)(struct about *about, const struct json_token *token);
    bool changed;
    struct map shards; /* of an index */
    uint64_t saved;    /* bytes of tensors in them */
    bool typed;        /* the configuration names a type */
};

static bool remember_key(struct about *about, const struct json_token *token, struct error *err)
{
    return token->depth > KEYS ||
           str_keep(token->text, about->arena, &about->keys[token->depth - 1], err);
}

static void write_about_value(struct about *about, const struct json_token *token,
                              bool after_key)
{
    switch (token->kind) {
    case JSON_STRING:
    case JSON_NUMBER:
        if (after_key && about->edit(about, token))
            about->changed = true;
        else if (token->kind == JSON_STRING)
            json_write_text(token->text, &about->out);
        else
            buf_add(&about->out, token->text);
        break;
    case JSON_TRUE:
        buf_adds(&about->out, "true");
        break;
    case JSON_FALSE:
        buf_adds(&about->out, "false");
        break;
    case JSON_NULL:
        buf_adds(&about->out, "null");
        break;
    case JSON_END:
    case JSON_OBJECT:
    case JSON_OBJECT_END:
    case JSON_ARRAY:
    case JSON_ARRAY_END:
    case JSON_KEY:
        break;
    }
}

static void write_about_break(struct about *about, unsigned depth)
{
    buf_char(&about->out, '\n');
    buf_pad(&about->out, ' ', (size_t)INDENT * depth);
}

/* A token, with what stands before it. `first`: nothing is in its container yet. */
static void write_about_token(struct about *about, const struct json_token *token,
                              bool after_key, bool *first)
{
    bool ends = token->kind == JSON_OBJECT_END || token->kind == JSON_ARRAY_END;

    if (!ends && !after_key && token->depth > 0) {
        if (!*first)
            buf_char(&about->out, ',');
        write_about_break(about, token->depth);
    }
    if (ends && !*first)
        write_about_break(about, token->depth);
    *first = token->kind == JSON_OBJECT || token->kind == JSON_ARRAY;
    if (token->kind == JSON_KEY) {
        json_write_text(token->text, &about->out);
        buf_adds(&about->out, ": ");
    } else if (token->kind == JSON_OBJECT || token->kind == JSON_ARRAY) {
        buf_char(&about->out, token->kind == JSON_OBJECT ? '{' : '[');
    } else if (ends) {
        buf_char(&about->out, token->kind == JSON_OBJECT_END ? '}' : ']');
    } else {
        write_about_value(about, token, after_key);
    }
}

static bool rewrite_about(struct about *about, struct str text, struct error *err)
{
    const struct json_options options = {.alloc = about->arena->alloc, .not_finite = true};
    struct json *json = json_open_text(text, &options, err);
    struct json_token token;
    bool ok = json != NULL, key = false, first = true;

    while (ok) {
        ok = json_next(json, &token, err);
        if (!ok || token.kind == JSON_END)
            break;
        if (token.kind == JSON_KEY)
            ok = remember_key(about, &token, err);
        write_about_token(about, &token, key, &first);
        key = token.kind == JSON_KEY;
    }
    json_close(json);
    buf_char(&about->out, '\n');
    return ok && buf_ok(&about->out, err);
}

/* ---- indexes ---- */

static bool is_about_key(const struct about *about, unsigned depth, struct str outer,
                         const struct json_token *token)
{
    return token->depth == depth && str_eq(about->keys[0], outer);
}

/* The first reading: which shards are there. */
static bool list_shard(struct about *about, const struct json_token *token)
{
    struct error ignored;
    struct str name;

    if (token->kind == JSON_STRING && is_about_key(about, 2, STR("weight_map"), token) &&
        map_find(&about->shards, token->text) == NULL &&
        str_keep(token->text, about->arena, &name, &ignored))
        (void)!map_add(&about->shards, name, NULL, &ignored);
    return false;
}

static bool edit_total(struct about *about, const struct json_token *token)
{
    int64_t total;

    if (token->kind != JSON_NUMBER || !is_about_key(about, 2, STR("metadata"), token) ||
        !str_eq(about->keys[1], STR("total_size")) || !num_int(token->text, &total) ||
        total < 0 || (uint64_t)total < about->saved)
        return false;
    buf_addf(&about->out, "%llu", (unsigned long long)((uint64_t)total - about->saved));
    return true;
}

/* Bytes that the tensors of its shards are fewer now. */
static uint64_t saved_in_shards(const struct about *about)
{
    struct str folder = folder_of(about->item->entry->path);
    uint64_t saved = 0;

    for (size_t i = 0; i < about->crew->count; i++) {
        const struct weights_item *item = &about->crew->items[i];
        struct str path = item->entry->path;

        if (item->format != WEIGHTS_NO_TENSORS && item->copied &&
            str_eq(folder_of(path), folder) &&
            map_find(&about->shards, str_after_last(path, '/')) != NULL)
            saved += item->bytes - item->new_bytes;
    }
    return saved;
}

/* ---- configurations ---- */

static bool edit_type(struct about *about, const struct json_token *token)
{
    struct str key = token->depth >= 1 && token->depth <= KEYS ? about->keys[token->depth - 1]
                                                               : (struct str){0};
    enum tensor_type type, cast;

    if (token->kind != JSON_STRING ||
        !(str_eq(key, STR("torch_dtype")) || str_eq(key, STR("dtype"))))
        return false;
    type = tensor_type_of_torch(token->text);
    if (type == TENSOR_TYPES)
        return false;
    about->typed = true;
    cast = tensor_cast_type(type, about->crew->work->cast);
    if (cast == type)
        return false;
    json_write_text(str_from(tensor_kinds[cast].torch), &about->out);
    return true;
}

static bool has_cast_beside(const struct about *about)
{
    struct str folder = folder_of(about->item->entry->path);

    for (size_t i = 0; i < about->crew->count; i++)
        if (about->crew->items[i].cast > 0 &&
            str_eq(folder_of(about->crew->items[i].entry->path), folder))
            return true;
    return false;
}

/* ---- both ---- */

static bool read_about(const struct weights_crew *crew, struct weights_item *item,
                       struct arena *arena, struct str *out, struct error *err)
{
    int fd = weights_open(crew, item);
    char *text;
    bool ok;

    if (fd < 0)
        return true;
    text = arena_get(arena, item->stat.size, 1, 1, err);
    ok = text != NULL;
    if (ok && !fs_read_at(fd, 0, text, item->stat.size))
        item->trouble = REMAKE_CHANGING;
    (void)close(fd);
    *out = (struct str){text, item->stat.size};
    return ok;
}

/* What is to be in the file now. A document that is not understood stays as it is. */
static bool edit_about(struct about *about, struct str text, struct error *err)
{
    bool index = is_index(about->item->entry->path);
    struct error ignored;

    about->edit = index ? list_shard : edit_type;
    if (!index && !has_cast_beside(about))
        return true;
    if (!rewrite_about(about, text, index ? &ignored : err)) {
        about->changed = false;
        if (!index && error_is_of_machine(err->kind))
            return false;
        return true;
    }
    if (index) {
        about->saved = saved_in_shards(about);
        about->edit = edit_total;
        buf_clear(&about->out);
        return about->saved == 0 || rewrite_about(about, text, err);
    }
    if (!about->typed)
        str_copy(STR("names no type: programs that load the model as float32 unless they are "
                     "told otherwise may use twice the memory"),
                 about->item->why, sizeof about->item->why);
    return true;
}

bool weights_put_about(struct weights_crew *crew, struct weights_item *item, struct error *err)
{
    struct arena own = {.alloc = crew->arena->alloc, .block_size = crew->arena->block_size};
    struct about about = {.crew = crew,
                          .item = item,
                          .arena = &own,
                          .out = buf_new(crew->arena->alloc, BUF_MAX_OUTPUT),
                          .shards = map_in_arena(&own)};
    struct str text = {0};
    bool ok = read_about(crew, item, &own, &text, err);

    if (ok && item->trouble == 0) {
        ok = edit_about(&about, text, err);
        item->fate = about.changed ? WEIGHTS_UPDATED : WEIGHTS_OTHER;
        ok = ok &&
             weights_put_text(crew, item, about.changed ? buf_text(&about.out) : text, err);
    }
    buf_free(&about.out);
    arena_free(&own);
    return ok;
}
