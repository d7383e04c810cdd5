/* stint ledger doctor */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/ledger/ledger_doctor.h"

static void print_size(const struct view *view, bytes size, const char *what)
{
    if (size.n == BYTES_UNKNOWN.n || size.n == 0)
        return;
    buf_adds(view->out, ", ");
    bytes_write(size, view->out);
    buf_adds(view->out, what);
}

static void print_ledger_head(const struct view *view, const struct ledger_doctor_result *res)
{
    bool file = str_eq(res->health.engine, STR("sqlite"));

    view_label(view, "ledger");
    buf_add_safe(view->out, res->ledger);
    buf_char(view->out, '\n');
    view_label(view, "kept by");
    buf_adds(view->out, file ? "SQLite " : "PostgreSQL ");
    buf_add_safe(view->out, res->health.release);
    buf_addf(view->out, ", tables of version %d", res->health.version);
    if (res->health.journal.len > 0) {
        buf_adds(view->out, ", journal ");
        buf_add_safe(view->out, res->health.journal);
    }
    if (res->health.rights.len > 0) {
        buf_adds(view->out, "; you: ");
        buf_add_safe(view->out, res->health.rights);
    }
    buf_char(view->out, '\n');
    view_label(view, "size");
    bytes_write(res->health.size, view->out);
    print_size(view, res->health.log, " in its log");
    print_size(view, res->health.unused, " unused");
    print_size(view, res->health.space, " left on the disk");
    buf_char(view->out, '\n');
}

static void print_tables(const struct view *view, const struct ledger_doctor_result *res)
{
    const struct ledger_table_state *tables = res->health.tables.at;
    struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);
    const char *sep = "";

    for (size_t i = 0; i < res->health.tables.len; i++) {
        const struct ledger_table_state *t = &tables[i];

        if (t->rows == 0 && !t->damaged)
            continue;
        buf_adds(&text, sep);
        buf_add(&text, t->table);
        if (t->rows < 0)
            buf_adds(&text, " unreadable");
        else
            buf_addf(&text, " %lld%s", (long long)t->rows, t->damaged ? " readable" : "");
        sep = ", ";
    }
    view_label(view, "rows");
    if (text.len == 0)
        buf_adds(&text, "none");
    view_wrap(buf_text(&text), 16, 16, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&text, view->out);
}

static void print_repairs(const struct view *view, const struct ledger_doctor_result *res)
{
    if (!res->was_repaired)
        return;
    view_label(view, "repaired");
    buf_addf(view->out, "%lld imports, %lld bills and %lld stray rows removed%s\n",
             (long long)res->repaired.imports, (long long)res->repaired.bills,
             (long long)res->repaired.rows,
             res->repaired.sums ? "; all sums recomputed from the lines" : "");
}

static void print_ledger_finding(const struct view *view, const struct ledger_problem *f)
{
    enum term_style style = f->wrong ? STYLE_WARN : STYLE_PLAIN;

    buf_addf(view->out, "%s- ", term_style_on(&view->term, style));
    buf_add_safe(view->out, f->text);
    buf_addf(view->out, "%s\n  run: ", term_style_off(&view->term, style));
    buf_add_safe(view->out, f->run);
    buf_char(view->out, '\n');
}

static void print_ledger_doctor(const struct view *view, const void *result)
{
    const struct ledger_doctor_result *res = result;
    const struct ledger_problem *findings = res->health.findings.at;

    print_ledger_head(view, res);
    print_tables(view, res);
    print_repairs(view, res);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->health.findings.len; i++)
        print_ledger_finding(view, &findings[i]);
    if (res->health.well)
        buf_adds(view->out,
                 res->health.findings.len == 0 ? "no problems found\n" : "no errors\n");
}

const struct command cmd_ledger_doctor = {
    .name = "ledger doctor",
    .op = &op_ledger_doctor,
    .about = "Checks every page and row of the ledger: a damaged file, bills whose lines, "
             "totals and daily sums differ in any digit, leftovers of interrupted imports and "
             "runs, stuck messages, budgets without recipients. Each finding is one line with "
             "the command to type. The exit status is 1 if there are problems.\n\n"
             "It changes nothing without --repair, which removes leftovers and recomputes sums "
             "from the lines of the bills.",
    .examples = "stint ledger doctor\n"
                "stint ledger doctor --repair\n"
                "stint ledger doctor --ledger postgres://db.example.com/costs --json",
    .print = print_ledger_doctor,
};
