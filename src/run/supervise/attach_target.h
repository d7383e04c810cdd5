/* attach_target.h - a process that runs already and is to be supervised: which one it is,
 * whether it may be, and how it ended.
 *
 * Numbers of processes are given out again. A handle (pidfd) and the start together name one
 * for good: everything that is read or sent by number is checked against them. */
#ifndef RUN_SUPERVISE_ATTACH_TARGET_H
#define RUN_SUPERVISE_ATTACH_TARGET_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "doc/field.h"

struct attach_target {
    pid_t pid;
    int handle;          /* pidfd: readable when it has ended */
    int64_t started;     /* clock ticks since the boot */
    span before;         /* how long it had been running when it was found */
    struct strs command; /* its command line; its name when it has none */
    struct str folder;   /* that it works in; empty: not known */
    bool announced;      /* it was reported that metering has begun */
    int claim;           /* the file that attach_claim() holds; -1: none */
    char claim_path[256];
};

/* Look at the process. Refused, each with its own words: one that is not there or has ended,
 * this process, one that started it (unless `ancestor` allows that), another user's, a thread,
 * a part of the kernel, and one that another supervisor meters. Texts live in the arena. */
bool attach_find(int64_t pid, bool ancestor, struct arena *arena, struct attach_target *out,
                 struct error *err) MUST_USE;

/* From now on no other supervisor on this machine takes it; who tries reads `name`. Where no
 * file can be made for that, it goes on without. False when another one was faster. */
bool attach_claim(struct attach_target *target, struct str name, struct error *err) MUST_USE;

/* Give up the claim and the handle. */
void attach_release(struct attach_target *target);

/* How it ended, as waitpid() has it; false when that is not known: the process was no child of
 * ours, and only newer kernels (Linux 6.15) keep it for whoever holds a handle. */
bool attach_status(const struct attach_target *target, int *how);

/* Send a signal to this very process. */
bool attach_signal(const struct attach_target *target, int number);

#endif
