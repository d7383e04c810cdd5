/* stint counts add, import, list and remove */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/account/counts.h"

static void print_counts(const struct view *view, const struct counts_result *res)
{
    static const struct column columns[] = {
        COLUMN("what", what, .shrink = true),
        COLUMN("from", from),
        COLUMN("to", to),
        COLUMN("count", amount, .side = COLUMN_RIGHT),
        COLUMN("tags", tags, .shrink = true),
        COLUMN("source", source, .shrink = true, .optional = true),
    };

    view_rows(view, &op_counts_list, res, "rows", COLUMNS(columns));
}

static void print_counts_list(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    if (res->count == 0)
        buf_adds(view->out, "nothing is counted: 'stint counts add predictions 1.2M --since "
                            "DAY' records it\n");
    else
        print_counts(view, res);
}

static void print_put(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    if (res->count == 1)
        print_counts(view, res);
    buf_addf(view->out, "recorded %lld count%s", (long long)res->count,
             res->count == 1 ? "" : "s");
    if (res->replaced > 0)
        buf_addf(view->out, ", %lld of which take%s the place of what was there",
                 (long long)res->replaced, res->replaced == 1 ? "s" : "");
    buf_char(view->out, '\n');
}

static void print_counts_remove(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    buf_addf(view->out, "removed %lld count%s\n", (long long)res->removed,
             res->removed == 1 ? "" : "s");
}

const struct command cmd_counts_add = {
    .name = "counts add",
    .op = &op_counts_add,
    .group = {"predictions, requests and tokens, for unit costs", .stage = CLI_AFTER},
    .about = "Records the number of predictions, requests or tokens in a period, so that "
             "'stint unit-costs prediction' can show the cost of one. The same name, days and "
             "tags replace an earlier count.",
    .examples = "stint counts add predictions 1.2M --since 2026-10-01 --until 2026-10-31 --tag "
                "model=bert\n"
                "stint counts add requests 41873 --since 2026-10-31",
    .print = print_put,
};

const struct command cmd_counts_import = {
    .name = "counts import",
    .op = &op_counts_import,
    .about = "Imports counts from a CSV file with the columns what, from, to (or a single day) "
             "and count; columns that are tags (model, team, ...) are stored as tags. A file "
             "is imported completely or not at all; existing counts are replaced.",
    .examples = "stint counts import october.csv",
    .print = print_put,
};

const struct command cmd_counts_list = {
    .name = "counts list",
    .op = &op_counts_list,
    .about = "Lists recorded counts.",
    .examples = "stint counts list\nstint counts list predictions --since 2026-10-01",
    .print = print_counts_list,
};

const struct command cmd_counts_remove = {
    .name = "counts remove",
    .op = &op_counts_remove,
    .about = "Removes counts that are entirely between two days.",
    .examples = "stint counts remove predictions --since 2026-10-01 --until 2026-10-31 --force",
    .print = print_counts_remove,
};
