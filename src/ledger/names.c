#include "ledger/ledger.h"

const char *ledger_state_name(enum ledger_state state)
{
    static const char *const names[] = {"running", "done",      "failed",
                                        "stopped", "preempted", "lost"};

    return names[state];
}
