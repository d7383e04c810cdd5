/* price.import - price lists from files into the store: all of them, or none. */
#include "op/price/price_import.h"

#include <string.h>

#include "base/fs.h"
#include "doc/files.h"
#include "feed/feed.h"
#include "op/config.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define OWN_TABLES_MAX 16

struct own_tables {
    struct installed_table *at; /* room for OWN_TABLES_MAX, in the context's arena */
    struct str texts[OWN_TABLES_MAX];
    size_t count;
};

#define TABLE_MAX ((size_t)16 << 20)
#define PACK_MAX ((size_t)256 << 20)
#define PACK_KEY_MAX 4096

static bool read_price_text(const struct file_stream *stream, struct arena *arena, size_t most,
                            struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, most);
    char chunk[16384];
    ptrdiff_t got;

    while ((got = stream->source.read(stream->source.ctx, chunk, sizeof chunk, err)) > 0)
        buf_add(&text, (struct str){chunk, (size_t)got});
    if (got == 0)
        return buf_keep(&text, arena, out, err);
    buf_free(&text);
    return false;
}

/* Read and check it; nothing is written yet. */
static bool own_tables_read(struct own_tables *tables, struct op_context *ctx,
                            enum catalog_table table, struct file_stream *stream,
                            struct error *err)
{
    struct installed_table *entry;
    struct catalog_layer layer = {.table = table, .name = stream->name};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (tables->count == OWN_TABLES_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d tables at once", OWN_TABLES_MAX);
    if (tables->at == NULL)
        tables->at = arena_array(ctx->arena, struct installed_table, OWN_TABLES_MAX, err);
    if (tables->at == NULL ||
        !read_price_text(stream, ctx->arena, TABLE_MAX, &layer.text, err) ||
        !catalog_load(&alone, TABLE_BIT(table), &layer, 1, ctx->arena, err) ||
        !own_prices_check(&alone, err))
        return false;
    if (alone.tables[TABLE_DISCOUNTS].len > 0 && op_offers(ctx, &ignored))
        own_prices_warn(&alone, &ctx->catalog, &ctx->messages);
    for (size_t i = 0; i < tables->count; i++)
        if (str_eq(tables->at[i].table, str_from(catalog_tables[table].name))) {
            error_set(err, ERROR_INPUT, "%s: a second file of the table %s", stream->name,
                      catalog_tables[table].name);
            error_hint(err, "put the rows of both into one file");
            return false;
        }
    entry = &tables->at[tables->count];
    *entry = (struct installed_table){.file = str_from(stream->name),
                                      .table = str_from(catalog_tables[table].name),
                                      .rows = (int64_t)alone.tables[table].len};
    tables->texts[tables->count++] = layer.text;
    return true;
}

/* How many rows the file that is there has; 0 when there is none, or it cannot be read. */
static int64_t rows_there(struct op_context *ctx, struct str table, const char *path)
{
    struct catalog_layer layer = {.name = path, .table = TABLE_DISCOUNTS};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (!str_eq(table, str_from(catalog_tables[TABLE_DISCOUNTS].name)))
        layer.table = TABLE_EXCHANGE;
    if (!fs_exists(path) || !fs_read(path, TABLE_MAX, ctx->arena, &layer.text, &ignored) ||
        !catalog_load(&alone, TABLE_BIT(layer.table), &layer, 1, ctx->arena, &ignored))
        return 0;
    return (int64_t)alone.tables[layer.table].len;
}

/* Write them all. A file that was there before stays beside the new one as FILE.bak. */
static bool own_tables_install(struct own_tables *tables, struct op_context *ctx,
                               struct error *err)
{
    for (size_t i = 0; i < tables->count; i++) {
        char *folder = str_dup(ctx->settings->catalog, ctx->arena, err), *path, name[64];

        if (folder == NULL)
            return false;
        if (folder[0] == '\0') {
            error_set(err, ERROR_FAILED, "there is no folder for your %.*s",
                      STR_ARG(tables->at[i].table));
            error_hint(err, "set HOME or XDG_CONFIG_HOME, or name a folder with --catalog DIR");
            return false;
        }
        (void)snprintf(name, sizeof name, "%.*s.csv", STR_ARG(tables->at[i].table));
        path = fs_join(folder, name, ctx->arena, err);
        if (path != NULL)
            tables->at[i].replaced = rows_there(ctx, tables->at[i].table, path);
        if (path == NULL || !config_keep_old(ctx, path, err) ||
            !fs_replace(path, tables->texts[i], err))
            return false;
        tables->at[i].path = str_from(path);
    }
    return true;
}

/* ---- the operation ---- */

static const struct field request[] = {
    FIELD(TEXTS, price_import_request, files, .value = "FILE", .operand = true,
          .required = true, .help = "price lists, compressed or not, or folders of them"),
    FIELD(TEXT, price_import_request, format, .value = "FORMAT",
          .help = "format of the files, if it is not recognized"),
    FIELD(TEXT, price_import_request, provider, .value = "NAME",
          .help = "provider of the prices, if neither file nor path names it"),
    FIELD(TEXT, price_import_request, feed, .value = "NAME",
          .help = "name to store them under, separate from other lists of the format"),
    FIELD(DAY, price_import_request, date, .value = "DATE",
          .help = "date of prices without one (default: from the path, else the file's own)"),
    FIELD(FLAG, price_import_request, skip_bad, .help = "leave out rows that cannot be read"),
    FIELD(TEXTS, price_import_request, trust, .value = "KEY",
          .help = "accept price packs signed by this key (ed25519:..., or its file)"),
    FIELD(FLAG, price_import_request, allow_unsigned,
          .help = "accept price packs that are not signed"),
};

static const struct field table_fields[] = {
    FIELD(TEXT, installed_table, file, .help = "file name as given"),
    FIELD(TEXT, installed_table, table, .help = "table in the catalog"),
    FIELD(TEXT, installed_table, path, .help = "path of the installed table"),
    FIELD(COUNT, installed_table, rows, .help = "rows in it"),
    FIELD(COUNT, installed_table, replaced, .help = "replaced rows, now in PATH.bak"),
};

static const struct field_set table_set = FIELD_SET(struct installed_table, table_fields);

static const struct field result[] = {
    FIELD(TEXT, price_import_result, store, .help = "location of the price store"),
    FIELD(LIST, price_import_result, files, .row = &imported_file_fields,
          .help = "price lists that were read"),
    FIELD(LIST, price_import_result, tables, .row = &table_set,
          .help = "discounts and exchange rates put into the catalog folder"),
    FIELD(RECORD, price_import_result, changes, .row = &store_change_fields,
          .help = "changes to the store"),
};

struct import_work {
    struct op_context *ctx;
    const struct price_import_request *req;
    struct import *import;
    struct own_tables tables;
};

static bool unknown_format(const struct file_stream *stream, struct error *err)
{
    struct str head = stream->head;

    error_set(err, ERROR_INPUT, "%s: unknown format of a price list", stream->name);
    if (head.len > 262 && memcmp(head.at + 257, "ustar", 5) == 0)
        error_hint(err, "it is an archive: unpack it with tar, and import the folder");
    else if (str_starts(head, STR("\xff\xfe")) || str_starts(head, STR("\xfe\xff")))
        error_hint(err, "it is UTF-16: save it as UTF-8");
    else if (head.len == 0)
        error_hint(err, "it is empty");
    else
        error_hint(err, "name its format with --format; 'stint help price import' lists the "
                        "formats");
    return false;
}

/* A key, or the file that has it; what is neither is an error. */
static bool read_trusted_key(struct op_context *ctx, struct str text, struct str *out,
                             struct error *err)
{
    unsigned char key[SIGN_KEY];
    const char *path = str_dup(text, ctx->arena, err);
    struct error ignored = {0};

