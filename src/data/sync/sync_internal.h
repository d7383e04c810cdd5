/* sync_internal.h - what the files of a sync share. */
#ifndef DATA_SYNC_SYNC_INTERNAL_H
#define DATA_SYNC_SYNC_INTERNAL_H

#include "data/sync/sync.h"

/* The tree has a file where that path needs a folder, or a folder with something in it at the
 * path itself. */
bool sync_in_the_way(const struct tree *tree, struct str path);

void sync_add_to_sum(struct sync_plan *plan, const struct sync_change *change);

/* The time that a file has there when it has been moved, as a listing shows it. */
int64_t sync_time_there(const struct sync_work *work, const struct tree_entry *here);

/* Note what is about to move, for the case that this is ended half-way. */
bool sync_begin_moving(const struct sync_work *work, const struct sync_plan *plan,
                       struct arena *arena, struct error *err) MUST_USE;

/* Leave what differs only in case from something else, where the folder that it moves to does
 * not tell them apart: one would replace the other. That folder is prepared. */
bool sync_leave_alike(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                      struct error *err) MUST_USE;

/* After a sync: what both have in common, and what each has. */
struct sync_after {
    struct manifest here; /* read again: with what came */
    struct tree base, there;
};

/* What the moves came to; changes that did not work become SYNC_FAILED. */
bool sync_take_stock(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                     struct sync_after *out, struct error *err) MUST_USE;

/* The manifests of both sides, last of all. */
bool sync_write_manifests(const struct sync_work *work, const struct sync_plan *plan,
                          struct carrier *c, struct sync_after *after, struct arena *arena,
                          struct error *err) MUST_USE;

#endif
