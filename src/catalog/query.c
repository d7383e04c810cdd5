#include "catalog/query.h"

#include <string.h>

static const struct field summary_fields[] = {
    FIELD(TEXT, catalog_summary, table, .help = "table: its file is TABLE.csv"),
    FIELD(TEXT, catalog_summary, about, .help = "content of a row"),
    FIELD(COUNT, catalog_summary, rows, .help = "rows, history included"),
    FIELD(COUNT, catalog_summary, yours, .help = "rows from your own files"),
    FIELD(DAY, catalog_summary, newest, .help = "date of the newest fact"),
    FIELD(DAY, catalog_summary, oldest, .help = "date of the oldest fact"),
};

const struct field_set catalog_summary_fields =
    FIELD_SET(struct catalog_summary, summary_fields);

struct catalog_summary catalog_summary(const struct catalog *catalog, enum catalog_table table)
{
    const struct rows *rows = &catalog->tables[table];
    struct catalog_summary s = {.table = str_from(catalog_tables[table].name),
                                .about = str_from(catalog_tables[table].about),
                                .rows = (int64_t)rows->len,
                                .newest = DAY_UNKNOWN,
                                .oldest = DAY_UNKNOWN};

    for (size_t i = 0; i < rows->len; i++) {
        const struct fact *fact = (const void *)((const unsigned char *)rows->at +
                                                 i * catalog_tables[table].columns->size);

        s.yours += fact->layer > 0;
        if (s.newest.n < fact->date.n)
            s.newest = fact->date;
        if (i == 0 || s.oldest.n > fact->date.n)
            s.oldest = fact->date;
    }
    return s;
}

bool catalog_table_named(struct str name, enum catalog_table *out, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int t = 0; t < TABLE_COUNT; t++) {
        struct str have = str_from(catalog_tables[t].name);

        if (str_eq_nocase(have, name)) {
            *out = (enum catalog_table)t;
            return true;
        }
        suggestion_try(&s, have);
    }
    error_set(err, ERROR_ABSENT, "the catalog has no table '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog list' shows them");
    return false;
}

/* "column=glob", with the column found. */
struct condition {
    const struct field *field;
    struct str glob;
};

static bool read_conditions(const struct field_set *set, struct strs where, struct arena *arena,
                            struct condition **out, struct error *err)
{
    struct condition *all = arena_array(arena, struct condition, where.len, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < where.len; i++) {
        struct str glob = where.at[i], name = str_trim(str_cut(&glob, '='));

        if (glob.at == NULL) {
            error_set(err, ERROR_USAGE, "where: '%.*s' has no '='", STR_ARG(where.at[i]));
            error_hint(err, "write a column and what it should be: provider=aws");
            return false;
        }
        all[i] = (struct condition){field_find(set, name), str_trim(glob)};
        if (all[i].field == NULL) {
            (void)field_unknown(set, "column", name, err);
            err->kind = ERROR_USAGE;
            return false;
        }
    }
    *out = all;
    return true;
}

/* The value as the file has it, without its unit, so that 0.023 finds 0.023. */
static void write_plain(const struct field *field, const void *record, struct buf *out)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (!field_known(field, record))
        return;
    if (field->type == FIELD_USD || field->type == FIELD_RATE || field->type == FIELD_PER_GB ||
        field->type == FIELD_PER_KWH)
        nano_write(*(const int64_t *)at, out);
    else
        field_write(field, record, out);
}

static bool all_hold(const struct condition *all, size_t count, const void *record,
                     struct buf *text)
{
    for (size_t i = 0; i < count; i++) {
        buf_clear(text);
        write_plain(all[i].field, record, text);
        if (!str_glob(buf_text(text), all[i].glob))
            return false;
    }
    return true;
}

bool catalog_query(const struct catalog *catalog, enum catalog_table table, struct strs where,
                   bool history, struct arena *arena, struct table_rows *out, struct error *err)
{
    const struct field_set *set = catalog_tables[table].columns;
    const unsigned char *record = catalog->tables[table].at;
    size_t total = catalog->tables[table].len, count = 0;
    struct buf text = buf_new(arena->alloc, 1 << 20);
    unsigned char *rows = arena_get(arena, total, set->size, alignof(max_align_t), err);
    struct condition *conditions;
    bool ok;

    if (rows == NULL || !read_conditions(set, where, arena, &conditions, err))
        return false;
    for (size_t i = 0; i < total; i++, record += set->size) {
        if ((!history && !((const struct fact *)(const void *)record)->current) ||
            !all_hold(conditions, where.len, record, &text))
            continue;
        memcpy(rows + count++ * set->size, record, set->size);
    }
    ok = buf_ok(&text, err);
    buf_free(&text);
    *out = (struct table_rows){set, rows, count};
    return ok;
}
