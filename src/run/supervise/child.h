/* child.h - starting the command, as a shell would: its descriptors, terminal, process group
 * and signals are those that this program was given. */
#ifndef RUN_SUPERVISE_CHILD_H
#define RUN_SUPERVISE_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"
#include "meter/cgroup.h"
#include "run/output/relay.h"
#include "run/supervise/keeper.h"

struct child_options {
    const char *const *argv; /* ends with NULL */
    const char *const *set;  /* "NAME=value" to add to its environment; ends with NULL */
    const struct cgroup *cgroup;
    const struct relay *relay; /* NULL: our own outputs */
    const struct keeper *keeper;
    const sigset_t *mask; /* of signals, as it was before we blocked ours */
    bool pipe_ignored;    /* SIGPIPE was ignored before we ignored it */
};

/* The statuses of a shell for what cannot be run. */
#define CHILD_NOT_FOUND 127
#define CHILD_NOT_EXECUTABLE 126

/* Its pid, or -1 with the error set, and `*status` one of those above, or 1. */
pid_t child_start(const struct child_options *options, int *status, struct error *err) MUST_USE;

/* Standard descriptors that are closed are held by /dev/null for as long as we live, so that no
 * pipe or ledger of ours takes their numbers and is written to. The command has them closed. */
void child_hold_standard(void);

#endif
