/* cache_place.h - where a command writes an output, and what was there before. */
#ifndef DATA_CACHE_CACHE_PLACE_H
#define DATA_CACHE_CACHE_PLACE_H

#include "base/arena.h"

/* While the command runs, an earlier output has this after its name. */
#define CACHE_ASIDE ".stint-old"

struct cache_place {
    const char *path, *aside;
    bool moved; /* an earlier output is aside */
};

/* The path without slashes at its end. An output that was left aside by a process that was
 * killed goes back; where the command had begun to write another, that is an error, and both
 * stay.
 * */
bool cache_place_open(const char *path, struct arena *arena, struct cache_place *out,
                      struct error *err) MUST_USE;

/* Move what is there aside, and make the folder that the output will be in. */
bool cache_place_clear(struct cache_place *place, struct error *err) MUST_USE;

/* The new output is there: the earlier one goes. Without it, what is there of a new one is kept
 * as PATH.broken, `*broken`, and the earlier one goes back. */
bool cache_place_close(struct cache_place *place, bool made, bool *broken,
                       struct error *err) MUST_USE;

#endif
