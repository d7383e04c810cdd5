/* aside.h - something done in a process of its own, with an end: what it loads (libcurl) does
 * not stay with this one, and what hangs there does not hang here. */
#ifndef RUN_SUPERVISE_ASIDE_H
#define RUN_SUPERVISE_ASIDE_H

#include <stddef.h>

#include "base/clock.h"
#include "base/error.h"

#define ASIDE_MOST 4096 /* bytes of an answer: what a pipe takes at once */

/* Let `work` fill in `answer` (`size` bytes, as they are here at first) over there, and take it
 * over here. False when it ended without one, or is not done within `limit`, which ends it. */
bool aside_run(void (*work)(void *ctx, void *answer), void *ctx, void *answer, size_t size,
               span limit, struct error *err) MUST_USE;

#endif
