/* stint runs */
#include "cli/commands.h"
#include "cli/estimate_print.h"
#include "cli/runs_view.h"
#include "op/runs/runs.h"

#define CELL_MAX 128

static void energy_cell(struct table *t, double kwh)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);

    joule_write((joule){kwh * JOULES_PER_KWH}, &text);
    runs_cell(t, &text);
}

static void row(struct table *t, const struct run_view *run)
{
    struct buf when = buf_new(t->arena->alloc, CELL_MAX), why = buf_new(t->arena->alloc, 512);
    struct buf took = buf_new(t->arena->alloc, CELL_MAX);

    table_text(t, run->short_id);
    table_text(t, run->name);
    table_text(t, run->state);
    runs_when(run->started, false, &when);
    runs_cell(t, &when);
    runs_span(run->took, &took);
    runs_cell(t, &took);
    runs_dollars(t, run->cost);
    view_percent(t, run->of_budget);
    energy_cell(t, run->energy_kwh);
    view_percent(t, run->gpu_busy);
    view_number(t, run->score, 0);
    runs_why(run, &why);
    runs_cell(t, &why);
    if (str_eq(run->state, STR("running")))
        table_style(t, STYLE_GOOD);
    else if (!str_eq(run->state, STR("done")))
        table_style(t, STYLE_WARN);
}

/* "all 5 runs: $12.40, 3.1 kWh, 7h": what is not known is said, not left out in silence. */
static void print_sum(const struct view *view, const struct runs_result *res)
{
    struct buf *out = view->out;

    buf_addf(out, "\n%s%lld run%s: ", res->more ? "the newest " : "", (long long)res->count,
             res->count == 1 ? "" : "s");
    if (res->cost_unknown == res->count)
        buf_adds(out, "cost not known");
    else
        dollars_write(usd_double(res->cost_known), out);
    if (res->cost_unknown > 0 && res->cost_unknown < res->count)
        buf_addf(out, ", without %lld whose cost is not known", (long long)res->cost_unknown);
    if (res->energy_unknown < res->count) {
        buf_adds(out, "; ");
        joule_write((joule){res->energy_known_kwh * JOULES_PER_KWH}, out);
        if (res->energy_unknown > 0)
            buf_addf(out, ", without %lld whose energy is not known",
                     (long long)res->energy_unknown);
    }
    if (res->took.ns >= 0) {
        buf_adds(out, "; ");
        span_write(res->took, out);
    }
    buf_adds(out, "\n");
    if (res->more)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
}

static void print(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "id"},
        {.title = "name", .shrink = true},
        {.title = "state"},
        {.title = "started (UTC)", .optional = true},
        {.title = "took", .right = true},
        {.title = "cost", .right = true},
        {.title = "of budget", .right = true, .optional = true},
        {.title = "energy", .right = true, .optional = true},
        {.title = "GPU busy", .right = true, .optional = true},
        {.title = "score", .right = true, .optional = true},
        {.title = "why", .shrink = true},
    };
    const struct runs_result *res = result;
    const struct run_view *runs = res->runs.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->none_yet) {
        buf_adds(view->out, "nothing was run yet: 'stint run -- COMMAND' records it in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
    } else if (res->count == 0) {
        buf_adds(view->out, res->filtered ? "no run is like that" : "no run is recorded");
        buf_adds(view->out, " in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
    } else {
        for (size_t i = 0; i < res->runs.len; i++)
            row(&t, &runs[i]);
        table_write(&t, &view->term, view->out);
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
    .about = "What was run under 'stint run', the newest first: what it took, what it cost,\n"
             "how it ended. A run whose supervisor is gone without a word is 'lost', or\n"
             "'preempted' when the cloud had said that it takes the machine back. Sums leave\n"
             "out what is not known, and say so.",
    .examples = "stint runs\n"
                "stint runs 'bert*' --since 7d --state failed\n"
                "stint runs --tag team=nlp --limit 0 --csv runs.csv",
    .print = print,
};
