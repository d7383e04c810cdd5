/* stint statement */

#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/account/statement.h"

/* Only of what is direct. */
static bool write_project(const struct column *column, const void *row, struct buf *out)
{
    const struct statement_line *line = row;

    (void)column;
    if (line->section != SECTION_DIRECT)
        buf_char(out, ' ');
    return line->section != SECTION_DIRECT;
}

static void print_lines(const struct view *view, const struct statement_set *res,
                        const struct statement *s)
{
    const struct column columns[] = {
        COLUMN("section", section),
        COLUMN("item", item, .shrink = true, .unknown = "(none)"),
        COLUMN("project", project, .shrink = true, .cell = write_project),
        COLUMN(res->before.at, before),
        COLUMN(res->month.at, amount),
        COLUMN("change", change, .form = COLUMN_CHANGE),
    };
    const struct table_rows lines = {&statement_line_fields, s->lines.at, s->lines.len};
    const struct statement_line total = {
        .amount = s->total, .before = s->before, .change = s->change};
    struct column_table t = columns_new(COLUMNS(columns), lines.row, view->arena);

    columns_add(&t, &lines);
    columns_total(&t, "total", lines.row, &total);
    columns_write(&t, &view->term, view->out);
}

static void print_statement_of(const struct view *view, const struct statement_set *res,
                               const struct statement *s)
{
    buf_add_safe(view->out, res->by);
    buf_char(view->out, ' ');
    buf_add_safe(view->out, s->who.len > 0 ? s->who : STR("(none)"));
    buf_adds(view->out, ", ");
    buf_add_safe(view->out, res->month);
    buf_adds(view->out, res->whole ? "" : " so far");
    buf_adds(view->out, "   no. ");
    buf_add_safe(view->out, s->number);
    buf_char(view->out, '\n');
    print_lines(view, res, s);
    if (s->metered.amount.coefficient != 0) {
        buf_adds(view->out, "of the total, metered but not billed yet: ");
        costs_write(&s->metered, view->out);
        buf_char(view->out, '\n');
    }
    buf_char(view->out, '\n');
}

static void print_statement_bills(const struct view *view, const struct statement_set *res)
{
    const struct statement_bill *bills = res->bills.at;

    for (size_t i = 0; i < res->bills.len; i++) {
        buf_adds(view->out, i == 0 ? "bills: " : "       ");
        buf_add_safe(view->out, bills[i].provider);
        buf_char(view->out, ' ');
        statement_account(&bills[i], view->out);
        buf_adds(view->out, ", ");
        day_write(bills[i].period_start, view->out);
        buf_adds(view->out, " to ");
        day_write(bills[i].period_end, view->out);
        if (bills[i].invoices.len > 0) {
            buf_adds(view->out, ", invoice ");
            buf_add_safe(view->out, bills[i].invoices);
        }
        buf_adds(view->out, bills[i].final ? "\n" : ", delivered before it was over\n");
    }
}

static bool several_currencies(const struct statement_set *res)
{
    const struct statement *list = res->statements.at;

    for (size_t i = 1; i < res->statements.len; i++)
        if (!currency_is(list[i].total.currency, list[0].total.currency))
            return true;
    return false;
}

static void print_statement_end(const struct view *view, const struct statement_result *all)
{
    const struct statement_set *res = &all->set;

    print_statement_bills(view, res);
    if (several_currencies(res))
        buf_adds(view->out, "currencies are not added up; --currency CODE converts them\n");
    statement_notes(res, view->out);
    if (all->csv.len > 0) {
        buf_adds(view->out, "wrote the lines to ");
        buf_add_safe(view->out, all->csv);
        buf_char(view->out, '\n');
    }
    if (all->html.len > 0) {
        buf_adds(view->out, "wrote the page to ");
        buf_add_safe(view->out, all->html);
        buf_char(view->out, '\n');
    }
}

static void statement_print(const struct view *view, const void *result)
{
    const struct statement_result *all = result;
    const struct statement_set *res = &all->set;
    const struct statement *list = res->statements.at;

    if (res->statements.len == 0) {
        buf_adds(view->out, "nothing was spent in ");
        buf_add_safe(view->out, res->month);
        buf_adds(view->out, " or the month before\n");
    }
    for (size_t i = 0; i < res->statements.len; i++)
        print_statement_of(view, res, &list[i]);
    print_statement_end(view, all);
}

const struct command cmd_statement = {
    .name = "statement",
    .op = &op_statement,
    .group = {"the monthly showback or chargeback of each team", .stage = CLI_AFTER},
    .about = "Shows each team's monthly showback or chargeback: its own costs by service and "
             "project, its part of shared costs, recurring costs, credits and tax, compared "
             "with the previous month. A showback has all known costs, billed or metered; a "
             "chargeback only billed costs, with their bills, for a month that is over. The "
             "number of a statement changes when an amount does. Each currency has its own "
             "statement; --currency converts all of them to one.",
    .examples = "stint statement\n"
                "stint statement --team nlp --month 2026-10 --html nlp.html\n"
                "stint statement --kind chargeback --csv october.csv\n"
                "stint statement --by cost_center --for 4711 --currency EUR",
    .print = statement_print,
};
