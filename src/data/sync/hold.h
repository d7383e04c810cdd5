/* hold.h - folders that a process works in, held while it lives: so that what one that was
 * killed has left is known for that, and removed by the next. */
#ifndef DATA_SYNC_HOLD_H
#define DATA_SYNC_HOLD_H

#include "base/arena.h"

/* A new folder of our own in `folder`, for this user only, and our hold on it: a descriptor to
 * close. What others have left there that are not held any more is removed. */
bool hold_new(const char *folder, struct arena *arena, const char **path, int *held,
              struct error *err) MUST_USE;

/* Hold a folder that several processes work in at once: a descriptor to close, or -1 where that
 * is not possible. */
int hold_shared(const char *path);

/* Empty such a folder, unless somebody else holds it. `held`: our own hold, or -1. */
void hold_empty(const char *path, int held);

#endif
