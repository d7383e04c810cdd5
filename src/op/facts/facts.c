/* catalog.list, catalog.show - every fact the program knows, with its date and source. */
#include "op/facts/facts.h"
#include "op/context.h"
#include "op/op.h"

#include <string.h>

static bool run_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct catalog_list_result *res = out;
    struct catalog_table_view *views =
        arena_array(ctx->arena, struct catalog_table_view, TABLE_COUNT, err);

    (void)in;
    if (views == NULL || !op_catalog(ctx, TABLE_BIT(TABLE_COUNT) - 1, err))
        return false;
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        const struct rows *rows = &ctx->catalog.tables[t];
        struct catalog_table_view *v = &views[t];

        *v = (struct catalog_table_view){.table = str_from(catalog_tables[t].name),
                                         .about = str_from(catalog_tables[t].about),
                                         .rows = (int64_t)rows->len,
                                         .newest = DAY_UNKNOWN,
                                         .oldest = DAY_UNKNOWN};
        for (size_t i = 0; i < rows->len; i++) {
            const struct fact *fact = (const void *)((const unsigned char *)rows->at +
                                                     i * catalog_tables[t].columns->size);

            v->yours += fact->layer > 0;
            if (v->newest.n < fact->date.n)
                v->newest = fact->date;
            if (i == 0 || v->oldest.n > fact->date.n)
                v->oldest = fact->date;
        }
    }
    res->folder = ctx->settings->catalog;
    res->tables = (struct rows){views, TABLE_COUNT};
    return true;
}

static bool find_table(struct str name, enum catalog_table *table, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int t = 0; t < TABLE_COUNT; t++) {
        struct str have = str_from(catalog_tables[t].name);

        if (str_eq_nocase(have, name)) {
            *table = (enum catalog_table)t;
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

static bool read_conditions(const struct op_context *ctx, const struct field_set *set,
                            struct strs where, struct condition **out, struct error *err)
{
    struct condition *all = arena_array(ctx->arena, struct condition, where.len, err);

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

static bool holds(const struct condition *all, size_t count, const void *record,
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

/* Nothing matches; or nothing is there, since some tables hold only what the user adds. */
static bool nothing_to_show(const struct op_context *ctx, enum catalog_table table,
                            struct error *err)
{
    const char *name = catalog_tables[table].name;
    struct str folder = ctx->settings->catalog;

    if (ctx->catalog.tables[table].len > 0) {
        error_set(err, ERROR_ABSENT, "no row of %s matches", name);
        error_hint(err, "'stint catalog show %s' shows all", name);
        return false;
    }
    error_set(err, ERROR_ABSENT, "the table %s is empty", name);
    if (folder.len > 0)
        error_hint(err, "rows of your own go into %.*s/%s.csv", STR_ARG(folder), name);
    else
        error_hint(err, "rows of your own go into %s.csv, in the folder that --catalog names",
                   name);
    return false;
}

static bool run_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct catalog_show_request *req = in;
    struct catalog_show_result *res = out;
    struct buf text = buf_new(ctx->arena->alloc, 1 << 20);
    struct condition *where;
    const struct field_set *set;
    const unsigned char *record;
    unsigned char *rows;
    enum catalog_table table;
    size_t total, count = 0;
    bool ok;

    if (!find_table(req->table, &table, err) || !op_catalog(ctx, TABLE_BIT(table), err))
        return false;
    set = catalog_tables[table].columns;
    total = ctx->catalog.tables[table].len;
    record = ctx->catalog.tables[table].at;
    rows = arena_get(ctx->arena, total, set->size, alignof(max_align_t), err);
    if (rows == NULL || !read_conditions(ctx, set, req->where, &where, err))
        return false;
    for (size_t i = 0; i < total; i++, record += set->size) {
        if ((!req->history && !((const struct fact *)(const void *)record)->current) ||
            !holds(where, req->where.len, record, &text))
            continue;
        memcpy(rows + count++ * set->size, record, set->size);
    }
    ok = buf_ok(&text, err);
    buf_free(&text);
    if (ok && count == 0)
        return nothing_to_show(ctx, table, err);
    res->table = str_from(catalog_tables[table].name);
    res->rows = (struct table_rows){set, rows, count};
    return ok;
}

static const struct field table_fields[] = {
    FIELD(TEXT, catalog_table_view, table, .help = "the file is TABLE.csv"),
    FIELD(TEXT, catalog_table_view, about, .help = "what a row is"),
    FIELD(COUNT, catalog_table_view, rows, .help = "history included"),
    FIELD(COUNT, catalog_table_view, yours, .help = "of them from your own files"),
    FIELD(DAY, catalog_table_view, newest, .help = "fact"),
    FIELD(DAY, catalog_table_view, oldest, .help = "fact"),
};

static const struct field_set table_set = FIELD_SET(struct catalog_table_view, table_fields);

static const struct field_set list_request = {.size = sizeof(struct catalog_list_request)};

static const struct field list_result[] = {
    FIELD(TEXT, catalog_list_result, folder, .help = "with your own files"),
    FIELD(LIST, catalog_list_result, tables, .row = &table_set, .help = "all of them"),
};

static const struct field show_request[] = {
    FIELD(TEXT, catalog_show_request, table, .value = "TABLE", .operand = true,
          .required = true, .help = "its name, as in 'stint catalog list'"),
    FIELD(TEXTS, catalog_show_request, where, .value = "COL=TEXT",
          .help = "only rows where it matches: provider=aws"),
    FIELD(FLAG, catalog_show_request, history, .help = "older prices too"),
};

static const struct field show_result[] = {
    FIELD(TEXT, catalog_show_result, table, .help = "its name"),
    FIELD(TABLE, catalog_show_result, rows, .help = "an object for each, sorted by key"),
};

const struct op op_catalog_list = {
    .name = "catalog.list",
    .schema = "stint.catalog.list/1",
    .summary = "list the fact tables and their age",
    .request = &list_request,
    .result = &(const struct field_set)FIELD_SET(struct catalog_list_result, list_result),
    .run = run_list,
};

const struct op op_catalog_show = {
    .name = "catalog.show",
    .schema = "stint.catalog.show/1",
    .summary = "show one fact table",
    .request = &(const struct field_set)FIELD_SET(struct catalog_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct catalog_show_result, show_result),
    .run = run_show,
};
