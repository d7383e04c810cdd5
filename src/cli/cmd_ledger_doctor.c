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

static void print_head(const struct view *view, const struct ledger_doctor_result *res)
{
    bool file = str_eq(res->engine, STR("sqlite"));

    view_label(view, "ledger");
    buf_add_safe(view->out, res->ledger);
    buf_char(view->out, '\n');
    view_label(view, "kept by");
    buf_adds(view->out, file ? "SQLite " : "PostgreSQL ");
    buf_add_safe(view->out, res->release);
    buf_addf(view->out, ", tables of version %lld", (long long)res->version);
    if (res->journal.len > 0) {
        buf_adds(view->out, ", journal ");
        buf_add_safe(view->out, res->journal);
    }
    if (res->rights.len > 0) {
        buf_adds(view->out, "; you: ");
        buf_add_safe(view->out, res->rights);
    }
    buf_char(view->out, '\n');
    view_label(view, "size");
    bytes_write(res->size, view->out);
    print_size(view, res->log, " in its log");
    print_size(view, res->unused, " unused");
    print_size(view, res->space, " left on the disk");
    buf_char(view->out, '\n');
}

static void print_tables(const struct view *view, const struct ledger_doctor_result *res)
{
    const struct ledger_table_health *tables = res->tables.at;
    struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);
    const char *sep = "";

    for (size_t i = 0; i < res->tables.len; i++) {
        const struct ledger_table_health *t = &tables[i];

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
    buf_free(&text);
}

static void print_repairs(const struct view *view, const struct ledger_doctor_result *res)
{
    if (!res->mended)
        return;
    view_label(view, "repaired");
    buf_addf(view->out, "%lld imports, %lld bills and %lld stray rows removed%s\n",
             (long long)res->mended_imports, (long long)res->mended_bills,
             (long long)res->mended_rows,
             res->mended_sums ? "; all sums recomputed from the lines" : "");
}

static void print_finding(const struct view *view, const struct ledger_complaint *f)
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
    const struct ledger_complaint *findings = res->findings.at;

    print_head(view, res);
    print_tables(view, res);
    print_repairs(view, res);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->findings.len; i++)
        print_finding(view, &findings[i]);
    if (res->well)
        buf_adds(view->out, res->findings.len == 0 ? "no problems found\n" : "no errors\n");
}

const struct command cmd_ledger_doctor = {
    .name = "ledger doctor",
    .op = &op_ledger_doctor,
    .about =
        "Check every page and row of the ledger: a damaged file, bills whose lines, totals\n"
        "and daily sums differ in any digit, leftovers of interrupted imports and runs,\n"
        "stuck messages, budgets without recipients. Each finding is a line, with what to\n"
        "type. The exit status is 1 when something is wrong.\n"
        "\n"
        "It changes nothing without --mend, which removes leftovers and recomputes sums\n"
        "from the lines of the bills.",
    .examples = "stint ledger doctor\n"
                "stint ledger doctor --mend\n"
                "stint ledger doctor --ledger postgres://db.example.com/costs --json",
    .print = print_ledger_doctor,
};
