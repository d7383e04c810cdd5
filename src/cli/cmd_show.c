/* stint show */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/estimate_print.h"
#include "cli/runs_view.h"
#include "cli/show_lists.h"
#include "unit/size.h"

#define VIEW_LEFT 16 /* as view_label() */

static void text_line(const struct view *view, const char *label, struct str text)
{
    if (text.len == 0)
        return;
    view_label(view, label);
    view_wrap(text, VIEW_LEFT, VIEW_LEFT, view->out);
    buf_char(view->out, '\n');
}

static void put_dollars(const struct view *view, usd amount)
{
    dollars_write(usd_double(amount), view->out);
}

static void texts_line(const struct view *view, const char *label, const struct strs *list)
{
    for (size_t i = 0; i < list->len; i++)
        text_line(view, i == 0 ? label : "", list->at[i]);
}

/* How it stands, from when to when. */
static void print_head(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;
    struct buf why = buf_new(view->arena->alloc, 512);

    text_line(view, "run", run->id);
    text_line(view, "name", run->name);
    view_label(view, "state");
    buf_add(view->out, run->state);
    runs_why(run, &why);
    if (why.len > 0) {
        buf_adds(view->out, " (");
        buf_add(view->out, buf_text(&why));
        buf_char(view->out, ')');
    }
    buf_free(&why);
    if (str_eq(run->state, STR("lost"))) {
        buf_adds(view->out, ": its supervisor ended without a word; last heard ");
        runs_when(res->heard, true, view->out);
    }
    buf_char(view->out, '\n');
    view_label(view, "started");
    runs_when(run->started, true, view->out);
    buf_adds(view->out, " UTC, took ");
    runs_span(run->took, view->out);
    buf_char(view->out, '\n');
    text_line(view, "command", run->command);
    text_line(view, "folder", run->folder);
    text_line(view, "commit", run->commit);
    if (str_eq(run->origin, STR("added"))) {
        view_label(view, "added by hand");
        buf_adds(view->out, "by ");
        buf_add_safe(view->out, run->user.len > 0 ? run->user : STR("?"));
        buf_adds(view->out, ": not run under 'stint run', nothing was metered\n");
    } else if (run->user.len > 0 || run->host.len > 0) {
        view_label(view, "by");
        buf_add_safe(view->out, run->user.len > 0 ? run->user : STR("?"));
        buf_adds(view->out, " on ");
        buf_add_safe(view->out, run->host.len > 0 ? run->host : STR("?"));
        buf_char(view->out, '\n');
    }
    texts_line(view, "tags", &run->tags);
    texts_line(view, "environment", &run->facts);
}

static void print_price(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;
    bool known = run->price.nano != MONEY_UNKNOWN || run->electricity.nano != MONEY_UNKNOWN;

    if (!known && run->offer.len == 0 && run->price_source.len > 0) {
        text_line(view, "price", run->price_source); /* says that it is not known, and why */
        return;
    }
    view_label(view, "price");
    if (run->price.nano != MONEY_UNKNOWN) {
        usd_per_hour_write(run->price, view->out);
        view_share(view->out, res->pays, res->sharers, res->share,
                   str_eq(run->state, STR("running")));
    } else if (run->electricity.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, "electricity at $");
        nano_write(run->electricity.nano, view->out);
        buf_adds(view->out, "/kWh");
    } else {
        buf_char(view->out, '?');
    }
    if (run->offer.len > 0) {
        buf_adds(view->out, ", ");
        buf_add_safe(view->out, run->offer);
    }
    if (run->market.len > 0) {
        buf_char(view->out, ' ');
        buf_add_safe(view->out, run->market);
    }
    buf_char(view->out, '\n');
    text_line(view, "", run->price_source);
}

static size_t amount_width(usd amount, struct arena *arena)
{
    struct buf text = buf_new(arena->alloc, 64);
    size_t width;

    dollars_write(usd_double(amount), &text);
    width = text.len;
    buf_free(&text);
    return width;
}

/* Those that are not nothing, their amounts lined up. */
static void print_parts(const struct view *view, const char *label, const struct rows *list)
{
    const struct show_cost *parts = list->at;
    size_t widest = 0;

    for (size_t i = 0; i < list->len; i++) {
        size_t width = parts[i].cost.nano != 0 ? amount_width(parts[i].cost, view->arena) : 0;

        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < list->len; i++) {
        if (parts[i].cost.nano == 0)
            continue;
        view_label(view, label);
        label = "";
        buf_addf(view->out, "%-12.*s", STR_ARG(parts[i].item));
        buf_pad(view->out, ' ', widest - amount_width(parts[i].cost, view->arena));
        put_dollars(view, parts[i].cost);
        if (!isnan(parts[i].share))
            buf_addf(view->out, "  %3.0f %%", parts[i].share * 100);
        buf_char(view->out, '\n');
    }
}

/* What checkpoints take, and what keeping them costs: apart from the cost, since nobody knows
 * for how long. */
