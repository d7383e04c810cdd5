/* keeper.h - a second, tiny process that makes sure that the spending ends.
 *
 * The supervisor may be killed, stopped by Ctrl-Z, or kept from running. The keeper knows the
 * moment at which the job must be over, and ends it itself when that has passed; and when the
 * supervisor is gone without a message, it ends the job at once: first SIGTERM, after the
 * grace SIGKILL. It finds the job by its control group, by STINT_RUN_ID in its environment,
 * or below the command.
 */
#ifndef RUN_SUPERVISE_KEEPER_H
#define RUN_SUPERVISE_KEEPER_H

#include <sys/types.h>

#include "base/clock.h"
#include "ledger/ledger.h"
#include "meter/cgroup.h"

struct keeper {
    int fd; /* our end of the pipe; -1: there is none */
    pid_t pid;
    bool has_job;
    int64_t sent;                /* the last limit that was sent */
    span grace;                  /* likewise */
    bool dismissed;              /* and not yet waited for */
    _Atomic bool *reached_limit; /* in memory that the keeper shares; NULL: there is none */
};

struct keeper_options {
    char id[LEDGER_ID];
    struct cgroup cgroup;
    bool recorded; /* how it ended is written down in the ledger */
    char attempt_id[LEDGER_ID];
    span grace;
    pid_t supervisor, command; /* the keeper's own notes */
};

/* Start it, before the ledger is opened: SQLite's state does not survive a fork. Until it is
 * informed of the job it does nothing. `ledger` may be NULL. */
bool keeper_start(struct keeper *keeper, const char *ledger, struct error *err) MUST_USE;

/* This is the job. Once, before the command begins. */
void keeper_job(struct keeper *keeper, const struct keeper_options *options);

/* The command has begun. */
void keeper_command(struct keeper *keeper, pid_t command);

/* By when (clock_paid) the job must be over; MOMENT_NEVER. Ignored before keeper_job().
 * Cheap when nothing changed. */
void keeper_limit(struct keeper *keeper, instant limit);

/* How long the job may take to save when the supervisor is gone, from now on: likewise. */
void keeper_grace(struct keeper *keeper, span grace);

/* Has it ended the job at the limit that it knew, which may have moved meanwhile? */
bool keeper_reached_limit(const struct keeper *keeper);

/* The job is over: it ends while we still write that down. */
void keeper_dismiss(struct keeper *keeper);

/* All is over: it is waited for. */
void keeper_end(struct keeper *keeper);

/* It ended by itself, and was waited for. */
void keeper_gone(struct keeper *keeper);

/* In the child, between fork and exec: close what is ours. */
void keeper_child(const struct keeper *keeper);

#endif
