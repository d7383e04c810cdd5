#include "load/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/num.h"
#include "unit/time.h"

#define LATEST 1e9 /* seconds: more is no time of a trace */

enum trace_column { TRACE_TIME, TRACE_INPUT, TRACE_OUTPUT, TRACE_BLOCKS, TRACE_COLUMNS };

/* A name of a column, and what a number in it is of a second. */
static const struct {
    const char *name;
    enum trace_column what;
    double seconds;
} known_columns[] = {
    {"time_s", TRACE_TIME, 1},
    {"at_s", TRACE_TIME, 1},
    {"timestamp_ms", TRACE_TIME, 1e-3},
    {"timestamp", TRACE_TIME, 1e-3},
    {"input", TRACE_INPUT, 0},
    {"input_tokens", TRACE_INPUT, 0},
    {"input_length", TRACE_INPUT, 0},
    {"contexttokens", TRACE_INPUT, 0},
    {"prompt_tokens", TRACE_INPUT, 0},
    {"output", TRACE_OUTPUT, 0},
    {"output_tokens", TRACE_OUTPUT, 0},
    {"output_length", TRACE_OUTPUT, 0},
    {"generatedtokens", TRACE_OUTPUT, 0},
    {"completion_tokens", TRACE_OUTPUT, 0},
    {"hash_ids", TRACE_BLOCKS, 0},
};

/* What is read so far. Lists grow in the arena. */
struct trace_reading {
    struct arena *arena;
    struct trace_row *rows;
    size_t count, room;
    struct trace_range *ranges;
    size_t range_count, range_room;
    bool timed;
};

static const char trace_hint[] =
    "columns are time_s, input and output (tokens), or those of the "
    "Azure and Mooncake traces";

static bool column_named(struct str name, enum trace_column *what, double *seconds)
{
    for (size_t i = 0; i < ARRAY_LEN(known_columns); i++)
        if (str_eq_nocase(name, str_from(known_columns[i].name))) {
            *what = known_columns[i].what;
            *seconds = known_columns[i].seconds;
            return true;
        }
    return false;
}

/* A number of that unit, or a date with the time of day and parts of a second: Azure's. */
static bool read_trace_time(struct str text, double seconds, double *out)
{
    struct str rest = text, whole = str_cut(&rest, '.');
    double part = 0;
    stamp at;

    if (num_double(text, out)) {
        *out *= seconds;
        return *out >= 0 && *out <= LATEST;
    }
    if (!stamp_parse_typed(whole, &at))
        return false;
    if (rest.len > 0) {
        int64_t digits;

        if (rest.len > 9 || !num_int(rest, &digits) || digits < 0)
            return false;
        part = (double)digits / pow(10, (double)rest.len);
    }
    *out = (double)at.s + part;
    return true;
}

static bool read_trace_tokens(struct str text, int32_t *out)
{
    int64_t tokens;

    if (!num_int(text, &tokens) || tokens < 0 || tokens > LOAD_TOKENS_MAX)
        return false;
    *out = (int32_t)(tokens > 0 ? tokens : 1);
    return true;
}

/* One more block of the newest row. */
static bool add_trace_block(struct trace_reading *r, struct trace_row *row, int64_t first,
                            int64_t last, struct error *err)
{
    struct trace_range *newest = row->ranges > 0 ? &r->ranges[r->range_count - 1] : NULL;

    if (newest != NULL && newest->last + INT64_C(1) == first) {
        newest->last = (uint32_t)last;
        return true;
    }
    r->ranges =
        arena_grow(r->arena, r->ranges, r->range_count, sizeof *r->ranges, &r->range_room, err);
    if (r->ranges == NULL)
        return false;
    if (row->ranges == 0)
        row->range = (uint32_t)r->range_count;
    r->ranges[r->range_count++] = (struct trace_range){(uint32_t)first, (uint32_t)last};
    row->ranges++;
    return true;
}

