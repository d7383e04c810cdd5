/* stint roi */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/roi.h"
#include "op/op.h"
#include "unit/shown.h"

#define RUNS_SHOWN 10

static void print_roi_head(const struct view *view, const struct roi_result *res)
{
    const struct roi_local *local = &res->local;

    view_label(view, "waiting");
    usd_per_hour_write(res->value_of_time, view->out);
    buf_adds(view->out, ", ");
    if (res->waiting < 1)
        value_share(res->waiting, view->out);
    else
        buf_adds(view->out, "all");
    buf_adds(view->out, " of a run\n");
    if (local->machine.len == 0)
        return;
    view_label(view, "your machine");
    buf_addf(view->out, "%.*s (", STR_ARG(local->machine));
    value_times((double)local->gpus, local->gpu, view->out);
    buf_adds(view->out, "): ");
    usd_per_hour_write(local->electricity, view->out);
    buf_adds(view->out, " electricity");
    if (local->wear.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_per_hour_write(local->wear, view->out);
        buf_adds(view->out, " wear");
    }
    buf_char(view->out, '\n');
}

/* ---- a job ---- */

/* From which value of an hour it pays to be faster; of a way that is slower, nothing. */
static bool write_pays_from(const struct column *column, const void *row, struct buf *out)
{
    const struct roi_option *option = row;

    (void)column;
    if (option->break_even.nano == MONEY_UNKNOWN)
        buf_char(out, '-');
    else if (option->break_even.nano == 0)
        buf_adds(out, "always");
    else
        usd_per_hour_write(option->break_even, out);
    return true;
}

static enum term_style style_of_roi_option(const void *row)
{
    return ((const struct roi_option *)row)->best ? STYLE_BOLD : STYLE_PLAIN;
}

/* Of the user's own figures: no machines, but the return on the extra money. */
static void print_ways(const struct view *view, const struct roi_result *res)
{
    static const struct column columns[] = {
        COLUMN("", best, .yes = "*"),
        COLUMN("way", way),
        COLUMN("time", hours, .form = COLUMN_HOURS),
        COLUMN("money", money, .form = COLUMN_ESTIMATE),
        COLUMN("waiting", waiting, .form = COLUMN_ESTIMATE),
        COLUMN("total", total, .form = COLUMN_ESTIMATE),
        COLUMN("saves", net, .form = COLUMN_CHANGE, .unknown = "-"),
        COLUMN("return", ratio, .form = COLUMN_PERCENT, .unknown = "-"),
        COLUMN_CELL("pays from", write_pays_from, .side = COLUMN_RIGHT),
        COLUMN("runs a day", runs_day, .form = COLUMN_FIGURES, .unknown = "?"),
        COLUMN("further run", further_run, .form = COLUMN_ESTIMATE, .unknown = "-"),
    };

    buf_char(view->out, '\n');
    view_rows(view, &op_roi, res, "options", COLUMNS(columns, .style = style_of_roi_option));
    buf_adds(view->out,
             "saves: money and time, compared with the first; return: that, over the money "
             "paid more;\npays from: value of an hour from which the faster of both is worth "
             "its price;\nfurther run: of each run a day more than the first has time for\n");
}

static void print_roi_options(const struct view *view, const struct roi_result *res)
{
    static const struct column columns[] = {
        COLUMN("", best, .yes = "*"),
        COLUMN("way", way),
        COLUMN("GPUs", gpu, .times = "gpus"),
        COLUMN("time", hours, .form = COLUMN_HOURS),
        COLUMN("money", money, .form = COLUMN_ESTIMATE),
        COLUMN("waiting", waiting, .form = COLUMN_ESTIMATE),
        COLUMN("total", total, .form = COLUMN_ESTIMATE),
        COLUMN("saves", net, .form = COLUMN_CHANGE, .unknown = "-"),
        COLUMN_CELL("pays from", write_pays_from, .side = COLUMN_RIGHT),
        COLUMN("runs a day", runs_day, .form = COLUMN_FIGURES, .unknown = "?"),
        COLUMN("further run", further_run, .form = COLUMN_ESTIMATE, .unknown = "-"),
        COLUMN("market", market, .optional = true),
        COLUMN("where", where, .shrink = true),
    };
    const struct roi_option *options = res->options.at;

    buf_char(view->out, '\n');
    view_rows(view, &op_roi, res, "options", COLUMNS(columns, .style = style_of_roi_option));
    buf_addf(
        view->out,
        "saves: money and time, compared with the first; pays from: value of an hour from "
        "which\nthe faster of both is worth its price; further run: of each run a day more "
        "than %s has time for\n",
        options[0].way.len > 0 && str_eq(options[0].way, STR("local")) ? "your machine"
                                                                       : "the first");
    view_price_age(view, &res->age);
}

/* "paid back after 4,210 runs (35 years at 10 a month)" */
static void put_payback(double runs, double months, double a_month, struct buf *out)
{
    if (isnan(runs)) {
        buf_adds(out, "never paid back");
        return;
    }
    buf_adds(out, "paid back after ");
    value_count(runs, out);
    buf_adds(out, runs == 1 ? " run" : " runs");
    if (isnan(a_month) || isnan(months))
        return;
    buf_adds(out, " (");
    if (months < 24) {
        value_number(months, out);
        buf_adds(out, " months at ");
    } else {
        value_number(months / 12, out);
        buf_adds(out, " years at ");
    }
    num_write(round(a_month * 10) / 10, out);
    buf_adds(out, " a month)");
}

