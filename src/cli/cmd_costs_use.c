/* stint costs gpus, spot, repeats */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"

/* ---- gpus ---- */

static void gpu_cells(struct table *t, const struct costs_gpus_row *row)
{
    view_count(t, row->runs);
    view_number(t, row->gpu_hours, 1);
    view_percent(t, row->busy);
    costs_usd_cell(t, row->cost);
    costs_usd_cell(t, row->idle);
}

static void print_gpus(const struct view *view, const void *result)
{
    const struct costs_gpus_result *res = result;
    const struct costs_gpus_row *rows = res->rows.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t names = costs_name_columns(res->by, columns, view->arena), count = names;
    struct buf *out = view->out;
    struct table t;

    columns[count++] = (struct table_column){.title = "runs", .right = true};
    columns[count++] = (struct table_column){.title = "GPU hours", .right = true};
    columns[count++] = (struct table_column){.title = "busy", .right = true};
    columns[count++] = (struct table_column){.title = "cost", .right = true};
    columns[count++] = (struct table_column){.title = "idle", .right = true};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        costs_name_cells(&t, res->by, rows[i].value, 0);
        gpu_cells(&t, &rows[i]);
    }
    costs_total_cells(&t, names);
    gpu_cells(&t, &res->total);
    table_style(&t, STYLE_BOLD);
    if (res->rows.len == 0) {
        buf_adds(out, "no run used a GPU\n");
    } else {
        table_write(&t, &view->term, out);
        buf_adds(out, "\nfrom runs, as they were metered; idle: what was paid for the time in "
                      "which GPUs did nothing\n");
        if (res->total.unknown_hours > 0) {
            buf_adds(out, "not in 'busy' and 'idle': ");
            num_write_fixed(res->total.unknown_hours, 1, out);
            buf_adds(out, " GPU hours whose use was not measured\n");
        }
        if (res->total.unpriced > 0)
            buf_addf(out, "not in 'cost' and 'idle': %lld run%s whose cost is not known\n",
                     (long long)res->total.unpriced, res->total.unpriced == 1 ? "" : "s");
    }
    if (res->without > 0)
        buf_addf(out, "not in it: %lld run%s without a GPU\n", (long long)res->without,
                 res->without == 1 ? "" : "s");
    day_write(res->basis.since, out);
    buf_adds(out, " to ");
    day_write(res->basis.until, out);
    buf_adds(out, " (UTC)\n");
    costs_print_csv(view, res->csv, res->rows.len);
}

const struct command cmd_costs_gpus = {
    .name = "costs gpus",
    .op = &op_costs_gpus,
    .about =
        "How busy GPUs were, by team or any dimension, from runs: hours, the share of the\n"
        "time in which they worked, and what was paid while they did not.",
    .examples = "stint costs gpus --since 90d\n"
                "stint costs gpus --by team,gpu --where 'gpu=H100*'",
    .print = print_gpus,
};

/* ---- spot ---- */

static void spot_cells(struct table *t, const struct costs_spot_row *row)
{
    costs_cell(t, &row->amount);
    costs_share_cell(t, row->spot);
    costs_share_cell(t, row->committed);
    costs_share_cell(t, row->on_demand);
    costs_share_cell(t, row->other);
    costs_known_cell(t, &row->saved);
    costs_known_cell(t, &row->saved_by_commitments);
}

static void print_unknown(const struct view *view, const char *by, const struct money *paid)
{
    if (paid->amount.coefficient == 0)
        return;
    buf_addf(view->out, "unknown is what %s saved on ", by);
    costs_write(paid, view->out);
    buf_adds(view->out, ", for which no bill has a list price\n");
}

