/* cache_changes.h - files that were written since a moment. */
#ifndef DATA_CACHE_CACHE_CHANGES_H
#define DATA_CACHE_CACHE_CHANGES_H

#include "base/arena.h"
#include "base/watch.h"
#include "doc/field.h"

struct changes_work {
    const char *folder;
    int64_t since_ns;   /* changes_begin() */
    struct strs spared; /* complete paths: these, and all below them, do not count */
    size_t looks;       /* entries to look at, at most */
    const struct watch *watch;
};

/* What was written has an earlier time, to the nanosecond on some file systems, and what is
 * written from now on a later one: on others that clock goes in steps of milliseconds, and the
 * step that it is in is waited for to end. */
int64_t changes_begin(void);

/* Files below the folder that were made, written or renamed since. Hidden ones and __pycache__
 * are not looked at. At most CHANGES_MOST are listed; `*all`: everything was looked at. */
#define CHANGES_MOST 20
bool changes_find(const struct changes_work *work, struct arena *arena, struct strs *out,
                  bool *all, struct error *err) MUST_USE;

#endif
