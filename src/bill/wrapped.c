/* JSON whose rows may be further in: {"data":[{...}]}, or buckets of time with their results.
 * Where they are is found among the first bytes; what is said above them of time, account or
 * currency holds for them, too. */
#include <string.h>

#include "bill/internal.h"
#include "bill/table_fields.h"

#define PLACES 16     /* of different paths that are looked at */
#define PLACE_KEYS 96 /* of an object */
#define DEPTH 32

/* Objects that are reached by the same keys. */
struct place {
    struct str path[BILL_WRAP_LEVELS];
    size_t levels;
    struct str keys[PLACE_KEYS];
    size_t count;
};

/* A container that is open. */
struct open {
    bool object;
    struct str key; /* the one that was met last */
    struct place *place;
};

struct survey {
    struct bill *bill;
    struct place *places;
    size_t count;
    struct open open[DEPTH];
};

static bool same_path(const struct place *a, const struct place *b)
{
    if (a->levels != b->levels)
        return false;
    for (size_t i = 0; i < a->levels; i++)
        if (!str_eq(a->path[i], b->path[i]))
            return false;
    return true;
}

/* The place of an object at this depth; NULL when it is too deep, or one of too many. */
static struct place *place_at_depth(struct survey *s, unsigned depth)
{
    struct place here = {.levels = 0};

    for (unsigned d = 0; d < depth; d++) {
        if (!s->open[d].object)
            continue;
        if (here.levels == BILL_WRAP_LEVELS)
            return NULL;
        here.path[here.levels++] = s->open[d].key;
    }
    for (size_t i = 0; i < s->count; i++)
        if (same_path(&s->places[i], &here))
            return &s->places[i];
    if (s->count == PLACES)
        return NULL;
    s->places[s->count] = here;
    return &s->places[s->count++];
}

static void add_key(struct place *p, struct str key)
{
    for (size_t i = 0; i < p->count; i++)
        if (str_eq(p->keys[i], key))
            return;
    if (p->count < PLACE_KEYS)
        p->keys[p->count++] = key;
}

/* A key of an object; of one that is a member, also "member.key" of the object around it. */
static bool note_key(struct survey *s, struct json_token token, struct error *err)
{
    struct open *in = &s->open[token.depth - 1];
    struct buf *work = &s->bill->work;
    struct str both;

    if (!str_keep(token.text, &s->bill->arena, &in->key, err))
        return false;
    if (in->place != NULL)
        add_key(in->place, in->key);
    if (token.depth < 2 || !in[-1].object || in[-1].place == NULL)
        return true;
    buf_clear(work);
    buf_add(work, in[-1].key);
    buf_char(work, '.');
    buf_add(work, in->key);
    if (!buf_ok(work, err) || !str_keep(buf_text(work), &s->bill->arena, &both, err))
        return false;
    add_key(in[-1].place, both);
    return true;
}

static bool survey_text(struct survey *s, struct json *json, struct error *err)
{
    struct json_token token;
    struct error end = {0};

    while (json_next(json, &token, &end) && token.kind != JSON_END) {
        if (token.depth >= DEPTH)
            continue;
        if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY) {
            s->open[token.depth] = (struct open){.object = token.kind == JSON_OBJECT};
            if (token.kind == JSON_OBJECT)
                s->open[token.depth].place = place_at_depth(s, token.depth);
        } else if (token.kind == JSON_KEY && !note_key(s, token, err)) {
            return false;
        }
    }
    return end.kind != ERROR_MEMORY || error_memory(err);
}

/* With what is said of all rows above them. */
static void add_inherited(const struct survey *s, struct place *p)
{
    for (size_t i = 0; i < s->count; i++) {
        struct place above = *p;
        const struct place *other = &s->places[i];

        above.levels = other->levels;
        if (other->levels >= p->levels || !same_path(&above, other))
            continue;
        for (size_t k = 0; k < other->count; k++)
            if (table_inherits(other->keys[k]))
                add_key(p, other->keys[k]);
    }
}

/* The first place, outermost first, whose objects `fits` takes for rows. */
static bool choose_place(struct survey *s,
                         bool (*fits)(void *ctx, const struct str *keys, size_t count),
                         void *ctx)
{
    struct bill_wrap *wrap = &s->bill->wrap;

    for (size_t levels = 0; levels <= BILL_WRAP_LEVELS; levels++)
        for (size_t i = 0; i < s->count; i++) {
            struct place *p = &s->places[i];

            if (p->levels != levels)
                continue;
            add_inherited(s, p);
            if (!fits(ctx, p->keys, p->count))
                continue;
            memcpy(wrap->path, p->path, sizeof wrap->path);
            wrap->levels = p->levels;
            return true;
        }
    return false;
}

