/* sync.h - making a folder here and a place equal, one way or both ways.
 *
 * First both sides are looked at and the plan is made; nothing moves until it is carried out.
 * What both had in common after the last sync is kept (the base): it says on which side a path
 * changed. What changed on both stays as it is on both, and is reported. Nothing is deleted, or
 * replaced where only the destination has changed it, unless that is asked for. */
#ifndef DATA_SYNC_SYNC_H
#define DATA_SYNC_SYNC_H

#include "data/compare.h"
#include "data/manifest.h"
#include "data/sync/carrier.h"
#include "data/sync/place.h"
#include "data/task.h"

enum sync_way {
    SYNC_UP,   /* from the folder here to the place */
    SYNC_DOWN, /* from the place to the folder here */
    SYNC_BOTH,
};

struct sync_work {
    const char *here;
    struct str here_typed; /* as messages call it */
    const struct data_place *there;
    struct carrier *carrier; /* open, of these two: carrier_open() */
    enum sync_way way;
    enum data_conflict conflict;
    bool deletes;      /* delete what the other side has deleted since the last sync */
    bool list;         /* look at all of a store, whatever its manifest says */
    bool verify;       /* read everything on both sides */
    const char *state; /* the file that keeps the base; NULL: none is kept */
    bool swapped;      /* the two have changed places: see struct sync_pair */
    const char *here_kept, *there_kept; /* kept manifests of folders (manifest.h); NULL: none */
    const struct watch *watch;
    stamp now; /* by the clock that files get their times from */
    /* Bytes that have moved; NULL: nobody asks. */
    void (*moved)(void *ctx, uint64_t bytes);
    void *ctx;
};

/* What is done with a path. */
enum sync_step {
    SYNC_UPLOAD,
    SYNC_DOWNLOAD,
    SYNC_DELETE_LOCAL,
    SYNC_DELETE_REMOTE,
    SYNC_CONFLICT,  /* changed on both sides: left as it is on both */
    SYNC_KEPT,      /* only the destination has it so: left as it is */
    SYNC_UNKNOWN,   /* could not be read on one side: left */
    SYNC_FAILED,    /* did not move, or changed meanwhile */
    SYNC_UNCHANGED, /* equal on both */
    SYNC_STEPS,
};

extern const char *const sync_step_names[SYNC_STEPS + 1];

struct sync_change {
    struct str path;
    int32_t step; /* enum sync_step */
    bytes size;   /* of what moves or goes */
    bytes new_size;
    const struct tree_entry *here, *there; /* NULL: not on that side */
};

struct sync_sum {
    int32_t step;
    int64_t paths;
    bytes size, new_size;
};

extern const struct field_set sync_change_fields, sync_sum_fields;

struct sync_plan {
    struct manifest here, there, base;
    bool based;   /* there was a sync before this one */
    bool arrived; /* the base has what a sync moved that did not end well */
    bool here_absent, there_absent;
    bool listed;      /* the place was listed, not known by its manifest */
    int64_t alike;    /* paths that are left: DST takes their names for others, but for case */
    int64_t left_out; /* of here: what a store cannot keep */
    struct str tag;   /* of the place's manifest after the last sync (sync_state.h) */
    bool prepared;    /* the place has the folder for transfers */
    struct sync_change *changes; /* but for SYNC_UNCHANGED; in the order of paths */
    size_t change_count;
    struct sync_sum sums[SYNC_STEPS];
};

/* What was done. The plan's changes of what did not work become SYNC_FAILED, and its sums with
 * them. */
struct sync_done {
    struct carrier_took up, down;
    int64_t verified;   /* files that were read on both sides; -1: not asked for */
    int64_t different;  /* of them, those that are not equal after all */
    struct str trouble; /* what the mover said of the first that did not move; empty: nothing */
};

/* What a store is asked for, and bills: by what rclone does. Nothing where there is no
 * store. */
struct sync_requests {
    int64_t puts; /* and lists, and parts of large files */
    int64_t gets;
};

struct sync_requests sync_count_requests(const struct sync_work *work,
                                         const struct sync_plan *plan);

/* Look at both sides. Refuses to delete all that a side has: a disk that is not mounted looks
 * so. */
bool sync_plan(const struct sync_work *work, struct arena *arena, struct sync_plan *out,
               struct error *err) MUST_USE;

/* Do it; the manifest of each side that was changed is replaced last, then the base. */
bool sync_carry_out(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                    struct sync_done *out, struct error *err) MUST_USE;

/* Notes on what is left out and what stays; warnings of conflicts and of what did not move,
 * which make the work partial. */
void sync_note(const struct data_task *task, const struct sync_work *work,
               const struct sync_plan *plan);

#endif
