/* stint catalog list, stint catalog show */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts.h"

static void print_list(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "table"},
        {.title = "rows", .right = true},
        {.title = "yours", .right = true},
        {.title = "oldest"},
        {.title = "newest"},
        {.title = "what a row is", .shrink = true},
    };
    const struct catalog_list_result *res = result;
    const struct catalog_table_view *tables = res->tables.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->tables.len; i++) {
        struct buf date = buf_new(view->arena->alloc, 32);

        table_text(&t, tables[i].table);
        table_cell(&t, "%lld", (long long)tables[i].rows);
        table_cell(&t, "%lld", (long long)tables[i].yours);
        day_write(tables[i].oldest, &date);
        table_text(&t, buf_text(&date));
        buf_clear(&date);
        day_write(tables[i].newest, &date);
        table_text(&t, buf_text(&date));
        table_text(&t, tables[i].about);
        buf_free(&date);
    }
    table_write(&t, &view->term, view->out);
    if (res->folder.len > 0)
        buf_addf(view->out, "\nyour own files: %.*s\n", (int)res->folder.len, res->folder.at);
    else
        buf_adds(view->out,
                 "\nno files of your own: put TABLE.csv in a folder and name it with "
                 "--catalog DIR\n");
}

static void print_show(const struct view *view, const void *result)
{
    const struct catalog_show_result *res = result;
    const struct catalog_row_view *rows = res->rows.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {0};
    struct table t;
    size_t count = res->columns.len < TABLE_MAX_COLUMNS ? res->columns.len : TABLE_MAX_COLUMNS;

    for (size_t c = 0; c < count; c++)
        columns[c] = (struct table_column){
            .title = res->columns.at[c].at, .shrink = true, .optional = c > 1};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        const struct catalog_cell *cells = rows[i].cells.at;

        for (size_t c = 0; c < count; c++)
            table_text(&t, cells[c].value.at != NULL ? cells[c].value : STR("-"));
    }
    table_write(&t, &view->term, view->out);
    buf_addf(view->out,
             "\n%zu rows of %.*s; '-' is not known; --json gives all columns in full\n",
             res->rows.len, STR_ARG(res->table));
}

const struct command cmd_catalog_list = {
    .name = "catalog list",
    .op = &op_catalog_list,
    .about = "The tables of facts that Stint stands on, how many rows each has, how old they\n"
             "are, and how many of them are your own.",
    .examples = "stint catalog list\n"
                "stint catalog list --catalog my-prices/",
    .print = print_list,
};

const struct command cmd_catalog_show = {
    .name = "catalog show",
    .op = &op_catalog_show,
    .about = "The facts of one table: providers, storage, transfer, commitments, spend, ...\n"
             "Every row has the day it was true and where it was read.",
    .examples = "stint catalog show storage --where provider=aws\n"
                "stint catalog show offers --where instance=p5.48xlarge --history\n"
                "stint catalog show spend --json",
    .print = print_show,
};
