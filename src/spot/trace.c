/* What kind of file it is, and what holds for traces of every kind. */
#include "spot/trace.h"

#include <stdlib.h>

#include "spot/trace_internal.h"

bool trace_line_next(struct trace_lines *lines, struct str *line)
{
    while (lines->rest.len > 0) {
        *line = str_trim(str_cut(&lines->rest, '\n'));
        lines->number++;
        if (line->len > 0 && line->at[0] != '#')
            return true;
    }
    return false;
}

void trace_id_write(struct str text, struct buf *out)
{
    for (size_t start = out->len; text.len > 0;) {
        size_t bad = str_unsafe(text), take = bad > 0 ? bad : str_character(text);

        if (bad > 0 || text.at[0] == ' ' || (out->len == start && text.at[0] == '#'))
            buf_char(out, '_');
        else
            buf_add(out, (struct str){text.at, take});
        text = (struct str){text.at + take, text.len - take};
    }
}

struct str trace_id(struct str text, struct arena *arena, struct error *err)
{
    struct buf id = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct str out = {0};
    const char *copy;

    trace_id_write(text.len > 0 ? text : STR("_"), &id);
    if (buf_ok(&id, err)) {
        copy = str_dup(buf_text(&id), arena, err);
        out = copy != NULL ? (struct str){copy, id.len} : out;
    }
    buf_free(&id);
    return out;
}

static int compare_ids(const void *a, const void *b)
{
    const struct trace *const *x = a, *const *y = b;

    return str_cmp((*x)->id, (*y)->id);
}

/* Sorted, since a file may hold a million of them. */
static bool ids_differ(const struct traces *traces, struct arena *arena, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct trace **sorted = arena_array(&scratch, const struct trace *, traces->len, err);
    bool ok = sorted != NULL;

    for (size_t i = 0; ok && i < traces->len; i++)
        sorted[i] = &traces->at[i];
    if (ok)
        qsort(sorted, traces->len, sizeof(const struct trace *), compare_ids);
    for (size_t i = 1; ok && i < traces->len; i++)
        if (compare_ids(&sorted[i - 1], &sorted[i]) == 0) {
            error_set(err, ERROR_INPUT, "two traces are called '%.*s'", STR_ARG(sorted[i]->id));
            error_hint(err, "give each trace of a file an id of its own");
            ok = false;
        }
    arena_free(&scratch);
    return ok;
}

static bool keep_only(struct traces *traces, struct str only, struct error *err)
{
    struct suggestion near = {.wanted = only};
    size_t kept = 0;

    if (only.len == 0)
        return true;
    for (size_t i = 0; i < traces->len; i++) {
        suggestion_try(&near, traces->at[i].id);
        if (str_glob(traces->at[i].id, only))
            traces->at[kept++] = traces->at[i];
    }
    if (kept > 0) {
        traces->len = kept;
        return true;
    }
    error_set(err, ERROR_ABSENT, "the traces have no zone '%.*s'", STR_ARG(only));
    if (!suggestion_hint(&near, err))
        error_hint(err, "there are %zu, such as '%.*s'; '*' stands for any text", traces->len,
                   STR_ARG(traces->at[0].id));
    return false;
}

static struct str without_mark(struct str text)
{
    return str_starts(text, STR("\xEF\xBB\xBF")) ? (struct str){text.at + 3, text.len - 3}
                                                 : text;
}

static bool read_kind(struct str text, const struct trace_options *options, struct arena *arena,
                      struct traces *out, struct error *err)
{
    struct trace_lines lines = {.rest = text};
    struct str line, rest, first;

    if (!trace_line_next(&lines, &line)) {
        error_set(err, ERROR_INPUT, "there is no trace: nothing but blank lines and comments");
        return false;
    }
    if (line.at[0] == '{' || line.at[0] == '[')
        return trace_json_read(text, options, arena, out, err);
    rest = line;
    first = str_cut(&rest, ' ');
    if (str_eq(first, STR("trace")) || str_eq(first, STR("a")) || str_eq(first, STR("p")))
        return trc_read(text, arena, out, err);
    rest = line;
    if (str_cut(&rest, ',').len < line.len)
        return trace_prices_read(text, options, arena, out, err);
    error_set(err, ERROR_INPUT, "line %zu: this is no trace", lines.number);
    error_hint(err, "expected 'trace ID gap=600 n=...', JSON with \"data\", or a CSV with the "
                    "columns date, instance_type, zone_or_region and spot_usd_h");
    return false;
}

bool traces_read(struct str text, struct trace_options options, struct arena *arena,
                 struct traces *out, struct error *err)
{
    if (read_kind(without_mark(text), &options, arena, out, err) &&
        ids_differ(out, arena, err) && keep_only(out, options.only, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, options.name != NULL ? options.name : "trace");
    *out = (struct traces){0};
    return false;
}
