/* stint tco */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/tco.h"
#include "op/op.h"
#include "unit/shown.h"

#define MATTER_SHOWN 6

static void print_tco_head(const struct view *view, const struct tco_result *res)
{
    view_label(view, "machine");
    value_times((double)res->gpus, res->gpu, view->out);
    if (res->machine.len > 0)
        buf_addf(view->out, " (%.*s)", STR_ARG(res->machine));
    buf_addf(view->out, ", %.*s\n", STR_ARG(res->site));
    view_label(view, "GPU-hour");
    usd_per_hour_write(res->gpu_hour, view->out);
    buf_adds(view->out, " in use at ");
    value_share(res->utilization, view->out);
    buf_adds(view->out, " utilization");
    if (res->utilization < 1) {
        buf_adds(view->out, "; ");
        usd_per_hour_write(res->gpu_hour_full, view->out);
        buf_adds(view->out, " at 100 %");
    }
    buf_char(view->out, '\n');
    if (res->gpu_hour_low.nano < res->gpu_hour_high.nano) {
        view_label(view, "range");
        usd_per_hour_write(res->gpu_hour_low, view->out);
        buf_adds(view->out, " to ");
        usd_per_hour_write(res->gpu_hour_high, view->out);
        buf_adds(view->out, ", over the ranges of the assumptions\n");
    }
    view_label(view, "invested");
    usd_write_estimate(res->invested, view->out);
    buf_adds(view->out, " per machine with its network\n\n");
}

static void print_tco_parts(const struct view *view, const struct tco_result *res)
{
    static const struct column columns[] = {
        COLUMN("part", name),
        COLUMN("a year", year, .form = COLUMN_ESTIMATE),
        COLUMN("GPU-hour", gpu_hour),
        COLUMN("share", share, .form = COLUMN_PERCENT),
        COLUMN("how", how, .shrink = true),
    };
    struct table_rows parts = field_rows(op_tco.result, "parts", res);
    struct column_table t = columns_new(COLUMNS(columns), parts.row, view->arena);
    const struct tco_part total = {
        .year = res->year, .gpu_hour = res->gpu_hour, .share = 1, .how = STR("")};

    columns_add(&t, &parts);
    columns_total(&t, "total", parts.row, &total);
    columns_write(&t, &view->term, view->out);
}

static bool write_break_even(const struct column *column, const void *row, struct buf *out)
{
    const struct tco_rival *r = row;

    (void)column;
    if (str_starts(r->market, STR("reserved")))
        buf_adds(out, "-");
    else if (isnan(r->break_even))
        buf_adds(out, "never");
    else
        value_share(r->break_even, out);
    return true;
}

static bool write_payback(const struct column *column, const void *row, struct buf *out)
{
    const struct tco_rival *r = row;

    (void)column;
    if (isnan(r->payback_months))
        buf_adds(out, "not in its life");
    else if (r->payback_months < 24)
        buf_addf(out, "%.0f months", r->payback_months);
    else
        buf_addf(out, "%.1f years", r->payback_months / 12);
    return true;
}

static enum term_style style_of_rival(const void *row)
{
    return ((const struct tco_rival *)row)->cheaper ? STYLE_GOOD : STYLE_PLAIN;
}

static void print_rivals(const struct view *view, const struct tco_result *res)
{
    static const struct column columns[] = {
        COLUMN("instead of", market),
        COLUMN("GPU-hour", price),
        COLUMN("in use", used_hour),
        COLUMN("break-even", break_even, .cell = write_break_even, .side = COLUMN_RIGHT),
        COLUMN("owning saves", saved_year, .form = COLUMN_CHANGE),
        COLUMN("payback", payback_months, .cell = write_payback, .side = COLUMN_RIGHT),
        COLUMN("offer", offer, .shrink = true),
    };

    if (res->rivals.len == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_tco, res, "market", COLUMNS(columns, .style = style_of_rival));
    buf_adds(view->out, "break-even: utilization from which owning costs less; savings are a "
                        "year's\n");
    view_price_age(view, &res->age);
}

static bool write_tco_value(const struct column *column, const void *row, struct buf *out)
{
    const struct tco_assumption *a = row;
    double value = column->index == 0 ? a->value : column->index == 1 ? a->low : a->high;
    bool share = str_starts(a->unit, STR("of ")) || str_eq(a->unit, STR("a year"));

    if (isnan(value))
        buf_adds(out, column->index == 0 ? "?" : "-");
    else if (share)
        value_share(value, out);
    else if (value < 1000)
        num_write(round(value * 1000) / 1000, out);
    else
        value_number(value, out);
    return true;
}

