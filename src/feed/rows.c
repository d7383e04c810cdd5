#include "feed/rows.h"

#include <math.h>

#include "base/num.h"

struct str rows_header_next(struct str *header)
{
    struct str name = str_trim(str_cut(header, ','));

    if (name.len >= 2 && name.at[0] == '"' && name.at[name.len - 1] == '"')
        name = (struct str){name.at + 1, name.len - 2};
    return name;
}

bool rows_header_has(struct str head, const char *const *columns)
{
    struct str line = str_cut(&head, '\n');

    for (size_t i = 0; columns[i] != NULL; i++) {
        struct str rest = line;
        bool found = false;

        while (rest.len > 0 && !found)
            found = str_eq_nocase(rows_header_next(&rest), str_from(columns[i]));
        if (!found)
            return false;
    }
    return true;
}

bool rows_number(const char *name, struct str cell, double *out, struct error *err)
{
    *out = NAN;
    if (cell.len == 0 || (num_double(cell, out) && *out >= 0 && *out <= 1e9))
        return true;
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a number", name, STR_ARG(cell));
}

bool rows_provider(const struct feed_reading *feed, struct error *err)
{
    if (feed->provider.len > 0 && feed->provider.len <= ROWS_TEXT_MAX)
        return true;
    error_set(err, ERROR_USAGE, "%s: the file does not name the provider of its prices",
              feed->name);
    error_hint(err, "set it with --provider, such as --provider aws");
    return false;
}

static bool find_shape_columns(const struct rows_shape *shape, const struct csv_row *header,
                               size_t *columns, struct error *err)
{
    if (shape->header != NULL)
        return shape->header(header, columns, err);
    for (size_t i = 0; i < shape->count; i++) {
        columns[i] = csv_column(header, str_from(shape->names[i]));
        if (i < shape->required && columns[i] == SIZE_MAX)
            return error_fail(err, ERROR_INPUT, "the column '%s' is missing", shape->names[i]);
    }
    return true;
}

static bool find_cells(const struct rows_shape *shape, const size_t *columns, size_t width,
                       const struct csv_row *row, struct str *cells, struct error *err)
{
    if (row->count != width)
        return error_fail(err, ERROR_INPUT, "%zu fields where the first line names %zu",
                          row->count, width);
    for (size_t i = 0; i < shape->count; i++) {
        cells[i] = (struct str){0};
        if (columns[i] == SIZE_MAX)
            continue;
        cells[i] = str_trim(row->fields[columns[i]]);
        if (cells[i].at == NULL)
            cells[i].at = "";
        if (shape->short_cells && cells[i].len > ROWS_TEXT_MAX)
            return error_fail(err, ERROR_INPUT, "%s is longer than %d bytes", shape->names[i],
                              ROWS_TEXT_MAX);
    }
    return true;
}

static bool read_feed_rows(const struct feed_reading *feed, const struct rows_shape *shape,
                           struct csv *csv, rows_each *each, void *ctx, struct error *err)
{
    size_t columns[ROWS_COLUMNS_MAX], width;
    struct str cells[ROWS_COLUMNS_MAX];
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) &&
               error_fail(err, ERROR_INPUT,
                          "the file is empty: the first line names the columns");
    if (!find_shape_columns(shape, &row, columns, err))
        return false;
    width = row.count;
    while (csv_next(csv, &row, err)) {
        struct error problem = {0};

        feed->summary->rows++;
        if (!(find_cells(shape, columns, width, &row, cells, &problem)
                  ? each(feed, cells, row.line, ctx, err)
                  : feed_bad(feed, row.line, &problem, err)))
            return false;
    }
    return !csv_failed(csv);
}

bool rows_read(const struct feed_reading *feed, const struct rows_shape *shape, rows_each *each,
               void *ctx, struct error *err)
{
    struct csv_options options = {.alloc = feed->alloc, .comments = shape->comments};
    struct csv *csv = csv_open(feed->source, &options, err);
    bool ok = csv != NULL && read_feed_rows(feed, shape, csv, each, ctx, err);

    csv_close(csv);
    return ok;
}
