/* stint watch */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/watch.h"
#include "unit/shown.h"
#include "unit/time.h"

static void print_watch(const struct view *view, const void *result)
{
    const struct watch_result *r = &((const struct watch_answer *)result)->seen;

    view_label(view, "watched");
    span_write(r->watched, view->out);
    if (!isnan(r->busy))
        buf_addf(view->out, ", %s busy, %.2f h idle", percent_text(r->busy).text,
                 r->idle_s / 3600);
    buf_char(view->out, '\n');
    view_label(view, "cost");
    usd_write(r->cost, view->out);
    buf_adds(view->out,
             r->since_start ? " since the machine was started" : " while it was watched");
    if (r->rate.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " at ");
        usd_per_hour_write(r->rate, view->out);
    }
    if (r->idle_cost.nano > 0) {
        buf_adds(view->out, "; idle while watched ");
        usd_write(r->idle_cost, view->out);
    }
    buf_char(view->out, '\n');
    if (r->acted > 0) {
        view_label(view, "acted");
        buf_addf(view->out, "%d time%s, last for %s: %s\n", r->acted, r->acted == 1 ? "" : "s",
                 stop_reason_names[r->reason], r->why);
    }
}

const struct command cmd_watch = {
    .name = "watch",
    .op = &op_watch,
    .group = {"run a command when this machine is idle or over budget", .stage = CLI_DURING},
    .about = "Watches a machine instead of a command: idle notebooks, forgotten instances. It "
             "warns, waits for the grace period, and runs the command given with --do. Ends by "
             "Ctrl-C, or with status 5 after --once.",
    .examples =
        "stint watch --idle 30min --do 'sudo poweroff'\n"
        "stint watch --idle 15min --idle-below 10% --price '$2.49/hr' --on-event ./tell.sh\n"
        "stint watch --budget '$20' --price '$2.49/hr' --do 'sudo poweroff'",
    .print = print_watch,
};
