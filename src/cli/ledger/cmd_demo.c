/* stint demo */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/ledger/demo.h"

static void print_demo(const struct view *view, const void *result)
{
    const struct demo_result *res = result;

    buf_adds(view->out, "wrote ");
    buf_add_safe(view->out, res->ledger);
    buf_adds(view->out, ": a made-up team, ");
    day_write(res->first_day, view->out);
    buf_adds(view->out, " to ");
    day_write(res->last_day, view->out);
    buf_addf(view->out, "\n%lld runs (", (long long)res->runs);
    money_write_cents(&res->metered, view->out);
    buf_addf(view->out, "), %lld charges of AWS and Google Cloud to ", (long long)res->charges);
    day_write(res->billed_until, view->out);
    buf_adds(view->out,
             ", budgets, alerts.\nNothing of yours was read or changed.\n\nuse it:\n  ");
    buf_add_safe(view->out, res->use);
    buf_adds(view->out, "\nthen:\n");
    view_steps(view, &res->next);
    buf_adds(view->out, "remove it:\n  ");
    buf_add_safe(view->out, res->remove);
    buf_char(view->out, '\n');
}

const struct command cmd_demo = {
    .name = "demo",
    .op = &op_demo,
    .about =
        "Makes a new folder with a throw-away ledger: a made-up team of eight, the last\n"
        "90 days. Runs (LoRA, fine-tuning, searches, evaluation, serving; some failed, were\n"
        "interrupted, repeated, stopped at their budget or left idle), the bills of two\n"
        "clouds, budgets, alerts, an allocation policy, counts of predictions. Every report\n"
        "has something to show. Prices are the catalog's; the same day makes the same demo,\n"
        "and --date makes that of another day.\n"
        "Your own ledger and configuration are not touched, nothing is sent, and commands\n"
        "that use the demo say so.",
    .examples = "stint demo\n"
                "stint demo /tmp/demo\n"
                "stint demo --date 2026-11-15\n"
                "stint --ledger stint-demo/ledger.db costs --by team",
    .print = print_demo,
};
