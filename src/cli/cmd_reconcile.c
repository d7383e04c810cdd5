/* stint reconcile */
#include <math.h>

#include "base/decimal.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"
#include "cli/view.h"
#include "op/account/reconcile.h"

static void amount_cell(struct table *t, struct decimal amount, const char currency[static 4])
{
    struct money m = costs_money(amount, currency);

    costs_cell(t, &m);
}

static void share_cell(struct table *t, struct decimal part, struct decimal whole)
{
    if (whole.coefficient != 0)
        view_percent(t, decimal_double(part) / decimal_double(whole));
    else
        table_cell(t, "-");
}

static void print_sums(const struct view *view, const struct reconciliation *res)
{
    static const struct table_column columns[] = {
        {.title = "billed for"},
        {.title = "amount", .right = true},
        {.title = "share", .right = true},
    };
    const struct reconcile_sums *sums = res->sums.at;

    for (size_t i = 0; i < res->sums.len; i++) {
        struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
        const struct {
            const char *what;
            struct decimal amount;
        } lines[] = {{"runs", sums[i].matched},
                     {"idle: machines that runs were on, while none ran", sums[i].idle},
                     {"untracked: machines that no run was on", sums[i].untracked},
                     {"other: storage, network, tax, credits, ...", sums[i].other},
                     {"total billed", sums[i].billed}};

        for (size_t k = 0; k < ARRAY_LEN(lines); k++) {
            table_cell(&t, "%s", lines[k].what);
            amount_cell(&t, lines[k].amount, sums[i].currency);
            share_cell(&t, lines[k].amount, sums[i].billed);
        }
        table_write(&t, &view->term, view->out);
        buf_char(view->out, '\n');
    }
}

static void time_cell(struct table *t, const struct view *view, stamp at)
{
    struct buf written = buf_new(view->arena->alloc, 64),
               text = buf_new(view->arena->alloc, 64);

    stamp_write(at, &written);
    runs_when(buf_text(&written), false, &text);
    buf_free(&written);
    runs_cell(t, &text);
}

static void print_runs(const struct view *view, const struct reconciliation *res)
{
    static const struct table_column columns[] = {
        {.title = "run"},
        {.title = "name", .shrink = true},
        {.title = "started (UTC)", .optional = true},
        {.title = "estimated", .right = true},
        {.title = "metered", .right = true},
        {.title = "billed", .right = true},
        {.title = "difference", .right = true},
        {.title = "matched by", .optional = true},
        {.title = "machine", .optional = true, .shrink = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct reconcile_run *runs = res->runs.at;

    if (res->runs.len == 0)
        return;
    for (size_t i = 0; i < res->runs.len; i++) {
        const struct reconcile_run *r = &runs[i];
        struct str short_id = {r->id.at + (r->id.len > 8 ? r->id.len - 8 : 0),
                               r->id.len > 8 ? 8 : r->id.len};

        table_text(&t, short_id);
        table_text(&t, r->name);
        time_cell(&t, view, r->started);
        costs_usd_cell(&t, r->estimated);
        costs_usd_cell(&t, r->metered);
        amount_cell(&t, r->billed, r->currency);
        if (isnan(r->off))
            table_cell(&t, "-");
        else
            table_cell(&t, "%+.1f%%", 100 * r->off);
        table_cell(&t, "%s",
                   r->how != RECONCILE_NOT ? reconcile_how_names[r->how] : "no line found");
        if (r->machines > 1)
            table_cell(&t, "%.*s and %lld more", STR_ARG(r->machine),
                       (long long)r->machines - 1);
        else
            table_text(&t, r->machine.len > 0 ? r->machine : STR("-"));
        if (r->how == RECONCILE_NOT)
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print_machines(const struct view *view, const struct reconciliation *res)
{
    static const struct table_column columns[] = {
        {.title = "machine", .shrink = true},
        {.title = "type"},
        {.title = "region", .optional = true},
        {.title = "billed", .right = true},
        {.title = "used by runs", .right = true},
        {.title = "remainder", .right = true},
        {.title = "hours", .right = true, .optional = true},
        {.title = "run hours", .right = true, .optional = true},
        {.title = "remainder is"},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct reconcile_resource *rows = res->resources.at;

    if (res->resources.len == 0)
        return;
    for (size_t i = 0; i < res->resources.len; i++) {
        const struct reconcile_resource *m = &rows[i];

        table_text(&t, m->machine.name.len > 0 ? m->machine.name : m->machine.resource);
        table_text(&t, m->machine.instance.len > 0 ? m->machine.instance : STR("?"));
        table_text(&t, m->machine.region.len > 0 ? m->machine.region : STR("?"));
        amount_cell(&t, m->billed, m->currency);
        amount_cell(&t, m->matched, m->currency);
        amount_cell(&t, m->rest, m->currency);
        view_number(&t, m->hours, 1);
        view_number(&t, m->run_hours, 1);
        if (m->rest.coefficient == 0)
            table_cell(&t, "-");
        else
            table_cell(&t, "%s", m->runs > 0 ? "idle" : "untracked");
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void reconcile_print(const struct view *view, const void *result)
{
    const struct reconciliation *res = result;
    struct buf *out = view->out;

    if (res->no_bills)
        buf_adds(out, "the ledger has no bill for this time; 'stint import FILE' adds one\n\n");
    else
        print_sums(view, res);
    print_runs(view, res);
    print_machines(view, res);
    buf_addf(out, "%lld of %lld run%s found in the bills; metered ",
             (long long)res->matched_runs, (long long)res->run_count,
             res->run_count == 1 ? "" : "s");
    costs_write_usd(res->metered, out);
    buf_adds(out, ", of it not found in a bill: ");
    costs_write_usd(res->estimated_only, out);
    if (res->unpriced > 0)
        buf_addf(out, "; %lld attempt%s without a price", (long long)res->unpriced,
                 res->unpriced == 1 ? "" : "s");
    buf_char(out, '\n');
    if (!res->no_bills) {
        buf_adds(out, "bill lines from ");
        day_write(res->first, out);
        buf_adds(out, " to ");
        day_write(res->last, out);
        buf_adds(out, "; amounts are effective cost; --json shows every day\n");
    }
}

const struct command cmd_reconcile = {
    .name = "reconcile",
    .op = &op_reconcile,
    .about = "Matches runs with the machines of the bills: by machine id, by a tag that names\n"
             "the run, or by type, place and time. Shows how much of the bill runs used, how\n"
             "much was idle, what no run was on, and what was metered but is in no bill; and\n"
             "for each run its estimated, metered and billed cost.",
    .examples = "stint reconcile --month 2026-10\nstint reconcile --since 30d --limit 0\n"
                "stint reconcile --json",
    .print = reconcile_print,
};
