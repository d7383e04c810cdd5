#include "data/sample/sample_labels.h"

#include <unistd.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/json.h"
#include "data/tree.h"

enum { ROWS_SHOWN = 10000 }; /* rows from one look at the watch to the next */

static const char *const file_names[] = {"file_name", "filename", "file", "path",
                                         "image",     "image_id", "img",  "image_path",
                                         "audio",     "id",       "name", NULL};
static const char *const label_names[] = {"label",    "class",    "category", "target",
                                          "label_id", "class_id", NULL};

struct labeling {
    const char *path;
    struct str column; /* empty: one of label_names */
    const struct watch *watch;
    struct arena *arena;
    struct map *out;
    size_t rows;
};

static bool refuse_columns(const struct labeling *l, bool file, struct error *err)
{
    if (!file)
        return error_fail_hint(err, ERROR_INPUT, "call it file_name",
                               "%s: no column says which file a row is about", l->path);
    if (l->column.len > 0)
        return error_fail(err, ERROR_INPUT, "%s: there is no column '%.*s'", l->path,
                          STR_ARG(l->column));
    return error_fail_hint(err, ERROR_USAGE, "--label-column NAME says which",
                           "%s: no column is called label, class, category or target", l->path);
}

static bool keep_label(struct labeling *l, struct str file, struct str label, struct error *err)
{
    struct map_entry *e;
    struct str *kept;
    bool added;

    if (l->rows++ % ROWS_SHOWN == 0 && !tree_goes_on(l->watch, err))
        return false;
    if (file.len == 0 || label.len == 0)
        return true;
    e = map_add(l->out, file, &added, err);
    if (e == NULL || !added)
        return e != NULL;
    kept = arena_array(l->arena, struct str, 1, err);
    if (kept == NULL || !str_keep(file, l->arena, &e->key, err) ||
        !str_keep(label, l->arena, kept, err))
        return false;
    e->value = kept;
    return true;
}

static bool read_csv_labels(struct labeling *l, struct source source, struct error *err)
{
    struct csv_options options = {.alloc = l->arena->alloc};
    struct csv *csv = csv_open(source, &options, err);
    struct csv_row row;
    size_t file, label;
    bool ok = csv != NULL && csv_next(csv, &row, err);

    if (csv != NULL && !ok && !csv_failed(csv))
        ok = error_fail(err, ERROR_INPUT, "it is empty");
    if (!ok) {
        csv_close(csv);
        error_place(err, l->path);
        return false;
    }
    file = csv_column_of(&row, file_names);
    label = l->column.len > 0 ? csv_column(&row, l->column) : csv_column_of(&row, label_names);
    ok = (file != SIZE_MAX && label != SIZE_MAX) || refuse_columns(l, file != SIZE_MAX, err);
    while (ok && csv_next(csv, &row, err))
        ok = keep_label(l, csv_cell(&row, file), csv_cell(&row, label), err);
    if (ok && csv_failed(csv)) {
        error_place(err, l->path);
        ok = false;
    }
    csv_close(csv);
    return ok;
}

/* What an object says so far: its most usual names win. */
struct labeled_object {
    struct str file, label;
    size_t file_rank, label_rank;
};

static size_t rank_of_name(struct str name, const char *const *names)
{
    size_t rank = 0;

    while (names[rank] != NULL && !str_eq_nocase(name, str_from(names[rank])))
        rank++;
    return names[rank] != NULL ? rank : SIZE_MAX;
}

static bool read_json_member(struct labeling *l, struct json *json, struct str key,
                             struct labeled_object *object, struct error *err)
{
    size_t file_rank = rank_of_name(key, file_names);
    size_t label_rank = l->column.len > 0 ? (str_eq(key, l->column) ? 0 : SIZE_MAX)
                                          : rank_of_name(key, label_names);
    struct json_token token;

    if (file_rank >= object->file_rank && label_rank >= object->label_rank)
        return json_skip(json, err);
    if (!json_next(json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return json_skip(json, err);
    if (token.kind != JSON_STRING && token.kind != JSON_NUMBER)
        return true;
    if (file_rank < object->file_rank) {
        object->file_rank = file_rank;
        return str_keep(token.text, l->arena, &object->file, err);
    }
    object->label_rank = label_rank;
    return str_keep(token.text, l->arena, &object->label, err);
}

static bool read_json_object(struct labeling *l, struct json *json, struct error *err)
{
    struct labeled_object object = {.file_rank = SIZE_MAX, .label_rank = SIZE_MAX};
    struct json_token token;

    while (json_next(json, &token, err)) {
        if (token.kind == JSON_OBJECT_END) {
            if (object.file_rank == SIZE_MAX || object.label_rank == SIZE_MAX)
                return refuse_columns(l, object.file_rank != SIZE_MAX, err);
            return keep_label(l, object.file, object.label, err);
        }
        if (!read_json_member(l, json, token.text, &object, err))
            return false;
    }
    return false;
}

static bool read_json_labels(struct labeling *l, struct source source, struct error *err)
{
    struct json_options options = {.alloc = l->arena->alloc, .many = true};
    struct json *json = json_open(source, &options, err);
    struct json_token token = {.kind = JSON_NULL};
    bool ok = json != NULL;

    while (ok && token.kind != JSON_END) {
        ok = json_next(json, &token, err);
        if (!ok)
            error_place(err, l->path);
        else if (token.kind == JSON_OBJECT)
            ok = read_json_object(l, json, err);
        else if (token.kind != JSON_END)
            ok = error_fail(err, ERROR_INPUT, "%s is not lines of JSON objects", l->path);
    }
    json_close(json);
    return ok;
}

bool sample_labels_read(const char *path, struct str column, const struct watch *watch,
                        struct arena *arena, struct map *out, struct error *err)
{
    struct labeling l = {path, column, watch, arena, out, 0};
    struct fs_stream stream = {.fd = fs_open(path, err), .name = path};
    struct str name = str_from(path);
    bool lines = str_ends(name, STR(".jsonl")) || str_ends(name, STR(".ndjson")) ||
                 str_ends(name, STR(".json"));
    bool ok;

    if (stream.fd < 0)
        return false;
    *out = map_in_arena(arena);
    ok = lines ? read_json_labels(&l, fs_source(&stream), err)
               : read_csv_labels(&l, fs_source(&stream), err);
    (void)close(stream.fd);
    return ok;
}
