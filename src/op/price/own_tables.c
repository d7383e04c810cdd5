#include "op/price/own_tables.h"

#include <string.h>

#include "base/fs.h"
#include "market/offers.h"
#include "op/config.h"
#include "op/context.h"

#define TABLE_MAX ((size_t)16 << 20)

static bool read_text(const struct import_stream *stream, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, TABLE_MAX);
    char chunk[16384];
    ptrdiff_t got;
    bool ok;

    while ((got = stream->source.read(stream->source.ctx, chunk, sizeof chunk, err)) > 0)
        buf_add(&text, (struct str){chunk, (size_t)got});
    ok = got == 0 && buf_ok(&text, err);
    if (ok) {
        out->at = str_dup(buf_text(&text), arena, err);
        out->len = text.len;
        ok = out->at != NULL;
    }
    buf_free(&text);
    return ok;
}

bool own_tables_read(struct own_tables *tables, struct op_context *ctx,
                     enum catalog_table table, struct import_stream *stream, struct error *err)
{
    struct installed_table *entry;
    struct catalog_layer layer = {.table = table, .name = stream->name};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (tables->count == OWN_TABLES_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d tables at once", OWN_TABLES_MAX);
    if (tables->at == NULL)
        tables->at = arena_array(ctx->arena, struct installed_table, OWN_TABLES_MAX, err);
    if (tables->at == NULL || !read_text(stream, ctx->arena, &layer.text, err) ||
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

bool own_tables_install(struct own_tables *tables, struct op_context *ctx, struct error *err)
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
