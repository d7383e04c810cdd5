/* stint bills, stint bills remove */
#include "cli/bills_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/bill/bills.h"

#define CELL_MAX 128

void bills_write_money(const struct money *m, struct buf *out)
{
    if (m->currency[0] == '\0') {
        buf_char(out, '?');
        return;
    }
    costs_write_exact(m, out);
}

void bills_money(struct table *t, const struct money *m)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);

    bills_write_money(m, &text);
    runs_cell(t, &text);
}

void bills_format(struct table *t, struct str format, struct str version)
{
    if (version.len > 0)
        table_cell(t, "%.*s %.*s", STR_ARG(format), STR_ARG(version));
    else
        table_text(t, format.len > 0 ? format : STR("-"));
}

void bills_days(struct table *t, day first, day last)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);

    if (first.n != DAY_UNKNOWN.n) {
        day_write(first, &text);
        buf_adds(&text, " to ");
        day_write(last, &text);
    }
    runs_cell(t, &text);
}

static void print_bills(const struct view *view, const struct rows *rows)
{
    static const struct table_column columns[] = {
        {.title = "bill", .right = true},      {.title = "of"},
        {.title = "account", .shrink = true},  {.title = "period"},
        {.title = "lines", .right = true},     {.title = "billed", .right = true},
        {.title = "effective", .right = true}, {.title = "amounts", .optional = true},
        {.title = "format", .optional = true}, {.title = "imported (UTC)", .optional = true},
    };
    const struct bill_view *bills = rows->at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < rows->len; i++) {
        const struct bill_view *b = &bills[i];
        struct buf when = buf_new(view->arena->alloc, CELL_MAX);

        table_cell(&t, "%lld", (long long)b->key);
        table_text(&t, b->provider.len > 0 ? b->provider : STR("-"));
        table_text(&t, b->account.len > 0 ? b->account : STR("-"));
        table_text(&t, b->period);
        view_count(&t, b->lines);
        bills_money(&t, &b->billed);
        bills_money(&t, &b->effective);
        table_cell(&t, "%.*s%s", STR_ARG(b->amounts), b->paired ? ", paired" : "");
        bills_format(&t, b->format, b->version);
        runs_when(b->imported, false, &when);
        runs_cell(&t, &when);
    }
    table_write(&t, &view->term, view->out);
}

static void print(const struct view *view, const void *result)
{
    const struct bills_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no bill is in ");
        buf_add_safe(view->out, res->ledger);
        buf_adds(view->out, ": 'stint import FILE' reads one\n");
        return;
    }
    print_bills(view, &res->bills);
    buf_addf(view->out, "\n%lld bill%s, %lld charge%s\n", (long long)res->count,
             res->count == 1 ? "" : "s", (long long)res->lines, res->lines == 1 ? "" : "s");
}

const struct command cmd_bills = {
    .name = "bills",
    .op = &op_bills,
    .about =
        "The bills that 'stint import' read into the ledger, by their periods. One that is\n"
        "'paired' has another beside it, for the same account and period, with amortised\n"
        "amounts: what was billed is taken from one, the effective cost from the other.",
    .examples = "stint bills\n"
                "stint bills AWS --json",
    .print = print,
};

static void print_removed(const struct view *view, const void *result)
{
    const struct bills_remove_result *res = result;

    print_bills(view, &res->removed);
    buf_adds(view->out, res->removed.len == 1 ? "\nit is gone\n" : "\nthey are gone\n");
}

const struct command cmd_bills_remove = {
    .name = "bills remove",
    .op = &op_bills_remove,
    .about =
        "Take a bill out of the ledger, with all its charges. It is named by its number, or\n"
        "by provider, account and period, as 'stint bills' shows them.",
    .examples = "stint bills remove 7 --force\n"
                "stint bills remove AWS/111122223333/2026-05 --force",
    .print = print_removed,
};
