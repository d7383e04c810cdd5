/* stint costs, and costs storage, trend, movers, gpus, spot, repeats */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/op.h"
#include "unit/shown.h"

/* ---- costs ---- */

#define PERIODS_MOST 14 /* side by side; more are listed below each other */

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
    const struct costs_row *rows = res->costs.rows.at;
    struct periods p = {.count = 0};

    for (size_t i = 0; i < res->costs.rows.len; i++)
        if (rows[i].period.len > 0)
            add_period(&p, &rows[i]);
    return p;
}

/* Periods below each other, or none. */
static void print_costs_list(const struct view *view, const struct costs_result *res)
{
    const struct column amounts[] = {
        COLUMN("cost", amount),
        COLUMN("share", share, .optional = true),
        COLUMN("not billed yet", metered, .if_any = true, .zero_unknown = true, .unknown = ""),
        COLUMN("before", before, .unknown = "?", .hidden = !res->costs.compared),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?",
               .hidden = !res->costs.compared),
    };
    struct columns columns = columns_by(res->by, "others", COLUMNS(amounts), view->arena);
    const struct costs_total *totals = res->costs.totals.at;
    struct column all[COSTS_BY_MAX + ARRAY_LEN(amounts) + 1];
    struct column_table t;

    if (res->grain.len > 0) {
        all[0] = (struct column)COLUMN(res->grain.at, period, .unknown = "(none)");
        memcpy(all + 1, columns.at, columns.len * sizeof *all);
        columns = (struct columns){.at = all, .len = columns.len + 1};
    }
    t = columns_new(&columns, res->costs.rows.row, view->arena);
    columns_add(&t, &res->costs.rows);
    for (size_t i = 0; i < res->costs.totals.len; i++)
        columns_total(&t, "total", &costs_total_fields, &totals[i]);
    columns_write(&t, &view->term, view->out);
}

/* A group with its periods side by side, or the total of a currency. */
struct pivot_row {
    const struct costs_row *group;   /* its first row; NULL: a total */
    struct money cell[PERIODS_MOST]; /* unknown: nothing */
    struct money sum, before, change;
    double share;
};

static const struct field pivot_fields[] = {
    FIELD(MONEY, pivot_row, sum, .help = ""),
    FIELD(MONEY, pivot_row, before, .help = ""),
    FIELD(MONEY, pivot_row, change, .help = ""),
    FIELD(SHARE, pivot_row, share, .help = ""),
};

static const struct field_set pivot_set = FIELD_SET(struct pivot_row, pivot_fields);

/* The sum of rows; what does not fit was refused when the total was made. */
static void add_to_money_sum(struct money *sum, const struct money *m)
{
    struct error ignored = {0};

    sum->currency = m->currency;
    (void)!costs_plus(&sum->amount, m->amount, &ignored);
}

static void add_to_period(struct pivot_row *to, const struct periods *p,
                          const struct costs_row *row)
{
    for (size_t k = 0; k < p->count; k++)
        if (row->from.n == p->from[k].n)
            add_to_money_sum(&to->cell[k], &row->amount);
}

/* Groups follow each other; totals come last. */
static size_t make_pivot(const struct costs_result *res, const struct periods *p,
                         struct pivot_row *out)
{
    const struct costs_row *rows = res->costs.rows.at;
    const struct costs_total *totals = res->costs.totals.at;
    size_t n = 0;

    for (size_t i = 0; i < res->costs.rows.len; i++) {
        const struct costs_row *row = &rows[i];

        if (i == 0 || row->group != rows[i - 1].group)
            out[n++] =
                (struct pivot_row){.group = row, .before = row->before, .change = row->change};
        add_to_period(&out[n - 1], p, row);
        add_to_money_sum(&out[n - 1].sum, &row->amount);
        out[n - 1].share += isnan(row->share) ? 0 : row->share;
    }
    for (size_t i = 0; i < res->costs.totals.len; i++, n++) {
        out[n] = (struct pivot_row){
            .sum = totals[i].amount, .before = totals[i].before, .change = totals[i].change};
        for (size_t k = 0; k < res->costs.rows.len; k++)
            if (currency_is(rows[k].amount.currency, totals[i].amount.currency))
                add_to_period(&out[n], p, &rows[k]);
    }
    return n;
}

