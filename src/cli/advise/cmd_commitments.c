/* stint commitments */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/commitments.h"
#include "op/op.h"
#include "unit/shown.h"

#define LOADS_SHOWN 5
#define HELD_SHOWN 10

static bool write_term(const struct column *column, const void *row, struct buf *out)
{
    const struct commitment_option *o = row;

    (void)column;
    buf_addf(out, "%lld month%s", (long long)o->term_months, o->term_months == 1 ? "" : "s");
    return true;
}

/* Dollars an hour, or machines. */
static bool write_commitment_amount(const struct column *column, const void *row,
                                    struct buf *out)
{
    const struct commitment_option *o = row;

    (void)column;
    if (o->commit.nano == MONEY_UNKNOWN)
        return true;
    if (!isnan(o->machines)) {
        buf_addf(out, "%.0f machine%s", o->machines, o->machines == 1 ? "" : "s");
        return true;
    }
    usd_write_estimate((usd){o->commit.nano}, out);
    buf_adds(out, "/hr");
    return true;
}

static bool write_fall(const struct column *column, const void *row, struct buf *out)
{
    const struct commitment_option *o = row;
    const struct commitment_fall *falls = o->falls.at;

    if ((size_t)column->index < o->falls.len)
        usd_write_estimate(falls[column->index].saving, out);
    return true;
}

static enum term_style style_of_commitment(const void *row)
{
    const struct commitment_option *o = row;

    return o->buy ? STYLE_BOLD : STYLE_PLAIN;
}

/* "AWS us-east-1 p4d" */
static void put_load(const struct hourly_load *load, struct buf *out)
{
    const struct str parts[] = {load->provider, load->region, load->family};
    bool any = false;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        buf_adds(out, any ? " " : "");
        buf_add_safe(out, parts[i]);
        any = true;
    }
    buf_adds(out, any ? "" : "load");
}

static void print_hourly_load(const struct view *view, const struct hourly_load *load,
                              int64_t hours)
{
    view_label(view, "load");
    put_load(load, view->out);
    buf_adds(view->out, ": ");
    usd_write_estimate(usd_about(load->mean), view->out);
    buf_adds(view->out, " an hour on demand on average, at most ");
    usd_write_estimate(usd_about(load->peak), view->out);
    buf_char(view->out, '\n');
    view_label(view, "observed");
    value_count((double)load->observed, view->out);
    buf_adds(view->out, " of ");
    value_count((double)hours, view->out);
    buf_adds(view->out, " hours (");
    value_share((double)load->observed / (double)hours, view->out);
    buf_adds(view->out, ")\n\n");
}

/* Why not, each reason once. */
static void put_reasons(const struct commitment_option *options, size_t count, struct buf *out)
{
    bool same = true;

    for (size_t i = 1; i < count; i++)
        same &= str_eq(options[i].why_not, options[0].why_not);
    for (size_t i = 0; i < (same ? 1 : count); i++) {
        if (options[i].why_not.len == 0)
            continue;
        buf_adds(out, i == 0 ? ": " : "; ");
        if (!same)
            buf_addf(out, "%lld months: ", (long long)options[i].term_months);
        buf_add(out, options[i].why_not);
    }
}

/* What to do, in a sentence or two. */
static void print_commitment_choice(const struct view *view,
                                    const struct commitment_option *options, size_t count)
{
    struct buf text = buf_new(view->arena->alloc, 1024);
    const struct commitment_option *buy = NULL;

    for (size_t i = 0; i < count; i++)
        if (options[i].buy)
            buy = &options[i];
    if (buy != NULL) {
        buf_adds(&text, "commit to ");
        write_commitment_amount(NULL, buy, &text);
        buf_addf(&text, " for %lld months", (long long)buy->term_months);
        if (isnan(buy->machines)) {
            buf_adds(&text, " (at on-demand prices; you pay at most ");
            usd_write_estimate((usd){buy->pay.nano}, &text);
            buf_adds(&text, "/hr)");
        }
        buf_adds(&text, ": saves ");
        usd_write_estimate(buy->saving, &text);
        if (usd_compare(buy->saving_low, buy->saving_high) != 0) {
            buf_adds(&text, " (");
            value_estimate_range(buy->saving_low, buy->saving_high, &text);
            buf_char(&text, ')');
        }
        buf_addf(&text,
                 " a year. A committed dollar pays when it is used in more than %s of the "
                 "hours",
                 percent_text(buy->break_even).text);
    } else {
        buf_adds(&text, "nothing");
        put_reasons(options, count, &text);
    }
    buf_adds(view->out, "\nbuy: ");
    view_wrap(buf_text(&text), 5, 5, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&text, view->out);
}

/* Is a saving known as a range, or up to a limit? */
static bool any_saving_range(const struct commitment_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].saving_high.nano != MONEY_UNKNOWN &&
            options[i].saving_low.nano != options[i].saving_high.nano)
            return true;
    return false;
}

