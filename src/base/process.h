/* process.h - which process it is: a number and its start together name one for good.
 *
 * Numbers are given out again; the start, in clock ticks since the boot, is not.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/arena.h"
#include "base/str.h"

/* Take /proc/PID/stat apart as far as its name, which may hold anything: the state (field 3),
 * and the fields from 4 on. False when it is none. */
bool process_stat(struct str text, char *state, struct str *rest);

/* When the process began; -1 when there is none, or only what is left of one that ended. */
int64_t process_start(int64_t pid);

/* Its parent; -1 likewise. */
int64_t process_parent(int64_t pid);

/* The user that runs this process: $USER, $LOGNAME, or "uid 1000". Not asked of the system's
 * list of users, which may be a slow server. */
struct str process_user(struct arena *arena);

/* Close every descriptor from `first` on, except `keep` (-1: none). For a child after fork:
 * asks for no memory. */
void process_close_fds(int first, int keep);

/* The id of this boot of the machine; empty when the system does not report it. */
struct str process_boot(struct arena *arena);

#endif
