/* price.import - price lists from files into the store: all of them, or none. */
#include "op/price/price_import.h"

#include "doc/files.h"
#include "feed/feed.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define PACK_MAX ((size_t)256 << 20)

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

static const struct field result[] = {
    FIELD(TEXT, price_import_result, store, .help = "location of the price store"),
    FIELD(LIST, price_import_result, files, .row = &imported_file_fields,
          .help = "price lists that were read"),
    FIELD(LIST, price_import_result, tables, .row = &installed_table_fields,
          .help = "discounts and exchange rates put into the catalog folder"),
    FIELD(RECORD, price_import_result, changes, .row = &store_change_fields,
          .help = "changes to the store"),
};

struct import_work {
    struct op_context *ctx;
    const struct price_import_request *req;
    struct import *import;
    struct own_tables *tables;
};

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
            if (!price_key_read(lists[l].at[i], ctx->arena, &keys[out->keys.len++], err))
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
           file_stream_text(stream, PACK_MAX, w->ctx->arena, &text, err) &&
           import_pack(w->import, text, file, &trust, err);
}

static bool read_own_table(struct import_work *w, enum catalog_table table,
                           const struct file_stream *stream, struct error *err)
{
    struct error ignored = {0};
    struct catalog alone;

    if (!own_tables_read(w->tables, table, stream, &alone, err))
        return false;
    if (alone.tables[TABLE_DISCOUNTS].len > 0 && op_offers(w->ctx, &ignored))
        own_prices_warn(&alone, &w->ctx->catalog, &w->ctx->messages);
    return true;
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
        return read_own_table(w, table, stream, err);
    format = feed_format_of(stream->head);
    if (format != NULL)
        return import_list(w->import, format, &file, err);
    return !listed || feed_format_unknown(stream->name, stream->head, err);
}

static bool read_price_files(struct import_work *w, struct error *err)
{
    struct file_visitor visitor = {
        .file = read_price_file, .ctx = w, .arena = w->ctx->arena, .watch = w->ctx->watch};

    for (size_t f = 0; f < w->req->files.len; f++) {
        const char *path = str_dup(w->req->files.at[f], w->ctx->arena, err);
        size_t before = import_files(w->import).len + w->tables->count;

        if (path == NULL || !files_visit(path, &visitor, err))
            return false;
        if (import_files(w->import).len + w->tables->count == before)
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
           own_tables_install(w->tables, w->ctx->settings->catalog, err);
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
    struct own_tables *tables = arena_array(ctx->arena, struct own_tables, 1, err);
    struct import_work w = {.ctx = ctx, .req = req, .tables = tables};
    struct price_import_result *res = out;
    struct market_view view;
    bool ok;

    if (tables == NULL || !check_date(ctx, in, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS), err))
        return false;
    tables->arena = ctx->arena;
    view = op_market(ctx);
    w.import = import_begin(&view, &query, err);
    if (w.import == NULL)
        return false;
    ok = read_price_files(&w, err) && store_all(&w, res, err);
    import_end(w.import, ok, err);
    res->files = import_files(w.import);
    res->tables = (struct rows){tables->at, tables->count};
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
