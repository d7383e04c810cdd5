/* Rows of a bill: of CSV as they are, of JSON objects by their keys. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "bill/internal.h"
#include "doc/json_write.h"

#define CELL_MAX ((size_t)1 << 20)
#define COLUMNS_MAX ((size_t)4096)
#define KEYS_MAX ((size_t)256) /* that recognition looks at */

/* A name of a column that lives as long as the bill. */
static bool add_bill_column(struct bill *bill, struct str name, struct error *err)
{
    size_t room = bill->column_room; /* of all three lists */

    if (bill->column_count >= COLUMNS_MAX)
        return error_fail(err, ERROR_INPUT, "there are more than %zu columns", COLUMNS_MAX);
    bill->columns = arena_grow(&bill->arena, bill->columns, bill->column_count,
                               sizeof *bill->columns, &room, err);
    room = bill->column_room;
    bill->keys = arena_grow(&bill->arena, bill->keys, bill->column_count, sizeof *bill->keys,
                            &room, err);
    bill->cells = arena_grow(&bill->arena, bill->cells, bill->column_count, sizeof *bill->cells,
                             &bill->column_room, err);
    if (bill->columns == NULL || bill->keys == NULL || bill->cells == NULL ||
        !str_keep(str_trim(name), &bill->arena, &bill->columns[bill->column_count], err))
        return false;
    bill->keys[bill->column_count] = bill->columns[bill->column_count];
    bill->column_count++;
    return true;
}

/* The name in an object that was opened. */
static bool add_named_column(struct bill *bill, bool *odd, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (!str_eq(token.text, STR("name"))) {
            if (!json_skip(bill->json, err))
                return false;
            continue;
        }
        if (!json_next(bill->json, &token, err))
            return false;
        *odd = token.kind != JSON_STRING;
        if (*odd || !add_bill_column(bill, token.text, err))
            return false;
    }
}

bool bill_json_columns(struct bill *bill, bool *odd, struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    *odd = token.kind != JSON_ARRAY;
    while (!*odd) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        *odd = token.kind != JSON_OBJECT;
        if (!*odd && !add_named_column(bill, odd, err))
            return false;
    }
    return false;
}

static bool open_csv(struct bill *bill, struct error *err)
{
    struct csv_options options = {.alloc = bill->alloc};
    struct csv_row row;

    bill->csv = csv_open(bill_input_source(bill), &options, err);
    if (bill->csv == NULL)
        return false;
    if (!csv_next(bill->csv, &row, err))
        return csv_failed(bill->csv) ? false : error_fail(err, ERROR_INPUT, "it is empty");
    for (size_t i = 0; i < row.count; i++)
        if (!add_bill_column(bill, row.fields[i], err))
            return false;
    return true;
}

bool bill_rows_header(struct bill *bill, struct error *err)
{
    struct csv_row row;

    bill->column_count = 0;
    if (bill->csv == NULL || !csv_next(bill->csv, &row, err))
        return false;
    for (size_t i = 0; i < row.count; i++)
        if (!add_bill_column(bill, row.fields[i], err))
            return false;
    return true;
}

bool bill_rows_open(struct bill *bill, bool json, struct error *err)
{
    struct json_options options = {.alloc = bill->alloc, .many = true};

    if (!json)
        return open_csv(bill, err);
    bill->column_count = 0; /* what was looked at for recognition is met again */
    bill->json = json_open(bill_input_source(bill), &options, err);
    return bill->json != NULL;
}

/* Keys of the first object, at the top or in a list, as far as they are among the first
 * bytes. */
static bool gather_keys(struct bill *bill, struct json *json, struct error *err)
{
    struct json_token token;
    struct error end;
    unsigned top = 0;
    bool inside = false;

    while (json_next(json, &token, &end) && token.kind != JSON_END) {
        if (token.kind == JSON_OBJECT && !inside) {
            inside = true;
            top = token.depth;
        }
        if (token.kind == JSON_OBJECT_END && token.depth == top)
            break;
        if (token.kind != JSON_KEY || token.depth != top + 1)
            continue;
        if (bill->column_count < KEYS_MAX && !add_bill_column(bill, token.text, err))
            return false;
    }
    return true;
}