static bool write_pivot_name(const struct column *column, const void *row, struct buf *out)
{
    const struct pivot_row *r = row;
    struct str value;

    if (r->group == NULL) {
        buf_adds(out, column->index == 0 ? "total" : " ");
        return true;
    }
    value = r->group->value[column->index];
    if (r->group->others > 0 && column->index == 0)
        value_others(r->group->others, out);
    else if (r->group->others > 0)
        buf_char(out, ' ');
    else
        buf_add(out, value.len > 0 ? value : STR("(none)"));
    return true;
}

static bool write_pivot_cell(const struct column *column, const void *row, struct buf *out)
{
    const struct money *m = &((const struct pivot_row *)row)->cell[column->index];

    if (!currency_unset(m->currency))
        money_write_cents(m, out);
    return true;
}

static bool write_pivot_share(const struct column *column, const void *row, struct buf *out)
{
    const struct pivot_row *r = row;

    (void)column;
    if (r->group == NULL)
        buf_char(out, ' ');
    return r->group == NULL;
}

static enum term_style pivot_style(const void *row)
{
    return ((const struct pivot_row *)row)->group == NULL ? STYLE_BOLD : STYLE_PLAIN;
}

static void print_pivot(const struct view *view, const struct costs_result *res,
                        const struct periods *p)
{
    const struct column sums[] = {
        COLUMN("cost", sum),
        COLUMN("share", share, .optional = true, .cell = write_pivot_share),
        COLUMN("before", before, .unknown = "?", .hidden = !res->costs.compared),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?",
               .hidden = !res->costs.compared),
    };
    struct column all[COSTS_BY_MAX + PERIODS_MOST + ARRAY_LEN(sums)];
    struct columns columns = {.at = all, .style = pivot_style};
    struct error ignored = {0};
    struct pivot_row *rows = arena_array(view->arena, struct pivot_row,
                                         res->costs.rows.len + res->costs.totals.len, &ignored);
    struct table_rows made = {.row = &pivot_set, .at = rows};

    if (rows == NULL) {
        view->out->failed = ERROR_MEMORY;
        return;
    }
    for (size_t i = 0; i < res->by.len; i++)
        all[columns.len++] = (struct column){.title = res->by.at[i].at,
                                             .cell = write_pivot_name,
                                             .index = (int)i,
                                             .shrink = true};
    for (size_t i = 0; i < p->count; i++)
        all[columns.len++] = (struct column){.title = p->name[i].at,
                                             .cell = write_pivot_cell,
                                             .index = (int)i,
                                             .side = COLUMN_RIGHT,
                                             .unknown = ""};
    memcpy(all + columns.len, sums, sizeof sums);
    columns.len += ARRAY_LEN(sums);
    made.len = make_pivot(res, p, rows);
    columns_print(&columns, &made, &view->term, view->arena, view->out);
}

/* "before: 2026-09-17 to 2026-10-13", and why days are left out. */
static void print_compared(const struct view *view, const struct costs_compared *before)
{
    struct buf *out = view->out;

    buf_adds(out, "before: ");
    day_write(before->since, out);
    buf_adds(out, " to ");
    day_write(before->until, out);
    if (before->lacking)
        buf_adds(out, "; nothing is compared, since no bill covers these days yet");
    else if (!before->known)
        buf_adds(out, ": nothing is recorded, so there is nothing to compare with");
    buf_char(out, '\n');
    if (before->left_out_since.n == DAY_UNKNOWN.n || before->lacking)
        return;
    buf_adds(out, "left out: days from ");
    day_write(before->left_out_since, out);
    buf_adds(out, " on, which no bill covers yet; the same number of days is compared\n");
}

