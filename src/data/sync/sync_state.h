/* sync_state.h - what two sides had in common after their last sync, kept in a file.
 *
 * A manifest as Stint keeps it for itself, with the time that each file has at the place,
 * behind a head:
 *
 *     stint sync 1
 *     tag 1763546400 8211 s     of a store, time and size of its manifest; s: times of the
 *                               store's own clock, o: those of the files
 */
#ifndef DATA_SYNC_SYNC_STATE_H
#define DATA_SYNC_SYNC_STATE_H

#include "data/manifest.h"

struct sync_state {
    struct manifest base;
    struct str tag; /* empty: no store, or none is there */
};

/* While files move, what moves is kept beside it as PATH.sent and PATH.fetched: what a side has
 * got of it came from the other side, and is no change of its own. `second`: it moves to the
 * second folder of the pair's name, whichever of them is here. */
const char *sync_state_moving(const char *path, bool second, struct arena *arena,
                              struct error *err) MUST_USE;

/* The tree of a store after the last sync, beside it as PATH.there: it need not be listed while
 * its manifest is the same. */
const char *sync_state_there(const char *path, struct arena *arena, struct error *err) MUST_USE;

/* The tag taken apart. False when there is none. */
bool sync_tag_read(struct str tag, int64_t *modified, int64_t *size, bool *server) MUST_USE;

/* `known` false: there is none, or it is damaged, and counts as none. */
bool sync_state_read(const char *path, struct arena *arena, struct sync_state *out, bool *known,
                     struct error *err) MUST_USE;

/* Not flushed to the disk, as the files that rsync moved are not. */
bool sync_state_write(const char *path, const struct sync_state *state,
                      struct error *err) MUST_USE;

#endif
