/* sync_pair.h - the two sides of a sync: which one is here, and what the pair is known by. */
#ifndef DATA_SYNC_SYNC_PAIR_H
#define DATA_SYNC_SYNC_PAIR_H

#include "data/sync/sync.h"

struct sync_pair {
    const char *here; /* absolute, without links as far as it is there */
    struct str here_typed;
    struct data_place there; /* a folder likewise */
    enum sync_way way;
    bool source_here;               /* SRC is the folder here */
    bool swapped;                   /* in the name, the other is first */
    char name[2 * TREE_DIGEST + 1]; /* of the pair, in either order */
};

/* The names of rclone's remotes, for data_place_parse(): none without rclone. */
bool sync_remotes(struct arena *arena, const struct watch *watch, struct strs *out,
                  struct error *err) MUST_USE;

/* Refuses two that are not here, and a folder in the other. */
bool sync_pair_of(struct str source, struct str target, bool both, struct strs remotes,
                  struct arena *arena, struct sync_pair *out, struct error *err) MUST_USE;

/* Only one sync of a pair at a time: a descriptor to close, or -1. */
int sync_pair_lock(const char *state, struct arena *arena, struct error *err) MUST_USE;

#endif
