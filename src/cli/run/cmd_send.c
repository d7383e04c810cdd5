/* stint send */
#include "cli/commands.h"
#include "op/run/send.h"

static void print_send(const struct view *view, const void *result)
{
    const struct send_op_result *res = result;

    if (res->sent == 0 && res->waiting == 0) {
        buf_adds(view->out, "nothing waits to be sent to ");
        buf_add_safe(view->out, res->to);
        buf_char(view->out, '\n');
        return;
    }
    buf_addf(view->out, "sent %lld run%s to ", (long long)res->sent, res->sent == 1 ? "" : "s");
    buf_add_safe(view->out, res->to);
    buf_char(view->out, '\n');
    if (res->waiting == 0)
        return;
    buf_addf(view->out, "%lld still wait%s in ", (long long)res->waiting,
             res->waiting == 1 ? "s" : "");
    buf_add_safe(view->out, res->folder);
    if (res->cost.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " (");
        usd_write(usd_rounded(res->cost), view->out);
        buf_char(view->out, ')');
    }
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, res->reason);
    buf_char(view->out, '\n');
}

const struct command cmd_send = {
    .name = "send",
    .op = &op_send,
    .group = {"send runs that wait on this machine to a server", .stage = CLI_DURING},
    .about = "Sends runs that 'stint run --to' kept on this machine while the server was "
             "unreachable. Every run to that server does the same, so this is only needed when "
             "no further run will start here: at the end of a job, before the machine is "
             "returned. Runs that the server has are removed here; nothing is counted twice. "
             "Exit status 1 if some could not be sent.",
    .examples = "stint send --to https://costs.example.org:8712\n"
                "STINT_TO=https://costs.example.org:8712 stint send\n",
    .print = print_send,
};
