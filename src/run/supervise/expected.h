/* expected.h - the job of a run, and what it is expected to take. */
#ifndef RUN_SUPERVISE_EXPECTED_H
#define RUN_SUPERVISE_EXPECTED_H

#include "ledger/runs/learning.h"
#include "meter/cpu_power.h"

struct supervise_job {
    struct str text; /* as ledger_job() has it */
    struct str gpu;  /* its devices as the program or the meters name them; empty: none seen */
    int64_t gpus;
    const struct cpu_model
        *cpu;             /* of a machine on which no device was found; NULL: not known */
    double cores, memory; /* of it; bytes */
    double before_h; /* that the run has taken when the work of the job begins; 0: it is given
                      * before that */
};

struct supervise_expected {
    struct ledger_estimate record; /* texts are in the arena that was given */
    double step_s;
    double memory_gb, usable_gb; /* of the fullest device */
    bool fits;
    bool on_cpu;     /* as rough as that is */
    double before_h; /* as given: in its time and cost */
};

#endif