/* "0 14-27": ids and ranges of them. */
static bool read_trace_blocks(struct trace_reading *r, struct str text, struct trace_row *row,
                              struct error *err)
{
    while (text.len > 0) {
        struct str word = str_cut(&text, ' '), rest = word, low = str_cut(&rest, '-');
        int64_t first, last;

        if (word.len == 0)
            continue;
        if (!num_int(low, &first) || !num_int(low.len == word.len ? low : rest, &last) ||
            first < 0 || last < first || last > UINT32_MAX)
            return error_fail(err, ERROR_INPUT, "'%.*s' is not a block id", STR_ARG(word));
        if (!add_trace_block(r, row, first, last, err))
            return false;
    }
    return true;
}

static bool read_trace_cell(struct trace_reading *r, enum trace_column what, double seconds,
                            struct str text, struct trace_row *row, struct error *err)
{
    if (what == TRACE_BLOCKS)
        return read_trace_blocks(r, text, row, err);
    if (what == TRACE_TIME) {
        if (read_trace_time(text, seconds, &row->at_s))
            return true;
        return error_fail(err, ERROR_INPUT, "'%.*s' is not a time", STR_ARG(text));
    }
    if (read_trace_tokens(text, what == TRACE_INPUT ? &row->input : &row->output))
        return true;
    return error_fail(err, ERROR_INPUT, "'%.*s' is not a number of tokens from 0 to %d",
                      STR_ARG(text), LOAD_TOKENS_MAX);
}

static bool add_trace_row(struct trace_reading *r, const struct trace_row *row,
                          struct error *err)
{
    if (row->input <= 0 || row->output <= 0)
        return error_fail_hint(err, ERROR_INPUT, trace_hint,
                               "the number of tokens in or out is missing");
    if (r->count > 0 && r->timed == isnan(row->at_s))
        return error_fail(err, ERROR_INPUT, "some rows have a time and some have none");
    if (r->count >= LOAD_TRACE_ROWS)
        return error_fail(err, ERROR_INPUT, "more than %d requests", LOAD_TRACE_ROWS);
    r->timed = !isnan(row->at_s);
    r->rows = arena_grow(r->arena, r->rows, r->count, sizeof *r->rows, &r->room, err);
    if (r->rows == NULL)
        return false;
    r->rows[r->count++] = *row;
    return true;
}

/* ---- CSV ---- */

struct trace_header {
    bool known[TRACE_COLUMNS];
    size_t at[TRACE_COLUMNS];
    double seconds;
};

static bool read_trace_header(const struct csv_row *row, struct trace_header *out,
                              struct error *err)
{
    *out = (struct trace_header){0};
    for (size_t i = 0; i < row->count; i++) {
        enum trace_column what;
        double seconds;

        if (!column_named(csv_cell(row, i), &what, &seconds) || out->known[what])
            continue;
        out->known[what] = true;
        out->at[what] = i;
        if (what == TRACE_TIME)
            out->seconds = seconds;
    }
    if (out->known[TRACE_INPUT] && out->known[TRACE_OUTPUT])
        return true;
    return error_fail_hint(err, ERROR_INPUT, trace_hint,
                           "line 1: no column of tokens in, or none of tokens out");
}