    if (path == NULL)
        return false;
    *out = text;
    if (!price_pack_key_parse(text, key) && fs_exists(path) &&
        fs_read(path, PACK_KEY_MAX, ctx->arena, out, &ignored))
        *out = str_trim(str_cut(out, '\n'));
    if (price_pack_key_parse(*out, key))
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is no public key, and no file with one", STR_ARG(text));
    error_hint(err, "keys are ed25519: and 64 digits; 'stint price pack --create-key FILE' "
                    "makes a pair");
    return false;
}

/* The keys of the options and of the settings. */
static bool trusted_keys(struct op_context *ctx, const struct price_import_request *req,
                         struct price_pack_trust *out, struct error *err)
{
    const struct strs lists[] = {req->trust, ctx->settings->trusted_keys};
    struct str *keys =
        arena_array(ctx->arena, struct str, lists[0].len + lists[1].len + 1, err);

    *out = (struct price_pack_trust){.unsigned_too = req->allow_unsigned};
    for (size_t l = 0; keys != NULL && l < ARRAY_LEN(lists); l++)
        for (size_t i = 0; i < lists[l].len; i++)
            if (!read_trusted_key(ctx, lists[l].at[i], &keys[out->keys.len++], err))
                return false;
    out->keys.at = keys;
    return keys != NULL;
}

static bool read_pack(struct import_work *w, struct file_stream *stream,
                      const struct price_file *file, struct error *err)
{
    struct price_pack_trust trust;
    struct str text;

    return trusted_keys(w->ctx, w->req, &trust, err) &&
           read_price_text(stream, w->ctx->arena, PACK_MAX, &text, err) &&
           import_pack(w->import, text, file, &trust, err);
}

static bool read_price_file(void *ctx, struct file_stream *stream, bool listed,
                            struct error *err)
{
    struct import_work *w = ctx;
    struct price_file file = {stream->name, stream->modified, stream->source};
    const struct feed_format *format;
    enum catalog_table table;

