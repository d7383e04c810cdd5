/* notice.h - does the cloud want its machine back?
 *
 * A process of its own asks the metadata service (EC2 spot action and rebalance, GCP preempted
 * and maintenance, Azure scheduled events), so that the supervisor never waits for a network and
 * stays small; it writes what it hears to a pipe.
 */
#ifndef RUN_NOTICE_H
#define RUN_NOTICE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "meter/cloud.h"

enum notice_kind {
    NOTICE_NONE,
    NOTICE_TAKEN,     /* the machine goes at `at` */
    NOTICE_REBALANCE, /* it may go soon: a warning */
    NOTICE_MAINTENANCE,
};

/* One message of the pipe, whole (less than PIPE_BUF). */
struct notice {
    int32_t kind;
    int64_t at;     /* stamp; -1 when it is not said */
    char text[160]; /* "EC2 takes this machine back at 08:22:00Z (terminate)" */
};

/* Begin to watch: the readable descriptor of the pipe, -1 with the error set. The process ends
 * when this one does, or closes the descriptor. `*pid` is it. */
int notice_watch(enum cloud cloud, const struct alloc *alloc, const struct log *log, pid_t *pid,
                 struct error *err) MUST_USE;

/* What an answer means: pure, for tests and fuzzing. `path` is which question it answers. */
struct notice notice_ec2_action(struct str body);
struct notice notice_ec2_rebalance(struct str body);
struct notice notice_gcp(struct str preempted, struct str maintenance);
struct notice notice_azure(struct str body, struct str machine);

#endif
