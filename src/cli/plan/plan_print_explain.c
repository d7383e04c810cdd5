/* --explain: where the money goes, what decided it, what others would take. */
#include <math.h>

#include "cli/plan/plan_print.h"
#include "cli/view.h"
#include "op/op.h"
#include "unit/shown.h"

/* ---- --explain: how sure a plan is ---- */

/* "-17 % to +20 %" */
static void write_spread(double value, double low, double high, struct buf *out)
{
    if (value > 0 && low > 0 && high > 0)
        buf_addf(out, ": -%ld %% to +%ld %%", lround(100 * (1 - low / value)),
                 lround(100 * (high / value - 1)));
}

static void cost_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    usd_write_estimate(best->cost, &text);
    if (best->cost_low.nano != MONEY_UNKNOWN && best->cost_low.nano < best->cost_high.nano) {
        buf_adds(&text, ", 8 of 10 between ");
        usd_write_estimate(best->cost_low, &text);
        buf_adds(&text, " and ");
        usd_write_estimate(best->cost_high, &text);
        write_spread(usd_double(best->cost), usd_double(best->cost_low),
                     usd_double(best->cost_high), &text);
    }
    plan_view_line(look, STR("cost"), STYLE_PLAIN, &text);
}

static void time_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct guess hours = best->hours;
    struct buf text = plan_view_text(look);

    if (isnan(hours.value))
        return;
    value_hours(hours.value, &text);
    if (hours.low < hours.high) {
        buf_adds(&text, ", 8 of 10 between ");
        value_hours(hours.low, &text);
        buf_adds(&text, " and ");
        value_hours(hours.high, &text);
        write_spread(hours.value, hours.low, hours.high, &text);
    }
    plan_view_line(look, STR("time"), STYLE_PLAIN, &text);
}

static void memory_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (isnan(best->memory_gb) || isnan(best->usable_gb))
        return;
    plan_view_memory(best, &text);
    buf_adds(&text, plan_view_tight(best) ? ": it probably fits" : ": it fits");
    plan_view_line(look, STR("memory"), STYLE_PLAIN, &text);
}

/* What being interrupted takes. */
static void risk_line(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;
    const struct plan_row *row =
        best->market == MARKET_SPOT ? best : plan_view_with_role(look->res, "on spot");
    struct buf text = plan_view_text(look);

    if (row != NULL && !isnan(row->risk)) {
        value_share(row->risk, &text);
        buf_adds(&text, plan_view_serving(look->res) ? " risk of an interruption a day"
                                                     : " risk of an interruption");
    }
    if (row != NULL && !isnan(row->overhead)) {
        buf_adds(&text, text.len > 0 ? "; " : "");
        value_share(row->overhead, &text);
        buf_adds(&text, " more time for checkpoints and repeated work");
    }
    plan_view_line(look, STR("on spot"), STYLE_PLAIN, &text);
}

static void simulated_line(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->simulated_runs <= 0 || res->simulated.nano == MONEY_UNKNOWN)
        return;
    value_count((double)res->simulated_runs, &text);
    buf_adds(&text, " simulated runs on spot cost ");
    usd_write_estimate(res->simulated, &text);
    buf_adds(&text, " on average");
    if (res->simulated_low.nano != MONEY_UNKNOWN && res->simulated_high.nano != MONEY_UNKNOWN) {
        buf_adds(&text, ", 8 of 10 between ");
        usd_write_estimate(res->simulated_low, &text);
        buf_adds(&text, " and ");
        usd_write_estimate(res->simulated_high, &text);
        if (res->simulated.nano > res->simulated_high.nano)
            buf_adds(&text, " (a few cost far more)");
    }
    if (!isnan(res->simulated_on_time)) {
        buf_adds(&text, "; ");
        if (res->simulated_on_time < 1)
            value_share(res->simulated_on_time, &text);
        else
            buf_adds(&text, "all");
        buf_adds(&text, " met the deadline");
    }
    if (!isnan(res->simulated_hours)) {
        buf_adds(&text, "; half took at most ");
        value_hours(res->simulated_hours, &text);
    }
    plan_view_line(look, STR("simulated"), STYLE_PLAIN, &text);
}

