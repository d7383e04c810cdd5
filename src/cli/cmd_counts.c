/* stint counts add, import, list and remove */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/account/counts.h"

static void write_tags(struct table *t, struct strs tags, struct arena *arena)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < tags.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, tags.at[i]);
    }
    table_text(t, tags.len > 0 ? buf_text(&text) : STR("-"));
    buf_free(&text);
}

static void print_table(const struct view *view, const struct counts_result *res)
{
    static const struct table_column columns[] = {
        {.title = "what", .shrink = true},
        {.title = "from"},
        {.title = "to"},
        {.title = "count", .right = true},
        {.title = "tags", .shrink = true},
        {.title = "source", .shrink = true, .optional = true},
    };
    const struct counts_row *rows = res->rows.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->rows.len; i++) {
        table_text(&t, rows[i].what);
        table_text(&t, rows[i].from);
        table_text(&t, rows[i].to);
        table_text(&t, rows[i].amount);
        write_tags(&t, rows[i].tags, view->arena);
        table_text(&t, rows[i].source.len > 0 ? rows[i].source : STR("-"));
    }
    table_write(&t, &view->term, view->out);
}

static void print_list(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    if (res->count == 0)
        buf_adds(view->out, "nothing is counted: 'stint counts add predictions 1.2M --since "
                            "DAY' records it\n");
    else
        print_table(view, res);
}

static void print_put(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    if (res->count == 1)
        print_table(view, res);
    buf_addf(view->out, "recorded %lld count%s", (long long)res->count,
             res->count == 1 ? "" : "s");
    if (res->replaced > 0)
        buf_addf(view->out, ", %lld of which take%s the place of what was there",
                 (long long)res->replaced, res->replaced == 1 ? "s" : "");
    buf_char(view->out, '\n');
}

static void print_remove(const struct view *view, const void *result)
{
    const struct counts_result *res = result;

    buf_addf(view->out, "removed %lld count%s\n", (long long)res->removed,
             res->removed == 1 ? "" : "s");
}

const struct command cmd_counts_add = {
    .name = "counts add",
    .op = &op_counts_add,
    .about = "Record how many predictions, requests or tokens were made in some days, so that\n"
             "'stint unit-costs prediction' can tell what one of them cost. The same thing,\n"
             "days and tags again replace what was there.",
    .examples = "stint counts add predictions 1.2M --since 2026-10-01 --until 2026-10-31 --tag "
                "model=bert\n"
                "stint counts add requests 41873 --since 2026-10-31",
    .print = print_put,
};

const struct command cmd_counts_import = {
    .name = "counts import",
    .op = &op_counts_import,
    .about =
        "Record counts from a CSV file with the columns what, from, to (or a single day)\n"
        "and count; columns that are tags (model, team, ...) are kept as such. All of the\n"
        "file is taken, or nothing of it; rows that were there are replaced.",
    .examples = "stint counts import october.csv",
    .print = print_put,
};

const struct command cmd_counts_list = {
    .name = "counts list",
    .op = &op_counts_list,
    .about = "What was counted.",
    .examples = "stint counts list\nstint counts list predictions --since 2026-10-01",
    .print = print_list,
};

const struct command cmd_counts_remove = {
    .name = "counts remove",
    .op = &op_counts_remove,
    .about = "Forget counts that lie between two days as a whole.",
    .examples = "stint counts remove predictions --since 2026-10-01 --until 2026-10-31 --force",
    .print = print_remove,
};
