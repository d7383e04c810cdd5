/* carrier.h - the programs that move data: rsync for folders, here and behind ssh; rclone for
 * stores.
 *
 * One side is a folder here, the other a place. A carrier is told exactly which paths to look
 * at, to move and to delete; what is to be done is decided elsewhere (sync.h). Every file is
 * put in its place by a rename, or as an object, so that none is ever seen half-written. */
#ifndef DATA_SYNC_CARRIER_H
#define DATA_SYNC_CARRIER_H

#include "data/sync/place.h"
#include "data/tree.h"

struct carrier {
    const char *here; /* a folder */
    const struct data_place *there;
    uint64_t bandwidth; /* bytes a second, at most; 0: no limit */
    bool holes;         /* files that are known have some: what comes gets them, too */
    const struct watch *watch;
    /* Bytes of the files that moved so far. NULL: nobody asks. */
    void (*moved)(void *ctx, uint64_t bytes);
    void *ctx;
    /* Set by carrier_open(): an empty folder of our own; the ssh to use, which keeps one
     * connection for all that follows (NULL: rsync's own choice). */
    const char *scratch, *shell;
    int scratch_held, transfers_held[2]; /* holds on that folder, and on those for transfers */
};

enum carrier_way { CARRIER_UP, CARRIER_DOWN };

/* What is at the place, as it shows from outside. */
struct carrier_listing {
    struct tree tree; /* links are hashed, files are not; times are as exact as they show */
    bool absent;      /* there is no such folder */
    bool made;        /* TREE_OWN is there */
};

/* A path that a place lists and that leads out of it (its owner may be anyone) becomes a
 * problem of the tree, and is left: see tree_path_stays(). */
bool carrier_leave_path(struct tree *tree, struct str path, struct error *err) MUST_USE;

/* A time that it lists, "2026/11/19 10:49:32" or with other separators, in nanoseconds: not
 * before 1970, and no later than fits. */
bool carrier_listed_time(struct str text, int64_t *ns) MUST_USE;

/* What a move took. */
struct carrier_took {
    uint64_t bytes;          /* of the files that moved */
    uint64_t sent, received; /* over the line */
    bool all;                /* false: some did not move, and `trouble` says why */
    struct str trouble;
};

/* The program is there; a folder for its needs is made. To be closed when true. */
bool carrier_open(struct carrier *c, struct arena *arena, struct error *err) MUST_USE;
void carrier_close(const struct carrier *c, struct arena *arena);

/* What is there: asked for first, so that this side is looked at while the answer comes; then
 * taken, or dropped (program_drop()). */
struct program;
struct program *carrier_ask_list(const struct carrier *c, struct arena *arena,
                                 struct error *err) MUST_USE;
bool carrier_take_list(const struct carrier *c, struct program *asked, struct arena *arena,
                       struct carrier_listing *out, struct error *err) MUST_USE;

/* Which of these files (on both sides) have other content, or, unless `content`, another size
 * or time, or are not there? `differs[i]` of paths.at[i]. */
bool carrier_compare(const struct carrier *c, enum carrier_way way, struct strs paths,
                     bool content, struct arena *arena, bool *differs,
                     struct error *err) MUST_USE;

/* Make the folders that a transfer to that side needs. */
bool carrier_prepare(struct carrier *c, enum carrier_way way, struct arena *arena,
                     struct error *err) MUST_USE;

/* Paths below the folders, that of an empty folder with a slash at its end. */
bool carrier_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                  struct arena *arena, struct carrier_took *took, struct error *err) MUST_USE;

/* All has arrived: remove what is left here of transfers that were ended half-way, but for
 * those of another sync that is at work. */
bool carrier_tidy(const struct carrier *c, struct arena *arena, struct error *err) MUST_USE;

/* Delete on the side that the way leads to. A folder goes only when it is empty. */
bool carrier_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                    struct arena *arena, struct error *err) MUST_USE;

#endif