static void print_purchase(const struct view *view, const struct roi_result *res)
{
    const struct roi_purchase *p = &res->purchase;

    if (p->price.nano == MONEY_UNKNOWN || p->price.nano <= 0)
        return;
    buf_char(view->out, '\n');
    view_label(view, "buying one");
    usd_write_estimate(p->price, view->out);
    buf_adds(view->out, ", by money alone: ");
    put_payback(p->runs, p->months, p->runs_month, view->out);
    buf_adds(view->out, ", instead of the cheapest\n");
    view_label(view, "");
    buf_adds(view->out, "with time: ");
    put_payback(p->runs_total, p->months_total, p->runs_month, view->out);
    buf_adds(view->out, ", instead of the best value\n");
    if (p->runs_month > p->most_runs_month) {
        view_label(view, "");
        buf_adds(view->out, "it has time for ");
        value_count(p->most_runs_month, view->out);
        buf_adds(view->out, " runs a month only\n");
    }
}

/* ---- past runs ---- */

static void print_past(const struct view *view, const struct roi_result *res)
{
    static const struct column columns[] = {
        COLUMN("run", name, .shrink = true),
        COLUMN("id", id, .optional = true),
        COLUMN("GPU", gpu, .shrink = true),
        COLUMN("time", hours, .form = COLUMN_HOURS),
        COLUMN("cost", cost, .form = COLUMN_CENTS),
        COLUMN("time on yours", local_hours, .form = COLUMN_HOURS, .otherwise = "why_not"),
        COLUMN("cost on yours", local_cost, .form = COLUMN_ESTIMATE, .unknown = "-"),
        COLUMN("renting saved", net, .form = COLUMN_CHANGE, .unknown = "-"),
    };
    const struct roi_portfolio *p = &res->past;
    struct table_rows all = field_rows(op_roi.result, "runs", res), shown = all;
    struct column_table t = columns_new(COLUMNS(columns), all.row, view->arena);

    shown.len = all.len < RUNS_SHOWN ? all.len : RUNS_SHOWN;
    columns_add(&t, &shown);
    buf_char(view->out, '\n');
    columns_write(&t, &view->term, view->out);
    if (shown.len < all.len)
        buf_addf(view->out, "%zu more runs; --json lists all\n", all.len - shown.len);
    buf_char(view->out, '\n');
    view_label(view, "invested");
    usd_write_estimate(p->invested, view->out);
    buf_addf(view->out, " for %lld rented run%s in %lld days", (long long)p->runs,
             p->runs == 1 ? "" : "s", (long long)res->days);
    buf_char(view->out, '\n');
    if (p->infeasible > 0) {
        view_label(view, "compared");
        if (p->runs == p->infeasible) {
            buf_adds(view->out, "none: your machine cannot do any of them\n");
            return;
        }
        usd_write_estimate(p->invested_feasible, view->out);
        buf_addf(view->out, " for the %lld that your machine can do, too\n",
                 (long long)(p->runs - p->infeasible));
    }
    view_label(view, "with time");
    usd_write_estimate(p->cloud_total, view->out);
    buf_adds(view->out, " rented; on your machine ");
    usd_write_estimate(p->local_total, view->out);
    buf_adds(view->out, "\n");
    view_label(view, "return");
    value_estimate_change(p->net, view->out);
    if (!isnan(p->ratio)) {
        buf_adds(view->out, ", ");
        value_share(p->ratio, view->out);
        buf_adds(view->out, " of the ");
        usd_write_estimate(p->invested_feasible, view->out);
        buf_adds(view->out, " that was paid");
    }
    buf_adds(view->out, p->hours_saved < 0 ? "; " : "; saved ");
    value_hours(fabs(p->hours_saved), view->out);
    buf_adds(view->out, p->hours_saved < 0 ? " of waiting lost\n" : " of waiting\n");
}

static void print_roi(const struct view *view, const void *result)
{
    const struct roi_result *res = result;

    if (res->job.len > 0) {
        view_label(view, "job");
        buf_add_safe(view->out, res->job);
        buf_char(view->out, '\n');
    }
    print_roi_head(view, res);
    if (res->job.len > 0) {
        print_roi_options(view, res);
        print_purchase(view, res);
    } else if (res->options.len > 0) {
        print_ways(view, res);
        print_purchase(view, res);
    } else {
        print_past(view, res);
    }
    if (res->left_out > 0)
        buf_addf(view->out,
                 "note: %lld run%s left out: not rented, or cost, time or GPU not known\n",
                 (long long)res->left_out, res->left_out == 1 ? "" : "s");
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_roi = {
    .name = "roi",
    .op = &op_roi,
    .group = {"local, rented and faster hardware, with the value of time", .stage = CLI_BEFORE},
    .about =
        "Compares ways to do a run, including the value of waiting time: on your own machine "
        "(electricity and wear) and on machines rented as in 'stint plan': the best value, the "
        "cheapest, the fastest. Shows the value of an hour above which a faster machine pays, "
        "the number of runs per day on each and the cost of each further one, and when buying "
        "the machine has paid for itself. With --way: the same for figures of your own, with "
        "the return on the extra money. Without either: the cost of the rented runs in the "
        "ledger, and what they would have cost on your own machine.",
    .examples = "stint roi job.yaml --local rtx4090 --value-of-time 50usd/hr --runs 10/month\n"
                "stint roi llama-3-8b --lora --tokens 50M --waiting 25% --svg roi.svg\n"
                "stint roi --way 500usd:40h --way 800usd:10h --value-of-time 100usd/hr\n"
                "stint roi --way 10usd:2h --local rtx3070 --local-time 12h\n"
                "stint roi --local rtx3070 --since 180d",
    .print = print_roi,
};
