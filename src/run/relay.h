/* relay.h - the program's output, passed on unchanged and looked at on its way.
 *
 * Used only when a status line or a metric is wanted; without it the program has our own
 * descriptors. A terminal is stood in for by a pseudo-terminal that carries output only: the
 * program's input, its controlling terminal and its signals stay the real ones. Two outputs that
 * are one terminal share one, so that their order is kept; anything else gets a pipe. Outputs
 * never mix.
 */
#ifndef RUN_RELAY_H
#define RUN_RELAY_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "run/screen.h"

struct relay;

struct relay_options {
    /* A line of either output without its end (\n or \r), at most METRIC_LINE bytes of it.
     * NULL: nobody reads. */
    void (*line)(void *ctx, struct str line, bool is_error);
    void *ctx;
    bool status; /* keep a line at the bottom, when standard error or output is a terminal */
};

/* Make ptys and pipes. */
struct relay *relay_open(const struct relay_options *options, const struct alloc *alloc,
                         struct error *err) MUST_USE;

/* In the child: put them in place of descriptors 1 and 2 (async-signal-safe). */
void relay_child(const struct relay *relay);
/* In the parent, after the child has begun: close the child's ends. */
void relay_parent(struct relay *relay);

/* The descriptors to wait on, at most RELAY_FDS: readable ends, and an end that could not be
 * written to wants EPOLLOUT. They are never blocking; a slow reader of our output slows the
 * program, as without us. */
#define RELAY_FDS 4
struct relay_wait {
    int fd;
    uint32_t events; /* EPOLLIN, EPOLLOUT */
};
size_t relay_waits(const struct relay *relay, struct relay_wait out[static RELAY_FDS]);
void relay_ready(struct relay *relay, int fd);

/* Is there a line at the bottom? Draw it (or later, when it may be). */
bool relay_has_status(const struct relay *relay);
void relay_status(struct relay *relay, struct str line);
void relay_resized(struct relay *relay); /* SIGWINCH: the pseudo-terminals follow */
void relay_suspend(struct relay *relay); /* before we stop: give the row back */
void relay_resume(struct relay *relay);

/* A line of our own among the program's: to standard error, above the status line, at the start
 * of a row. Without a relay: str to descriptor 2. */
void relay_say(struct relay *relay, struct str text);

/* What is still in the pipes, for at most `wait`, then close all. A daemon that holds them open
 * does not hold us. */
void relay_finish(struct relay *relay, span wait);

#endif
