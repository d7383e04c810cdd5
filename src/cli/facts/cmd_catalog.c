/* stint catalog list, stint catalog show */
#include <string.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts/facts.h"

static void print_catalog_list(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("table", table),   COLUMN("rows", rows),
        COLUMN("yours", yours),   COLUMN("oldest", oldest),
        COLUMN("newest", newest), COLUMN("what a row is", about, .shrink = true),
    };
    const struct catalog_list_result *res = result;

    view_rows(view, &op_catalog_list, res, "tables", COLUMNS(columns));
    buf_adds(view->out, "\nrows count older prices too\n");
    if (res->folder.len > 0) {
        buf_adds(view->out, "your own files: ");
        buf_add_safe(view->out, res->folder);
        buf_char(view->out, '\n');
    } else {
        buf_adds(view->out, "no files of your own: put TABLE.csv in a folder and name it with "
                            "--catalog DIR\n");
    }
}

static void print_catalog_show(const struct view *view, const void *result)
{
    const struct catalog_show_result *res = result;
    const struct field_set *set = res->rows.row;
    const unsigned char *record = res->rows.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {0};
    struct buf text = buf_new(view->out->alloc, 1 << 16);
    struct table t;

    for (size_t c = 0; c < set->len && c < TABLE_MAX_COLUMNS; c++) {
        bool remark =
            strcmp(set->at[c].name, "source") == 0 || strcmp(set->at[c].name, "notes") == 0;

        columns[c] = (struct table_column){.title = set->at[c].name,
                                           .shrink = !set->at[c].key &&
                                                     set->at[c].type ==
                                                         FIELD_TEXT, /* a cut number misleads */
                                           .optional = remark};
    }
    t = table_new(columns, set->len, view->arena);
    for (size_t i = 0; i < res->rows.len; i++, record += set->size)
        for (size_t c = 0; c < t.column_count; c++) {
            buf_clear(&text);
            field_write(&set->at[c], record, &text);
            t.failed = t.failed || text.failed != ERROR_NONE;
            table_text(&t, text.len > 0 ? buf_text(&text) : STR("-"));
        }
    buf_free(&text);
    table_write(&t, &view->term, view->out);
    buf_addf(view->out, "\n%zu row%s of ", res->rows.len, res->rows.len == 1 ? "" : "s");
    buf_add(view->out, res->table);
    buf_adds(view->out, "; '-' is unknown; --json has every column\n");
}

const struct command cmd_catalog_list = {
    .name = "catalog list",
    .op = &op_catalog_list,
    .group = {"the facts Stint uses, with date and source", .stage = CLI_SETUP},
    .about = "Lists the tables of facts that Stint is based on: their rows, their age, and how "
             "many rows are your own.",
    .examples = "stint catalog list\n"
                "stint catalog list --catalog my-prices/",
    .print = print_catalog_list,
};

const struct command cmd_catalog_show = {
    .name = "catalog show",
    .op = &op_catalog_show,
    .about = "Shows the facts of one table: providers, storage, transfer, commitments, spend, "
             "... Every row has its date and its source.",
    .examples = "stint catalog show storage --where provider=aws\n"
                "stint catalog show offers --where instance=p5.48xlarge --history\n"
                "stint catalog show spend --json",
    .print = print_catalog_show,
};
