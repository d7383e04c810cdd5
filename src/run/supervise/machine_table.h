/* machine_table.h - the runs on this machine, as they know of each other: one small file that
 * the supervisors of all users write to (machine_share.h says what they compute from it).
 *
 * The file is in memory (/dev/shm, else /tmp; STINT_MACHINE_DIR names another folder) and has
 * the boot in its name: one kernel is one machine, in however many containers that share the
 * folder. Events are written under a lock of the file, and in the order of their moments: one
 * that comes late to the lock happens at the last event. So whoever reads the file knows of all
 * events before, and everybody's shares come to the whole. A run holds a lock of its own for as
 * long as its supervisor lives; one that is killed is gone from when it was last seen, each
 * second.
 *
 * The lock is waited for no longer than a tenth of a second, at a look than 3 ms. Whoever
 * cannot use the file pays for the machine in full.
 */
#ifndef RUN_SUPERVISE_MACHINE_TABLE_H
#define RUN_SUPERVISE_MACHINE_TABLE_H

#include "base/error.h"
#include "run/supervise/machine_share.h"

struct machine_seat {
    int fd;   /* -1: none */
    int slot; /* of this run */
};

struct machine_entry {
    const char *id;     /* of the run */
    bool pays;          /* its price is known */
    int64_t fixed;      /* as in struct share_run */
    const char *inside; /* the run that this one was started by, as its environment says; it
                           counts when that one is here. NULL: none */
};

/* What a run sees of it. */
struct machine_view {
    instant at;  /* the moment that the rest is about */
    span paid;   /* time of the machine that it pays for so far */
    double part; /* of the price that it pays now */
    int runs;    /* that divide it */
    bool inside; /* another run pays */
};

/* Come in; `seat` is set, and `out->at` is the moment at which it did. False when there is no
 * such file and none can be made, or it is in use by too many: the error says why. */
bool machine_come(struct machine_seat *seat, const struct machine_entry *entry,
                  struct machine_view *out, struct error *err) MUST_USE;

/* I am here, and can use so many thousandths of GPUs (-1: as before). False when the file
 * cannot be read at this moment: the next look may succeed. */
bool machine_look(struct machine_seat *seat, int64_t gpus, instant now,
                  struct machine_view *out) MUST_USE;

/* It has ended: `out` is what it comes to. The seat is given up in any case. When another run
 * came or went after that moment and was first to write, it ended then (`out->at`). */
bool machine_go(struct machine_seat *seat, instant ended, struct machine_view *out) MUST_USE;

/* In a child between fork and exec, or without an end to tell of. */
void machine_close(struct machine_seat *seat);

#endif
