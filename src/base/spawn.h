/* spawn.h - running another program and taking what it prints. */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include "base/arena.h"
#include "base/str.h"

/* Run `argv` (ends with NULL; argv[0] is looked for in PATH when it has no slash), with
 * standard input empty and standard error ours, and wait for it. `out` takes what it prints, up
 * to `max` bytes, and `status` its exit status: 128 and the signal when it was ended by one. A
 * program that cannot be found is ERROR_ABSENT. */
bool spawn_run(const char *const *argv, size_t max, struct arena *arena, struct str *out,
               int *status, struct error *err) MUST_USE;

/* Why `name` cannot be executed, as execvp() looks for it: ENOENT, EACCES, ...; 0: it can. */
int spawn_refused(const char *name) MUST_USE;

/* The path of the program that runs, if it is ours (called stint). */
bool spawn_self(char *to, size_t room) MUST_USE;

#endif