bool bill_rows_keys(struct bill *bill, struct error *err)
{
    struct json_options options = {.alloc = bill->alloc, .many = true};
    struct str text = {bill->input.ahead + bill->input.ahead_at,
                       bill->input.ahead_len - bill->input.ahead_at};
    struct json *json = json_open_text(text, &options, err);
    bool done;

    if (json == NULL)
        return false;
    done = gather_keys(bill, json, err);
    json_close(json);
    return done;
}

/* -- JSON objects -- */

/* The column of a key: the same as in the last object, most often. */
static bool key_column(struct bill *bill, struct str key, size_t guess, size_t *out,
                       struct error *err)
{
    if (guess < bill->column_count && str_eq(bill->keys[guess], key)) {
        *out = guess;
        return true;
    }
    for (size_t i = 0; i < bill->column_count; i++)
        if (str_eq(bill->keys[i], key)) {
            *out = i;
            return true;
        }
    *out = bill->column_count;
    if (!add_bill_column(bill, key, err))
        return false;
    bill->cells[*out] = (struct str){0};
    return true;
}

/* The rest of a list or an object whose first token was taken, as JSON text in bill->work. */
static bool write_bill_value(struct bill *bill, struct json_token token, struct error *err)
{
    struct buf *out = &bill->work;
    unsigned top = token.depth;
    bool comma = false;

    for (;;) {
        bool closes = token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END;

        if (comma && !closes)
            buf_char(out, ',');
        comma = token.kind != JSON_KEY && token.kind != JSON_OBJECT && token.kind != JSON_ARRAY;
        switch (token.kind) {
        case JSON_OBJECT:
            buf_char(out, '{');
            break;
        case JSON_OBJECT_END:
            buf_char(out, '}');
            break;
        case JSON_ARRAY:
            buf_char(out, '[');
            break;
        case JSON_ARRAY_END:
            buf_char(out, ']');
            break;
        case JSON_KEY:
            json_write_text(token.text, out);
            buf_char(out, ':');
            break;
        case JSON_STRING:
            json_write_text(token.text, out);
            break;
        case JSON_NUMBER:
            buf_add(out, token.text);
            break;
        case JSON_TRUE:
        case JSON_FALSE:
            buf_adds(out, token.kind == JSON_TRUE ? "true" : "false");
            break;
        case JSON_NULL:
        case JSON_END:
            buf_adds(out, "null");
            break;
        }
        if (closes && token.depth == top)
            return true;
        if (out->len > CELL_MAX)
            return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": a value is too long",
                              json_line(bill->json));
        if (!json_next(bill->json, &token, err))
            return false;
    }
}

/* A value whose first token was taken, as a cell. */
static bool read_cell(struct bill *bill, struct json_token token, struct str *out,
                      struct error *err)
{
    switch (token.kind) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        buf_clear(&bill->work);
        return write_bill_value(bill, token, err) && bill_text_work(bill, out, err);
    case JSON_STRING:
    case JSON_NUMBER:
        return bill_text(bill, token.text, out, err);
    case JSON_TRUE:
        *out = STR("true");
        return true;
    case JSON_FALSE:
        *out = STR("false");
        return true;
    case JSON_NULL:
    case JSON_END:
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
    case JSON_KEY:
        break;
    }
    *out = (struct str){0};
    return true;
}

static bool flattens(const struct bill_reader *reader, struct str key)
{
    for (const char *const *name = reader->flatten_but; name != NULL && *name != NULL; name++)
        if (str_eq_nocase(key, str_from(*name)))
            return false;
    if (reader->flatten_but != NULL)
        return true;
    for (const char *const *name = reader->flatten; name != NULL && *name != NULL; name++)
        if (str_eq_nocase(key, str_from(*name)))
            return true;
    return false;
}

static bool read_bill_member(struct bill *bill, struct str prefix, struct str key, size_t *at,
                             struct error *err);

/* The members of an object that was opened, each in a column "PREFIX.KEY". */
static bool read_bill_members(struct bill *bill, struct str prefix, size_t *at,
                              struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        if (!read_bill_member(bill, prefix, token.text, at, err))
            return false;
    }
}

static bool read_bill_member(struct bill *bill, struct str prefix, struct str key, size_t *at,
                             struct error *err)
{
    struct json_token token;
    struct str name, cell;

