#include "settings/own_facts.h"

#include <dirent.h>
#include <errno.h>

#include "base/fs.h"
#include "doc/compress.h"

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

static bool read_catalog_file(const char *folder, const char *name, const struct log *log,
                              struct arena *arena, struct catalog_layer *layer,
                              struct error *err)
{
    char *path = fs_join(folder, name, arena, err);

    layer->name = path;
    if (path == NULL)
        return false;
    log_write(log, LOG_DEBUG, "reading %s", path);
    return fs_read(path, FILE_MAX, arena, &layer->text, err) &&
           unpack_text(&layer->text, path, FILE_MAX, arena, err);
}

/* One layer for each wanted table that has a file. */
static bool read_catalog_folder(DIR *dir, const char *folder, uint64_t wanted,
                                const struct log *log, struct arena *arena,
                                struct own_facts *out, struct error *err)
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
        out->layers[out->count].table = table;
        if (!read_catalog_file(folder, entry->d_name, log, arena, &out->layers[out->count++],
                               err))
            return false;
    }
    return true;
}

/* NULL when it is optional and not there. */
static bool open_folder(const char *folder, bool optional, DIR **out, struct error *err)
{
    DIR *dir = opendir(folder);
    int reason = errno;
    bool absent = reason == ENOENT || reason == ENOTDIR;

    *out = dir;
    if (dir != NULL || (absent && optional))
        return true;
    error_system(err, reason, "cannot read the catalog folder '%s'", folder);
    if (absent)
        err->kind = reason == ENOENT ? ERROR_ABSENT : ERROR_INPUT;
    error_hint(err, "--catalog takes a folder with files such as offers.csv");
    return false;
}

bool own_facts_read(struct str folder, bool optional, uint64_t wanted, const struct log *log,
                    struct arena *arena, struct own_facts *out, struct error *err)
{
    const char *path = str_dup(folder, arena, err);
    DIR *dir;
    bool ok;

    out->count = 0;
    if (path == NULL || !open_folder(path, optional, &dir, err))
        return false;
    ok = dir == NULL || read_catalog_folder(dir, path, wanted, log, arena, out, err);
    if (dir != NULL)
        (void)closedir(dir);
    return ok;
}
