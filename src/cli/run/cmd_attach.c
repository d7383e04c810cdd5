/* stint attach */
#include "cli/commands.h"
#include "cli/run/cmd_run.h"
#include "op/run/run.h"

const struct command cmd_attach = {
    .name = "attach",
    .op = &op_attach,
    .about = "Meters a process that is already running, and everything it starts, as\n"
             "'stint run' would: cost, energy, GPUs, checkpoints, guards and the ledger.\n"
             "What it used before is not measured; the record shows for how long it ran.\n"
             "A guard stops the process as it stops a command (status 5). Ctrl-C detaches:\n"
             "the process goes on, unmetered. Its output is not read: progress comes from\n"
             "the run's socket or from --metrics-file. Ends with the status of the process\n"
             "where the system reports it, otherwise with 0.",
    .examples = "stint attach 4711 --budget '$5' --price '$2.49/hr'\n"
                "stint attach $(pgrep -n -f train.py) --idle 15min --checkpoints out\n"
                "stint attach 4711 --deadline 2h --no-kill --alert team\n"
                "stint attach --ancestor $$ --name nightly &",
    .print = run_print,
    .aside = true,
};
