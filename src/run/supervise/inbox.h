/* inbox.h - where a program reports its progress: a socket (STINT_SOCKET), or a file that it
 * appends to. Lines of JSON. A program that reports too much, or nonsense, is cut off, not
 * obeyed: at most INBOX_CLIENTS connections, lines of INBOX_LINE bytes.
 *
 * A client that sends {"stint": "listen"} is sent lines of JSON as well: what happens to the
 * run, and the request to save. It promises to save, and to end if it is asked to. {"stint":
 * "status"} and {"stint": "end"} are answered with a line. */
#ifndef RUN_SUPERVISE_INBOX_H
#define RUN_SUPERVISE_INBOX_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "run/supervise/live.h"

#define INBOX_CLIENTS 32
#define INBOX_LINE 4096

struct inbox;

struct inbox_options {
    const char *id;   /* of the run: names the socket */
    const char *file; /* to follow from its end on; NULL: none. It need not be there yet */
    void (*line)(void *ctx, struct str line, bool of_file);
    void (*refused)(void *ctx, bool of_file, const char *why); /* a line is too long */
    void (*stop)(void *ctx);    /* inbox_ask_stop() was called for this run */
    void (*listens)(void *ctx); /* one more client listens */
    /* {"stint": ...} that is neither: its answer, for this client; false: it is refused. */
    bool (*ask)(void *ctx, struct str line, struct buf *answer);
    void *ctx;
};

/* Without a place for the socket there is none: inbox_path() is NULL, and inbox_trouble() says
 * why. Sockets that dead runs of this user left in that place are removed. */
struct inbox *inbox_open(const struct inbox_options *options, const struct alloc *alloc,
                         struct error *err) MUST_USE;

const char *inbox_path(const struct inbox *inbox);
const char *inbox_trouble(const struct inbox *inbox); /* empty: all is well */
/* Has the file been there? */
bool inbox_has_file(const struct inbox *inbox);

/* A descriptor that is readable when there is something (an epoll of its own); -1: none. */
int inbox_fd(const struct inbox *inbox);
void inbox_ready(struct inbox *inbox);
/* The program has ended: its last reports are still on their way. Bounded: others may go on. */
void inbox_drain(struct inbox *inbox);
void inbox_look(struct inbox *inbox);  /* at the file: each second */
void inbox_close(struct inbox *inbox); /* removes the socket; NULL is fine */

/* Clients that listen: how many, and a line (without its end) for all of them. Never waits: a
 * client that does not read what it was sent is disconnected. */
size_t inbox_listeners(const struct inbox *inbox); /* NULL: none */
void inbox_tell(struct inbox *inbox, struct str line);

/* From another process of the same user on this machine: ask the run to end, by its socket. Who
 * may write to that is who may signal its processes. ERROR_ABSENT when nothing listens. */
bool inbox_ask_stop(struct str id, struct error *err) MUST_USE;

/* Does anything listen at this path? */
bool inbox_answers(struct str path);

/* Ask the supervisor of a run on this machine to save and end it. ERROR_ABSENT when it has
 * ended, ERROR_FAILED when it runs on another machine. */
bool run_stop(const struct live_run *run, struct error *err) MUST_USE;

#endif
