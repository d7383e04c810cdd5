/* stint data tables */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/data/savings_view.h"
#include "cli/view.h"
#include "op/data/data_tables.h"
#include "unit/shown.h"

static bool has_tables_files(const void *row)
{
    return ((const struct tables_sum *)row)->files > 0;
}

static const struct column sum_columns[] = {
    COLUMN("result", outcome),
    COLUMN("files", files),
    COLUMN("before", size),
    COLUMN("after", new_size),
};

static const struct column table_columns[] = {
    COLUMN("table", path, .shrink = true),
    COLUMN("rows", rows),
    COLUMN("columns", columns),
    COLUMN("before", size),
    COLUMN("after", new_size),
    COLUMN("text", text, .shrink = true),
};

static const struct column left_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("why", reason, .shrink = true),
};

static const struct column problem_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("problem", reason, .shrink = true),
};

/* A table with a heading, when there are rows, and how many are not shown. */
static void print_tables_list(const struct view *view, const struct data_tables_result *res,
                              const char *name, struct rows rows, int64_t count,
                              const struct columns *columns)
{
    if (count == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_data_tables, res, name, columns);
    if (rows.len < (size_t)count)
        buf_addf(view->out, "and %lld more: --limit\n", (long long)count - (long long)rows.len);
}

static void print_data_tables(const struct view *view, const void *result)
{
    const struct data_tables_result *res = result;

    buf_add_safe(view->out, res->path);
    buf_adds(view->out, ": ");
    value_count((double)res->files, view->out);
    buf_addf(view->out, " file%s, ", num_plural(res->files));
    value_count((double)res->rows, view->out);
    buf_addf(view->out, " row%s in ", num_plural(res->rows));
    value_count((double)res->table_count, view->out);
    buf_addf(view->out, " table%s\n\n", num_plural(res->table_count));
    view_rows(view, &op_data_tables, res, "outcomes",
              COLUMNS(sum_columns, .shown = has_tables_files));
    print_tables_list(view, res, "tables", res->tables, res->table_count,
                      COLUMNS(table_columns));
    print_tables_list(view, res, "unchanged", res->unchanged, res->unchanged_count,
                      COLUMNS(left_columns));
    print_tables_list(view, res, "problems", res->problems, (int64_t)res->problems.len,
                      COLUMNS(problem_columns));
    buf_char(view->out, '\n');
    view_savings(view, &res->transfer_savings, res->size, "the data");
    view_label(view, "written");
    buf_add_safe(view->out, res->optimized_path);
    buf_char(view->out, '\n');
}

const struct command cmd_data_tables = {
    .name = "data tables",
    .op = &op_data_tables,
    .about =
        "Turns CSV, TSV and JSONL files (also .gz) into Parquet with zstd, in a new folder; "
        "the "
        "originals stay, other files are copied. duckdb (https://duckdb.org/install) reads and "
        "writes them.\n"
        "A column gets a type only when each of its values, cast to that type and back, is the "
        "text that was there: ids with leading zeros, versions such as 1.10, integers beyond "
        "2^53 and dates in other forms stay text. Nested lists and objects of JSON keep their "
        "structure when all rows have the same; otherwise they are JSON text. A key that is "
        "missing and a null are the same afterwards.\n"
        "duckdb then compares rows, their order, the names of columns and a checksum of the "
        "texts of each column, in the old file and in the new one. A file that is not smaller "
        "as "
        "Parquet is copied.",
    .examples = "stint data tables dataset\n"
                "stint data tables rows.csv -o rows.parquet\n"
                "stint data tables export --delimiter ';' --from aws/us-east-1",
    .print = print_data_tables,
};
