/* phase.h - what a run is doing, as far as it can be seen from outside.
 *
 * What the program says itself (STINT_SOCKET) wins; else writes to checkpoints, an evaluation's
 * lines, and how busy devices and processor are decide. Pure.
 */
#ifndef RUN_SUPERVISE_PHASE_H
#define RUN_SUPERVISE_PHASE_H

#include "ledger/ledger.h"

/* What is seen of one second. */
struct phase_sight {
    int reported;     /* an enum run_phase that the program reported; -1: none */
    bool has_gpu;     /* the tree uses a device */
    double gpu_busy;  /* 0 to 1; NaN unknown */
    double cpu_cores; /* busy cores of the tree; NaN unknown */
    double io_rate;   /* bytes a second from and to storage; NaN unknown */
    bool stepped;     /* a training step was reported since the last look */
    bool evaluated;   /* a line of an evaluation was */
    double saving_s;  /* seconds of it in which a checkpoint was written, and no step made */
};

struct phase_watch {
    bool trained;    /* the first sign of training was seen */
    double quiet_s;  /* since anything was busy */
    double busy_s;   /* how long it has been busy without a word, before the first sign */
    double eval_for; /* seconds for which an evaluation's last line still counts */
};

/* The phase of the last `seconds`, but for what phase_saving() takes of them. A watch of zeros
 * is a new one. */
enum run_phase phase_see(struct phase_watch *watch, const struct phase_sight *sight,
                         double seconds);

/* How many of the last `seconds` went into saving: those in which a checkpoint was written,
 * less those in which a device must have worked meanwhile. What the program says comes first.
 */
double phase_saving(const struct phase_sight *sight, double seconds);

/* "train", "eval", "checkpoint", ...: what programs may call it; -1 when none of it. "auto" is
 * PHASE_COUNT: they report none any more. */
int phase_parse(struct str text);

#endif
