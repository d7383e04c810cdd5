/* parallel.h - many items that do not depend on each other, on several threads.
 *
 * Items are handed out in the order of their numbers and put their results by number, so that
 * the outcome does not depend on the number of threads, failures included: of the items
 * that fail, the one with the lowest number is reported.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include "base/arena.h"

#define PARALLEL_MOST 256

struct parallel {
    unsigned threads; /* 1 to PARALLEL_MOST; 0: parallel_cores(); fewer where stop.h says so */
    const struct alloc *alloc; /* need not be safe for threads: it is locked */
    /* Do item `index`. Called by several threads at once. `scratch` is the thread's own and is
     * emptied after each item. False, with the error set, stops the rest. */
    bool (*item)(void *ctx, size_t index, struct arena *scratch, struct error *err);
    /* Should no more be started, besides stop_asked()? Called by all threads. NULL: never. */
    bool (*stop)(void *ctx);
    /* How many are done: called by the calling thread, now and then. NULL: never. */
    void (*report)(void *ctx, size_t done);
    void *ctx;
};

/* Items 0 to count - 1. Fewer threads than wanted are no error: one is enough. When it was
 * stopped before all were done, ERROR_STOPPED. */
bool parallel_run(const struct parallel *what, size_t count, struct error *err) MUST_USE;

/* The cores that this process may use: 1 or more. */
unsigned parallel_cores(void);

#endif
