/* stint costs */
#include <math.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/costs_view.h"

#define PERIODS_MOST 14 /* side by side; more stand below each other */

/* The periods of all rows, oldest first. */
struct periods {
    struct str name[PERIODS_MOST];
    day from[PERIODS_MOST];
    size_t count;
    bool too_many;
};

static void add_period(struct periods *p, const struct costs_row *row)
{
    size_t at = 0;

    while (at < p->count && p->from[at].n < row->from.n)
        at++;
    if (at < p->count && p->from[at].n == row->from.n)
        return;
    if (p->count == PERIODS_MOST) {
        p->too_many = true;
        return;
    }
    memmove(&p->name[at + 1], &p->name[at], (p->count - at) * sizeof p->name[0]);
    memmove(&p->from[at + 1], &p->from[at], (p->count - at) * sizeof p->from[0]);
    p->name[at] = row->period;
    p->from[at] = row->from;
    p->count++;
}

static struct periods periods_of(const struct costs_result *res)
{
    const struct costs_row *rows = res->rows.at;
    struct periods p = {.count = 0};

    for (size_t i = 0; i < res->rows.len; i++)
        if (rows[i].period.len > 0)
            add_period(&p, &rows[i]);
    return p;
}

/* Only when there is something to say. */
static void metered_cell(struct table *t, const struct money *metered)
{
    if (metered->amount.coefficient != 0)
        costs_cell(t, metered);
    else
        table_cell(t, "%s", "");
}

static bool any_metered(const struct costs_result *res)
{
    const struct costs_total *totals = res->totals.at;

    for (size_t i = 0; i < res->totals.len; i++)
        if (totals[i].metered.amount.coefficient != 0)
            return true;
    return false;
}

/* ---- periods below each other, or none ---- */

static void print_list(const struct view *view, const struct costs_result *res)
{
    const struct costs_row *rows = res->rows.at;
    const struct costs_total *totals = res->totals.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t names = 0, count;
    struct table t;

    if (res->grain.len > 0) {
        struct error ignored = {0};
        const char *title = str_dup(res->grain, view->arena, &ignored);

        columns[names++] = (struct table_column){.title = title != NULL ? title : "?"};
    }
    count = names += costs_name_columns(res->by, columns + names, view->arena);
    columns[count++] = (struct table_column){.title = "cost", .right = true};
    columns[count++] = (struct table_column){.title = "share", .right = true, .optional = true};
    columns[count++] = (struct table_column){
        .title = "not billed yet", .right = true, .hidden = !any_metered(res)};
    columns[count++] =
        (struct table_column){.title = "before", .right = true, .hidden = !res->compared};
    columns[count++] =
        (struct table_column){.title = "change", .right = true, .hidden = !res->compared};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        if (res->grain.len > 0)
            costs_name_cell(&t, rows[i].period);
        costs_name_cells(&t, res->by, rows[i].value, rows[i].others);
        costs_cell(&t, &rows[i].amount);
        costs_share_cell(&t, rows[i].share);
        metered_cell(&t, &rows[i].metered);
        costs_compared_cells(&t, &rows[i].before, &rows[i].change);
    }
    for (size_t i = 0; i < res->totals.len; i++) {
        costs_total_cells(&t, names);
        costs_cell(&t, &totals[i].amount);
        table_cell(&t, "%s", "");
        metered_cell(&t, &totals[i].metered);
        costs_compared_cells(&t, &totals[i].before, &totals[i].change);
        table_style(&t, STYLE_BOLD);
    }
    table_write(&t, &view->term, view->out);
}

/* ---- periods side by side ---- */

/* The sum of rows; what does not fit was refused when the total was made. */
static void add_to(struct money *sum, const struct money *m)
{
    struct error ignored = {0};

    memcpy(sum->currency, m->currency, sizeof sum->currency);
    (void)!costs_plus(&sum->amount, m->amount, &ignored);
}

static void cell_or_blank(struct table *t, const struct money *m)
{
    if (m->currency[0] == '\0')
        table_cell(t, "%s", "");
    else
        costs_cell(t, m);
}

/* Rows from `at` on that belong to one group: a row of the table. The first after them. */
static size_t group_row(struct table *t, const struct costs_result *res,
                        const struct periods *p, size_t at)
{
    const struct costs_row *rows = res->rows.at, *first = &rows[at];
    struct money sum = {.currency = ""};
    double share = 0;

    costs_name_cells(t, res->by, first->value, first->others);
    for (size_t k = 0; k < p->count; k++) {
        struct money cell = {.currency = ""};

        for (size_t i = at; i < res->rows.len && rows[i].group == first->group; i++)
            if (rows[i].from.n == p->from[k].n)
                cell = rows[i].amount;
        cell_or_blank(t, &cell);
    }
    for (; at < res->rows.len && rows[at].group == first->group; at++) {
        add_to(&sum, &rows[at].amount);
        share += isnan(rows[at].share) ? 0 : rows[at].share;
    }
    costs_cell(t, &sum);
    costs_share_cell(t, share);
    costs_compared_cells(t, &first->before, &first->change);
    return at;
}

