/* stint stop */
#include "cli/commands.h"
#include "op/run/stop.h"

static void print_stop(const struct view *view, const void *result)
{
    const struct stop_result *res = result;

    buf_adds(view->out, "asked ");
    buf_add_safe(view->out, res->name);
    buf_adds(view->out, " to save and end: 'stint top' shows when it has\n");
}

const struct command cmd_stop = {
    .name = "stop",
    .op = &op_stop,
    .group = {"ask a run to save and exit", .stage = CLI_DURING},
    .about = "Asks a run to save and exit, as its guards would: by a checkpoint request first, "
             "then by SIGTERM, and by SIGKILL when its grace period (--grace, or 30 s) is "
             "over. The run is on this machine, or on one that sends its runs to a server "
             "('stint run --to'), which passes the request on within seconds. It is recorded "
             "as stopped by the user; 'stint run' ends with the command's own status. This "
             "command does not wait for the end.",
    .examples = "stint stop train\n"
                "stint stop last\n",
    .print = print_stop,
};
