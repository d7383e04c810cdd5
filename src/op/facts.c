/* catalog.list, catalog.show - every fact the program knows, with its date and source. */
#include "op/facts.h"

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
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'?", STR_ARG(s.best));
    else
        error_hint(err, "'stint catalog list' shows them");
    return false;
}

/* A value as text in the arena; NULL text when unknown. */
static bool cell_text(const struct op_context *ctx, const struct field *field,
                      const void *record, struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 4096);
    bool ok;

    *out = (struct str){0};
    if (!field_known(field, record))
        return true;
    if (field->type == FIELD_TEXT || field->type == FIELD_CHOICE) {
        *out =
            *(const struct str *)(const void *)((const unsigned char *)record + field->offset);
        return true;
    }
    field_write(field, record, &text);
    out->at = buf_ok(&text, err) ? str_dup(buf_text(&text), ctx->arena, err) : NULL;
    out->len = text.len;
    ok = out->at != NULL;
    buf_free(&text);
    return ok;
}

/* "column=glob", all of which must match. */
static bool matches(const struct op_context *ctx, const struct field_set *set,
                    struct strs where, const void *record, bool *out, struct error *err)
{
    *out = true;
    for (size_t w = 0; w < where.len && *out; w++) {
        struct str glob = where.at[w], name = str_cut(&glob, '='), text;
        const struct field *field = field_find(set, str_trim(name));

        if (glob.at == NULL) {
            error_set(err, ERROR_INPUT, "where: '%.*s' has no '='", STR_ARG(where.at[w]));
            error_hint(err, "write a column and what it should be: provider=aws");
            return false;
        }
        if (field == NULL)
            return field_unknown(set, "column", name, err);
        if (!cell_text(ctx, field, record, &text, err))
            return false;
        *out = str_glob(text, str_trim(glob));
    }
    return true;
}

static bool fill_row(const struct op_context *ctx, const struct field_set *set,
                     const void *record, struct catalog_row_view *row, struct error *err)
{
    struct catalog_cell *cells = arena_array(ctx->arena, struct catalog_cell, set->len, err);

    if (cells == NULL)
        return false;
    for (size_t f = 0; f < set->len; f++) {
        cells[f].column = str_from(set->at[f].name);
        if (!cell_text(ctx, &set->at[f], record, &cells[f].value, err))
            return false;
    }
    row->cells = (struct rows){cells, set->len};
    return true;
}

static bool run_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct catalog_show_request *req = in;
    struct catalog_show_result *res = out;
    const struct field_set *set;
    struct catalog_row_view *rows;
    enum catalog_table table;
    struct str *columns;
    size_t count = 0;

    if (!find_table(req->table, &table, err) || !op_catalog(ctx, TABLE_BIT(table), err))
        return false;
    set = catalog_tables[table].columns;
    rows =
        arena_array(ctx->arena, struct catalog_row_view, ctx->catalog.tables[table].len, err);
    columns = arena_array(ctx->arena, struct str, set->len, err);
    if (rows == NULL || columns == NULL)
        return false;
    for (size_t i = 0; i < ctx->catalog.tables[table].len; i++) {
        const unsigned char *record =
            (const unsigned char *)ctx->catalog.tables[table].at + i * set->size;
        bool wanted;

        if (!req->history && !((const struct fact *)(const void *)record)->current)
            continue;
        if (!matches(ctx, set, req->where, record, &wanted, err) ||
            (wanted && !fill_row(ctx, set, record, &rows[count], err)))
            return false;
        count += wanted;
    }
    for (size_t f = 0; f < set->len; f++)
        columns[f] = str_from(set->at[f].name);
    res->table = str_from(catalog_tables[table].name);
    res->columns = (struct strs){columns, set->len};
    res->rows = (struct rows){rows, count};
    return true;
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

static const struct field cell_fields[] = {
    FIELD(TEXT, catalog_cell, column, .help = "its name"),
    FIELD(TEXT, catalog_cell, value, .help = "as text, with its unit"),
};

static const struct field_set cell_set = FIELD_SET(struct catalog_cell, cell_fields);

static const struct field row_fields[] = {
    FIELD(LIST, catalog_row_view, cells, .row = &cell_set, .help = "one for each column"),
};

static const struct field_set row_set = FIELD_SET(struct catalog_row_view, row_fields);

static const struct field show_request[] = {
    FIELD(TEXT, catalog_show_request, table, .value = "TABLE", .operand = true,
          .required = true, .help = "its name, as in 'stint catalog list'"),
    FIELD(TEXTS, catalog_show_request, where, .value = "COL=TEXT",
          .help = "only rows where it matches: provider=aws"),
    FIELD(FLAG, catalog_show_request, history, .help = "older prices too"),
};

static const struct field show_result[] = {
    FIELD(TEXT, catalog_show_result, table, .help = "its name"),
    FIELD(TEXTS, catalog_show_result, columns, .help = "in order"),
    FIELD(LIST, catalog_show_result, rows, .row = &row_set, .help = "sorted by key"),
};

const struct op op_catalog_list = {
    .name = "catalog.list",
    .schema = "stint.catalog.list/1",
    .summary = "list the tables of facts and how old they are",
    .request = &list_request,
    .result = &(const struct field_set)FIELD_SET(struct catalog_list_result, list_result),
    .run = run_list,
};

const struct op op_catalog_show = {
    .name = "catalog.show",
    .schema = "stint.catalog.show/1",
    .summary = "show the facts of one table",
    .request = &(const struct field_set)FIELD_SET(struct catalog_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct catalog_show_result, show_result),
    .run = run_show,
};
