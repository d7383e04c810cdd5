#include "ledger/engine/list.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "doc/json_write.h"

#define MAX_ELEMENTS 10000 /* of a list that is one value */

void members_unknown(struct members members, void *record)
{
    for (size_t i = 0; i < members.len; i++) {
        void *member = (unsigned char *)record + members.at[i].offset;

        switch (members.at[i].kind) {
        case MEMBER_TEXT:
            *(struct str *)member = (struct str){0};
            break;
        case MEMBER_NUMBER:
            *(double *)member = NAN;
            break;
        case MEMBER_INT:
            *(int64_t *)member = 0;
            break;
        case MEMBER_COUNT:
            *(int64_t *)member = -1;
            break;
        case MEMBER_WHOLE:
            *(int *)member = -1;
            break;
        case MEMBER_MONEY:
            *(int64_t *)member = MONEY_UNKNOWN;
            break;
        case MEMBER_FLAG:
            *(bool *)member = false;
            break;
        case MEMBER_AMOUNT:
            *(struct decimal *)member = (struct decimal){0};
            break;
        }
    }
}

static struct value member_value(enum member_kind kind, const void *member)
{
    switch (kind) {
    case MEMBER_TEXT:
        return as_text(*(const struct str *)member);
    case MEMBER_NUMBER:
        return as_number(*(const double *)member);
    case MEMBER_INT:
        return as_int(*(const int64_t *)member);
    case MEMBER_COUNT:
        return as_count(*(const int64_t *)member);
    case MEMBER_WHOLE:
        return as_count(*(const int *)member);
    case MEMBER_MONEY:
        return as_money(*(const int64_t *)member);
    case MEMBER_FLAG:
        return as_int(*(const bool *)member);
    case MEMBER_AMOUNT:
        break;
    }
    return as_amount(*(const struct decimal *)member);
}

int query_bind_members(struct query *q, int at, struct members members, const void *record)
{
    for (size_t i = 0; i < members.len; i++)
        query_bind(q, at++,
                   member_value(members.at[i].kind,
                                (const unsigned char *)record + members.at[i].offset));
    return at;
}

static bool column_member(struct query *q, int at, enum member_kind kind, struct arena *arena,
                          void *member, struct error *err)
{
    switch (kind) {
    case MEMBER_TEXT:
        return column_text(q, at, arena, member, err);
    case MEMBER_NUMBER:
        *(double *)member = column_number(q, at);
        return true;
    case MEMBER_INT:
        *(int64_t *)member = column_int(q, at);
        return true;
    case MEMBER_COUNT:
        *(int64_t *)member = column_count(q, at);
        return true;
    case MEMBER_WHOLE:
        *(int *)member = (int)column_count(q, at);
        return true;
    case MEMBER_MONEY:
        *(int64_t *)member = column_money(q, at);
        return true;
    case MEMBER_FLAG:
        *(bool *)member = column_int(q, at) != 0;
        return true;
    case MEMBER_AMOUNT:
        break;
    }
    return column_amount(q, at, member, err);
}

bool column_members(struct query *q, int at, struct members members, struct arena *arena,
                    void *record, struct error *err)
{
    for (size_t i = 0; i < members.len; i++)
        if (!column_member(q, at + (int)i, members.at[i].kind, arena,
                           (unsigned char *)record + members.at[i].offset, err))
            return false;
    return true;
}

static bool read_element(struct query *q, const struct ledger_list *list, struct arena *arena,
                         void *to, struct error *err)
{
    return column_members(q, 0, list->members, arena, to, err) &&
           (list->read == NULL || list->read(q, arena, to, err));
}

bool ledger_list_read(struct ledger *l, const char *sql, struct values values,
                      const struct ledger_list *list, struct arena *arena, struct rows *out,
                      struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    unsigned char *at = NULL;
    size_t room = 0;
    int row;

    *out = (struct rows){0};
    while ((row = ledger_row(l, q, "read", err)) > 0) {
        at = arena_grow(arena, at, out->len, list->size, &room, err);
        if (at == NULL || !read_element(q, list, arena, at + out->len * list->size, err)) {
            query_reset(q);
            return false;
        }
        out->len++;
    }
    out->at = at;
    return row == 0;
}

bool ledger_list_all(struct ledger *l, const char *sql, struct values values,
                     const struct ledger_list *list, struct arena *arena, struct list_out out,
                     struct error *err)
{
    int begun = ledger_start_read(l, err);
    struct rows rows = {0};
    bool ok =
        begun == 0 ||
        (begun > 0 &&
         ledger_finish(l, ledger_list_read(l, sql, values, list, arena, &rows, err), err));

    if (!ok)
        rows = (struct rows){0};
    memcpy(out.first, &rows.at, sizeof rows.at);
    *out.count = rows.len;
    return ok;
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

static bool check_list_length(size_t len, struct error *err)
{
    return len < MAX_ELEMENTS ||
           error_fail(err, ERROR_DAMAGED, "a list of the ledger has more than %d elements",
                      MAX_ELEMENTS);
}

static bool take_list_text(void *ctx, struct str text, struct arena *arena, struct error *err)
{
    struct texts *list = ctx;

    if (!check_list_length(list->len, err))
        return false;
    list->at = arena_grow(arena, list->at, list->len, sizeof *list->at, &list->room, err);
    return list->at != NULL && str_keep(text, arena, &list->at[list->len++], err);
}

bool ledger_texts_read(struct str json, struct arena *arena, struct strs *out,
                       struct error *err)
{
    struct texts list = {0};
    bool ok = each_element(json, JSON_STRING, arena, take_list_text, &list, err);

    *out = (struct strs){list.at, list.len};
    return ok;
}

struct doubles {
    double *at;
    size_t len, room;
};

static bool take_list_number(void *ctx, struct str text, struct arena *arena, struct error *err)
{
    struct doubles *list = ctx;
    double value;

    if (!num_read(text, &value))
        return error_fail(err, ERROR_DAMAGED, "the ledger has a number '%.*s'", STR_ARG(text));
    if (!check_list_length(list->len, err))
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
    bool ok = each_element(json, JSON_NUMBER, arena, take_list_number, &list, err);

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
