/* notice.h - does the cloud want its machine back?
 *
 * A process of its own asks the metadata service (EC2 spot action, rebalance and scheduled
 * events, GCP preempted and maintenance, Azure scheduled events), so that the supervisor never
 * waits for a network and stays small; it writes what it hears to a pipe.
 */
#ifndef RUN_CLOUD_NOTICE_H
#define RUN_CLOUD_NOTICE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "meter/cloud.h"

enum notice_kind {
    NOTICE_NONE,
    NOTICE_TAKEN,       /* the machine goes at `at` */
    NOTICE_REBALANCE,   /* it may go soon: a warning */
    NOTICE_MAINTENANCE, /* it restarts, moves or pauses for a while, at `at` */
    NOTICE_TROUBLE,     /* unknown: the service does not answer */
};

const char *notice_kind_name(enum notice_kind kind); /* "taken", "rebalance", ... */

/* One message of the pipe, in one piece (less than PIPE_BUF). */
struct notice {
    int32_t kind;
    int64_t at;     /* stamp; -1 when it is not known */
    char text[160]; /* "EC2 takes this machine back at 2026-03-01T08:22:00Z (terminate)" */
    char id[64];    /* of Azure: the event; empty elsewhere */
};

struct notice_options {
    enum cloud cloud;
    const struct alloc *alloc;
    const struct log *log;     /* of the start; the process itself only writes its pipe */
    const struct clock *clock; /* GCP says "now" and means half a minute */
    span every;                /* between two looks; 0: as often as the cloud wants it */
};

/* Begin to watch: the readable descriptor of the pipe (close-on-exec, never blocks), -1 with
 * the error set: ERROR_ABSENT for a cloud that gives no notice. The process ends when this one
 * does, or closes the descriptor; it is in a session of its own and holds nothing of ours but
 * the pipe. `*pid` is it, to be waited for. */
int notice_watch(const struct notice_options *options, pid_t *pid, struct error *err) MUST_USE;

/* Take one from the descriptor: 1 when there was one, 0 when there is none now, -1 when there
 * will be no more. */
int notice_read(int fd, struct notice *out) MUST_USE;

/* What an answer means: pure, for tests and fuzzing. What cannot be understood is no notice. */
struct notice notice_ec2_action(struct str body);
struct notice notice_ec2_rebalance(struct str body);
struct notice notice_ec2_events(struct str body);
struct notice notice_gcp(struct str preempted, struct str maintenance);
struct notice notice_azure(struct str body, struct str machine);

#endif
