#include "op/context.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "base/fs.h"
#include "base/process.h"
#include "doc/compress.h"

stamp op_now(const struct op_context *ctx)
{
    return ctx->clock->today(ctx->clock->ctx);
}

day op_today(const struct op_context *ctx)
{
    return day_of(op_now(ctx));
}

struct str op_user(const struct op_context *ctx)
{
    return ctx->by.len > 0 ? ctx->by : process_user(ctx->arena);
}

struct op_context op_apart(const struct op_context *ctx, struct arena *arena, bool quiet)
{
    struct op_context own = *ctx;

    own.arena = arena;
    own.catalog = (struct catalog){0};
    own.store = NULL;
    own.live = false;
    own.own_process = false;
    if (quiet)
        own.messages = (struct messages){0};
    return own;
}

bool op_file_exists(const struct op_context *ctx, const char *path)
{
    return !ctx->remote && fs_exists(path);
}

bool op_refuse_file(struct str name, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.*s': files of the server cannot be read from elsewhere",
              STR_ARG(name));
    error_hint(err, "send the text itself instead of the name of a file");
    return false;
}

bool op_file_read(struct op_context *ctx, const char *path, size_t most, struct str *out,
                  struct error *err)
{
    return ctx->remote ? op_refuse_file(str_from(path), err)
                       : fs_read(path, most, ctx->arena, out, err);
}

/* The user's own facts: files of a folder, read when an operation first needs their tables. */

#define FILE_MAX ((size_t)256 << 20)

static const char *const endings[] = {".csv", ".csv.gz", ".csv.xz", ".csv.zst"};

/* The table's name in "offers.csv.gz"; empty for a file that is none of ours. */
static struct str table_name(struct str file)
{
    for (size_t e = 0; e < ARRAY_LEN(endings); e++)
        if (str_ends(file, str_from(endings[e])))
            return (struct str){file.at, file.len - str_from(endings[e]).len};
    return (struct str){0};
}

/* A file that ends like a table's but names none is a typo that would go unnoticed. */
static bool find_table(const char *folder, struct str file, enum catalog_table *table,
                       struct error *err)
{
    struct suggestion s = {.wanted = table_name(file)};

    for (int t = 0; t < TABLE_COUNT; t++) {
        struct str have = str_from(catalog_tables[t].name);

        if (str_eq(have, s.wanted)) {
            *table = (enum catalog_table)t;
            return true;
        }
        suggestion_try(&s, have);
    }
    error_set(err, ERROR_INPUT, "%s/%.*s: the catalog has no such table", folder,
              STR_ARG(file));
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s.csv'? 'stint catalog list' shows the tables",
                   STR_ARG(s.best));
    else
        error_hint(err, "'stint catalog list' shows the tables");
    return false;
}

static bool read_catalog_file(struct op_context *ctx, const char *folder, const char *name,
                              struct catalog_layer *layer, struct error *err)
{
    char *path = fs_join(folder, name, ctx->arena, err);

    layer->name = path;
    if (path == NULL)
        return false;
    log_write(ctx->messages.log, LOG_DEBUG, "reading %s", path);
    return fs_read(path, FILE_MAX, ctx->arena, &layer->text, err) &&
           unpack_text(&layer->text, path, FILE_MAX, ctx->arena, err);
}

/* One layer for each wanted table that has a file; `layers` has room for all tables. */
static bool read_catalog_folder(struct op_context *ctx, DIR *dir, const char *folder,
                                uint64_t wanted, struct catalog_layer *layers, size_t *count,
                                struct error *err)
{
    const struct dirent *entry;
    uint64_t seen = 0;

    while ((entry = readdir(dir)) != NULL) {
        struct str file = str_from(entry->d_name);
        enum catalog_table table;

        if (table_name(file).len == 0)
            continue;
        if (!find_table(folder, file, &table, err))
            return false;
        if (seen & TABLE_BIT(table)) {
            error_set(err, ERROR_INPUT, "%s: there are two files for the table %s", folder,
                      catalog_tables[table].name);
            error_hint(err, "keep one of them, plain or compressed");
            return false;
        }
        seen |= TABLE_BIT(table);
        if (!(wanted & TABLE_BIT(table)))
            continue;
        layers[*count].table = table;
        if (!read_catalog_file(ctx, folder, entry->d_name, &layers[(*count)++], err))
            return false;
    }
    return true;
}

/* The folder; NULL when it is the default one and not there. */
static bool open_folder(const struct op_context *ctx, const char *folder, DIR **out,
                        struct error *err)
{
    DIR *dir = opendir(folder);
    int reason = errno;
    bool absent = reason == ENOENT || reason == ENOTDIR;

    *out = dir;
    if (dir != NULL || (absent && ctx->settings_origin->catalog_is_default))
        return true;
    error_system(err, reason, "cannot read the catalog folder '%s'", folder);
    if (absent)
        err->kind = reason == ENOENT ? ERROR_ABSENT : ERROR_INPUT;
    error_hint(err, "--catalog takes a folder with files such as offers.csv");
    return false;
}

/* The user's files of the wanted tables; `layers` has room for all tables. */
static bool read_layers(struct op_context *ctx, uint64_t wanted, struct catalog_layer *layers,
                        size_t *count, struct error *err)
{
    const char *folder;
    DIR *dir;
    bool ok;

    *count = 0;
    if (ctx->settings->catalog.len == 0)
        return true;
    folder = str_dup(ctx->settings->catalog, ctx->arena, err);
    if (folder == NULL || !open_folder(ctx, folder, &dir, err))
        return false;
    ok = dir == NULL || read_catalog_folder(ctx, dir, folder, wanted, layers, count, err);
    if (dir != NULL)
        (void)closedir(dir);
    return ok;
}

bool op_catalog(struct op_context *ctx, uint64_t tables, struct error *err)
{
    struct catalog_layer layers[TABLE_COUNT];
    uint64_t wanted = catalog_needs(tables) & ~ctx->catalog.loaded;
    size_t count;

    return wanted == 0 || (read_layers(ctx, wanted, layers, &count, err) &&
                           catalog_load(&ctx->catalog, tables, layers, count, ctx->arena, err));
}

bool op_catalog_provider(struct op_context *ctx, enum catalog_table table, struct str provider,
                         struct catalog *out, struct error *err)
{
    struct catalog_layer layers[TABLE_COUNT];
    size_t count;

    if (ctx->catalog.loaded & TABLE_BIT(table)) {
        *out = ctx->catalog;
        return true;
    }
    return read_layers(ctx, TABLE_BIT(table), layers, &count, err) &&
           catalog_load_provider(out, table, provider, layers, count, ctx->arena, err);
}

#define GPU_TABLES (TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES))

const struct accelerator *op_accelerator(struct op_context *ctx, struct str name, bool quiet,
                                         struct error *err)
{
    return op_catalog(ctx, GPU_TABLES, err)
               ? accelerator_typed(&ctx->catalog, name, quiet ? NULL : &ctx->messages, err)
               : NULL;
}

bool op_gpu_count(struct op_context *ctx, struct str text, struct str *name, int64_t *count,
                  struct error *err)
{
    return op_catalog(ctx, GPU_TABLES, err) &&
           accelerator_count(&ctx->catalog, text, name, count, err);
}
