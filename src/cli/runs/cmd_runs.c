/* stint runs */
#include "cli/commands.h"
#include "cli/runs_view.h"
#include "op/runs/runs.h"
#include "report/records.h"
#include "unit/shown.h"

/* "all 5 runs: $12.40, 3.1 kWh, 7h": what is not known is counted. */
static void print_sum(const struct view *view, const struct runs_result *res)
{
    struct buf *out = view->out;

    bool by_date = res->next.len > 0;

    buf_addf(out, "\n%s%lld run%s: ",
             !res->more ? ""
             : by_date  ? "the newest "
                        : "the first ",
             (long long)res->count, res->count == 1 ? "" : "s");
    if (res->sum.cost_unknown == res->count)
        buf_adds(out, "cost not known");
    else
        value_dollars(usd_double(res->sum.cost_known), out);
    if (res->sum.cost_unknown > 0 && res->sum.cost_unknown < res->count)
        buf_addf(out, ", without %lld of unknown cost", (long long)res->sum.cost_unknown);
    if (res->sum.energy_unknown < res->count) {
        buf_adds(out, "; ");
        joule_write((joule){res->sum.energy_known_kwh * JOULES_PER_KWH}, out);
        if (res->sum.energy_unknown > 0)
            buf_addf(out, ", without %lld of unknown energy",
                     (long long)res->sum.energy_unknown);
    }
    if (res->sum.took.ns >= 0) {
        buf_adds(out, "; ");
        span_write(res->sum.took, out);
    }
    buf_adds(out, "\n");
    if (res->more)
        buf_addf(out, "%s are not shown: --limit 0 shows all\n",
                 by_date ? "older ones" : "others");
}

static void print_run_list(const struct view *view, const void *result)
{
    const struct runs_result *res = result;

    if (res->no_ledger) {
        buf_adds(view->out, "nothing has been run yet: 'stint run -- COMMAND' records it in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
    } else if (res->count == 0) {
        buf_adds(view->out, res->filtered ? "no matching runs" : "no runs recorded");
        buf_adds(view->out, " in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
    } else {
        view_rows(view, &op_runs, res, "runs", &run_columns[PLACE_TERMINAL]);
        print_sum(view, res);
    }
    if (res->csv.len > 0) {
        buf_addf(view->out, "wrote %lld run%s to ", (long long)res->count,
                 res->count == 1 ? "" : "s");
        buf_add_safe(view->out, res->csv);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_runs = {
    .name = "runs",
    .op = &op_runs,
    .group = {"past runs and what they cost", CLI_AFTER, .first = true},
    .about =
        "Lists past runs of 'stint run', newest first: time, cost, final state. A run whose "
        "supervisor ended without recording it is 'lost', or 'preempted' if the cloud had "
        "announced an interruption. Totals leave out unknown costs and show their number.",
    .examples = "stint runs\n"
                "stint runs 'bert*' --since 7d --state failed\n"
                "stint runs --since 30d --sort cost\n"
                "stint runs --tag team=nlp --limit 0 --csv runs.csv",
    .print = print_run_list,
};
