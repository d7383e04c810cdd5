#include "doc/records.h"

#include "base/characters.h"

#define NAME_MAX_LEN ((size_t)64) /* longer ones are no names of fields */

const struct field *records_field(const struct field_set *set, struct str name)
{
    char small[NAME_MAX_LEN];

    if (name.len > sizeof small)
        return NULL;
    for (size_t i = 0; i < name.len; i++)
        small[i] = to_lower(name.at[i]);
    return field_find(set, (struct str){small, name.len});
}

/* SIZE_MAX: none is. */
static size_t column_of_field(const struct records_columns *columns, const struct field *field)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->at[i] == field)
            return i;
    return SIZE_MAX;
}

/* The next column. Where others are allowed, one with a field's own name goes before those with
 * its other names. */
static bool add_record_column(const struct records_shape *shape, struct str name,
                              struct records_columns *out, struct error *err)
{
    const struct field *field = records_field(shape->set, name);
    size_t before = field != NULL ? column_of_field(out, field) : SIZE_MAX;

    if (field == NULL && !shape->others) {
        (void)field_unknown(shape->set, "column", name, err);
        if (err->hint[0] == '\0')
            error_hint(err, "%s", shape->hint);
        return false;
    }
    if (before != SIZE_MAX && !shape->others)
        return error_fail(err, ERROR_INPUT, "the column '%.*s' is there twice", STR_ARG(name));
    if (before != SIZE_MAX && str_eq_nocase(name, str_from(field->name)))
        out->at[before] = NULL;
    else if (before != SIZE_MAX)
        field = NULL;
    out->at[out->count++] = field;
    return true;
}

/* With a column that is no field and nearly has the name. */
static bool refuse_missing_column(const struct records_shape *shape,
                                  const struct records_columns *columns,
                                  const struct csv_row *header, const char *name,
                                  struct error *err)
{
    struct suggestion s = {.wanted = str_from(name)};

    for (size_t i = 0; i < header->count; i++)
        if (columns->at[i] == NULL)
            suggestion_try(&s, str_trim(header->fields[i]));
    error_set(err, ERROR_INPUT, "the column '%s' is missing", name);
    if (s.best.len > 0)
        error_hint(err, "'%.*s' is near: %s", STR_ARG(s.best), shape->hint);
    else
        error_hint(err, "%s", shape->hint);
    return false;
}

bool records_header(const struct records_shape *shape, const struct csv_row *header,
                    struct records_columns *out, struct error *err)
{
    const struct field_set *set = shape->set;

    out->count = 0;
    if (header->count > RECORDS_COLUMNS_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d columns", RECORDS_COLUMNS_MAX);
    for (size_t i = 0; i < header->count; i++)
        if (!add_record_column(shape, str_trim(header->fields[i]), out, err))
            return false;
    for (size_t f = 0; f < set->len; f++)
        if (set->at[f].required && column_of_field(out, &set->at[f]) == SIZE_MAX)
            return refuse_missing_column(shape, out, header, set->at[f].name, err);
    return true;
}

/* What the reader had to unquote is copied. */
static bool keep_cell(struct str file, struct str *text, struct arena *arena, struct error *err)
{
    if (text->len == 0 || (text->at >= file.at && text->at < file.at + file.len))
        return true;
    return str_keep(*text, arena, text, err);
}

/* What is wrong has its hint from the field. */
static bool read_record_cell(const struct field *field, struct str cell, struct str file,
                             void *record, struct arena *arena, struct error *err)
{
    if (cell.len == 0 && field->required)
        return error_fail(err, ERROR_INPUT, "'%s' is empty", field->name);
    if (keep_cell(file, &cell, arena, err) &&
        field_parse(field, FIELD_PLAIN, cell, record, arena, err))
        return true;
    if (err->kind == ERROR_INPUT && err->hint[0] == '\0' && field->help != NULL)
        error_hint(err, "%s: %s", field->name, field->help);
    return false;
}

bool records_row(const struct records_shape *shape, const struct records_columns *columns,
                 const struct csv_row *row, struct str text, void *record, struct arena *arena,
                 struct error *err)
{
    if (!shape->ragged && row->count != columns->count)
        return error_fail_hint(err, ERROR_INPUT, shape->hint,
                               "%zu fields where the first line names %zu", row->count,
                               columns->count);
    if (!fields_reset(shape->set, record, arena, err))
        return false;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->at[i] != NULL &&
            !read_record_cell(columns->at[i], csv_cell(row, i), text, record, arena, err))
            return false;
    return true;
}

struct records_reader {
    const struct records_shape *shape;
    struct str text;
    void *record;
    struct arena *arena;
};

static bool read_record_rows(const struct records_reader *r, struct csv *csv, const char *name,
                             records_each *each, void *ctx, struct error *err)
{
    struct records_columns columns;
    struct csv_row row;
    bool ok = true;

    if (csv_next(csv, &row, err)) {
        ok = records_header(r->shape, &row, &columns, err);
        while (ok && csv_next(csv, &row, err))
            ok = records_row(r->shape, &columns, &row, r->text, r->record, r->arena, err) &&
                 each(ctx, r->record, &row, err);
    } else if (!csv_failed(csv)) {
        return error_fail_hint(err, ERROR_INPUT, r->shape->hint, "%s: the file is empty", name);
    }
    if (ok && !csv_failed(csv))
        return true;
    if (!ok && err->kind != ERROR_MEMORY)
        error_context(err, "%s:%llu", name, (unsigned long long)row.line);
    else if (err->kind != ERROR_MEMORY)
        error_place(err, name);
    return false;
}

bool records_read(struct str text, const char *name, const struct records_shape *shape,
                  records_each *each, void *ctx, struct arena *arena, struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc, .comments = true};
    struct records_reader r = {.shape = shape, .text = text, .arena = arena};
    struct csv *csv = csv_open_text(text, &options, err);
    bool ok;

    r.record = arena_get(arena, 1, shape->set->size, alignof(max_align_t), err);
    ok = csv != NULL && r.record != NULL && read_record_rows(&r, csv, name, each, ctx, err);
    csv_close(csv);
    return ok;
}
