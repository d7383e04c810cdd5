/* stint reconcile */
#include <math.h>

#include "base/decimal.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"
#include "cli/view.h"
#include "op/account/reconcile.h"

static void share_cell(struct table *t, struct str part, struct str whole)
{
    struct decimal a, b;

    if (decimal_parse(part, &a) && decimal_parse(whole, &b) && b.coefficient != 0)
        view_percent(t, decimal_double(a) / decimal_double(b));
    else
        table_cell(t, "-");
}

static void print_sums(const struct view *view, const struct reconcile_result *res)
{
    static const struct table_column columns[] = {
        {.title = "what the bills were for"},
        {.title = "amount", .right = true},
        {.title = "share", .right = true},
    };
    const struct reconcile_sums *sums = res->sums.at;

    for (size_t i = 0; i < res->sums.len; i++) {
        struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
        const struct {
            const char *what;
            struct str amount;
        } lines[] = {{"runs", sums[i].matched},
                     {"idle: machines that runs were on, while none ran", sums[i].idle},
                     {"untracked: machines that no run was on", sums[i].untracked},
                     {"no machine: storage, network, tax, credits, ...", sums[i].other},
                     {"billed, in all", sums[i].billed}};

        for (size_t k = 0; k < ARRAY_LEN(lines); k++) {
            table_cell(&t, "%s", lines[k].what);
            costs_exact_cell(&t, lines[k].amount, sums[i].currency);
            share_cell(&t, lines[k].amount, sums[i].billed);
        }
        table_write(&t, &view->term, view->out);
        buf_char(view->out, '\n');
    }
}

static void print_runs(const struct view *view, const struct reconcile_result *res)
{
    static const struct table_column columns[] = {
        {.title = "run"},
        {.title = "name", .shrink = true},
        {.title = "started (UTC)", .optional = true},
        {.title = "estimated", .right = true},
        {.title = "metered", .right = true},
        {.title = "billed", .right = true},
        {.title = "off by", .right = true},
        {.title = "known by", .optional = true},
        {.title = "machine", .optional = true, .shrink = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct reconcile_run_row *runs = res->runs.at;

    if (res->runs.len == 0)
        return;
    for (size_t i = 0; i < res->runs.len; i++) {
        const struct reconcile_run_row *r = &runs[i];
        struct buf when = buf_new(view->arena->alloc, 64);
        struct str short_id = {r->id.at + (r->id.len > 8 ? r->id.len - 8 : 0),
                               r->id.len > 8 ? 8 : r->id.len};

        table_text(&t, short_id);
        table_text(&t, r->name);
        runs_when(r->started, false, &when);
        runs_cell(&t, &when);
        costs_usd_cell(&t, r->estimated);
        costs_usd_cell(&t, r->metered);
        costs_exact_cell(&t, r->billed, r->currency);
        if (isnan(r->off))
            table_cell(&t, "-");
        else
            table_cell(&t, "%+.1f%%", 100 * r->off);
        table_text(&t, r->how.len > 0 ? r->how : STR("no line found"));
        if (r->machines > 1)
            table_cell(&t, "%.*s and %lld more", STR_ARG(r->machine),
                       (long long)r->machines - 1);
        else
            table_text(&t, r->machine.len > 0 ? r->machine : STR("-"));
        if (r->how.len == 0)
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print_machines(const struct view *view, const struct reconcile_result *res)
{
    static const struct table_column columns[] = {
        {.title = "machine", .shrink = true},
        {.title = "type"},
        {.title = "region", .optional = true},
        {.title = "billed", .right = true},
        {.title = "of runs", .right = true},
        {.title = "the rest", .right = true},
        {.title = "hours", .right = true, .optional = true},
        {.title = "run hours", .right = true, .optional = true},
        {.title = "the rest is"},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct reconcile_resource *rows = res->resources.at;

    if (res->resources.len == 0)
        return;
    for (size_t i = 0; i < res->resources.len; i++) {
        const struct reconcile_resource *m = &rows[i];

        table_text(&t, m->name.len > 0 ? m->name : m->resource);
        table_text(&t, m->instance.len > 0 ? m->instance : STR("?"));
        table_text(&t, m->region.len > 0 ? m->region : STR("?"));
        costs_exact_cell(&t, m->billed, m->currency);
        costs_exact_cell(&t, m->matched, m->currency);
        costs_exact_cell(&t, m->rest, m->currency);
        view_number(&t, m->hours, 1);
        view_number(&t, m->run_hours, 1);
        if (str_eq(m->rest, STR("0")))
            table_cell(&t, "-");
        else
            table_cell(&t, "%s", m->runs > 0 ? "idle" : "untracked");
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print(const struct view *view, const void *result)
{
    const struct reconcile_result *res = result;
    struct buf *out = view->out;

    if (res->no_bills)
        buf_adds(out,
                 "no bill of that time is in the ledger: 'stint import FILE' reads one\n\n");
    else
        print_sums(view, res);
    print_runs(view, res);
    print_machines(view, res);
    buf_addf(out, "%lld of %lld run%s found in the bills; metered ",
             (long long)res->matched_runs, (long long)res->run_count,
             res->run_count == 1 ? "" : "s");
    costs_write_usd(res->metered, out);
    buf_adds(out, ", of which no line was found for ");
    costs_write_usd(res->estimated_only, out);
    if (res->unpriced > 0)
        buf_addf(out, "; %lld attempt%s without a price", (long long)res->unpriced,
                 res->unpriced == 1 ? "" : "s");
    buf_char(out, '\n');
    if (!res->no_bills) {
        buf_adds(out, "lines of bills that start on ");
        day_write(res->first, out);
        buf_adds(out, " to ");
        day_write(res->last, out);
        buf_adds(out, "; amounts are effective cost; --json has every day\n");
    }
}

const struct command cmd_reconcile = {
    .name = "reconcile",
    .op = &op_reconcile,
    .about =
        "Lays the runs onto the machines of the bills: by the machine's id, by a tag that\n"
        "names the run, or by type, place and time. Shows what of the bill runs used,\n"
        "what was idle, what no run was on, and what was metered but is in no bill;\n"
        "for each run what was estimated, metered and billed.",
    .examples = "stint reconcile --month 2026-10\nstint reconcile --since 30d --limit 0\n"
                "stint reconcile --json",
    .print = print,
};
