/* stint runs add */
#include "cli/commands.h"
#include "op/runs/run_add.h"
#include "unit/shown.h"

static void print_run_add(const struct view *view, const void *result)
{
    const struct run_add_result *res = result;
    struct buf *out = view->out;

    buf_adds(out, "added ");
    buf_add(out, ledger_short(res->run.start.id));
    buf_char(out, ' ');
    buf_add_safe(out, res->run.start.name);
    buf_adds(out, ": ");
    value_time(res->run.start.started, true, out);
    buf_adds(out, " to ");
    value_time(res->run.ended, true, out);
    buf_adds(out, " (");
    span_write(res->run.totals.elapsed, out);
    if (res->count > 1)
        buf_addf(out, " on %lld machines", (long long)res->count);
    buf_adds(out, "), ");
    usd_write(res->run.totals.cost, out);
    buf_adds(out, "\nprice: ");
    buf_add_safe(out, res->run.start.price_source);
    buf_char(out, '\n');
}

const struct command cmd_run_add = {
    .name = "runs add",
    .op = &op_run_add,
    .about = "Records work that ran without 'stint run': a notebook, a machine that was rented "
             "manually. Its price is the offer's at that time, if the price store has it, "
             "otherwise the current one; or give --price or --cost. It counts like any run, "
             "and is marked as added.",
    .examples = "stint runs add --offer aws/us-east-1/g5.xlarge --start 2026-11-02T09:00:00Z "
                "--end 2026-11-02T17:30:00Z --tag team=nlp\n"
                "stint runs add --name labels --cost 120usd --start 2026-11-01 --end "
                "2026-11-03",
    .print = print_run_add,
};
