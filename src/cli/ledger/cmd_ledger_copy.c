/* stint ledger copy */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/ledger/ledger_copy.h"

static bool has_rows(const void *row)
{
    return ((const struct ledger_copied_table *)row)->digest.rows != 0;
}

static const struct column table_columns[] = {
    COLUMN("table", table),
    COLUMN("rows", rows),
    COLUMN("digest", digest),
};

static void print_damage(const struct view *view, const struct ledger_copied_table *t)
{
    if (!t->damaged && t->lost == 0)
        return;
    buf_addf(view->out, "%s- ", term_style_on(&view->term, STYLE_WARN));
    buf_add_safe(view->out, t->table);
    if (t->damaged)
        buf_adds(view->out, ": partly unreadable");
    if (t->lost > 0)
        buf_addf(view->out, "%s %lld row%s left out", t->damaged ? ";" : ":",
                 (long long)t->lost, t->lost == 1 ? " is" : "s are");
    if (t->what.len > 0) {
        buf_adds(view->out, ": ");
        buf_add_safe(view->out, t->what);
    }
    buf_addf(view->out, "%s\n", term_style_off(&view->term, STYLE_WARN));
}

static void print_copy(const struct view *view, const void *result)
{
    const struct ledger_copy_result *res = result;
    const struct ledger_copy *copy = &res->copy;
    const struct ledger_copied_table *tables = copy->tables.at;

    if (copy->rows > 0) {
        view_rows(view, &op_ledger_copy, res, "tables",
                  COLUMNS(table_columns, .shown = has_rows));
        buf_char(view->out, '\n');
    }
    for (size_t i = 0; i < copy->tables.len; i++)
        print_damage(view, &tables[i]);
    buf_addf(view->out, "%lld row%s copied to ", (long long)copy->rows,
             copy->rows == 1 ? "" : "s");
    buf_add_safe(view->out, res->to);
    buf_adds(view->out,
             copy->damaged || copy->lost > 0
                 ? "; verified against what was readable\n"
                 : "; verified: counts, exact sums and digests of all tables match\n");
}

const struct command cmd_ledger_copy = {
    .name = "ledger copy",
    .op = &op_ledger_copy,
    .about =
        "Copies a ledger into an empty one: a file or a PostgreSQL database, in both "
        "directions. Keys do not change, amounts are exact to the last digit, and the copy is "
        "read again and compared before it is committed. Runs may be recorded in FROM "
        "meanwhile: the copy is a consistent snapshot. If interrupted, TO stays empty. With "
        "--damaged, the readable part of a damaged file is saved into a new one.",
    .examples =
        "stint ledger copy ~/.local/share/stint/ledger.db postgres://db.example.com/costs\n"
        "stint ledger copy postgres://db.example.com/costs backup.db\n"
        "stint ledger copy --damaged ledger.db saved.db",
    .print = print_copy,
};
