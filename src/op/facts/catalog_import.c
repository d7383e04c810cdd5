/* catalog.import - prices of hosted models from LiteLLM's file, into the user's own table. */
#include "op/facts/catalog_import.h"

#include "base/csv.h"
#include "base/fs.h"
#include "doc/files.h"
#include "feed/tokens.h"
#include "op/context.h"
#include "op/op.h"
#include "render/csv_rows.h"

#define FEED_MAX_BYTES ((uint64_t)64 << 20)
#define TABLE_FILE "token_prices.csv"

struct catalog_import {
    struct op_context *ctx;
    const struct catalog_import_request *req;
    struct catalog_import_result *res;
    struct tokens_read read;
};

static bool read_catalog_stream(void *ctx, struct file_stream *stream, bool listed,
                                struct error *err)
{
    struct catalog_import *c = ctx;
    struct tokens_reading reading = {.source = stream->source,
                                     .name = stream->name,
                                     .catalog = &c->ctx->catalog,
                                     .date = c->req->date,
                                     .read_from = STR("LiteLLM model prices, imported")};

    (void)listed;
    if (c->read.count > 0)
        return error_fail(err, ERROR_USAGE, "%s: name one file, not several", stream->name);
    if (reading.date.n == DAY_UNKNOWN.n)
        reading.date = day_of(stream->modified);
    c->res->date = reading.date;
    return tokens_read(&reading, c->ctx->arena, &c->read, err);
}

static bool is_price_read(const struct catalog_import *c, const struct token_price *own)
{
    for (size_t i = 0; i < c->read.count; i++)
        if (str_eq(c->read.rows[i].provider, own->provider) &&
            str_eq(c->read.rows[i].model, own->model))
            return true;
    return false;
}

/* Text as it is: the file is read by us again, and no spreadsheet. */
static void write_price_row(const struct token_price *row, struct buf *out)
{
    const struct field_set *columns = catalog_tables[TABLE_TOKEN_PRICES].columns;

    for (size_t i = 0; i < columns->len; i++) {
        if (i > 0)
            buf_char(out, ',');
        if (columns->at[i].type == FIELD_TEXT)
            csv_write_field(field_text(&columns->at[i], row), out);
        else
            csv_rows_value(&columns->at[i], row, out);
    }
    buf_char(out, '\n');
}

static void write_price_table(struct catalog_import *c, struct buf *out)
{
    const struct field_set *columns = catalog_tables[TABLE_TOKEN_PRICES].columns;
    const struct catalog *catalog = &c->ctx->catalog;

    for (size_t i = 0; i < columns->len; i++) {
        buf_adds(out, i > 0 ? "," : "");
        buf_adds(out, columns->at[i].name);
    }
    buf_char(out, '\n');
    for (size_t i = 0; i < c->read.count; i++)
        write_price_row(&c->read.rows[i], out);
    for (size_t i = 0; i < catalog->tables[TABLE_TOKEN_PRICES].len; i++) {
        const struct token_price *own =
            CATALOG_ROW(catalog, TABLE_TOKEN_PRICES, token_price, i);

        if (own->fact.layer == 0 || is_price_read(c, own))
            continue;
        write_price_row(own, out);
        c->res->kept++;
    }
}

/* The file in the user's folder; a packed one would be a second for the same table. */
static bool choose_path(struct catalog_import *c, char **out, struct error *err)
{
    static const char *const packed[] = {".gz", ".xz", ".zst"};
    struct str folder = c->ctx->settings->catalog;
    struct buf text = buf_new(c->ctx->arena->alloc, (size_t)1 << 14);
    char *path;

    if (folder.len == 0) {
        error_set(err, ERROR_USAGE, "no folder for your own facts");
        error_hint(err, "--catalog DIR names one");
        return false;
    }
    buf_add(&text, folder);
    buf_adds(&text, "/" TABLE_FILE);
    if (!buf_keep(&text, c->ctx->arena, &c->res->written, err))
        return false;
    *out = str_dup(c->res->written, c->ctx->arena, err);
    for (size_t i = 0; *out != NULL && i < ARRAY_LEN(packed); i++) {
        text = buf_new(c->ctx->arena->alloc, (size_t)1 << 14);
        buf_add(&text, c->res->written);
        buf_adds(&text, packed[i]);
        path = buf_ok(&text, err) ? str_dup(buf_text(&text), c->ctx->arena, err) : NULL;
        buf_free(&text);
        if (path == NULL)
            return false;
        if (fs_exists(path)) {
            error_set(err, ERROR_INPUT, "'%s' is there already, packed", path);
            error_hint(err, "unpack it first: the import keeps its other rows");
            return false;
        }
    }
    path = *out != NULL ? str_dup(folder, c->ctx->arena, err) : NULL;
    return path != NULL && fs_make_folders(path, err);
}

static bool catalog_import_run(struct op_context *ctx, const void *in, void *out,
                               struct error *err)
{
    struct catalog_import c = {.ctx = ctx, .req = in, .res = out};
    struct file_visitor visitor = {.file = read_catalog_stream,
                                   .ctx = &c,
                                   .arena = ctx->arena,
                                   .watch = ctx->watch,
                                   .max_bytes = FEED_MAX_BYTES};
    char *file = str_dup(c.req->file, ctx->arena, err), *path;
    struct buf text;

    if (file == NULL ||
        !op_catalog(ctx, TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_TOKEN_PRICES), err) ||
        !files_visit(file, &visitor, err) || !choose_path(&c, &path, err))
        return false;
    c.res->table = str_from(catalog_tables[TABLE_TOKEN_PRICES].name);
    c.res->rows = (int64_t)c.read.count;
    c.res->open = (int64_t)c.read.open;
    c.res->skipped = (int64_t)c.read.skipped;
    c.res->kept = 0;
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    write_price_table(&c, &text);
    return fs_put_buf(c.res->written, &text, err);
}

static const struct field request[] = {
    FIELD(TEXT, catalog_import_request, file, .value = "FILE", .operand = true,
          .required = true, .help = "LiteLLM's model_prices_and_context_window.json"),
    FIELD(DAY, catalog_import_request, date, .value = "DAY",
          .help = "date of the prices: 2026-11-15 (default: date of the file)"),
};

static const struct field result[] = {
    FIELD(TEXT, catalog_import_result, table, .help = "table name"),
    FIELD(TEXT, catalog_import_result, written, .help = "file of your own rows"),
    FIELD(DAY, catalog_import_result, date, .help = "date of the prices"),
    FIELD(COUNT, catalog_import_result, rows, .help = "hosted models that were read"),
    FIELD(COUNT, catalog_import_result, open, .help = "models with known open weights"),
    FIELD(COUNT, catalog_import_result, skipped,
          .help = "entries skipped: not chat models, without a price, or duplicates"),
    FIELD(COUNT, catalog_import_result, kept, .help = "rows of your own that were kept"),
};

const struct op op_catalog_import = {
    .name = "catalog.import",
    .schema = "stint.catalog.import/1",
    .summary = "import prices of hosted models",
    .request = &(const struct field_set)FIELD_SET(struct catalog_import_request, request),
    .result = &(const struct field_set)FIELD_SET(struct catalog_import_result, result),
    .run = catalog_import_run,
};