/* "exactly: 12.340000001 USD, of which 1.2 USD of runs that no bill covers". */
static void print_cost_totals(const struct view *view, const struct costs_result *res)
{
    const struct costs_total *totals = res->costs.totals.at;
    struct buf *out = view->out;

    buf_char(out, '\n');
    for (size_t i = 0; i < res->costs.totals.len; i++) {
        buf_adds(out, "exactly: ");
        value_exact(&totals[i].amount, out);
        if (totals[i].metered.amount.coefficient != 0) {
            buf_adds(out, ", of which ");
            value_exact(&totals[i].metered, out);
            buf_adds(out, " of runs that no bill covers");
        }
        buf_char(out, '\n');
    }
    if (res->costs.totals.len > 1)
        buf_adds(out, "currencies are not added up: --currency CODE converts them\n");
    if (res->costs.compared)
        print_compared(view, &res->costs.before);
}

static void print_costs(const struct view *view, const void *result)
{
    const struct costs_result *res = result;
    struct periods p = periods_of(res);

    if (res->costs.rows.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        if (res->by.len > 0 && p.count > 0 && !p.too_many)
            print_pivot(view, res, &p);
        else
            print_costs_list(view, res);
        print_cost_totals(view, res);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->costs.rows.len);
}

const struct command cmd_costs_storage = {
    .name = "costs storage",
    .op = &op_costs_storage,
    .about = "Shows what storage cost, by tier, from bills.",
    .examples = "stint costs storage --month 2026-10\n"
                "stint costs storage --by tier,month --since 180d",
    .print = print_costs,
};

const struct command cmd_costs = {
    .name = "costs",
    .op = &op_costs,
    .group = {"where the money went", CLI_AFTER, .first = true},
    .about = "Shows where the money went: bills, and runs that no bill covers yet, never both "
             "for the same day of a provider. --by takes dimensions (provider, service, "
             "category, account, sub_account, region, charge, pricing, instance, gpu, tier, "
             "team, project, environment, experiment, cost_center, model, phase, owner) and a "
             "length of time (day, week, month, quarter, year), whose periods become columns. "
             "Amounts are shown to the cent; JSON and CSV have all digits.",
    .examples = "stint costs --by team,service --since 90d\n"
                "stint costs --by team,month --since 2026-06-01 --where gpu=H100\n"
                "stint costs --by service --month 2026-10 --sort change --limit 10\n"
                "stint costs --by project --currency EUR --csv projects.csv",
    .print = print_costs,
};

/* ---- costs trend ---- */

static void print_cost_trend(const struct view *view, const void *result)
{
    static const struct column amounts[] = {
        COLUMN("month", month, .marks = {{"days", "*"}}),
        COLUMN("cost", amount, .unknown = "?"),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?"),
        COLUMN("in %", percent, .form = COLUMN_CHANGE),
    };
    const struct costs_trend_result *res = result;
    const struct cost_trend *trend = &res->trend;
    struct columns columns = columns_by(res->by, "others", COLUMNS(amounts), view->arena);

    if (trend->rows.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        columns_print(&columns, &trend->rows, &view->term, view->arena, view->out);
        buf_addf(view->out, "\n* the running month, %lld day%s of it\n",
                 (long long)trend->running_days, trend->running_days == 1 ? "" : "s");
        print_compared(view, &trend->before);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, trend->rows.len);
}

const struct command cmd_costs_trend = {
    .name = "costs trend",
    .op = &op_costs_trend,
    .about = "Shows costs month over month, in money and in percent. The current month is "
             "marked; it ends with the newest bill and is compared with the same days of the "
             "previous month. '?' marks a month without any record, and changes from it.",
    .examples = "stint costs trend\n"
                "stint costs trend --by team --months 3 --limit 5",
    .print = print_cost_trend,
};

/* ---- costs movers ---- */

