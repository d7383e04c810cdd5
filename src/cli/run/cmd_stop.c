/* stint stop */
#include "cli/commands.h"
#include "cli/view.h"
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
    .about =
        "Asks a run on this machine to save and end, as its guards would: for a\n"
        "checkpoint first, then by SIGTERM, and by SIGKILL when its grace period (--grace, or\n"
        "30 s) is over. The run is recorded as stopped by the user; 'stint run' ends\n"
        "with the command's own status. This command does not wait for the end.",
    .examples = "stint stop train\n"
                "stint stop last\n",
    .print = print_stop,
};
