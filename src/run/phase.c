#include "run/phase.h"

const char *phase_name(enum run_phase phase)
{
    static const char *const names[PHASE_COUNT] = {"set-up",   "data wait",  "train",
                                                   "evaluate", "checkpoint", "idle"};

    return names[phase];
}