static void print_commitment_options(const struct view *view,
                                     const struct commitments_result *res,
                                     const struct commitment_option *options, size_t count)
{
    const struct column columns[] = {
        COLUMN("term", term_months, .cell = write_term),
        COLUMN("upfront", upfront, .if_any = true),
        COLUMN("discount", discount_low, .to = "discount_high"),
        COLUMN_CELL("commit", write_commitment_amount, .side = COLUMN_RIGHT),
        COLUMN("covers", coverage),
        COLUMN("used", utilization),
        COLUMN("saves a year", savings, .form = COLUMN_ESTIMATE, .unknown = "-"),
        COLUMN("range", savings_low, .to = "savings_high", .form = COLUMN_ESTIMATE,
               .spread = true, .style = STYLE_DIM, .unknown = "",
               .hidden = !any_saving_range(options, count)),
        COLUMN("owed in all", owed, .form = COLUMN_ESTIMATE),
    };
    static const struct column falls[] = {
        COLUMN("saves over its term", term_months, .cell = write_term, .side = COLUMN_LEFT),
        COLUMN("upfront", upfront, .if_any = true),
        COLUMN_CELL("load -25 %", write_fall, .side = COLUMN_RIGHT, .index = 0),
        COLUMN_CELL("-50 %", write_fall, .side = COLUMN_RIGHT, .index = 1),
        COLUMN_CELL("no load after 6 months", write_fall, .side = COLUMN_RIGHT, .index = 2),
    };
    struct table_rows rows = field_rows(op_commitments.result, "options", res);

    rows.at = options;
    rows.len = count;
    columns_print(COLUMNS(columns, .style = style_of_commitment), &rows, &view->term,
                  view->arena, view->out);
    buf_char(view->out, '\n');
    columns_print(COLUMNS(falls, .style = style_of_commitment), &rows, &view->term, view->arena,
                  view->out);
}

static bool is_option_of_load(const struct commitment_option *o, const struct hourly_load *load)
{
    return str_eq(o->provider, load->provider) && str_eq(o->region, load->region) &&
           str_eq(o->family, load->family);
}

static void print_loads(const struct view *view, const struct commitments_result *res)
{
    const struct hourly_load *loads = res->loads.at;
    const struct commitment_option *options = res->options.at;
    size_t from = 0;

    for (size_t i = 0; i < res->loads.len && i < LOADS_SHOWN; i++) {
        size_t count = 0;

        while (from + count < res->options.len &&
               is_option_of_load(&options[from + count], &loads[i]))
            count++;
        buf_adds(view->out, i > 0 ? "\n" : "");
        print_hourly_load(view, &loads[i], res->hours);
        if (count > 0) {
            print_commitment_options(view, res, &options[from], count);
            print_commitment_choice(view, &options[from], count);
        } else
            buf_adds(view->out, "no commitments of this provider are known; --discount 35% "
                                "--term 12 takes a quote\n");
        from += count;
    }
    if (res->loads.len > LOADS_SHOWN)
        buf_addf(view->out,
                 "\n%zu smaller loads are left out here; --json lists them, --by "
                 "provider joins them\n",
                 res->loads.len - LOADS_SHOWN);
}

static void print_held(const struct view *view, const struct commitments_result *res)
{
    static const struct column columns[] = {
        COLUMN("commitment on the bills", name, .shrink = true),
        COLUMN("type", type, .optional = true),
        COLUMN("used", used, .form = COLUMN_ESTIMATE),
        COLUMN("unused", unused, .form = COLUMN_ESTIMATE),
        COLUMN("utilization", utilization),
        COLUMN("saved", saved, .form = COLUMN_ESTIMATE),
    };
    struct table_rows rows = field_rows(op_commitments.result, "commitments", res);
    size_t all = rows.len;

    if (all == 0)
        return;
    rows.len = all < HELD_SHOWN ? all : HELD_SHOWN;
    buf_adds(view->out, res->loads.len > 0 ? "\n" : "");
    columns_print(COLUMNS(columns), &rows, &view->term, view->arena, view->out);
    if (all > rows.len)
        buf_addf(view->out, "%zu smaller ones are left out here; --json lists all\n",
                 all - rows.len);
    buf_addf(view->out, "commitments cover %s of the use of machines (without spot)\n",
             percent_text(res->covered).text);
}

static void print_commitments(const struct view *view, const void *result)
{
    const struct commitments_result *res = result;

    view_label(view, "period");
    day_write(res->since, view->out);
    buf_adds(view->out, " to ");
    day_write(res->until, view->out);
    buf_adds(view->out, str_eq(res->source, STR("ledger")) ? ", from the ledger\n" : ", from ");
    if (!str_eq(res->source, STR("ledger"))) {
        buf_add_safe(view->out, res->source);
        buf_char(view->out, '\n');
    }
    if (res->loads.len == 0)
        buf_adds(view->out, res->moved + res->idle + res->unused > 0
                                ? "nothing that was paid on demand is left to commit to\n"
                                : "no machines were paid on demand in this time: there is "
                                  "nothing to commit to\n");
    print_loads(view, res);
    print_held(view, res);
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, i == 0 ? "\nnote: " : "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_commitments = {
    .name = "commitments",
    .op = &op_commitments,
    .group = {"what to commit to, and what it saves", .stage = CLI_AFTER},
    .about =
        "Computes how much of a load to commit to (savings plans, reservations, committed "
        "use), for each term: the amount with the lowest cost over the hours observed, "
        "exactly. The load is the on-demand cost of machines, hour by hour, from bills and "
        "runs in the ledger, or from a file. Shows the savings at the lower and the higher "
        "published discount, the total owed in any case, and the savings or losses if the load "
        "falls after six months. Recommends the term with the highest yearly savings among "
        "those that still save when the load falls by half. Commitments on the bills are shown "
        "with their utilization. Hours without observations are unknown, not zero.",
    .examples = "stint commitments\n"
                "stint commitments --by provider --since 90d\n"
                "stint commitments --discount 35% --term 12\n"
                "stint commitments --load load.csv --provider aws --price 32.77usd/hr\n"
                "stint commitments --svg commitments.svg",
    .print = print_commitments,
};