    if (prefix.len > 0) {
        buf_clear(&bill->work);
        buf_add(&bill->work, prefix);
        buf_char(&bill->work, '.');
        buf_add(&bill->work, key);
        if (!bill_text_work(bill, &name, err))
            return false;
    } else if (!bill_text(bill, key, &name, err)) {
        return false;
    }
    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT && flattens(bill->reader, name))
        return read_bill_members(bill, name, at, err);
    if (!key_column(bill, name, *at, at, err) || !read_cell(bill, token, &cell, err))
        return false;
    if (bill->cells[*at].at != NULL)
        return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": the key '%.*s' is there twice",
                          json_line(bill->json), STR_ARG(name));
    bill->cells[(*at)++] = cell;
    return true;
}

/* What is said above a list of rows, in the cells that a row has not. */
static bool add_above(struct bill *bill, struct error *err)
{
    for (size_t i = 0; i < bill->wrap.above_count; i++) {
        const struct bill_above *above = &bill->wrap.above[i];
        size_t at;

        if (!key_column(bill, (struct str){above->name, above->name_len}, 0, &at, err))
            return false;
        if (bill->cells[at].at == NULL)
            bill->cells[at] = (struct str){above->value, above->value_len};
    }
    return true;
}

/* The first token of the next row at the top of the document, or in a list there. */
static enum bill_step seek_object(struct bill *bill, struct json_token *token,
                                  struct error *err)
{
    do {
        if (!json_next(bill->json, token, err))
            return BILL_STEP_FAILED;
        if (token->kind == JSON_END)
            return BILL_STEP_END;
    } while (token->depth == 0 && (token->kind == JSON_ARRAY || token->kind == JSON_ARRAY_END));
    return BILL_STEP_LINE;
}

static enum bill_step next_bill_object(struct bill *bill, struct error *err)
{
    struct json_token token = {0};
    size_t known = bill->column_count, at = 0;
    enum bill_step step = bill->wrap.levels > 0 ? bill_wrap_seek(bill, &token, err)
                                                : seek_object(bill, &token, err);

    if (step != BILL_STEP_LINE)
        return step;
    bill->row.line = json_line(bill->json);
    if (token.kind != JSON_OBJECT) {
        error_set(err, ERROR_INPUT, "line %" PRIu64 ": an object is wanted here",
                  bill->row.line);
        return BILL_STEP_FAILED;
    }
    for (size_t i = 0; i < bill->column_count; i++)
        bill->cells[i] = (struct str){0};
    if (!read_bill_members(bill, (struct str){0}, &at, err) || !add_above(bill, err))
        return BILL_STEP_FAILED;
    if (bill->column_count > known && !bill->reader->columns(bill, known, err))
        return BILL_STEP_FAILED;
    bill->row.cells = bill->cells;
    bill->row.count = bill->column_count;
    return BILL_STEP_LINE;
}

/* -- CSV -- */

/* The header may end in columns that no row has; but rows are all of one length. One that is
 * short may be cut inside a number, and in one that is long a comma has moved every cell. */
static enum bill_step check_count(struct bill *bill, struct error *err)
{
    const struct bill_row *row = &bill->row;

    if (bill->row_count == 0)
        bill->row_count = row->count < bill->column_count ? row->count : bill->column_count;
    if (row->count == bill->row_count)
        return BILL_STEP_LINE;
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": it has %zu fields, but %zu are wanted",
              row->line, row->count, bill->row_count);
    error_hint(err, row->count < bill->row_count
                        ? "the file may be cut short: fetch it again"
                        : "a text with a comma in it must be in quotes");
    return BILL_STEP_FAILED;
}

enum bill_step bill_rows_next(struct bill *bill, struct error *err)
{
    struct csv_row row;

    if (bill->csv == NULL)
        return next_bill_object(bill, err);
    if (!csv_next(bill->csv, &row, err))
        return csv_failed(bill->csv) ? BILL_STEP_FAILED : BILL_STEP_END;
    bill->row = (struct bill_row){row.fields, row.count, row.line};
    return row.count == bill->row_count ? BILL_STEP_LINE : check_count(bill, err);
}
