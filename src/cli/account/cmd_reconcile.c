/* stint reconcile */
#include <math.h>

#include "base/decimal.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/view.h"
#include "op/account/reconcile.h"
#include "op/op.h"

/* ---- what bills are for ---- */

struct reconcile_line {
    struct str what;
    struct money amount;
    double share; /* NaN: of nothing */
};

static const struct field line_list[] = {
    FIELD(TEXT, reconcile_line, what, .help = ""),
    FIELD(MONEY, reconcile_line, amount, .help = ""),
    FIELD(SHARE, reconcile_line, share, .help = ""),
};

static const struct field_set line_set = FIELD_SET(struct reconcile_line, line_list);

static struct reconcile_line make_reconcile_line(const char *what, struct decimal amount,
                                                 const struct reconcile_sums *sums)
{
    return (struct reconcile_line){.what = str_from(what),
                                   .amount = costs_money(amount, sums->currency),
                                   .share = sums->billed.coefficient != 0
                                                ? decimal_double(amount) /
                                                      decimal_double(sums->billed)
                                                : NAN};
}

static void print_reconcile_sums(const struct view *view, const struct reconciliation *res)
{
    static const struct column columns[] = {
        COLUMN("billed for", what),
        COLUMN("amount", amount),
        COLUMN("share", share),
    };
    const struct reconcile_sums *sums = res->sums.at;

    for (size_t i = 0; i < res->sums.len; i++) {
        const struct reconcile_sums *s = &sums[i];
        const struct reconcile_line lines[] = {
            make_reconcile_line("runs", s->matched, s),
            make_reconcile_line("idle: machines that runs were on, while none ran", s->idle, s),
            make_reconcile_line("untracked: machines that no run was on", s->untracked, s),
            make_reconcile_line("other: storage, network, tax, credits, ...", s->other, s),
            make_reconcile_line("total billed", s->billed, s)};
        const struct table_rows rows = {&line_set, lines, ARRAY_LEN(lines)};

        columns_print(COLUMNS(columns), &rows, &view->term, view->arena, view->out);
        buf_char(view->out, '\n');
    }
}

/* ---- runs ---- */

static bool write_run_id(const struct column *column, const void *row, struct buf *out)
{
    struct str id = ((const struct reconcile_run *)row)->id;
    size_t shown = id.len > 8 ? 8 : id.len;

    (void)column;
    buf_add(out, (struct str){id.at + (id.len - shown), shown});
    return true;
}

static bool write_run_how(const struct column *column, const void *row, struct buf *out)
{
    const struct reconcile_run *r = row;

    (void)column;
    buf_adds(out, r->how != RECONCILE_NOT          ? reconcile_how_names[r->how]
                  : r->reason != RECONCILE_WHY_NOT ? reconcile_why_names[r->reason]
                                                   : "no line found");
    return true;
}

static bool write_run_machine(const struct column *column, const void *row, struct buf *out)
{
    const struct reconcile_run *r = row;

    (void)column;
    buf_add(out, r->machine);
    if (r->machines > 1)
        buf_addf(out, " and %lld more", (long long)r->machines - 1);
    return true;
}

static enum term_style style_of_reconcile_run(const void *row)
{
    return ((const struct reconcile_run *)row)->how == RECONCILE_NOT ? STYLE_WARN : STYLE_PLAIN;
}

static void print_reconcile_runs(const struct view *view, const struct reconciliation *res)
{
    static const struct column columns[] = {
        COLUMN_CELL("run", write_run_id),
        COLUMN("name", name, .shrink = true, .unknown = ""),
        COLUMN("started (UTC)", started, .optional = true),
        COLUMN("estimated", estimated, .form = COLUMN_CENTS),
        COLUMN("metered", metered, .form = COLUMN_CENTS),
        COLUMN("billed", billed, .currency = "currency"),
        COLUMN("difference", difference, .form = COLUMN_CHANGE),
        COLUMN_CELL("matched by", write_run_how, .optional = true),
        COLUMN_CELL("machine", write_run_machine, .optional = true, .shrink = true),
    };

    if (res->runs.len == 0)
        return;
    view_rows(view, &op_reconcile, res, "runs",
              COLUMNS(columns, .style = style_of_reconcile_run));
    buf_char(view->out, '\n');
}

/* ---- machines ---- */

static bool write_remainder(const struct column *column, const void *row, struct buf *out)
{
    const struct reconcile_resource *m = row;

    (void)column;
    if (m->rest.coefficient != 0)
        buf_adds(out, m->runs > 0 ? "idle" : "untracked");
    return true;
}

static void print_machines(const struct view *view, const struct reconciliation *res)
{
    static const struct column columns[] = {
        COLUMN("machine", name, .otherwise = "resource", .shrink = true, .unknown = ""),
        COLUMN("type", instance, .unknown = "?"),
        COLUMN("region", region, .unknown = "?", .optional = true),
        COLUMN("billed", billed, .currency = "currency"),
        COLUMN("used by runs", matched, .currency = "currency"),
        COLUMN("remainder", rest, .currency = "currency"),
        COLUMN("hours", hours, .decimals = 1, .optional = true),
        COLUMN("run hours", run_hours, .decimals = 1, .optional = true),
        COLUMN_CELL("remainder is", write_remainder),
    };

    if (res->resources.len == 0)
        return;
    view_rows(view, &op_reconcile, res, "resources", COLUMNS(columns));
    buf_char(view->out, '\n');
}

static void reconcile_print(const struct view *view, const void *result)
{
    const struct reconciliation *res = result;
    struct money metered = money_from_usd(res->metered);
    struct money unmatched = money_from_usd(res->estimated_only);
    struct buf *out = view->out;

    if (res->no_bills)
        buf_adds(out, "the ledger has no bill for this time; 'stint import FILE' adds one\n\n");
    else
        print_reconcile_sums(view, res);
    print_reconcile_runs(view, res);
    print_machines(view, res);
    buf_addf(out, "%lld of %lld run%s found in the bills; metered ",
             (long long)res->matched_runs, (long long)res->run_count,
             res->run_count == 1 ? "" : "s");
    money_write_cents(&metered, out);
    buf_adds(out, ", of it not found in a bill: ");
    money_write_cents(&unmatched, out);
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
    .group = {"compare runs with the bills that charge for them", .stage = CLI_AFTER},
    .about = "Matches runs with the machines of the bills: by machine id, by a tag that names "
             "the run, or by type, place and time. Shows how much of the bill runs used, how "
             "much was idle, what no run used, and what was metered but not billed; and for "
             "each run its estimated, metered and billed cost.",
    .examples = "stint reconcile --month 2026-10\nstint reconcile --since 30d --limit 0\n"
                "stint reconcile --json",
    .print = reconcile_print,
};
