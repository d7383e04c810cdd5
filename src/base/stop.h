/* stop.h - should what this thread computes end?
 *
 * Whoever starts work that may take long sets a `struct stop` for its thread, and asks for
 * an end from another thread, or from a signal handler. Loops of every module ask
 * stop_asked() at least ten times a second: memory from arenas, statements of the ledger and
 * parallel_run() do so by themselves. Threads of parallel_run() have that of the thread that
 * called it. Without one, the answer is always no. Loadable parts have a copy of this
 * module, in which no thread has one: they get stop_asked() as a function.
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdatomic.h>

#include "base/attr.h"
#include "base/error.h"

struct stop {
    atomic_int why;   /* 0: go on; else a reason, of whoever asks for the end */
    unsigned threads; /* that parallel_run() may use, at most; 0: any number */
};

/* Set that of this thread (NULL: none) until the next call; the one before. */
struct stop *stop_set(struct stop *stop);
struct stop *stop_current(void);

bool stop_asked(void);

/* False, with ERROR_STOPPED, when the end is asked for. */
bool stop_check(struct error *err) MUST_USE;

/* Ask for the end. The first reason stays. */
void stop_ask(struct stop *stop, int why);

#endif
