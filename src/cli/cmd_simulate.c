/* stint simulate */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/spot/simulate.h"
#include "report/timeline.h"

#define TIMES_MAX 6 /* deadlines or delays that are written out */

static void dollars(struct table *t, double amount)
{
    if (isnan(amount))
        table_cell(t, "?");
    else
        table_cell(t, "$%.2f", amount);
}

/* With a decimal: policies differ by little. */
static void percent(struct table *t, double share)
{
    if (isnan(share))
        table_cell(t, "-");
    else
        table_cell(t, "%.1f %%", share * 100);
}

/* Below uniform progress no share of the gap means anything. */
static void gap_closed(struct table *t, double share)
{
    if (share < 0)
        table_cell(t, "worse");
    else
        percent(t, share);
}

static void print_policies(const struct view *view, const struct simulate_result *res)
{
    enum { LOST = 9, EGRESS };
    struct table_column columns[] = {
        {.title = "policy"},
        {.title = "mean", .right = true},
        {.title = "late", .right = true},
        {.title = "saving", .right = true},
        {.title = "gap closed", .right = true},
        {.title = "p10", .right = true, .optional = true},
        {.title = "p90", .right = true, .optional = true},
        {.title = "on-demand h", .right = true, .optional = true},
        {.title = "spot h", .right = true, .optional = true},
        {.title = "redone h", .right = true, .optional = true, .hidden = true},
        {.title = "egress", .right = true, .optional = true, .hidden = true},
    };
    const struct simulate_policy *at = res->policies.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->policies.len; i++) {
        table_cell(&t, "%.*s%s", STR_ARG(at[i].name), at[i].foresees ? " *" : "");
        dollars(&t, at[i].mean_usd);
        view_count(&t, at[i].late);
        percent(&t, at[i].saving);
        gap_closed(&t, at[i].gap_closed);
        dollars(&t, at[i].p10_usd);
        dollars(&t, at[i].p90_usd);
        view_number(&t, at[i].on_demand_h, 1);
        view_number(&t, at[i].spot_h, 1);
        view_number(&t, at[i].lost_h, 1);
        dollars(&t, at[i].egress_usd);
        columns[LOST].hidden &= !(at[i].lost_h > 0);
        columns[EGRESS].hidden &= !(at[i].egress_usd > 0);
        if (at[i].late > 0)
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
}

static void print_legend(const struct view *view, const struct simulate_result *res)
{
    const struct simulate_policy *at = res->policies.at;
    bool foresees = false, bound = false;

    for (size_t i = 0; i < res->policies.len; i++) {
        foresees |= at[i].foresees;
        bound |= isnan(at[i].spot_h) && !isnan(at[i].mean_usd);
    }
    buf_char(view->out, '\n');
    view_text(
        view,
        STR("saving: of on-demand's mean; gap closed: of the gap from up to the optimum"));
    if (foresees)
        view_text(view, STR("*: knows the future, so it is only a yardstick"));
    if (bound)
        view_text(view,
                  STR("optimal: a bound, as if saving took no time and no work was lost"));
}

static void count(struct buf *out, int64_t n, const char *what, const char *after)
{
    buf_addf(out, "%lld %s%s%s", (long long)n, what, n == 1 ? "" : "s", after);
}

/* "2 deadlines (24h, 40h)": as they can be typed. */
static void times(struct buf *out, const struct numbers *hours, const char *what)
{
    count(out, (int64_t)hours->len, what, " (");
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
    count(&text, res->runs, "run", " of ");
    buf_addf(&text, "%.4g", res->work_h);
    buf_adds(&text, res->timeline.len > 0 ? " h of work, the first of " : " h of work: ");
    count(&text, res->zones, "zone", res->roam ? " at once x " : " x ");
    count(&text, res->windows, "window", " x ");
    times(&text, &res->deadlines_h, "deadline");
    buf_adds(&text, " x ");
    times(&text, &res->delays_h, "delay");
    buf_adds(&text, "; prices: ");
    buf_add(&text, res->prices);
    buf_adds(&text, "; ");
    buf_add(&text, res->rules);
    view_text(view, buf_text(&text));
    if (text.failed != ERROR_NONE)
        view->out->failed = text.failed;
    buf_free(&text);
}

static void print_simulate(const struct view *view, const void *result)
{
    const struct simulate_result *res = result;

    if (res->script.len > 0 && res->submitted.len == 0) {
        buf_add(view->out, res->script);
        return;
    }
    if (res->submitted.len > 0) {
        buf_addf(view->out, "submitted; job %.*s puts the result into %.*s/result.json\n",
                 STR_ARG(res->submitted), STR_ARG(res->folder));
        return;
    }
    if (res->drawing != NULL) {
        timeline_text(res->drawing, &view->term, term_utf8(), view->out);
        buf_char(view->out, '\n');
    }
    print_policies(view, res);
    print_legend(view, res);
    print_what(view, res);
    if (res->svg.len > 0)
        buf_addf(view->out, "drawn to %.*s\n", STR_ARG(res->svg));
}

const struct command cmd_simulate = {
    .name = "simulate",
    .op = &op_simulate,
    .about =
        "What policies for spot machines would have paid, and whether they were late, on\n"
        "traces of when spot was to be had. Each zone, window, deadline and delay is a run\n"
        "of equal weight, under the tick rules of \"Can't Be Late\" (Wu et al., NSDI'24).\n"
        "Given a JOB, its work, start delay and prices are estimated. All cores are used;\n"
        "the result does not depend on how many.",
    .examples = "stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h\n"
                "stint simulate --traces F.trc --windows W.txt --window-ticks 554 --work 48h "
                "--deadline 60h --delay 0.2h --on-demand '$3.06/hr' --spot '$0.9731/hr' "
                "--policy up,stint,optimal --json\n"
                "stint simulate job.yaml --offer aws/p5.48xlarge --deadline 3d\n"
                "stint simulate --traces F.trc --work 48h --deadline 60h --delay 0.2h "
                "--timeline --svg run.svg",
    .print = print_simulate,
};
