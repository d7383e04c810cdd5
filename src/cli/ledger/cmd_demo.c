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
    .group = {"a throw-away ledger of a made-up team, to look at", CLI_SETUP, .first = true},
    .about = "Creates a folder with a throwaway ledger: a fictional team of eight, the last 90 "
             "days. Runs (LoRA, fine-tuning, searches, evaluation, serving; some failed, were "
             "interrupted, repeated, stopped at their budget or left idle), the bills of two "
             "clouds, budgets, alerts, an allocation policy, counts of predictions. Every "
             "report has something to show. Prices are the catalog's; the demo depends only on "
             "the date, and --date sets another one. Your own ledger and configuration are not "
             "changed, nothing is sent, and commands that use the demo note it.",
    .examples = "stint demo\n"
                "stint demo /tmp/demo\n"
                "stint demo --date 2026-11-15\n"
                "stint --ledger stint-demo/ledger.db costs --by team",
    .print = print_demo,
};