/* a part of it */
static void plan_print_sure(const struct plan_look *look)
{
    struct buf text = plan_view_text(look);

    if (look->res->plans.len == 0)
        return;
    plan_view_heading(look, "UNCERTAINTY");
    cost_sure(look, look->res->plans.at);
    time_sure(look, look->res->plans.at);
    memory_sure(look, look->res->plans.at);
    risk_line(look);
    simulated_line(look);
    buf_adds(&text, "the error of predicted against measured times ('stint validate'), and how "
                    "far prices of that age move");
    plan_view_line(look, STR("from"), STYLE_DIM, &text);
}

/* ---- --explain: where the money goes, restrictions, rules of thumb ---- */

#define BAR 40 /* columns for the whole, as in an estimate */
#define NAME 18

/* "  compute            $51.20   82 %  ########" for each line that there is. */
static void money_section(const struct plan_look *look)
{
    const struct plan_line *lines = look->res->money.at;
    const struct view *view = look->view;
    size_t room =
        view->term.width > 0 && view->term.width < VIEW_WIDTH ? view->term.width : VIEW_WIDTH;
    size_t bar = room > BAR + BAR ? BAR : room > BAR ? room - BAR : 1;

    if (look->res->money.len == 0)
        return;
    plan_view_heading(look, "WHERE THE MONEY GOES");
    for (size_t i = 0; i < look->res->money.len; i++) {
        struct buf amount = plan_view_text(look);
        size_t columns = term_columns(lines[i].name);

        if (lines[i].amount.nano == 0) /* a phase that this job does not have */
            continue;
        usd_write_estimate(lines[i].amount, &amount);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, lines[i].name);
        buf_pad(view->out, ' ', columns < NAME ? NAME - columns : 1);
        buf_addf(view->out, "%9.*s", (int)amount.len, buf_text(&amount).at);
        if (!isnan(lines[i].share))
            buf_addf(view->out, " %4ld %%", lround(100 * lines[i].share));
        if (lround(lines[i].share * (double)bar) > 0) {
            buf_adds(view->out, "  ");
            plan_view_bar(plan_view_bar_mark(look), lines[i].share, bar, view->out);
        }
        buf_char(view->out, '\n');
        buf_free_part(&amount, view->out);
    }
}

static void restrictions_section(const struct plan_look *look)
{
    static const struct column columns[] = {
        COLUMN("restriction", name, .shrink = true, .unknown = ""),
        COLUMN("without it", change, .shrink = true, .unknown = ""),
        COLUMN("costs", savings, .form = COLUMN_CHANGE),
        COLUMN("then", cost, .form = COLUMN_ESTIMATE, .optional = true),
        COLUMN("on", offer, .optional = true, .unknown = ""),
    };

    if (look->res->restrictions.len == 0)
        return;
    plan_view_heading(look, "WHAT EACH RESTRICTION COSTS");
    view_rows(look->view, &op_plan, look->res, "restrictions", COLUMNS(columns));
}

static void rules_section(const struct plan_look *look)
{
    const struct plan_thumb *rules = look->res->rules.at;

    if (look->res->rules.len == 0)
        return;
    plan_view_heading(look, "RULES OF THUMB");
    for (size_t i = 0; i < look->res->rules.len; i++) {
        struct buf text = plan_view_text(look);
        bool apart = str_eq(rules[i].verdict, STR("disagrees"));
        bool agrees = str_eq(rules[i].verdict, STR("agrees"));

        buf_add(&text, rules[i].rule);
        if (rules[i].effect.len > 0) {
            buf_adds(&text, " (");
            buf_add(&text, rules[i].effect);
            buf_char(&text, ')');
        }
        plan_view_line(look, rules[i].verdict,
                       apart    ? STYLE_WARN
                       : agrees ? STYLE_PLAIN
                                : STYLE_DIM,
                       &text);
    }
}

static bool write_saved_share(const struct column *column, const void *row, struct buf *out)
{
    const struct plan_row *r = row;

    (void)column;
    value_share(r->more_usd / usd_double(r->cost), out);
    return true;
}

