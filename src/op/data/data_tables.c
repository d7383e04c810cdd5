/* data.tables - CSV and JSONL files as Parquet, beside those that are there. */
#include "op/data/data_tables.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_tables_request, path, .value = "PATH", .operand = true, .required = true,
          .local = true, .help = "folder with tables, or one CSV, TSV or JSONL file"),
    FIELD(TEXT, data_tables_request, output, .value = "PATH", .output = true,
          .also = output_names,
          .help = "folder or file to write (default: DIR_optimized, or FILE with the ending "
                  ".parquet)"),
    FIELD(TEXT, data_tables_request, delimiter, .value = "TEXT",
          .help = "delimiter of CSV files (default: a comma; a tab in .tsv)"),
    FIELD(FLAG, data_tables_request, no_header,
          .help = "CSV files have no line with the names of the columns"),
    FIELD(TEXT, data_tables_request, from, .value = "PLACE",
          .help = "cloud that the tables are moved from, such as aws/us-east-1 (default: a "
                  "machine of your own)"),
    FIELD(TEXT, data_tables_request, to, .value = "PLACE",
          .help = "cloud that they are moved to (default: a machine of your own)"),
    FIELD(BYTES, data_tables_request, bandwidth, .value = "RATE", .positive = true,
          .per_second = true, .fallback = "100MB/s",
          .help = "bandwidth of the line between them: 100MB/s, 1Gbit/s"),
    FIELD(COUNT, data_tables_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the first N tables, and files that were left"),
};

static const struct field result[] = {
    FIELD(TEXT, data_tables_result, path, .help = "folder or file"),
    FIELD(TEXT, data_tables_result, optimized_path, .help = "folder or file that was written"),
    FIELD(COUNT, data_tables_result, files, .help = "number of files"),
    FIELD(COUNT, data_tables_result, rows, .help = "number of rows of all tables"),
    FIELD(BYTES, data_tables_result, size, .help = "size before"),
    FIELD(BYTES, data_tables_result, new_size, .help = "size after"),
    FIELD(NUMBER, data_tables_result, compression_ratio, .help = "size before / size after"),
    FIELD(RECORD, data_tables_result, transfer_savings, .row = &data_savings_fields,
          .help = "savings each time the tables are moved"),
    FIELD(LIST, data_tables_result, outcomes, .row = &tables_sum_fields,
          .help = "number of files and bytes for each result"),
    FIELD(COUNT, data_tables_result, table_count,
          .help = "number of tables that are Parquet now"),
    FIELD(LIST, data_tables_result, tables, .row = &tables_table_fields,
          .help = "tables that are Parquet now"),
    FIELD(COUNT, data_tables_result, unchanged_count,
          .help = "number of tables that duckdb could not read"),
    FIELD(LIST, data_tables_result, unchanged, .row = &tables_note_fields,
          .help = "tables that duckdb could not read, and were copied as they are"),
    FIELD(LIST, data_tables_result, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, or are neither files nor folders"),
};

/* "a/rows.csv.gz": rows.csv.gz in a, and a/rows.parquet beside it. */
static bool name_table_file(const struct data_tables_request *req, struct arena *arena,
                            struct tables_work *work, struct error *err)
{
    static const char *const endings[] = {".gz", ".csv", ".tsv", ".jsonl", ".ndjson"};
    struct str folder = req->path, stem = req->path;
    struct buf name = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct str text;

    work->only = str_after_last(req->path, '/');
    folder.len -= work->only.len;
    work->from = str_dup(folder.len > 0 ? folder : STR("."), arena, err);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (str_ends(stem, str_from(endings[i])))
            stem.len -= strlen(endings[i]);
    if (stem.len == req->path.len)
        return error_fail_hint(err, ERROR_INPUT, "name a .csv, .tsv, .jsonl or .ndjson file",
                               "'%.*s' is no table by its name", STR_ARG(req->path));
    buf_add(&name, stem);
    buf_adds(&name, ".parquet");
    if (work->from == NULL || !buf_keep(&name, arena, &text, err))
        return false;
    work->to = str_dup(req->output.len > 0 ? req->output : text, arena, err);
    return work->to != NULL;
}

static bool set_tables_work(const struct data_tables_request *req, struct arena *arena,
                            struct tables_work *work, struct error *err)
{
    const char *path = str_dup(req->path, arena, err);

    work->delimiter = req->delimiter;
    work->no_header = req->no_header;
    if (path == NULL)
        return false;
    if (fs_exists(path) && !fs_is_folder(path))
        return name_table_file(req, arena, work, err);
    work->from = path;
    if (req->output.len > 0)
        work->to = str_dup(req->output, arena, err);
    else if (!data_folder_beside(path, "_optimized", arena, &work->to, err))
        return false;
    return work->to != NULL && data_check_folder(path, err);
}

static void describe_tables(const struct op_context *ctx, const struct data_tables_request *req,
                            const struct tables_work *work, const struct tables *done,
                            struct data_tables_result *res)
{
    *res = (struct data_tables_result){.path = req->path, .optimized_path = str_from(work->to)};
    for (size_t i = 0; i < TABLES_FATES; i++) {
        res->files += done->sums[i].files;
        res->size.n += done->sums[i].size.n;
        res->new_size.n += done->sums[i].new_size.n;
    }
    for (size_t i = 0; i < done->table_count; i++)
        res->rows += done->tables[i].rows;
    res->compression_ratio =
        res->new_size.n > 0 ? (double)res->size.n / (double)res->new_size.n : NAN;
    res->transfer_savings =
        op_data_savings(ctx, (struct data_way){req->from, req->to, req->bandwidth}, res->size,
                        res->new_size.n < res->size.n ? res->new_size : res->size);
    res->outcomes = (struct rows){done->sums, TABLES_FATES};
    res->tables = (struct rows){done->tables, done->table_count};
    res->table_count = op_data_list(&res->tables, (size_t)req->limit);
    res->unchanged = (struct rows){done->notes, done->note_count};
    res->unchanged_count = op_data_list(&res->unchanged, (size_t)req->limit);
    res->problems = (struct rows){done->tree.problems, done->tree.problem_count};
}

static bool convert_tables(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_tables_request *req = in;
    struct data_tables_result *res = out;
    const struct data_task task = op_data_task(ctx);
    struct tables_work work = {.watch = &ctx->watch};
    struct tables *done = arena_array(ctx->arena, struct tables, 1, err);

    if (done == NULL || !op_data_check_place(ctx, req->from, err) ||
        !op_data_check_place(ctx, req->to, err) ||
        !set_tables_work(req, ctx->arena, &work, err) ||
        !tables_convert(&work, ctx->arena, done, err))
        return false;
    describe_tables(ctx, req, &work, done, res);
    if (res->unchanged_count > 0)
        message_warn(&ctx->messages, "%lld table%s copied as %s",
                     (long long)res->unchanged_count,
                     res->unchanged_count == 1 ? " was" : "s were",
                     res->unchanged_count == 1 ? "it is" : "they are");
    data_note_problems(&task, req->path, &done->tree);
    return true;
}

const struct op op_data_tables = {
    .name = "data.tables",
    .schema = "stint.data.tables/1",
    .summary = "turn CSV and JSONL files into Parquet, in a new folder",
    .request = &(const struct field_set)FIELD_SET(struct data_tables_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_tables_result, result),
    .changes = true,
    .run = convert_tables,
};
