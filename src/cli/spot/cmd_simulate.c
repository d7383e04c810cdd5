/* stint simulate */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/spot/simulate.h"
#include "render/timeline.h"

#define TIMES_MAX 6 /* deadlines or delays that are written out */

/* Below uniform progress no share of the gap means anything. */
static bool write_gap(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    if (!(((const struct simulate_policy *)row)->gap_closed < 0))
        return false;
    buf_adds(out, "worse");
    return true;
}

static enum term_style style_of_policy(const void *row)
{
    return ((const struct simulate_policy *)row)->late > 0 ? STYLE_WARN : STYLE_PLAIN;
}

/* Shares have a decimal: policies differ by little. */
static const struct column policy_columns[] = {
    COLUMN("policy", name, .marks = {{"uses_future", " *"}}),
    COLUMN("mean", mean_usd, .form = COLUMN_ESTIMATE, .unknown = "?"),
    COLUMN("late", late),
    COLUMN("savings", savings, .form = COLUMN_PERCENT, .decimals = 1),
    COLUMN("gap closed", gap_closed, .cell = write_gap, .form = COLUMN_PERCENT, .decimals = 1),
    COLUMN("p10", p10_usd, .form = COLUMN_ESTIMATE, .unknown = "?", .optional = true),
    COLUMN("p90", p90_usd, .form = COLUMN_ESTIMATE, .unknown = "?", .optional = true),
    COLUMN("on-demand h", on_demand_h, .decimals = 1, .optional = true),
    COLUMN("spot h", spot_h, .decimals = 1, .optional = true),
    COLUMN("redone h", lost_h, .decimals = 1, .optional = true, .if_any = true),
    COLUMN("egress", egress_usd, .form = COLUMN_ESTIMATE, .unknown = "?", .optional = true,
           .if_any = true),
};

static void print_simulate_legend(const struct view *view, const struct simulate_result *res)
{
    const struct simulate_policy *at = res->policies.at;
    bool uses_future = false, bound = false, informed = false;

    for (size_t i = 0; i < res->policies.len; i++) {
        uses_future |= at[i].uses_future;
        bound |= res->saves && isnan(at[i].spot_h) && !isnan(at[i].mean_usd);
        informed |= str_eq(at[i].name, STR("informed"));
    }
    buf_char(view->out, '\n');
    view_text(
        view,
        STR("savings: of on-demand's mean; gap closed: of the gap from up to the optimum"));
    if (uses_future)
        view_text(view, STR("*: knows the future, so it is only a yardstick"));
    if (informed)
        view_text(view,
                  STR("informed: knows only how long machines and outages of each zone last, "
                      "by its complete trace"));
    if (bound)
        view_text(view, STR("optimal: a lower bound that assumes free saves and no lost work"));
}

static void write_plural_count(struct buf *out, int64_t n, const char *what, const char *after)
{
    buf_addf(out, "%lld %s%s%s", (long long)n, what, n == 1 ? "" : "s", after);
}

/* "2 deadlines (24h, 40h)": as they can be typed. */
static void write_simulated_times(struct buf *out, const struct numbers *hours,
                                  const char *what)
{
    write_plural_count(out, (int64_t)hours->len, what, " (");
    for (size_t i = 0; i < hours->len && i < TIMES_MAX; i++)
        buf_addf(out, "%s%.4gh", i > 0 ? ", " : "", hours->at[i]);
    buf_adds(out, hours->len > TIMES_MAX ? ", ...)" : ")");
}

static void print_what(const struct view *view, const struct simulate_result *res)
{
    struct buf text = buf_new(view->arena->alloc, 64 * 1024);

    buf_addf(&text, "simulated on %.*s: ", (int)res->traces.len, res->traces.at);
    if (res->part.len > 0)
        buf_addf(&text, "only part %.*s: ", STR_ARG(res->part));
    write_plural_count(&text, res->runs, "run", " of ");
    buf_adds(&text, num_figures(res->work_h).text);
    buf_adds(&text, res->timeline.len > 0 ? " h of work, the first of " : " h of work: ");
    write_plural_count(&text, res->zones, "zone", res->roam ? " at once x " : " x ");
    write_plural_count(&text, res->windows, "window", " x ");
    write_simulated_times(&text, &res->deadlines_h, "deadline");
    buf_adds(&text, " x ");
    write_simulated_times(&text, &res->delays_h, "delay");
    buf_adds(&text, "; prices: ");
    buf_add(&text, res->prices);
    buf_adds(&text, "; ");
    buf_add(&text, res->rules);
    view_text(view, buf_text(&text));
    buf_free_part(&text, view->out);
}

static void print_simulate(const struct view *view, const void *result)
{
    const struct simulate_result *res = result;

    if (res->script.len > 0 && res->submitted.len == 0) {
        buf_add(view->out, res->script);
        return;
    }
    if (res->submitted.len > 0) {
        buf_addf(view->out, "submitted; job %.*s puts the result into ",
                 STR_ARG(res->submitted));
        buf_add(view->out, res->folder);
        buf_adds(view->out, "/result.json\n");
        return;
    }
    if (res->drawing != NULL) {
        timeline_text(res->drawing, &view->term, term_utf8(), view->out);
        buf_char(view->out, '\n');
    }
    view_rows(view, &op_simulate, res, "policies",
              COLUMNS(policy_columns, .style = style_of_policy));
    print_simulate_legend(view, res);
    print_what(view, res);
    if (res->svg.len > 0) {
        buf_adds(view->out, "drawn to ");
        buf_add(view->out, res->svg);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_simulate = {
    .name = "simulate",
    .op = &op_simulate,
    .group = {"what a job would have cost on spot, policy by policy", .stage = CLI_BEFORE},
    .about = "Simulates the cost and lateness of policies for spot machines on traces of spot "
             "availability. Each zone, window, deadline and delay is a run of equal weight, "
             "under the tick rules of \"Can't Be Late\" (Wu et al., NSDI'24). Given a JOB, its "
             "work, start delay and prices are estimated. All cores are used; the result does "
             "not depend on their number.",
    .examples = "stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h\n"
                "stint simulate --traces F.trc --windows W.txt --window-ticks 554 --work 48h "
                "--deadline 60h --delay 0.2h --on-demand '$3.06/hr' --spot '$0.9731/hr' "
                "--policy up,stint,optimal --json\n"
                "stint simulate job.yaml --offer aws/p5.48xlarge --deadline 3d\n"
                "stint simulate --traces F.trc --work 48h --deadline 60h --delay 0.2h "
                "--timeline --svg run.svg",
    .print = print_simulate,
};
