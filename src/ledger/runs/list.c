#include "ledger/runs/list.h"

#include "base/json.h"
#include "base/num.h"
#include "doc/json_write.h"

#define MAX_ELEMENTS 10000 /* of a list that is one value */

bool ledger_list_read(struct ledger *l, struct query *q, const struct ledger_list *list,
                      struct arena *arena, struct rows *out, struct error *err)
{
    unsigned char *at = NULL;
    size_t room = 0;
    int row;

    *out = (struct rows){0};
    while ((row = ledger_row(l, q, "read", err)) > 0) {
        at = arena_grow(arena, at, out->len, list->size, &room, err);
        if (at == NULL || !list->read(q, arena, at + out->len * list->size, err)) {
            query_reset(q);
            return false;
        }
        out->len++;
    }
    out->at = at;
    return row == 0;
}

bool ledger_list_all(struct ledger *l, const char *sql, const struct ledger_list *list,
                     struct arena *arena, struct rows *out, struct error *err)
{
    int begun = ledger_start_read(l, err);
    struct query *q;

    *out = (struct rows){0};
    if (begun <= 0)
        return begun == 0;
    q = ledger_query(l, sql, err);
    return ledger_finish(l, q != NULL && ledger_list_read(l, q, list, arena, out, err), err);
}

/* The elements of a JSON array: first counted, then read with their place. */
static bool each_element(struct str json, enum json_kind kind, struct arena *arena,
                         bool (*take)(void *ctx, struct str text, struct arena *arena,
                                      struct error *err),
                         void *ctx, struct error *err)
{
    struct json *reader =
        json_open_text(json, &(struct json_options){.alloc = arena->alloc}, err);
    struct json_token token = {0};
    bool ok = reader != NULL;

    while (ok && (ok = json_next(reader, &token, err)) && token.kind != JSON_END)
        if (token.kind == kind && token.depth == 1)
            ok = take(ctx, token.text, arena, err);
    json_close(reader);
    return ok;
}

struct texts {
    struct str *at;
    size_t len, room;
};

static bool check_length(size_t len, struct error *err)
{
    return len < MAX_ELEMENTS ||
           error_fail(err, ERROR_INPUT, "a list of the ledger has more than %d elements",
                      MAX_ELEMENTS);
}

static bool take_text(void *ctx, struct str text, struct arena *arena, struct error *err)
{
    struct texts *list = ctx;
    char *copy = str_dup(text, arena, err);

    if (copy == NULL || !check_length(list->len, err))
        return false;
    list->at = arena_grow(arena, list->at, list->len, sizeof *list->at, &list->room, err);
    if (list->at == NULL)
        return false;
    list->at[list->len++] = (struct str){copy, text.len};
    return true;
}

bool ledger_texts_read(struct str json, struct arena *arena, struct strs *out,
                       struct error *err)
{
    struct texts list = {0};
    bool ok = each_element(json, JSON_STRING, arena, take_text, &list, err);

    *out = (struct strs){list.at, list.len};
    return ok;
}

struct doubles {
    double *at;
    size_t len, room;
};

static bool take_number(void *ctx, struct str text, struct arena *arena, struct error *err)
{
    struct doubles *list = ctx;
    double value;

    if (!num_read(text, &value))
        return error_fail(err, ERROR_INPUT, "the ledger has a number '%.*s'", STR_ARG(text));
    if (!check_length(list->len, err))
        return false;
    list->at = arena_grow(arena, list->at, list->len, sizeof *list->at, &list->room, err);
    if (list->at == NULL)
        return false;
    list->at[list->len++] = value;
    return true;
}

bool ledger_numbers_read(struct str json, struct arena *arena, struct numbers *out,
                         struct error *err)
{
    struct doubles list = {0};
    bool ok = each_element(json, JSON_NUMBER, arena, take_number, &list, err);

    *out = (struct numbers){list.at, list.len};
    return ok;
}

void ledger_texts_write(struct strs texts, struct buf *out)
{
    buf_char(out, '[');
    for (size_t i = 0; i < texts.len; i++) {
        buf_adds(out, i > 0 ? "," : "");
        json_write_text(texts.at[i], out);
    }
    buf_char(out, ']');
}

void ledger_numbers_write(struct numbers numbers, struct buf *out)
{
    buf_char(out, '[');
    for (size_t i = 0; i < numbers.len; i++) {
        buf_adds(out, i > 0 ? "," : "");
        num_write(numbers.at[i], out);
    }
    buf_char(out, ']');
}
