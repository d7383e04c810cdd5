/* machine_share.h - one machine is paid once: what each of the runs on it pays.
 *
 * At each moment the price of a machine is divided among the runs on it:
 *
 * - a run with a fixed share (--share) pays that, whatever others do;
 * - what the fixed shares leave is divided by the GPUs that each of the others can use; when
 *   none of them can use any, evenly;
 * - a run inside another run pays nothing: the other one pays for both.
 *
 * What a run pays is kept as time: its share, added up over time, so that cost is price x paid
 * time, and the paid times of all runs come to the time at which any of them ran. No run adds
 * up for the others. Two clocks run for all of them: `by_gpu` goes on by the time that a
 * thousandth of a GPU is to pay for, `evenly` by that of one run; a run pays for what they went
 * on by while it was there. So each event (a run comes, goes, or can use other GPUs than it
 * could) needs the two clocks and the runs that are there, and no history.
 */
#ifndef RUN_SUPERVISE_MACHINE_SHARE_H
#define RUN_SUPERVISE_MACHINE_SHARE_H

#include "base/clock.h"
#include "base/decimal.h"

#define SHARE_ONE INT64_C(1000000000) /* a fixed share is in billionths */
#define SHARE_GPU 1000                /* GPUs are in thousandths: slices are parts of one */
#define SHARE_ID 40

/* Time in 2^-36 ns: what is rounded off at a million events is less than a nanosecond. */
typedef struct {
    uwide parts;
} fine_time;

struct share_clock {
    instant at;
    fine_time by_gpu, evenly;
};

struct share_run {
    bool here;
    bool pays;             /* false: its price is not known, so nothing is divided with it */
    char id[SHARE_ID];     /* empty until it is known */
    char inside[SHARE_ID]; /* of the run that it is inside of, and that pays; empty: none */
    int64_t fixed;         /* its share in billionths; -1: divided */
    int64_t gpus;          /* thousandths that it can use */
    instant since;         /* it came */
    instant seen;          /* it was there at that moment, for certain */
    fine_time paid;        /* until `mark` */
    struct share_clock mark;
};

/* Let time pass until `now` for the runs that are here. Time does not go back: nothing happens
 * when it is not later than the clock. */
void share_pass(struct share_clock *clock, const struct share_run *runs, size_t count,
                instant now);

/* What `run` pays for until the clock's moment; nanoseconds, rounded. */
span share_paid(const struct share_run *run, const struct share_clock *clock);

/* Each of these needs share_pass() to the moment at which it happens. `run` is one of them. */

/* It comes: `id`, `inside`, `fixed`, `gpus` and `pays` are set. */
void share_come(const struct share_clock *clock, struct share_run *run);
/* It goes: those inside it pay from now on, or the run that it was inside of itself. */
void share_go(const struct share_clock *clock, struct share_run *runs, size_t count,
              struct share_run *run);
/* It can use other GPUs from now on. */
void share_gpus(const struct share_clock *clock, struct share_run *run, int64_t gpus);

/* `gone` says who has ended without a word. Each of them went when it was last seen, or at the
 * clock's moment where that is later, in their order; the clock is then there. */
void share_bury(struct share_clock *clock, struct share_run *runs, size_t count,
                const bool *gone);

/* How the price is divided at this moment. */
struct share_view {
    double part; /* that `run` pays: 0 to 1, or a fixed share */
    int runs;    /* that pay: `run` among them, unless it is inside another */
};

struct share_view share_now(const struct share_run *runs, size_t count,
                            const struct share_run *run);

/* ---- the runs on this machine, as they know of each other ----
 *
 * One small file that the supervisors of all users write to. It is in memory (/dev/shm, else
 * /tmp; STINT_MACHINE_DIR names another folder) and has the boot in its name: one kernel is one
 * machine, in however many containers that share the folder. Events are written under a lock of
 * the file, in the order of their moments: one that comes late to the lock happens at the last
 * event. So who reads the file knows of all events before, and all shares add up to one. A
 * run holds a lock of its own for as long as its supervisor lives; one that is killed is gone
 * from when it was last seen, each second.
 *
 * The lock is waited for no longer than a tenth of a second, at a look than 3 ms. A run that
 * cannot use the file pays for the machine in full. */

struct machine_seat {
    int fd;   /* -1: none */
    int slot; /* of this run */
};

/* What a run sees of it. */
struct machine_view {
    instant at;  /* the moment that the rest is about */
    span paid;   /* time of the machine that it pays for so far */
    double part; /* of the price that it pays now */
    int runs;    /* that divide it */
    bool inside; /* another run pays */
};

/* In a child between fork and exec, or without an end to report. */
void machine_close(struct machine_seat *seat);

#endif