static void pivot_total(struct table *t, const struct costs_result *res,
                        const struct periods *p, const struct costs_total *total)
{
    const struct costs_row *rows = res->rows.at;

    costs_total_cells(t, res->by.len);
    for (size_t k = 0; k < p->count; k++) {
        struct money sum = {.currency = ""};

        for (size_t i = 0; i < res->rows.len; i++)
            if (rows[i].from.n == p->from[k].n && str_eq(rows[i].currency, total->currency))
                add_to(&sum, &rows[i].amount);
        cell_or_blank(t, &sum);
    }
    costs_cell(t, &total->amount);
    table_cell(t, "%s", "");
    costs_compared_cells(t, &total->before, &total->change);
    table_style(t, STYLE_BOLD);
}

static void print_pivot(const struct view *view, const struct costs_result *res,
                        const struct periods *p)
{
    const struct costs_total *totals = res->totals.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t count = costs_name_columns(res->by, columns, view->arena);
    struct error ignored = {0};
    struct table t;

    for (size_t i = 0; i < p->count; i++) {
        const char *title = str_dup(p->name[i], view->arena, &ignored);

        columns[count++] =
            (struct table_column){.title = title != NULL ? title : "?", .right = true};
    }
    columns[count++] = (struct table_column){.title = "cost", .right = true};
    columns[count++] = (struct table_column){.title = "share", .right = true, .optional = true};
    columns[count++] =
        (struct table_column){.title = "before", .right = true, .hidden = !res->compared};
    columns[count++] =
        (struct table_column){.title = "change", .right = true, .hidden = !res->compared};
    t = table_new(columns, count, view->arena);
    for (size_t at = 0; at < res->rows.len;)
        at = group_row(&t, res, p, at);
    for (size_t i = 0; i < res->totals.len; i++)
        pivot_total(&t, res, p, &totals[i]);
    table_write(&t, &view->term, view->out);
}

/* ---- below ---- */

/* "exactly: 12.340000001 USD, of which 1.2 USD of runs that no bill covers". */
static void print_totals(const struct view *view, const struct costs_result *res)
{
    const struct costs_total *totals = res->totals.at;
    struct buf *out = view->out;

    buf_char(out, '\n');
    for (size_t i = 0; i < res->totals.len; i++) {
        buf_adds(out, "exactly: ");
        costs_write_exact(&totals[i].amount, out);
        if (totals[i].metered.amount.coefficient != 0) {
            buf_adds(out, ", of which ");
            costs_write_exact(&totals[i].metered, out);
            buf_adds(out, " of runs that no bill covers");
        }
        buf_char(out, '\n');
    }
    if (res->totals.len > 1)
        buf_adds(out, "currencies are not added up: --currency CODE converts them\n");
    if (res->compared)
        costs_print_compared(view, &res->before);
}

static void print_costs(const struct view *view, const void *result)
{
    const struct costs_result *res = result;
    struct periods p = periods_of(res);

    if (res->rows.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        if (res->by.len > 0 && p.count > 0 && !p.too_many)
            print_pivot(view, res, &p);
        else
            print_list(view, res);
        print_totals(view, res);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->rows.len);
}

const struct command cmd_costs_storage = {
    .name = "costs storage",
    .op = &op_costs_storage,
    .about = "What storage cost, by tier, from bills.",
    .examples = "stint costs storage --month 2026-10\n"
                "stint costs storage --by tier,month --since 180d",
    .print = print_costs,
};

const struct command cmd_costs = {
    .name = "costs",
    .op = &op_costs,
    .about =
        "Where the money went: bills, and runs that no bill covers yet, never both for\n"
        "the same day of a provider. --by takes dimensions (provider, service, category,\n"
        "account, sub_account, region, charge, pricing, instance, gpu, tier, team,\n"
        "project, environment, experiment, cost_centre, model, phase, owner) and a length\n"
        "of time (day, week, month, quarter, year), which then stands side by side.\n"
        "Amounts are shown to the cent; JSON and CSV have all their digits.",
    .examples = "stint costs --by team,service --since 90d\n"
                "stint costs --by team,month --since 2026-06-01 --where gpu=H100\n"
                "stint costs --by service --month 2026-10 --sort change --limit 10\n"
                "stint costs --by project --currency EUR --csv projects.csv",
    .print = print_costs,
};
