#include "op/op.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "doc/compress.h"
#include "doc/json_write.h"
#include "doc/node.h"

#define CATALOG_FILE_MAX ((size_t)256 << 20)
#define MAX_LAYERS (4 * (size_t)TABLE_COUNT) /* each table in each of the four endings */

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
    if (ctx->say != NULL)
        ctx->say(ctx->say_ctx, voice, text);
    if (ctx->say == NULL ||
        (ctx->log != NULL && ctx->log->to != stderr)) /* not twice to one place */
        log_write(ctx->log, voice == VOICE_WARN ? LOG_WARN : LOG_INFO, "%s", text);
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

static const char *const endings[] = {".csv", ".csv.gz", ".csv.xz", ".csv.zst"};

/* Is this the name of a table's file? */
static bool names_table(struct str name, enum catalog_table *table, struct suggestion *s)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        for (size_t e = 0; e < ARRAY_LEN(endings); e++) {
            char file[64];

            (void)snprintf(file, sizeof file, "%s%s", catalog_tables[t].name, endings[e]);
            if (str_eq(name, str_from(file))) {
                *table = (enum catalog_table)t;
                return true;
            }
        }
    for (int t = 0; t < TABLE_COUNT; t++) {
        struct str stem = str_cut(&name, '.');

        s->wanted = s->wanted.at != NULL ? s->wanted : stem;
        suggestion_try(s, str_from(catalog_tables[t].name));
    }
    return false;
}

/* A file that ends like a table's but names none is a typo that would go unnoticed. */
static bool refuse_stranger(const char *folder, struct str name, const struct suggestion *s,
                            struct error *err)
{
    bool looks = false;

    for (size_t e = 0; e < ARRAY_LEN(endings); e++)
        looks = looks || str_ends(name, str_from(endings[e]));
    if (!looks)
        return true;
    error_set(err, ERROR_INPUT, "%s/%.*s: the catalog has no such table", folder,
              STR_ARG(name));
    if (s->best.len > 0)
        error_hint(err, "did you mean '%.*s.csv'? 'stint catalog list' shows the tables",
                   STR_ARG(s->best));
    else
        error_hint(err, "'stint catalog list' shows the tables");
    return false;
}

static bool read_user_file(struct op_context *ctx, const char *folder, const char *name,
                           struct catalog_layer *layer, struct error *err)
{
    char *path = fs_join(folder, name, ctx->arena, err);

    layer->name = path;
    if (path == NULL)
        return false;
    log_write(ctx->log, LOG_DEBUG, "reading %s", path);
    return fs_read(path, CATALOG_FILE_MAX, ctx->arena, &layer->text, err) &&
           unpack_text(&layer->text, path, CATALOG_FILE_MAX, ctx->arena, err);
}

/* The user's files of the wanted tables. */
static bool read_user_files(struct op_context *ctx, const char *folder, unsigned tables,
                            struct catalog_layer *layers, size_t *count, struct error *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool ok = true;

    if (dir == NULL && errno == ENOENT && ctx->settings_origin->catalog_is_default)
        return true;
    if (dir == NULL) {
        error_system(err, errno, "cannot read the catalog folder '%s'", folder);
        err->kind = errno == ENOENT ? ERROR_ABSENT : errno == ENOTDIR ? ERROR_INPUT : err->kind;
        error_hint(err, "--catalog takes a folder with files such as offers.csv");
        return false;
    }
    while (ok && (entry = readdir(dir)) != NULL) {
        struct str name = str_from(entry->d_name);
        struct suggestion s = {0};
        enum catalog_table table;

        if (!names_table(name, &table, &s)) {
            ok = refuse_stranger(folder, name, &s, err);
        } else if (tables & TABLE_BIT(table)) {
            layers[*count].table = table;
            ok = *count < MAX_LAYERS &&
                 read_user_file(ctx, folder, entry->d_name, &layers[*count], err);
            ++*count;
        }
    }
    (void)closedir(dir);
    return ok;
}

bool op_catalog(struct op_context *ctx, unsigned tables, struct error *err)
{
    struct catalog_layer layers[MAX_LAYERS];
    size_t count = 0;

    if (ctx->settings->catalog.len > 0) {
        const char *folder = str_dup(ctx->settings->catalog, ctx->arena, err);
        unsigned wanted = catalog_needs(tables);

        if (folder == NULL ||
            !read_user_files(ctx, folder, wanted & ~ctx->catalog.loaded, layers, &count, err))
            return false;
    }
    return catalog_load(&ctx->catalog, tables, layers, count, ctx->arena, err);
}

const struct accelerator *op_accelerator(struct op_context *ctx, struct str name, bool quiet,
                                         struct error *err)
{
    enum name_match match;
    const struct accelerator *a;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return NULL;
    a = accelerator_find(&ctx->catalog, name, &match, err);
    if (a != NULL && match == NAME_FAMILY && !quiet)
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

/* Try every value of the column in one table; true when the pattern matches one. */
static bool matches_column(const struct op_context *ctx, int table, const char *column,
                           struct str glob, struct suggestion *s)
{
    const struct field_set *set = catalog_tables[table].columns;
    const struct field *field = field_find(set, str_from(column));
    const unsigned char *row = ctx->catalog.tables[table].at;

    for (size_t i = 0; field != NULL && i < ctx->catalog.tables[table].len;
         i++, row += set->size) {
        const struct str *value = (const struct str *)(const void *)(row + field->offset);

        if (str_glob(*value, glob))
            return true;
        suggestion_try(s, *value);
    }
    return false;
}

bool op_check_patterns(struct op_context *ctx, unsigned tables, const char *column,
                       struct strs wanted, struct error *err)
{
    for (size_t w = 0; w < wanted.len; w++) {
        struct suggestion s = {.wanted = wanted.at[w]};
        bool found = false;

        for (int t = 0; t < TABLE_COUNT && !found; t++)
            found = (tables & TABLE_BIT(t)) && matches_column(ctx, t, column, wanted.at[w], &s);
        if (found)
            continue;
        error_set(err, ERROR_ABSENT, "there is no %s '%.*s'", column, STR_ARG(wanted.at[w]));
        if (strcmp(column, "country") == 0)
            error_hint(err, "give its two letters: US, DE, JP, ...");
        else if (!suggestion_hint(&s, err))
            error_hint(err, "'stint catalog show %ss' lists them", column);
        return false;
    }
    return true;
}