static void print_movers(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("dimension", dimension),
        COLUMN("value", value, .shrink = true, .unknown = "(none)"),
        COLUMN("before", before, .unknown = "?"),
        COLUMN("now", amount, .unknown = "?"),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?"),
        COLUMN("in %", percent, .form = COLUMN_CHANGE, .optional = true),
        COLUMN("", direction, .unknown = ""),
    };
    const struct costs_movers_result *res = result;
    struct table_rows movers = field_rows(op_costs_movers.result, "movers", res);
    const struct costs_mover *totals = res->found.totals.at;
    struct column_table t = columns_new(COLUMNS(columns), movers.row, view->arena);

    columns_add(&t, &movers);
    for (size_t i = 0; i < res->found.totals.len; i++)
        columns_total(&t, "total", movers.row, &totals[i]);
    if (res->found.totals.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        columns_write(&t, &view->term, view->out);
        buf_adds(view->out, "\nthe same money shows up in every dimension\n");
        costs_print_apart(view, "not in it: credits of ", &res->found.credits);
        costs_print_apart(view, "not in it: credits before, of ", &res->found.credits_before);
        print_compared(view, &res->found.before);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->found.movers.len);
}

const struct command cmd_costs_movers = {
    .name = "costs movers",
    .op = &op_costs_movers,
    .about = "Shows the largest changes in cost compared with the same number of days before "
             "(with --month: the previous month), up or down, and in which dimension. Each "
             "dimension is compared separately. Days that no bill covers yet are left out.",
    .examples = "stint costs movers\n"
                "stint costs movers --month 2026-10 --by service,team --limit 5",
    .print = print_movers,
};

/* ---- costs gpus ---- */

static void print_gpus(const struct view *view, const void *result)
{
    static const struct column numbers[] = {
        COLUMN("runs", runs),
        COLUMN("GPU-hours", gpu_hours, .decimals = 1),
        COLUMN("busy", busy),
        COLUMN("cost", cost, .form = COLUMN_CENTS),
        COLUMN("idle", idle, .form = COLUMN_CENTS),
    };
    const struct costs_gpus_result *res = result;
    const struct gpu_costs *gpus = &res->gpus;
    struct columns columns = columns_by(res->by, NULL, COLUMNS(numbers), view->arena);
    struct column_table t = columns_new(&columns, gpus->rows.row, view->arena);
    struct buf *out = view->out;

    columns_add(&t, &gpus->rows);
    columns_total(&t, "total", &costs_gpus_row_fields, &gpus->total);
    if (gpus->rows.len == 0) {
        buf_adds(out, "no run used a GPU\n");
    } else {
        columns_write(&t, &view->term, out);
        buf_adds(out, "\nfrom runs, as they were metered; idle: what was paid for the time in "
                      "which GPUs did nothing\n");
        if (gpus->total.unknown_hours > 0) {
            buf_adds(out, "not in 'busy' and 'idle': ");
            num_write_fixed(gpus->total.unknown_hours, 1, out);
            buf_adds(out, " GPU-hours without measured use\n");
        }
        if (gpus->total.unpriced > 0)
            buf_addf(out, "not in 'cost' and 'idle': %lld run%s with unknown cost\n",
                     (long long)gpus->total.unpriced, gpus->total.unpriced == 1 ? "" : "s");
    }
    if (gpus->without > 0)
        buf_addf(out, "not in it: %lld run%s without a GPU\n", (long long)gpus->without,
                 gpus->without == 1 ? "" : "s");
    day_write(res->basis.since, out);
    buf_adds(out, " to ");
    day_write(res->basis.until, out);
    buf_adds(out, " (UTC)\n");
    costs_print_csv(view, res->csv, gpus->rows.len);
}

const struct command cmd_costs_gpus = {
    .name = "costs gpus",
    .op = &op_costs_gpus,
    .about = "Shows GPU utilization by team or any dimension, from runs: hours, the busy "
             "share, and the cost of idle time.",
    .examples = "stint costs gpus --since 90d\n"
                "stint costs gpus --by team,gpu --where 'gpu=H100*'",
    .print = print_gpus,
};

/* ---- costs spot ---- */

