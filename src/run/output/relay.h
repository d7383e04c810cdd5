/* relay.h - the program's output, passed on unchanged and looked at on its way.
 *
 * Used only when a status line or a metric is wanted; without it the program has our own
 * descriptors. A terminal is replaced by a pseudo-terminal that carries output only: the
 * program's input, its controlling terminal and its signals stay the real ones. Anything else
 * gets a pipe. Two outputs that lead to one place share one, so that their order is kept;
 * others never mix. An output that is not looked at is left alone.
 *
 * What it cannot do: a program that reads keys from, or sets the mode of, the terminal by its
 * outputs (less, curses) finds the pseudo-terminal there. Such a one is run without a line and
 * a metric. */
#ifndef RUN_OUTPUT_RELAY_H
#define RUN_OUTPUT_RELAY_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "run/terminal/screen.h"

struct relay;

struct relay_options {
    /* A line of either output without its end (\n or \r), at most METRIC_LINE bytes of it;
     * empty ones are left out. Outputs that share one pipe are not distinguished: `is_error` is
     * false. NULL: not read. */
    void (*line)(void *ctx, struct str line, bool is_error);
    void *ctx;
    /* What is to be passed on cannot be written (a full disk): once for each output. It is
     * lost, and the program goes on. May be NULL. */
    void (*unwritten)(void *ctx, bool is_error, int system_error);
    bool status; /* keep a line at the bottom, when standard error or output is a terminal */
};

/* Make ptys and pipes, and take the bottom row. SIGPIPE is ignored from here to
 * relay_finish(), but not in the child. */
struct relay *relay_open(const struct relay_options *options, const struct alloc *alloc,
                         struct error *err) MUST_USE;

/* In the child: put them in place of descriptors 1 and 2 (async-signal-safe). */
void relay_child(const struct relay *relay);
/* In the parent, after the child has begun: close the child's ends. */
void relay_parent(struct relay *relay);

/* The descriptors to wait on now, at most RELAY_FDS: readable ends, and in the place of one
 * whose bytes could not be written the end that is to take them (EPOLLOUT). Nothing here
 * blocks; a slow reader of our output slows the program, as without us. The set changes with
 * relay_ready(), relay_status() and relay_message(). */
#define RELAY_FDS 4
struct relay_wait {
    int fd;
    uint32_t events; /* EPOLLIN, EPOLLOUT */
};
size_t relay_waits(const struct relay *relay, struct relay_wait out[static RELAY_FDS]);
void relay_ready(struct relay *relay, int fd);
/* Read what is there now, without waiting for anything. */
void relay_read(struct relay *relay);

/* Is there a line at the bottom, now or when the terminal is large enough again? Draw it, or as
 * soon as it may be. */
bool relay_has_status(const struct relay *relay);
void relay_status(struct relay *relay, struct str line);
/* SIGWINCH: the pseudo-terminals follow. Send the program another one after it, since it may
 * have looked at the old size. */
void relay_resized(struct relay *relay);
void relay_suspend(struct relay *relay); /* before we stop: give the row back */
void relay_resume(struct relay *relay);

/* Lines of our own among the program's: to standard error, above the status line, at the start
 * of a row, or as soon as that may be. Without a relay (NULL): to descriptor 2. A line that
 * is not read is lost; it never blocks. */
void relay_message(struct relay *relay, struct str text);

/* The program has ended: pass on what is still in the pipes. Ends when all of it is passed on
 * and every writer has closed its end, or a daemon has held one open for `wait`; who reads
 * our output slowly is waited for, unless a signal that would end us is pending. */
void relay_drain(struct relay *relay, span wait);

/* Drain, give the row back, close and free all. True when the last row on standard error has no
 * end: what is written there next would stick to it. NULL is fine: as relay_mid_row(). */
bool relay_finish(struct relay *relay, span wait);

/* Without a relay: does standard error lead to a file whose last row has no end? What is in a
 * pipe or on a terminal cannot be known: false. */
bool relay_mid_row(void);

#endif
