/* Maps in a cell: JSON, and what tools print in place of it. */
#include "bill/map.h"

#include <string.h>

static bool is_value(enum json_kind kind)
{
    return kind == JSON_STRING || kind == JSON_NUMBER || kind == JSON_TRUE ||
           kind == JSON_FALSE || kind == JSON_NULL;
}

static struct str token_text(const struct json_token *token)
{
    switch (token->kind) {
    case JSON_STRING:
    case JSON_NUMBER:
        return token->text;
    case JSON_TRUE:
        return STR("true");
    case JSON_FALSE:
        return STR("false");
    case JSON_NULL:
    case JSON_END:
    case JSON_OBJECT:
    case JSON_OBJECT_END:
    case JSON_ARRAY:
    case JSON_ARRAY_END:
    case JSON_KEY:
        break;
    }
    return (struct str){0};
}

/* What is read of a map, and who receives it. */
struct map_reader {
    struct bill *bill;
    struct json *json;
    bill_map_each each;
    void *ctx;
};

/* The members of an object. Values that are objects or lists are left out. */
static bool read_map_object(struct map_reader *r, struct error *err)
{
    struct json_token token;
    struct str key;

    for (;;) {
        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        if (!bill_text(r->bill, token.text, &key, err) || !json_next(r->json, &token, err))
            return false;
        if (!is_value(token.kind)) {
            if (!json_leave(r->json, token.depth, err))
                return false;
        } else if (!r->each(r->ctx, key, token_text(&token), err)) {
            return false;
        }
    }
}

/* {"key":...,"value":...}, in either order and spelling, and with others beside them: Google's
 * tags have a namespace, too. */
static bool read_map_pair(struct map_reader *r, struct error *err)
{
    struct json_token token;
    struct str key = {0}, value = {0}, other;

    for (;;) {
        bool is_key, is_text;

        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            break;
        is_key =
            str_eq_nocase(token.text, STR("key")) || str_eq_nocase(token.text, STR("name"));
        is_text = str_eq_nocase(token.text, STR("value"));
        if (!json_next(r->json, &token, err))
            return false;
        if (!is_value(token.kind)) {
            if (!json_leave(r->json, token.depth, err))
                return false;
        } else if (!bill_text(r->bill, token_text(&token),
                              is_key    ? &key
                              : is_text ? &value
                                        : &other,
                              err)) {
            return false;
        }
    }
    return key.len == 0 || r->each(r->ctx, key, value, err);
}

static bool read_json_map(struct map_reader *r, struct error *err)
{
    struct json_token token;

    if (!json_next(r->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT)
        return read_map_object(r, err) && json_next(r->json, &token, err);
    if (token.kind != JSON_ARRAY)
        return error_fail(err, ERROR_INPUT, "no map");
    for (;;) {
        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return json_next(r->json, &token, err);
        if (token.kind != JSON_OBJECT)
            return error_fail(err, ERROR_INPUT, "no map");
        if (!read_map_pair(r, err))
            return false;
    }
}

/* {team=nlp, run=42}: nothing is quoted, so a value goes on to the last ", " before a '='. */
static bool read_plain_map(struct map_reader *r, struct str text, struct error *err)
{
    struct str rest = {text.at + 1, text.len - 2};

    while (rest.len > 0) {
        struct str key = str_trim(str_cut(&rest, '=')), value = rest;
        const char *next = rest.len > 0 ? memchr(rest.at, '=', rest.len) : NULL;
        size_t cut = rest.len;

        if (next != NULL) {
            cut = (size_t)(next - rest.at);
            while (cut > 0 && rest.at[cut - 1] != ',')
                cut--;
            cut = cut == 0 ? rest.len : cut - 1;
        }
        value.len = cut;
        rest = cut < rest.len ? (struct str){rest.at + cut + 1, rest.len - cut - 1}
                              : (struct str){0};
        if (key.len > 0 && !r->each(r->ctx, key, str_trim(value), err))
            return false;
    }
    return true;
}

static bool try_json(struct map_reader *r, struct str text, struct error *err)
{
    struct json_options options = {.alloc = r->bill->alloc};
    bool fine;

    r->json = json_open_text(text, &options, err);
    if (r->json == NULL)
        return false;
    fine = read_json_map(r, err);
    json_close(r->json);
    return fine;
}

/* In braces, for a text that lacks them. `*text` has a place of its own, since bill->work is
 * often what entries are written to. */
static bool embrace(struct bill *bill, struct str *text, struct error *err)
{
    char *room;

    if (!bill_texts_room(bill, text->len + 2, &room, err))
        return false;
    room[0] = '{';
    memcpy(room + 1, text->at, text->len);
    room[text->len + 1] = '}';
    *text = (struct str){room, text->len + 2};
    return true;
}

bool bill_map(struct bill *bill, const char *column, struct str text, bill_map_each each,
              void *ctx, struct error *err)
{
    struct map_reader reader = {.bill = bill, .each = each, .ctx = ctx};

    text = str_trim(text);
    if (text.len == 0 || str_eq(text, STR("{}")) || str_eq(text, STR("[]")))
        return true;
    if (text.at[0] == '{' && text.at[text.len - 1] == '}' &&
        memchr(text.at, '"', text.len) == NULL)
        return read_plain_map(&reader, text, err);
    if (text.at[0] != '{' && text.at[0] != '[' && !embrace(bill, &text, err))
        return false;
    if (try_json(&reader, text, err))
        return true;
    return err->kind == ERROR_MEMORY
               ? false
               : bill_refuse(bill, column, text, "is not a map of names", err);
}

static bool put_map_entry(void *ctx, struct str key, struct str value, struct error *err)
{
    struct buf *out = ctx;

    (void)err;
    bill_put(out, key, value);
    return true;
}

bool bill_map_normal(struct bill *bill, struct str *text, struct error *err)
{
    struct error ignored = {0};
    struct str plain = str_trim(*text);

    if (plain.len == 0 ||
        (plain.at[0] == '{' && (plain.len == 2 || memchr(plain.at, '"', plain.len))))
        return true;
    buf_clear(&bill->work);
    if (!bill_map(bill, "", plain, put_map_entry, &bill->work, &ignored)) {
        buf_clear(&bill->work);
        if (ignored.kind != ERROR_MEMORY)
            return true;
        *err = ignored;
        return false;
    }
    if (bill->work.len == 0)
        buf_char(&bill->work, '{');
    buf_char(&bill->work, '}');
    return bill_text_work(bill, text, err);
}
