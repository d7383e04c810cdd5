/* expected.h - the job of a run, and what it is expected to take. */
#ifndef RUN_SUPERVISE_EXPECTED_H
#define RUN_SUPERVISE_EXPECTED_H

#include "ledger/runs/learning.h"

struct supervise_job {
    struct str text; /* as ledger_job() has it */
    struct str gpu;  /* its devices as the program or the meters name them; empty: none seen */
    int64_t gpus;
};

struct supervise_expected {
    struct ledger_estimate record; /* texts are in the arena that was given */
    double step_s;
    double memory_gb, usable_gb; /* of the fullest device */
    bool fits;
};

#endif
