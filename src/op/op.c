#include "op/op.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "doc/compress.h"
#include "doc/json_write.h"
#include "doc/node.h"

#define CATALOG_FILE_MAX ((size_t)256 << 20)

const struct op *const op_table[] = {
    &op_catalog_list, &op_catalog_show,  &op_config_init, &op_config_show, &op_gpu_list,
    &op_gpu_show,     &op_price_compare, &op_price_list,  &op_price_value, &op_region_list,
};
const size_t op_count = ARRAY_LEN(op_table);

const struct op *op_find(struct str name)
{
    for (size_t i = 0; i < op_count; i++)
        if (str_eq(str_from(op_table[i]->name), name))
            return op_table[i];
    return NULL;
}

day op_today(const struct op_context *ctx)
{
    return day_of(ctx->clock->today(ctx->clock->ctx));
}

void op_say(const struct op_context *ctx, enum op_voice voice, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    log_write(ctx->log, voice == VOICE_WARN ? LOG_WARN : LOG_INFO, "%s", text);
    if (ctx->say != NULL)
        ctx->say(ctx->say_ctx, voice, text);
}

bool op_call(struct op_context *ctx, const struct op *op, struct str request, struct buf *out,
             struct error *err)
{
    void *in = arena_get(ctx->arena, 1, op->request->size, alignof(max_align_t), err);
    void *result = arena_get(ctx->arena, 1, op->result->size, alignof(max_align_t), err);

    if (in == NULL || result == NULL || !fields_reset(op->request, in, ctx->arena, err) ||
        !fields_reset(op->result, result, ctx->arena, err))
        return false;
    if (str_trim(request).len == 0)
        request = STR("{}"); /* which still has to hold what is required */
    struct node *root = json_read(request, "request", ctx->arena, err);

    if (root == NULL || !fields_from_node(op->request, root, "request", in, ctx->arena, err) ||
        !op->run(ctx, in, result, err))
        return false;
    json_write_record(op->result, result, op->schema, out);
    return buf_ok(out, err);
}

/* The user's file for a table, plain or compressed; absent is fine. */
static bool read_user_table(struct op_context *ctx, enum catalog_table table,
                            struct catalog_layer *layer, bool *found, struct error *err)
{
    static const char *const endings[] = {"csv", "csv.gz", "csv.xz", "csv.zst"};
    const char *folder = str_dup(ctx->settings->catalog, ctx->arena, err);
    char name[64];

    *found = false;
    for (size_t i = 0; folder != NULL && i < ARRAY_LEN(endings); i++) {
        char *path;

        (void)snprintf(name, sizeof name, "%s.%s", catalog_tables[table].name, endings[i]);
        path = fs_join(folder, name, ctx->arena, err);
        if (path == NULL)
            return false;
        if (!fs_exists(path))
            continue;
        log_write(ctx->log, LOG_DEBUG, "reading %s", path);
        *layer = (struct catalog_layer){.table = table, .name = path};
        *found = true;
        return fs_read(path, CATALOG_FILE_MAX, ctx->arena, &layer->text, err) &&
               unpack_text(&layer->text, path, CATALOG_FILE_MAX, ctx->arena, err);
    }
    return folder != NULL;
}

bool op_catalog(struct op_context *ctx, unsigned tables, struct error *err)
{
    struct catalog_layer layers[TABLE_COUNT];
    size_t count = 0;

    if (ctx->settings->catalog.len > 0)
        for (int table = 0; table < TABLE_COUNT; table++) {
            bool found;

            /* Machines name accelerators, so those two files are read for any of them. */
            if (!(tables & TABLE_BIT(table)) && table != TABLE_ACCELERATORS &&
                table != TABLE_NAMES)
                continue;
            if (!read_user_table(ctx, (enum catalog_table)table, &layers[count], &found, err))
                return false;
            count += found;
        }
    return catalog_load(&ctx->catalog, tables, layers, count, ctx->arena, err);
}

const struct accelerator *op_accelerator(struct op_context *ctx, struct str name,
                                         struct error *err)
{
    enum name_match match;
    const struct accelerator *a;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return NULL;
    a = accelerator_find(&ctx->catalog, name, &match, err);
    if (a != NULL && match == NAME_FAMILY)
        op_say(ctx, VOICE_NOTE, "'%.*s' means %.*s, the %s with the most memory", STR_ARG(name),
               STR_ARG(a->name), str_eq(a->form, STR("SXM")) ? "SXM form" : "form");
    return a;
}

bool op_matches(struct strs globs, struct str text)
{
    for (size_t i = 0; i < globs.len; i++)
        if (str_glob(text, globs.at[i]))
            return true;
    return globs.len == 0;
}

bool op_check_providers(struct op_context *ctx, struct strs wanted, struct error *err)
{
    if (!op_catalog(ctx, TABLE_BIT(TABLE_PROVIDERS), err))
        return false;
    for (size_t w = 0; w < wanted.len; w++) {
        struct suggestion s = {.wanted = wanted.at[w]};
        bool found = false;

        for (size_t i = 0; i < ctx->catalog.tables[TABLE_PROVIDERS].len && !found; i++) {
            const struct provider *p = CATALOG_ROW(&ctx->catalog, TABLE_PROVIDERS, provider, i);

            found = str_glob(p->provider, wanted.at[w]);
            suggestion_try(&s, p->provider);
        }
        if (found)
            continue;
        error_set(err, ERROR_ABSENT, "there is no provider '%.*s'", STR_ARG(wanted.at[w]));
        if (s.best.len > 0)
            error_hint(err, "did you mean '%.*s'?", STR_ARG(s.best));
        else
            error_hint(err, "'stint catalog show providers' lists them");
        return false;
    }
    return true;
}
