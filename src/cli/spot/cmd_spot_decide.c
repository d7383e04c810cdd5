/* stint spot decide */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/spot/spot_decide.h"
#include "unit/shown.h"

static enum term_style style_of_decision(const void *row)
{
    return ((const struct decide_option *)row)->chosen ? STYLE_GOOD : STYLE_PLAIN;
}

static void print_decide_options(const struct view *view, const struct decide_answer *res)
{
    static const struct column columns[] = {
        COLUMN("", chosen, .yes = "*"),
        COLUMN("option", action),
        COLUMN("zone", zone),
        COLUMN("expected", expected_usd, .form = COLUMN_ESTIMATE),
    };

    buf_char(view->out, '\n');
    view_rows(view, &op_spot_decide, res, "options",
              COLUMNS(columns, .style = style_of_decision));
}

static void print_spot_decide(const struct view *view, const void *result)
{
    const struct decide_answer *res = result;

    view_label(view, "do");
    field_write(field_find(op_spot_decide.result, STR("action")), res, view->out);
    if (res->zone.len > 0) {
        buf_adds(view->out, " in ");
        buf_add_safe(view->out, res->zone);
    }
    buf_char(view->out, '\n');
    view_label(view, "ask again");
    buf_adds(view->out, "in ");
    value_span(res->ask_again, view->out);
    buf_char(view->out, '\n');
    view_label(view, "on-demand");
    if (res->late_by.ns > 0) {
        buf_adds(view->out, "too late, by ");
        value_span(res->late_by, view->out);
    } else if (res->latest.ns < 0) {
        buf_adds(view->out, "no time for another start: the running job must continue");
    } else if (res->latest.ns < res->ask_again.ns) {
        buf_adds(view->out, "must start now: by the next question it is too late");
    } else {
        buf_adds(view->out, "need not start before ");
        value_span(res->latest, view->out);
        buf_adds(view->out, " from now");
    }
    buf_char(view->out, '\n');
    print_decide_options(view, res);
    buf_adds(view->out, "\n"
                        "expected: modeled cost from now to the end of the job\n");
}

const struct command cmd_spot_decide = {
    .name = "spot decide",
    .op = &op_spot_decide,
    .about = "Decides what a job should do now: stay, use spot (and where), use on-demand, or "
             "wait. The policy is 'stint' in 'stint simulate': it learns machine lifetimes "
             "from the observations, looks ahead, and never misses a deadline that on-demand "
             "can meet. Ask again after each --every, with one more digit in --seen, and give "
             "the time that a start still takes (--starting), or the deadline is not certain; "
             "a launcher or a script can follow it with --json.",
    .examples =
        "stint spot decide --work 48h --done 20h --left 36h --seen us-east-1a=0110111 "
        "--spot '$0.97/hr' --on-demand '$3.06/hr'\n"
        "stint spot decide --work 48h --left 60h --seen a=0011,b=1111 --running spot --zone b "
        "--starting 0s --spot 'a=$0.92/hr,b=$1.24/hr' --on-demand '$3.06/hr' --json",
    .print = print_spot_decide,
};