static void print_spot(const struct view *view, const void *result)
{
    const struct costs_spot_result *res = result;
    const struct costs_spot_row *rows = res->rows.at, *totals = res->totals.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t names = costs_name_columns(res->by, columns, view->arena), count;
    struct table t;

    if (names == 0)
        columns[names++] = (struct table_column){.title = ""};
    count = names;
    columns[count++] = (struct table_column){.title = "machines", .right = true};
    columns[count++] = (struct table_column){.title = "spot", .right = true};
    columns[count++] = (struct table_column){.title = "committed", .right = true};
    columns[count++] = (struct table_column){.title = "on demand", .right = true};
    columns[count++] = (struct table_column){.title = "other", .right = true};
    columns[count++] = (struct table_column){.title = "spot saved", .right = true};
    columns[count++] = (struct table_column){.title = "committed saved", .right = true};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; res->by.len > 0 && i < res->rows.len; i++) {
        costs_name_cells(&t, res->by, rows[i].value, 0);
        spot_cells(&t, &rows[i]);
    }
    for (size_t i = 0; i < res->totals.len; i++) {
        costs_total_cells(&t, names);
        spot_cells(&t, &totals[i]);
        table_style(&t, STYLE_BOLD);
    }
    if (res->totals.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        table_write(&t, &view->term, view->out);
        buf_adds(view->out, "\nsaved: against the list prices of bills\n");
        for (size_t i = 0; i < res->totals.len; i++) {
            print_unknown(view, "spot", &totals[i].unknown);
            print_unknown(view, "commitments", &totals[i].unknown_committed);
        }
        costs_print_apart(view, "not in it: credits of ", &res->credits);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->rows.len);
}

const struct command cmd_costs_spot = {
    .name = "costs spot",
    .op = &op_costs_spot,
    .about = "How machines are paid: the share on spot, by commitments (reserved, savings\n"
             "plans, committed use) and on demand, and what the first two saved against list\n"
             "prices where bills say those.",
    .examples = "stint costs spot --since 90d\n"
                "stint costs spot --by team --month 2026-10",
    .print = print_spot,
};

/* ---- repeats ---- */

static void print_repeats(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "name", .shrink = true},
        {.title = "runs", .right = true},
        {.title = "again", .right = true},
        {.title = "again cost", .right = true},
        {.title = "first (UTC)", .optional = true},
        {.title = "newest (UTC)"},
        {.title = "id"},
        {.title = "command", .shrink = true},
    };
    const struct costs_repeats_result *res = result;
    const struct costs_repeat *rows = res->repeats.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    struct money repeated = money_from_usd(res->repeated);
    struct buf *out = view->out;

    for (size_t i = 0; i < res->repeats.len; i++) {
        struct buf first = buf_new(view->arena->alloc, 64);
        struct buf last = buf_new(view->arena->alloc, 64);

        table_text(&t, rows[i].name);
        view_count(&t, rows[i].runs);
        view_count(&t, rows[i].again);
        costs_usd_cell(&t, rows[i].repeated);
        runs_when(rows[i].first, false, &first);
        runs_cell(&t, &first);
        runs_when(rows[i].last, false, &last);
        runs_cell(&t, &last);
        table_text(&t, rows[i].last_id);
        table_text(&t, rows[i].command);
    }
    if (res->repeats.len == 0) {
        buf_adds(out, res->none_yet ? "nothing was run yet\n"
                                    : "no run repeated one that had ended well\n");
    } else {
        table_write(&t, &view->term, out);
        buf_addf(out, "\n%lld run%s of %lld configuration%s had been run well before: ",
                 (long long)res->again, res->again == 1 ? "" : "s",
                 (long long)res->configurations, res->configurations == 1 ? "" : "s");
        money_write_cents(&repeated, out);
        if (res->unpriced > 0)
            buf_addf(out, ", without %lld whose cost is not known", (long long)res->unpriced);
        buf_char(out, '\n');
    }
    costs_print_csv(view, res->csv, res->repeats.len);
}

const struct command cmd_costs_repeats = {
    .name = "costs repeats",
    .op = &op_costs_repeats,
    .about =
        "Runs of the same configuration - command, arguments, the files that they name and\n"
        "the commit - begun after one had ended well, and what that cost.",
    .examples = "stint costs repeats --since 90d",
    .print = print_repeats,
};
