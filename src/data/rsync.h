/* rsync.h - what carrier.h promises, by rsync: between folders here, and over ssh. */
#ifndef DATA_RSYNC_H
#define DATA_RSYNC_H

#include "data/carrier.h"

bool rsync_list(const struct carrier *c, struct arena *arena, struct carrier_listing *out,
                struct error *err) MUST_USE;
bool rsync_compare(const struct carrier *c, enum carrier_way way, struct strs paths,
                   bool content, struct arena *arena, bool *differs,
                   struct error *err) MUST_USE;
bool rsync_prepare(const struct carrier *c, struct arena *arena, struct error *err) MUST_USE;
bool rsync_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                struct arena *arena, struct carrier_took *took, struct error *err) MUST_USE;
bool rsync_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                  struct arena *arena, struct error *err) MUST_USE;

/* What `rsync --list-only -8 --no-h` prints, in UTC, as a tree. */
bool rsync_read_list(struct str text, struct arena *arena, struct carrier_listing *out,
                     struct error *err) MUST_USE;

#endif
