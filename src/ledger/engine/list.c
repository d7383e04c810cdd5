#include "ledger/engine/list.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "doc/json_write.h"

#define MAX_ELEMENTS 10000 /* of a list that is one value */

/* Of the types that columns have; of any other, nothing. */
static struct value value_of_field(const struct field *field, const void *record)
{
    const void *at = (const unsigned char *)record + field->offset;

    switch ((int)field->type) {
    case FIELD_TEXT:
        return as_text(*(const struct str *)at);
    case FIELD_NUMBER:
        return as_number(*(const double *)at);
    case FIELD_COUNT:
    case FIELD_ENUM:
        return as_count(field_count(field, record));
    case FIELD_TIME:
    case FIELD_SPAN:
        return as_count(*(const int64_t *)at);
    case FIELD_USD:
    case FIELD_RATE:
        return as_money(*(const int64_t *)at);
    case FIELD_FLAG:
        return as_int(*(const bool *)at);
    case FIELD_DECIMAL:
        return as_amount(*(const struct decimal *)at);
    default:
        return NULL_VALUE;
    }
}

/* The text is copied, as that of an amount is. */
static void bind_numbers(struct query *q, int at, const struct numbers *numbers)
{
    struct buf text;

    if (q == NULL || numbers->len == 0) {
        query_bind(q, at, NULL_VALUE);
        return;
    }
    text = buf_new(q->db->alloc, BUF_MAX_OUTPUT);
    ledger_numbers_write(*numbers, &text);
    if (text.failed)
        q->failed = true;
    else
        query_bind(q, at, (struct value){.kind = VALUE_WORD, .text = buf_text(&text)});
    buf_free(&text);
}

int query_bind_fields(struct query *q, int at, const struct field_set *fields,
                      const void *record)
{
    for (size_t i = 0; i < fields->len; i++) {
        const struct field *field = &fields->at[i];

        if (field->type == FIELD_NUMBERS)
            bind_numbers(q, at++,
                         (const void *)((const unsigned char *)record + field->offset));
        else
            query_bind(q, at++, value_of_field(field, record));
    }
    return at;
}

static bool column_field(struct query *q, int at, const struct field *field,
                         struct arena *arena, void *record, struct error *err)
{
    void *to = (unsigned char *)record + field->offset;

    switch ((int)field->type) {
    case FIELD_TEXT:
        return column_text(q, at, arena, to, err);
    case FIELD_NUMBER:
        *(double *)to = column_number(q, at);
        return true;
    case FIELD_COUNT:
    case FIELD_ENUM:
        (void)!field_put_integer(field, column_count(q, at), record);
        return true;
    case FIELD_TIME:
    case FIELD_SPAN:
        *(int64_t *)to = column_count(q, at);
        return true;
    case FIELD_USD:
    case FIELD_RATE:
        *(int64_t *)to = column_money(q, at);
        return true;
    case FIELD_FLAG:
        *(bool *)to = column_int(q, at) != 0;
        return true;
    case FIELD_DECIMAL:
        return column_amount(q, at, to, err);
    default:
        return ledger_numbers_read(column_view(q, at), arena, to, err);
    }
}

bool column_fields(struct query *q, int at, const struct field_set *fields, struct arena *arena,
                   void *record, struct error *err)
{
    for (size_t i = 0; i < fields->len; i++)
        if (!column_field(q, at + (int)i, &fields->at[i], arena, record, err))
            return false;
    return true;
}

static bool read_element(struct query *q, const struct ledger_list *list, struct arena *arena,
                         void *to, struct error *err)
{
    return column_fields(q, 0, &list->fields, arena, to, err) &&
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
        at = arena_grow(arena, at, out->len, list->fields.size, &room, err);
        if (at == NULL ||
            !read_element(q, list, arena, at + out->len * list->fields.size, err)) {
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

/* "[1,null,2.5]", as ledger_numbers_write() has it. */
bool ledger_numbers_read(struct str json, struct arena *arena, struct numbers *out,
                         struct error *err)
{
    struct str rest = str_trim(json), item;
    double *values;
    size_t count = 1;

    *out = (struct numbers){0};
    if (rest.len == 0)
        return true;
    if (rest.len < 2 || rest.at[0] != '[' || rest.at[rest.len - 1] != ']')
        return error_fail(err, ERROR_DAMAGED, "the ledger has a list '%.*s'",
                          (int)(rest.len < 40 ? rest.len : 40), rest.at);
    rest = str_trim((struct str){rest.at + 1, rest.len - 2});
    if (rest.len == 0)
        return true;
    for (size_t i = 0; i < rest.len; i++)
        count += rest.at[i] == ',';
    if (!check_list_length(count - 1, err))
        return false;
    values = arena_array(arena, double, count, err);
    for (size_t i = 0; values != NULL && i < count; i++) {
        item = str_trim(str_cut(&rest, ','));
        if (str_eq(item, STR("null")))
            values[i] = NAN;
        else if (!num_read(item, &values[i]))
            return error_fail(err, ERROR_DAMAGED, "the ledger has a number '%.*s'",
                              STR_ARG(item));
    }
    *out = (struct numbers){values, count};
    return values != NULL;
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
        if (isnan(numbers.at[i]))
            buf_adds(out, "null");
        else
            num_write(numbers.at[i], out);
    }
    buf_char(out, ']');
}
