/* --explain: how sure a plan is. */
#include <math.h>

#include "cli/estimate_print.h"
#include "cli/plan_print.h"

#define SECONDS_PER_HOUR 3600.0

/* "-17 % to +20 %" */
static void spread(double value, double low, double high, struct buf *out)
{
    if (value > 0 && low > 0 && high > 0)
        buf_addf(out, ": -%ld %% to +%ld %%", lround(100 * (1 - low / value)),
                 lround(100 * (high / value - 1)));
}

static void cost_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    usd_write(plan_view_about(best->cost), &text);
    if (best->cost_low.nano != MONEY_UNKNOWN && best->cost_low.nano < best->cost_high.nano) {
        buf_adds(&text, ", 8 of 10 between ");
        usd_write(plan_view_about(best->cost_low), &text);
        buf_adds(&text, " and ");
        usd_write(plan_view_about(best->cost_high), &text);
        spread(usd_double(best->cost), usd_double(best->cost_low), usd_double(best->cost_high),
               &text);
    }
    plan_view_line(look, STR("cost"), STYLE_PLAIN, &text);
}

static void time_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct guess hours = best->hours;
    struct buf text = plan_view_text(look);

    if (isnan(hours.value)) {
        plan_view_drop(look, &text);
        return;
    }
    plan_view_time(look->longest, hours.value * SECONDS_PER_HOUR, &text);
    if (hours.low < hours.high) {
        buf_adds(&text, ", 8 of 10 between ");
        plan_view_time(look->longest, hours.low * SECONDS_PER_HOUR, &text);
        buf_adds(&text, " and ");
        plan_view_time(look->longest, hours.high * SECONDS_PER_HOUR, &text);
        spread(hours.value, hours.low, hours.high, &text);
    }
    plan_view_line(look, STR("time"), STYLE_PLAIN, &text);
}

static void memory_sure(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (isnan(best->memory_gb) || isnan(best->usable_gb)) {
        plan_view_drop(look, &text);
        return;
    }
    plan_view_memory(best, &text);
    buf_adds(&text, plan_view_tight(best) ? ": it probably fits" : ": it fits");
    plan_view_line(look, STR("memory"), STYLE_PLAIN, &text);
}

/* What being interrupted takes. */
static void risk_line(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;
    const struct plan_row *row =
        str_eq(best->market, STR("spot")) ? best : plan_view_with_role(look->res, "on spot");
    struct buf text = plan_view_text(look);

    if (row != NULL && !isnan(row->risk)) {
        plan_view_percent(row->risk, &text);
        buf_adds(&text, plan_view_serving(look->res) ? " risk of an interruption a day"
                                                     : " risk of an interruption");
    }
    if (row != NULL && !isnan(row->overhead)) {
        buf_adds(&text, text.len > 0 ? "; " : "");
        plan_view_percent(row->overhead, &text);
        buf_adds(&text, " more time for checkpoints and repeated work");
    }
    if (text.len > 0)
        plan_view_line(look, STR("on spot"), STYLE_PLAIN, &text);
    else
        plan_view_drop(look, &text);
}

static void simulated_line(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->simulated_runs <= 0 || res->simulated.nano == MONEY_UNKNOWN) {
        plan_view_drop(look, &text);
        return;
    }
    count_write((double)res->simulated_runs, &text);
    buf_adds(&text, " simulated runs on spot cost ");
    usd_write(res->simulated, &text);
    buf_adds(&text, " on average");
    if (res->simulated_low.nano != MONEY_UNKNOWN && res->simulated_high.nano != MONEY_UNKNOWN) {
        buf_adds(&text, ", 8 of 10 between ");
        usd_write(res->simulated_low, &text);
        buf_adds(&text, " and ");
        usd_write(res->simulated_high, &text);
        if (res->simulated.nano > res->simulated_high.nano)
            buf_adds(&text, " (a few cost far more)");
    }
    if (!isnan(res->simulated_on_time)) {
        buf_adds(&text, "; ");
        if (res->simulated_on_time < 1)
            plan_view_percent(res->simulated_on_time, &text);
        else
            buf_adds(&text, "all");
        buf_adds(&text, " met the deadline");
    }
    if (!isnan(res->simulated_hours)) {
        buf_adds(&text, "; half took at most ");
        plan_view_hours(res->simulated_hours, &text);
    }
    plan_view_line(look, STR("simulated"), STYLE_PLAIN, &text);
}

void plan_print_sure(const struct plan_look *look)
{
    struct buf text = plan_view_text(look);

    if (look->res->plans.len == 0) {
        plan_view_drop(look, &text);
        return;
    }
    plan_view_heading(look, "UNCERTAINTY");
    cost_sure(look, look->res->plans.at);
    time_sure(look, look->res->plans.at);
    memory_sure(look, look->res->plans.at);
    risk_line(look);
    simulated_line(look);
    buf_adds(&text, "the error of predicted against measured times ('stint validate'); prices "
                    "are taken as they are");
    plan_view_line(look, STR("from"), STYLE_DIM, &text);
}
