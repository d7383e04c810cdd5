/* spawn.h - running another program and taking what it prints. */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/watch.h"

/* Run `argv` (ends with NULL; argv[0] is looked for in PATH when it has no slash), with
 * standard input empty and standard error ours, and wait for it. `out` takes what it prints, up
 * to `max` bytes, and `status` its exit status: 128 and the signal when it was ended by one. A
 * program that cannot be found is ERROR_ABSENT. */
bool spawn_run(const char *const *argv, size_t max, struct arena *arena, struct str *out,
               int *status, struct error *err) MUST_USE;

/* Run it with our terminal, input and outputs, and wait for it. When `watch` asks for the end,
 * the program gets SPAWN_GRACE_S to end by itself (Ctrl-C has reached it, too), then
 * SIGTERM. */
#define SPAWN_GRACE_S 3
bool spawn_attached(const char *const *argv, const struct watch *watch, int *status,
                    struct error *err) MUST_USE;

/* A program beside us, in a process group of its own. A second process leads the group, and
 * ends it when we are gone, whatever ended us. */
struct spawn_group {
    pid_t child; /* 0: none, or it has ended */
    pid_t guard;
    int lifeline; /* our end of the guard's pipe, which ends with us */
    span grace;   /* between SIGTERM and SIGKILL */
};

/* Start it with an empty standard input and its outputs to `to`, and do not wait. */
bool spawn_group_start(const char *const *argv, int to, span grace, struct spawn_group *out,
                       struct error *err) MUST_USE;

/* Has the program ended by itself? Then `status` is as above. */
bool spawn_group_ended(struct spawn_group *group, int *status);

/* End all of the group: SIGTERM, and SIGKILL when the program is still there after the
 * grace. */
void spawn_group_end(struct spawn_group *group);

/* The last line that is not empty of the file that its outputs went to, or as much of its end
 * as there is room for; false without one. */
bool spawn_last_line(int fd, char *text, size_t room) MUST_USE;

/* The file that `name` is executed as, in `path` with room for PATH_MAX bytes. False: none. */
bool spawn_find(const char *name, char *path) MUST_USE;

/* Why `name` cannot be executed, as execvp() looks for it: ENOENT, EACCES, ...; 0: it can. */
int spawn_refused(const char *name) MUST_USE;

/* The path of the program that runs, if it is ours (called stint). */
bool spawn_self(char *to, size_t room) MUST_USE;

#endif