/* What matters most: the first, which have the widest range, and the user's own. */
static void print_assumptions(const struct view *view, const struct tco_result *res)
{
    static const struct column columns[] = {
        COLUMN("assumed", name),
        COLUMN("value", value, .cell = write_tco_value, .index = 0, .side = COLUMN_RIGHT),
        COLUMN("low", low, .cell = write_tco_value, .index = 1, .side = COLUMN_RIGHT),
        COLUMN("high", high, .cell = write_tco_value, .index = 2, .side = COLUMN_RIGHT),
        COLUMN("unit", unit, .optional = true),
        COLUMN("at low", at_low, .unknown = "-"),
        COLUMN("at high", at_high, .unknown = "-"),
        COLUMN("10 % more", tenth, .form = COLUMN_CHANGE),
    };
    struct table_rows all = field_rows(op_tco.result, "assumptions", res);
    struct table_rows shown = all;
    struct column_table t = columns_new(COLUMNS(columns), all.row, view->arena);

    shown.len = all.len < MATTER_SHOWN ? all.len : MATTER_SHOWN;
    columns_add(&t, &shown);
    buf_char(view->out, '\n');
    columns_write(&t, &view->term, view->out);
    buf_addf(view->out,
             "what matters most; --json has all %zu assumptions with their sources\n", all.len);
}

static enum term_style style_of_split(const void *row)
{
    return ((const struct tco_split *)row)->best ? STYLE_BOLD : STYLE_PLAIN;
}

static void print_tco_load(const struct view *view, const struct tco_result *res)
{
    static const struct column columns[] = {
        COLUMN("way", way),
        COLUMN("owned", owned),
        COLUMN("reserved", reserved, .if_any = true),
        COLUMN("owned in use", owned_use, .form = COLUMN_PERCENT),
        COLUMN("rented GPU-h", rented_gpu_hours, .form = COLUMN_WHOLE),
        COLUMN("a year", year, .form = COLUMN_ESTIMATE),
    };
    const struct tco_load *load = &res->load;
    struct table_rows ways = {&tco_split_fields, load->ways.at, load->ways.len};

    if (load->source.len == 0)
        return;
    buf_char(view->out, '\n');
    view_label(view, "load");
    buf_add_safe(view->out, load->source);
    buf_adds(view->out, ": ");
    value_number(load->mean, view->out);
    buf_adds(view->out, " GPUs on average, ");
    value_number(load->peak, view->out);
    buf_adds(view->out, " at most\n");
    columns_print(COLUMNS(columns, .style = style_of_split), &ways, &view->term, view->arena,
                  view->out);
    if (load->saved_year.nano > 0) {
        buf_adds(view->out, "the cheapest split saves ");
        usd_write_estimate(load->saved_year, view->out);
        buf_addf(view->out, " a year against renting all %.*s\n",
                 STR_ARG(str_eq(load->burst, STR("spot")) ? STR("on spot") : STR("on-demand")));
    }
}

static void print_tco(const struct view *view, const void *result)
{
    const struct tco_result *res = result;

    print_tco_head(view, res);
    print_tco_parts(view, res);
    print_rivals(view, res);
    print_tco_load(view, res);
    print_assumptions(view, res);
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_tco = {
    .name = "tco",
    .op = &op_tco,
    .group = {"what an owned machine costs, and when owning pays", .stage = CLI_BEFORE},
    .about =
        "Computes the total cost of ownership of a machine in a rack or under a desk: "
        "depreciation, cost of capital, network, power, cooling, space, staff, maintenance, "
        "software and failures, for a GPU-hour in use. Compares it with on-demand, spot and "
        "reserved prices: the utilization above which owning is cheaper, and when the machine "
        "has paid for itself. With --load, the exact number of machines to own, to reserve and "
        "to rent by the hour for a load. Values that are not given come from the catalog "
        "(ownership.csv, onprem.csv, electricity.csv).",
    .examples = "stint tco 8x-h100-sxm\n"
                "stint tco --gpu H100 --count 8 --price 250000usd --utilization 60%\n"
                "stint tco 8x-a100-80gb --load 8+16@10% --svg tco.svg\n"
                "stint tco H200x8 --load ledger --since 180d --provider aws",
    .print = print_tco,
};