static void print_unknown_saving(const struct view *view, const char *by,
                                 const struct money *paid)
{
    if (paid->amount.coefficient == 0)
        return;
    buf_addf(view->out, "unknown is what %s saved on ", by);
    costs_write(paid, view->out);
    buf_adds(view->out, ", for which no bill has a list price\n");
}

static void print_spot(const struct view *view, const void *result)
{
    static const struct column amounts[] = {
        {.title = ""}, /* of the total, without --by */
        COLUMN("machines", amount),
        COLUMN("spot", spot),
        COLUMN("committed", committed),
        COLUMN("on demand", on_demand),
        COLUMN("other", other),
        COLUMN("spot saved", saved, .unknown = "?"),
        COLUMN("committed saved", saved_by_commitments, .unknown = "?"),
    };
    const struct costs_spot_result *res = result;
    const struct spot_costs *spot = &res->spot;
    const struct costs_spot_row *totals = spot->totals.at;
    size_t named = res->by.len > 0;
    struct columns columns =
        columns_by(res->by, NULL,
                   &(struct columns){.at = amounts + named, .len = ARRAY_LEN(amounts) - named},
                   view->arena);
    struct column_table t;

    if (spot->totals.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        t = columns_new(&columns, spot->rows.row, view->arena);
        if (res->by.len > 0)
            columns_add(&t, &spot->rows);
        for (size_t i = 0; i < spot->totals.len; i++)
            columns_total(&t, "total", &costs_spot_row_fields, &totals[i]);
        columns_write(&t, &view->term, view->out);
        buf_adds(view->out, "\nsaved: compared with the list prices of bills\n");
        for (size_t i = 0; i < spot->totals.len; i++) {
            print_unknown_saving(view, "spot", &totals[i].unknown);
            print_unknown_saving(view, "commitments", &totals[i].unknown_committed);
        }
        costs_print_apart(view, "not in it: credits of ", &spot->credits);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, spot->rows.len);
}

const struct command cmd_costs_spot = {
    .name = "costs spot",
    .op = &op_costs_spot,
    .about = "Shows how machines are paid for: the shares of spot, of commitments (reserved, "
             "savings plans, committed use) and of on-demand, and what the first two saved "
             "compared with list prices, if bills have them.",
    .examples = "stint costs spot --since 90d\n"
                "stint costs spot --by team --month 2026-10",
    .print = print_spot,
};

/* ---- costs repeats ---- */

static void print_repeats(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("name", name, .shrink = true, .unknown = ""),
        COLUMN("runs", runs),
        COLUMN("again", again),
        COLUMN("again cost", repeated, .form = COLUMN_CENTS),
        COLUMN("first (UTC)", first, .optional = true),
        COLUMN("newest (UTC)", last),
        COLUMN("id", last_id),
        COLUMN("command", command, .shrink = true, .unknown = ""),
    };
    const struct costs_repeats_result *res = result;
    const struct repeat_costs *found = &res->found;
    struct money repeated = money_from_usd(found->repeated);
    struct buf *out = view->out;

    if (found->repeats.len == 0) {
        buf_adds(out, res->no_ledger ? "nothing was run yet\n"
                                     : "no run repeated one that had ended well\n");
    } else {
        view_rows(view, &op_costs_repeats, res, "repeats", COLUMNS(columns));
        buf_addf(out, "\n%lld run%s of %lld configuration%s had been run well before: ",
                 (long long)found->again, found->again == 1 ? "" : "s",
                 (long long)found->configurations, found->configurations == 1 ? "" : "s");
        money_write_cents(&repeated, out);
        if (found->unpriced > 0)
            buf_addf(out, ", without %lld with unknown cost", (long long)found->unpriced);
        buf_char(out, '\n');
    }
    costs_print_csv(view, res->csv, found->repeats.len);
}

const struct command cmd_costs_repeats = {
    .name = "costs repeats",
    .op = &op_costs_repeats,
    .about = "Lists runs of the same configuration (command, arguments, files named by them, "
             "and commit) that started after one had succeeded, and what they cost.",
    .examples = "stint costs repeats --since 90d",
    .print = print_repeats,
};
