/* rsync.h - what carrier.h promises, by rsync: between folders here, and over ssh. */
#ifndef DATA_SYNC_RSYNC_H
#define DATA_SYNC_RSYNC_H

#include "data/sync/carrier.h"

/* The ssh that keeps one connection for all calls, unless the user has chosen another program
 * (RSYNC_RSH): NULL then. It ends with rsync_hang_up(), or by itself when nobody uses it. */
bool rsync_shell(const struct carrier *c, struct arena *arena, const char **out,
                 struct error *err) MUST_USE;
void rsync_hang_up(const struct carrier *c, struct arena *arena);

struct program *rsync_ask_list(const struct carrier *c, struct arena *arena,
                               struct error *err) MUST_USE;
bool rsync_take_list(const struct carrier *c, struct program *asked, struct arena *arena,
                     struct carrier_listing *out, struct error *err) MUST_USE;
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
