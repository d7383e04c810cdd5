/* watch.h - who watches long work: is shown how far it is, and may end it.
 *
 * A module that may take long is given one by its caller; all members may be NULL. For work
 * that cannot be passed one, see stop.h.
 */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch {
    /* What, how much is done, of how much (0: unknown). */
    void (*progress)(void *ctx, const char *label, uint64_t done, uint64_t total);
    void *progress_ctx;
    bool (*stopped)(void); /* should it end, with what is done kept? */
};

static inline void watch_progress(const struct watch *watch, const char *label, uint64_t done,
                                  uint64_t total)
{
    if (watch->progress != NULL)
        watch->progress(watch->progress_ctx, label, done, total);
}

static inline bool watch_stopped(const struct watch *watch)
{
    return watch->stopped != NULL && watch->stopped();
}

#endif
