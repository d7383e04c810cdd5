#include "market/own_tables.h"

#include <stdio.h>

#include "base/fs.h"
#include "market/offers.h"

#define TABLE_MAX ((size_t)16 << 20)

static const struct field table_fields[] = {
    FIELD(TEXT, installed_table, file, .help = "file name as given"),
    FIELD(TEXT, installed_table, table, .help = "table in the catalog"),
    FIELD(TEXT, installed_table, path, .help = "path of the installed table"),
    FIELD(COUNT, installed_table, rows, .help = "rows in it"),
    FIELD(COUNT, installed_table, replaced, .help = "replaced rows, now in PATH.bak"),
};

const struct field_set installed_table_fields = FIELD_SET(struct installed_table, table_fields);

bool own_tables_read(struct own_tables *tables, enum catalog_table table,
                     const struct file_stream *stream, struct catalog *alone, struct error *err)
{
    struct catalog_layer layer = {.table = table, .name = stream->name};

    *alone = (struct catalog){0};
    if (tables->count == OWN_TABLES_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d tables at once", OWN_TABLES_MAX);
    if (!file_stream_text(stream, TABLE_MAX, tables->arena, &layer.text, err) ||
        !catalog_load(alone, TABLE_BIT(table), &layer, 1, tables->arena, err) ||
        !own_prices_check(alone, err))
        return false;
    for (size_t i = 0; i < tables->count; i++)
        if (str_eq(tables->at[i].table, str_from(catalog_tables[table].name))) {
            error_set(err, ERROR_INPUT, "%s: a second file of the table %s", stream->name,
                      catalog_tables[table].name);
            error_hint(err, "put the rows of both into one file");
            return false;
        }
    tables->at[tables->count] =
        (struct installed_table){.file = str_from(stream->name),
                                 .table = str_from(catalog_tables[table].name),
                                 .rows = (int64_t)alone->tables[table].len};
    tables->texts[tables->count++] = layer.text;
    return true;
}

/* How many rows the file that is there has; 0 when there is none, or it cannot be read. */
static int64_t rows_there(struct str table, const char *path, struct arena *arena)
{
    struct catalog_layer layer = {.name = path, .table = TABLE_DISCOUNTS};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (!str_eq(table, str_from(catalog_tables[TABLE_DISCOUNTS].name)))
        layer.table = TABLE_EXCHANGE;
    if (!fs_exists(path) || !fs_read(path, TABLE_MAX, arena, &layer.text, &ignored) ||
        !catalog_load(&alone, TABLE_BIT(layer.table), &layer, 1, arena, &ignored))
        return 0;
    return (int64_t)alone.tables[layer.table].len;
}

/* Write them all. A file that was there before stays beside the new one as FILE.bak. */
bool own_tables_install(struct own_tables *tables, struct str folder, struct error *err)
{
    struct arena *arena = tables->arena;

    for (size_t i = 0; i < tables->count; i++) {
        char *within = str_dup(folder, arena, err), *path, name[64];

        if (within == NULL)
            return false;
        if (within[0] == '\0') {
            error_set(err, ERROR_FAILED, "there is no folder for your %.*s",
                      STR_ARG(tables->at[i].table));
            error_hint(err, "set HOME or XDG_CONFIG_HOME, or name a folder with --catalog DIR");
            return false;
        }
        (void)snprintf(name, sizeof name, "%.*s.csv", STR_ARG(tables->at[i].table));
        path = fs_join(within, name, arena, err);
        if (path != NULL)
            tables->at[i].replaced = rows_there(tables->at[i].table, path, arena);
        if (path == NULL || !fs_keep_old(path, arena, err) ||
            !fs_replace(path, tables->texts[i], err))
            return false;
        tables->at[i].path = str_from(path);
    }
    return true;
}
