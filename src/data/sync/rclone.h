/* rclone.h - what carrier.h promises, by rclone: between a folder here and a store.
 *
 * A store has files alone: no links, no empty folders, no names that rclone cannot write in a
 * list (rclone_can_keep()). */
#ifndef DATA_SYNC_RCLONE_H
#define DATA_SYNC_RCLONE_H

#include "data/sync/carrier.h"

bool rclone_can_keep(const struct tree_entry *e);

struct program *rclone_ask_list(const struct carrier *c, struct arena *arena,
                                struct error *err) MUST_USE;
bool rclone_take_list(struct program *asked, struct arena *arena, struct carrier_listing *out,
                      struct error *err) MUST_USE;
bool rclone_compare(const struct carrier *c, struct strs paths, struct arena *arena,
                    bool *differs, struct error *err) MUST_USE;
bool rclone_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                 struct arena *arena, struct carrier_took *took, struct error *err) MUST_USE;
bool rclone_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                   struct arena *arena, struct error *err) MUST_USE;

/* Size and time of one file there; size -1 when there is none. */
bool rclone_stat(const struct carrier *c, const char *name, struct arena *arena, int64_t *size,
                 int64_t *modified, struct error *err) MUST_USE;

/* What `rclone lsjson -R` prints, in UTC, as a tree. */
bool rclone_read_list(struct str text, struct arena *arena, struct carrier_listing *out,
                      struct error *err) MUST_USE;

#endif
