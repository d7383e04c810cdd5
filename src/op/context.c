#include "op/context.h"

#include "base/fs.h"
#include "base/process.h"
#include "op/step.h"
#include "settings/own_facts.h"

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
    own.store = own.book = NULL;
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
    if (ctx->remote)
        return op_refuse_file(str_from(path), err);
    op_log(ctx, "reading %s", path);
    return fs_read(path, most, ctx->arena, out, err);
}

/* The user's files of the wanted tables. */
static bool read_layers(struct op_context *ctx, uint64_t wanted, struct own_facts *out,
                        struct error *err)
{
    out->count = 0;
    return ctx->settings->catalog.len == 0 ||
           own_facts_read(ctx->settings->catalog, ctx->settings_origin->catalog_is_default,
                          wanted, ctx->messages.log, ctx->arena, out, err);
}

static void log_tables(const struct op_context *ctx, uint64_t loaded,
                       const struct op_step *step)
{
    struct buf text = buf_new(ctx->arena->alloc, 1024);

    for (int t = 0; t < TABLE_COUNT; t++)
        if (loaded & TABLE_BIT(t))
            buf_addf(&text, "%s%s %zu", text.len > 0 ? ", " : "", catalog_tables[t].name,
                     ctx->catalog.tables[t].len);
    op_step_end(step, "facts: rows of %.*s", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
}

bool op_catalog(struct op_context *ctx, uint64_t tables, struct error *err)
{
    struct own_facts own;
    uint64_t wanted = catalog_needs(tables) & ~ctx->catalog.loaded;
    struct op_step step = op_step_begin(ctx);

    if (wanted == 0)
        return true;
    if (!read_layers(ctx, wanted, &own, err) ||
        !catalog_load(&ctx->catalog, tables, own.layers, own.count, ctx->arena, err))
        return false;
    if (op_logs(ctx))
        log_tables(ctx, wanted, &step);
    return true;
}

bool op_catalog_provider(struct op_context *ctx, enum catalog_table table, struct str provider,
                         struct catalog *out, struct error *err)
{
    struct own_facts own;

    if (ctx->catalog.loaded & TABLE_BIT(table)) {
        *out = ctx->catalog;
        return true;
    }
    return read_layers(ctx, TABLE_BIT(table), &own, err) &&
           catalog_load_provider(out, table, provider, own.layers, own.count, ctx->arena, err);
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