    if (str_starts(stream->head, STR(PRICE_PACK_MAGIC)))
        return read_pack(w, stream, &file, err);
    if (w->req->format.len > 0) {
        format = feed_format_named(w->req->format, err);
        return format != NULL && import_list(w->import, format, &file, err);
    }
    if (catalog_table_of(stream->head, &table))
        return own_tables_read(&w->tables, w->ctx, table, stream, err);
    format = feed_format_of(stream->head);
    if (format != NULL)
        return import_list(w->import, format, &file, err);
    return !listed || unknown_format(stream, err);
}

static bool read_price_files(struct import_work *w, struct error *err)
{
    struct file_visitor visitor = {
        .file = read_price_file, .ctx = w, .arena = w->ctx->arena, .watch = w->ctx->watch};

    for (size_t f = 0; f < w->req->files.len; f++) {
        const char *path = str_dup(w->req->files.at[f], w->ctx->arena, err);
        size_t before = import_files(w->import).len + w->tables.count;

        if (path == NULL || !files_visit(path, &visitor, err))
            return false;
        if (import_files(w->import).len + w->tables.count == before)
            return error_fail(err, ERROR_INPUT, "'%s': no price list in this folder", path);
    }
    return true;
}

/* Prices first: a table that cannot be written leaves a store that is right, and is
 * reported. */
static bool store_all(struct import_work *w, struct price_import_result *res, struct error *err)
{
    const char *path = op_store_path(w->ctx, err);

    if (path == NULL)
        return false;
    res->store = str_from(path);
    return import_commit(w->import, path, &res->changes, err) &&
           own_tables_install(&w->tables, w->ctx, err);
}

static bool check_date(const struct op_context *ctx, const struct price_import_request *req,
                       struct error *err)
{
    if (req->date.n == DAY_UNKNOWN.n || req->date.n <= op_today(ctx).n)
        return true;
    error_set(err, ERROR_USAGE, "--date: prices of the future are not known yet");
    error_hint(err, "give the day on which they were so");
    return false;
}

static bool price_import(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_import_request *req = in;
    const struct import_query query = {.provider = req->provider,
                                       .feed = req->feed,
                                       .date = req->date,
                                       .skip_bad = req->skip_bad,
                                       .now = op_now(ctx)};
    struct import_work w = {.ctx = ctx, .req = req};
    struct price_import_result *res = out;
    struct market_view view;
    bool ok;

    if (!check_date(ctx, in, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS), err))
        return false;
    view = op_market(ctx);
    w.import = import_begin(&view, &query, err);
    if (w.import == NULL)
        return false;
    ok = read_price_files(&w, err) && store_all(&w, res, err);
    import_end(w.import, ok, err);
    res->files = import_files(w.import);
    res->tables = (struct rows){w.tables.at, w.tables.count};
    return ok;
}

const struct op op_price_import = {
    .name = "price.import",
    .schema = "stint.price.import/1",
    .changes = true,
    .summary = "import price lists from files",
    .request = &(const struct field_set)FIELD_SET(struct price_import_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_import_result, result),
    .run = price_import,
};
