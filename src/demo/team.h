/* team.h - who does what in the made-up team: machines and kinds of work. */
#ifndef DEMO_TEAM_H
#define DEMO_TEAM_H

#include "demo/demo.h"

enum demo_machine_number {
    MACHINE_LAMBDA_A100,
    MACHINE_LAMBDA_8_A100,
    MACHINE_RUNPOD_4090,
    MACHINE_AWS_A10G,
    MACHINE_AWS_L4_SPOT,
    MACHINE_AWS_8_A100_SPOT,
    MACHINE_GCP_A100,
    MACHINE_GCP_A100_SPOT,
    MACHINE_GCP_4_A100,
    MACHINE_GCP_L4,
    MACHINE_COUNT,
};

extern const struct demo_machine demo_machines[MACHINE_COUNT];

/* How a run of the work goes on: by chance, of 100. */
struct demo_fates {
    int fails, loses_machine, hits_budget, repeats;
};

struct demo_work {
    const char *name, *command, *user, *team, *project, *phase, *model, *experiment;
    enum demo_machine_number machine;
    const char *setting;          /* of its plan; NULL: it is not planned */
    int first, last;              /* days of the quarter, from 0 */
    int on_weekday, on_weekend;   /* chance of a run that day, of 100 */
    int at;                       /* hour of the day, UTC; runs begin within three of it */
    double hours, spread;         /* of a run; share that it varies by */
    int trials;                   /* of a search: so many at once, on machines of their own */
    double shares[LEDGER_PHASES]; /* of the time; all 0: phases are not seen */
    double busy, memory;          /* of the GPU: shares */
    const char *metric;           /* that is printed besides the loss; NULL: nothing is */
    double loss_from, loss_to;
    double step_s, pace; /* planned seconds of a step; how much longer it really takes */
    double checkpoint_gb;
    usd budget;       /* of each run; nano 0: none */
    double idle_h;    /* left on after the work is done */
    bool one_machine; /* always the same: a server, a notebook */
    struct demo_fates fates;
};

extern const struct demo_work demo_works[];
extern const size_t demo_work_count;

#endif