bool bill_wrap_find(struct bill *bill,
                    bool (*fits)(void *ctx, const struct str *keys, size_t count), void *ctx,
                    struct error *err)
{
    struct json_options options = {.alloc = bill->alloc, .many = true};
    struct survey s = {.bill = bill};
    struct json *json;
    bool ok;

    s.places = arena_array(&bill->arena, struct place, PLACES, err);
    json = s.places != NULL ? json_open_text(bill_ahead(bill), &options, err) : NULL;
    if (json == NULL)
        return false;
    ok = survey_text(&s, json, err);
    json_close(json);
    return ok && choose_place(&s, fits, ctx);
}

/* ---- rows ---- */

/* The value of a key above the rows: kept for them, or a sign that there is another page. */
static bool read_above(struct bill *bill, struct str key, struct error *err)
{
    struct bill_wrap *wrap = &bill->wrap;
    struct bill_above above = {.level = wrap->level};
    struct json_token token;
    bool more = str_eq_nocase(key, STR("has_more")) || str_eq_nocase(key, STR("next_token")) ||
                str_eq_nocase(key, STR("next_page")) ||
                str_eq_nocase(key, STR("nextPageToken"));
    bool kept = table_inherits(key) && key.len < sizeof above.name &&
                wrap->above_count < BILL_WRAP_ABOVE;

    if (kept)
        memcpy(above.name, key.at, key.len);
    above.name_len = key.len;
    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return json_skip(bill->json, err);
    if (more && (token.kind == JSON_TRUE || (token.kind == JSON_STRING && token.text.len > 0)))
        bill->about.next_page = true;
    if (!kept || (token.kind != JSON_STRING && token.kind != JSON_NUMBER) ||
        token.text.len >= sizeof above.value)
        return true;
    memcpy(above.value, token.text.at, token.text.len);
    above.value_len = token.text.len;
    wrap->above[wrap->above_count++] = above;
    return true;
}

static void close_level(struct bill_wrap *wrap, unsigned depth)
{
    if (wrap->level > 0 && depth == wrap->depths[wrap->level - 1])
        wrap->level--;
}

/* What was said at this level and below it was of another object. */
static void forget_above(struct bill_wrap *wrap)
{
    size_t kept = 0;

    while (kept < wrap->above_count && wrap->above[kept].level < wrap->level)
        kept++;
    wrap->above_count = kept;
}

static bool take_key(struct bill *bill, struct json_token token, struct error *err)
{
    struct bill_wrap *wrap = &bill->wrap;

    if (wrap->level >= wrap->levels || !str_eq(token.text, wrap->path[wrap->level])) {
        char key[sizeof wrap->above[0].name];
        size_t len = token.text.len < sizeof key ? token.text.len : 0;

        memcpy(key, token.text.at, len);
        return read_above(bill, (struct str){key, len}, err);
    }
    wrap->depths[wrap->level++] = token.depth;
    return true;
}

enum bill_step bill_wrap_seek(struct bill *bill, struct json_token *token, struct error *err)
{
    struct bill_wrap *wrap = &bill->wrap;

    close_level(wrap, wrap->row_depth); /* of a row that is no list's */
    wrap->row_depth = UINT32_MAX;
    for (;;) {
        if (!json_next(bill->json, token, err))
            return BILL_STEP_FAILED;
        switch (token->kind) {
        case JSON_END:
            return BILL_STEP_END;
        case JSON_OBJECT:
            if (wrap->level == wrap->levels) {
                wrap->row_depth = token->depth;
                return BILL_STEP_LINE;
            }
            forget_above(wrap);
            break;
        case JSON_OBJECT_END:
        case JSON_ARRAY_END:
            close_level(wrap, token->depth);
            break;
        case JSON_KEY:
            if (!take_key(bill, *token, err))
                return BILL_STEP_FAILED;
            break;
        case JSON_ARRAY:
            break;
        case JSON_STRING:
        case JSON_NUMBER:
        case JSON_TRUE:
        case JSON_FALSE:
        case JSON_NULL: /* "data": null */
            close_level(wrap, token->depth);
            break;
        }
    }
}
