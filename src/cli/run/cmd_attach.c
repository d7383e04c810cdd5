/* stint attach */
#include "cli/commands.h"
#include "cli/run/cmd_run.h"
#include "cli/view.h"
#include "op/run/run.h"

const struct command cmd_attach = {
    .name = "attach",
    .op = &op_attach,
    .group = {"meter a process that is already running", .stage = CLI_DURING},
    .about =
        "Meters a process that is already running, and everything it starts, as 'stint run' "
        "would: cost, energy, GPUs, checkpoints, guards and the ledger. Earlier usage is not "
        "measured; the record shows how long the process ran before. Guards stop the process "
        "as they stop a command (status 5). Ctrl-C detaches: the process continues, unmetered. "
        "Its output is not read: progress comes from the run's socket or from --metrics-file. "
        "Ends with the status of the process where the system reports it, otherwise with 0.",
    .examples = "stint attach 4711 --budget '$5' --price '$2.49/hr'\n"
                "stint attach $(pgrep -n -f train.py) --idle 15min --checkpoints out\n"
                "stint attach 4711 --deadline 2h --no-kill --alert team\n"
                "stint attach --ancestor $$ --name nightly &",
    .print = run_print,
    .aside = view_aside,
};