static void print_kept(const struct view *view, const struct show_result *res)
{
    if (!(res->checkpoint_bytes > 0))
        return;
    view_label(view, "checkpoints");
    bytes_write((bytes){(uint64_t)res->checkpoint_bytes}, view->out);
    buf_adds(view->out, " kept");
    if (res->checkpoint_month.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ": ");
        put_dollars(view, res->checkpoint_month);
        buf_adds(view->out, " a month in the provider's object store, not in the cost");
    }
    buf_char(view->out, '\n');
}

static void put_over(const struct view *view, const char *what, double over)
{
    if (!isnan(over))
        buf_addf(view->out, "; %s %.0f %% %s than that", what, fabs(over) * 100,
                 over < 0 ? "less" : "more");
}

static void print_estimate(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;

    if (run->estimated_cost.nano == MONEY_UNKNOWN && run->estimated_time.ns < 0)
        return;
    view_label(view, "estimate");
    put_dollars(view, run->estimated_cost);
    buf_adds(view->out, ", ");
    runs_span(run->estimated_time, view->out);
    put_over(view, "it cost", res->cost_over_estimate);
    put_over(view, "it took", res->time_over_estimate);
    buf_char(view->out, '\n');
}

/* What is known of a cost that is not; true when there is something. */
static bool put_least(const struct view *view, const struct show_result *res)
{
    const struct show_cost *parts = res->costs.at;
    bool any = false;

    for (size_t i = 0; i < res->costs.len && res->run.cost.nano == MONEY_UNKNOWN; i++) {
        if (parts[i].cost.nano == 0)
            continue;
        buf_adds(view->out, any ? " and " : "at least ");
        put_dollars(view, parts[i].cost);
        buf_addf(view->out, " (%.*s)", STR_ARG(parts[i].item));
        any = true;
    }
    if (any)
        buf_adds(view->out, "; the machine's price is not known");
    return any;
}

static void print_money(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;

    print_price(view, res);
    view_label(view, "cost");
    if (!put_least(view, res))
        put_dollars(view, run->cost);
    if (run->budget.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " of a budget of ");
        put_dollars(view, run->budget);
        if (!isnan(run->of_budget))
            buf_addf(view->out, " (%.0f %%)", run->of_budget * 100);
    }
    buf_char(view->out, '\n');
    if (res->costs.len > 1)
        print_parts(view, "made of", &res->costs);
    print_parts(view, "paid for", &res->phases);
    print_estimate(view, res);
    if (res->cost_per_step.nano != MONEY_UNKNOWN) {
        view_label(view, "cost per step");
        put_dollars(view, res->cost_per_step);
        buf_char(view->out, '\n');
    }
    print_kept(view, res);
}

static void print_energy(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;

    view_label(view, "energy");
    joule_write((joule){run->energy_kwh * JOULES_PER_KWH}, view->out);
    if (!isnan(run->energy_kwh)) {
        if (!isnan(run->energy_error))
            buf_addf(view->out, " within %.0f %%", run->energy_error * 100);
        buf_adds(view->out, ", ");
        buf_add_safe(view->out, run->energy_method.len > 0 ? run->energy_method : STR("?"));
        buf_adds(view->out, "; ");
        watt_write((watt){res->mean_watts}, view->out);
        buf_adds(view->out, " in the mean");
    }
    if (!isnan(res->gpu_kwh)) {
        buf_adds(view->out, "; GPUs ");
        joule_write((joule){res->gpu_kwh * JOULES_PER_KWH}, view->out);
    }
    if (!isnan(res->cpu_kwh)) {
        buf_adds(view->out, "; processor ");
        joule_write((joule){res->cpu_kwh * JOULES_PER_KWH}, view->out);
    }
    buf_char(view->out, '\n');
    view_label(view, "carbon");
    gram_co2_write((gram_co2){run->carbon_g}, view->out);
    buf_char(view->out, '\n');
}

static void print_show(const struct view *view, const void *result)
{
    const struct show_result *res = result;

    print_head(view, res);
    buf_char(view->out, '\n');
    print_money(view, res);
    buf_char(view->out, '\n');
    print_energy(view, res);
    show_use(view, res);
    show_pictures(view, res, term_utf8());
    show_metrics(view, res, term_utf8());
    show_attempts(view, res);
    show_prices(view, res);
    show_events(view, res);
    show_checkpoints(view, res);
    if (res->verdict.len > 0)
        buf_char(view->out, '\n');
    texts_line(view, "verdict", &res->verdict);
}

const struct command cmd_show = {
    .name = "show",
    .op = &op_show,
    .about = "Everything that is known of a run: its command, commit and price, what it cost\n"
             "and for what, energy with its method, use of the machine, progress, attempts,\n"
             "events, checkpoints, and what it comes to. A run is named by the end (or the\n"
             "start) of its id, by its name (the newest of that name), or as 'last'.",
    .examples = "stint show last\n"
                "stint show 1a2b3c4d\n"
                "stint show bert-large --json",
    .print = print_show,
};
