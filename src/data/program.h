/* program.h - running a program that moves data: fed, watched, and ended when the work is.
 *
 * Unlike spawn_run() it can be cancelled, takes what it reads from us, and reports line by
 * line. */
#ifndef DATA_PROGRAM_H
#define DATA_PROGRAM_H

#include "base/arena.h"
#include "base/str.h"
#include "base/watch.h"

struct program_work {
    const char *const *argv; /* ends with NULL; argv[0] is looked for in PATH */
    const char *const *env;  /* "NAME=VALUE" over ours, NULL last; NULL: nothing */
    struct str input;        /* its standard input */
    size_t output_max;       /* bytes of its output that are kept; more is an error. 0: none */
    /* Each line of its output and of its errors, without what ends it: a newline, or the
     * carriage return of a progress line. NULL: nobody listens. */
    void (*line)(void *ctx, bool error, struct str line);
    void *ctx;
    const struct watch *watch;
};

struct program_end {
    int status; /* 128 and the signal when one ended it */
    struct str output;
    struct str trouble; /* the last lines of its standard error */
};

/* Start it, so that other work is done while it runs; what it prints waits for its end. NULL
 * when that fails: a program that is not there is ERROR_ABSENT. It ends with this process,
 * too. To be ended by one of the two that follow. */
struct program *program_start(const struct program_work *work, struct arena *arena,
                              struct error *err) MUST_USE;

/* Wait for it. When the work is to end, it gets SIGTERM, time to leave everything in order, and
 * the error is ERROR_STOPPED. */
bool program_finish(struct program *p, struct program_end *end, struct error *err) MUST_USE;

/* Nobody needs it any more: end it. NULL is none. */
void program_drop(struct program *p);

/* Run it and wait. */
bool program_run(const struct program_work *work, struct arena *arena, struct program_end *end,
                 struct error *err) MUST_USE;

#endif