static void naive_section(const struct plan_look *look)
{
    struct column columns[] = {
        COLUMN("choice", role, .shrink = true, .unknown = ""),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN_CELL("best saves", write_saved_share, .side = COLUMN_RIGHT),
        plan_view_time(look->res),
        PLAN_COLUMN_GPUS,
        PLAN_COLUMN_WHERE(.optional = true),
        COLUMN("market", market, .optional = true, .unknown = ""),
    };

    if (look->res->naive.len == 0)
        return;
    columns[3].optional = true;
    plan_view_heading(look, "NAIVE CHOICES");
    view_rows(look->view, &op_plan, look->res, "naive", COLUMNS(columns));
}

static void write_setting_word(struct buf *out, const char *before, struct str text)
{
    if (text.len == 0 || str_eq(text, STR("none")))
        return;
    buf_adds(out, out->len > 0 ? ", " : "");
    buf_adds(out, before);
    buf_add(out, text);
}

static void write_explained_degree(struct buf *out, const char *name, int64_t n, int64_t above)
{
    if (n > above)
        buf_addf(out, "%s%s %lld", out->len > 0 ? ", " : "", name, (long long)n);
}

static void batch_words(const struct plan_row *row, struct buf *out)
{
    write_explained_degree(out, "micro-batch", row->micro_batch, 0);
    if (row->accumulation > 1)
        buf_addf(out, " x %lld accumulated", (long long)row->accumulation);
    if (row->data > 1 && row->micro_batch > 0)
        buf_addf(out, " x %lld data parallel", (long long)row->data);
    if (row->global_batch > 0) {
        buf_adds(out, row->micro_batch > 0 ? " = " : ", batch ");
        value_count(row->global_batch, out);
    }
    if (row->sequence > 1)
        buf_addf(out, "%ssequences of %lld tokens", row->global_batch > 0 ? " " : ", ",
                 (long long)row->sequence);
}

static void write_amount_words(const struct plan_row *row, struct buf *out)
{
    if (!isnan(row->memory_gb)) {
        buf_adds(out, ", ");
        value_number(row->memory_gb, out);
        buf_adds(out, " GB");
    }
    if (!isnan(row->rate)) {
        buf_adds(out, ", ");
        value_number(row->rate, out);
        buf_char(out, ' ');
        buf_add(out, row->rate_unit);
    }
    if (!isnan(row->kwh)) {
        buf_adds(out, ", ");
        value_number(row->kwh, out);
        buf_adds(out, " kWh");
    }
    if (!isnan(row->carbon_kg)) {
        buf_adds(out, ", ");
        value_number(row->carbon_kg, out);
        buf_adds(out, " kg CO2e");
    }
}

static void settings_section(const struct plan_look *look)
{
    const struct plan_row *rows = look->res->plans.at;

    if (look->res->plans.len > 0)
        plan_view_heading(look, "SETTINGS");
    for (size_t i = 0; i < look->res->plans.len; i++) {
        const struct plan_row *row = &rows[i];
        struct buf text = plan_view_text(look);

        plan_view_gpus(row, &text);
        write_setting_word(&text, "", row->method);
        write_setting_word(&text, "", row->precision);
        write_setting_word(&text, "weights ", row->weights);
        write_setting_word(&text, "", row->optimizer);
        write_setting_word(&text, "", row->framework);
        write_setting_word(&text, "recompute ", row->recompute);
        write_setting_word(&text, "offload ", row->offload);
        write_explained_degree(&text, "tensor", row->tensor, 1);
        write_explained_degree(&text, "pipeline", row->pipeline, 1);
        write_explained_degree(&text, "virtual", row->virtual_pipeline, 1);
        write_explained_degree(&text, "context", row->context, 1);
        write_explained_degree(&text, "expert", row->expert, 1);
        write_explained_degree(&text, "ZeRO", row->zero, 0);
        write_explained_degree(&text, "sharded over", row->shard, 1);
        write_explained_degree(&text, "trials at a time:", row->parallel_trials, 1);
        batch_words(row, &text);
        write_amount_words(row, &text);
        plan_view_line(look, row->role, STYLE_PLAIN, &text);
    }
}

void plan_print_explain(const struct plan_look *look)
{
    money_section(look);
    restrictions_section(look);
    rules_section(look);
    plan_print_sure(look);
    naive_section(look);
    settings_section(look);
}
