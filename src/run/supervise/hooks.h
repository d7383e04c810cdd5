/* hooks.h - commands of the user's that run beside the job: when something happens, to save a
 * checkpoint, at the end. None of them can hold up the supervisor. */
#ifndef RUN_SUPERVISE_HOOKS_H
#define RUN_SUPERVISE_HOOKS_H

#include <sys/types.h>

#include "base/clock.h"
#include "base/error.h"

#define HOOKS_MOST 8 /* at once: more are left out, which is reported */

struct hooks {
    struct {
        pid_t pid; /* 0: free */
        instant until;
    } at[HOOKS_MOST];
    int skipped;
};

struct hook_facts {
    const char *event, *text, *id, *name, *cost, *budget;
    const char *ledger; /* NULL: as it is */
};

/* Run `command` by sh: STINT_EVENT and its like in its environment, standard input empty, its
 * output to our standard error, in a process group of its own. Its pid; 0 when it could not be
 * started, or there are too many. */
pid_t hooks_run(struct hooks *hooks, const char *command, const struct hook_facts *facts,
                instant now);

/* Was this process one of them? It is forgotten then. */
bool hooks_reaped(struct hooks *hooks, pid_t pid);

/* Kill those that take longer than a minute. */
void hooks_look(struct hooks *hooks, instant now);

/* At the end: wait until `until` for those that still run, then kill them. */
void hooks_finish(struct hooks *hooks, instant until);

/* Run a command to its end with our own descriptors: its status as a shell has it, -1 when it
 * could not be started. */
int hook_wait(const char *command, const struct hook_facts *facts);

#endif
