/* catalog.list, catalog.show - every fact of the program, with its date and source. */
#include "op/facts/facts.h"

#include "op/context.h"
#include "op/op.h"

static bool catalog_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct catalog_list_result *res = out;
    struct catalog_summary *tables =
        arena_array(ctx->arena, struct catalog_summary, TABLE_COUNT, err);

    (void)in;
    if (tables == NULL || !op_catalog(ctx, TABLE_BIT(TABLE_COUNT) - 1, err))
        return false;
    for (int t = 0; t < TABLE_COUNT; t++)
        tables[t] = catalog_summary(&ctx->catalog, (enum catalog_table)t);
    res->folder = !ctx->remote ? ctx->settings->catalog : (struct str){0};
    res->tables = (struct rows){tables, TABLE_COUNT};
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

static bool catalog_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct catalog_show_request *req = in;
    struct catalog_show_result *res = out;
    enum catalog_table table;

    if (!catalog_table_named(req->table, &table, err) ||
        !op_catalog(ctx, TABLE_BIT(table), err) ||
        !catalog_query(&ctx->catalog, table, req->where, req->history, ctx->arena, &res->rows,
                       err))
        return false;
    if (res->rows.len == 0)
        return nothing_to_show(ctx, table, err);
    res->table = str_from(catalog_tables[table].name);
    return true;
}

static const struct field_set list_request = {.size = sizeof(struct catalog_list_request)};

static const struct field list_result[] = {
    FIELD(TEXT, catalog_list_result, folder, .help = "folder with your own files"),
    FIELD(LIST, catalog_list_result, tables, .row = &catalog_summary_fields,
          .help = "all tables"),
};

static const struct field show_request[] = {
    FIELD(TEXT, catalog_show_request, table, .value = "TABLE", .operand = true,
          .required = true, .help = "table name, as in 'stint catalog list'"),
    FIELD(TEXTS, catalog_show_request, where, .value = "COL=TEXT",
          .help = "filter on rows: provider=aws"),
    FIELD(FLAG, catalog_show_request, history, .help = "show older prices, too"),
};

static const struct field show_result[] = {
    FIELD(TEXT, catalog_show_result, table, .help = "table name"),
    FIELD(TABLE, catalog_show_result, rows, .help = "rows, sorted by key"),
};

const struct op op_catalog_list = {
    .name = "catalog.list",
    .schema = "stint.catalog.list/1",
    .summary = "list the fact tables and their age",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &list_request,
    .result = &(const struct field_set)FIELD_SET(struct catalog_list_result, list_result),
    .run = catalog_list,
};

const struct op op_catalog_show = {
    .name = "catalog.show",
    .schema = "stint.catalog.show/1",
    .summary = "show one fact table",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct catalog_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct catalog_show_result, show_result),
    .run = catalog_show,
};