static bool read_trace_row(struct trace_reading *r, const struct trace_header *header,
                           const struct csv_row *row, struct error *err)
{
    struct trace_row out = {.at_s = NAN};

    for (int c = 0; c < TRACE_COLUMNS; c++)
        if (header->known[c] && !read_trace_cell(r, (enum trace_column)c, header->seconds,
                                                 csv_cell(row, header->at[c]), &out, err)) {
            error_context(err, "line %llu", (unsigned long long)row->line);
            return false;
        }
    if (add_trace_row(r, &out, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_context(err, "line %llu", (unsigned long long)row->line);
    return false;
}

static bool read_trace_csv(struct trace_reading *r, struct str text, const struct alloc *alloc,
                           struct error *err)
{
    struct csv *csv = csv_open_text(text, &(struct csv_options){.alloc = alloc}, err);
    struct trace_header header;
    struct csv_row row;
    bool ok;

    if (csv == NULL)
        return false;
    if (!csv_next(csv, &row, err)) {
        ok = csv_failed(csv) ? false
                             : error_fail_hint(err, ERROR_INPUT, trace_hint, "it is empty");
        csv_close(csv);
        return ok;
    }
    ok = read_trace_header(&row, &header, err);
    while (ok && csv_next(csv, &row, err))
        ok = read_trace_row(r, &header, &row, err);
    ok = ok && !csv_failed(csv);
    csv_close(csv);
    return ok;
}

/* ---- lines of JSON ---- */

static bool read_json_blocks(struct trace_reading *r, struct json *json, struct trace_row *row,
                             struct error *err)
{
    struct json_token token;

    while (json_next(json, &token, err)) {
        int64_t id;

        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_NUMBER || !num_int(token.text, &id) || id < 0 || id > UINT32_MAX)
            return error_fail(err, ERROR_INPUT, "hash_ids is not a list of ids");
        if (!add_trace_block(r, row, id, id, err))
            return false;
    }
    return false;
}

/* The value of a key that is a column. */
static bool read_json_cell(struct trace_reading *r, struct json *json, enum trace_column what,
                           double seconds, struct trace_row *row, struct error *err)
{
    struct json_token token;

    if (!json_next(json, &token, err))
        return false;
    if (what == TRACE_BLOCKS && token.kind == JSON_ARRAY)
        return read_json_blocks(r, json, row, err);
    if (token.kind != JSON_NUMBER && token.kind != JSON_STRING)
        return error_fail_hint(err, ERROR_INPUT, trace_hint, "a value is no number");
    return read_trace_cell(r, what, seconds, token.text, row, err);
}

static bool read_json_row(struct trace_reading *r, struct json *json, struct error *err)
{
    struct trace_row row = {.at_s = NAN};
    struct json_token token;

    for (;;) {
        enum trace_column what;
        double seconds;

        if (!json_next(json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return add_trace_row(r, &row, err);
        if (column_named(token.text, &what, &seconds)
                ? !read_json_cell(r, json, what, seconds, &row, err)
                : !json_skip(json, err))
            return false;
    }
}

static bool read_trace_json(struct trace_reading *r, struct str text, const struct alloc *alloc,
                            struct error *err)
{
    struct json *json =
        json_open_text(text, &(struct json_options){.alloc = alloc, .many = true}, err);
    struct json_token token = {0};
    bool ok = json != NULL;

    while (ok && (ok = json_next(json, &token, err)) && token.kind != JSON_END) {
        ok = token.kind == JSON_OBJECT
                 ? read_json_row(r, json, err)
                 : error_fail_hint(err, ERROR_INPUT, trace_hint, "a line is no JSON object");
        if (!ok && err->kind == ERROR_INPUT && !str_starts(str_from(err->text), STR("line ")))
            error_context(err, "line %llu", (unsigned long long)json_line(json));
    }
    json_close(json);
    return ok;
}

/* ---- both ---- */

static int compare_trace_rows(const void *a, const void *b)
{
    const struct trace_row *left = a, *right = b;

    return num_compare(left->at_s, right->at_s);
}

/* Traces count from their first request, and a few rows may be out of order. */
static void order_trace(struct trace_reading *r)
{
    double first = INFINITY;

    for (size_t i = 0; i < r->count; i++)
        first = fmin(first, r->rows[i].at_s);
    for (size_t i = 0; i < r->count; i++)
        r->rows[i].at_s -= first;
    qsort(r->rows, r->count, sizeof r->rows[0], compare_trace_rows);
}

bool load_trace_read(struct str text, const char *name, const struct alloc *alloc,
                     struct arena *arena, struct load_trace *out, struct error *err)
{
    struct trace_reading r = {.arena = arena};
    struct str start = str_trim(text);
    bool ok = start.len > 0 && start.at[0] == '{' ? read_trace_json(&r, text, alloc, err)
                                                  : read_trace_csv(&r, text, alloc, err);

    if (ok && r.count == 0)
        ok = error_fail_hint(err, ERROR_INPUT, trace_hint, "it has no requests");
    if (!ok) {
        if (err->kind == ERROR_INPUT)
            error_place(err, name);
        return false;
    }
    if (r.timed)
        order_trace(&r);
    *out = (struct load_trace){r.rows, r.count, r.ranges, r.timed};
    return true;
}
