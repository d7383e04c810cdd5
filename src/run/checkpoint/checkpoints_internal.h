/* checkpoints_internal.h - what the files of checkpoints.h share. */
#ifndef RUN_CHECKPOINT_CHECKPOINTS_INTERNAL_H
#define RUN_CHECKPOINT_CHECKPOINTS_INTERNAL_H

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>

#include "run/checkpoint/checkpoints.h"

#define CHECKPOINT_TRASH ".stint-removing-" /* what is being removed is called so */

/* Is its metric at least as good as the other's? Both are known. */
bool checkpoint_as_good(const struct checkpoint *c, const struct checkpoint *other,
                        const struct checkpoint_rules *rules);

/* Is it the name of something unfinished: x.tmp, tmp-checkpoint-5, x.lock? Says why; NULL. */
const char *checkpoint_name_doubt(struct str name);

/* Only digits: "500". */
bool checkpoint_name_is_number(struct str name);

/* Does a file of this name hold weights? `sure`: and hardly anything else. */
bool checkpoint_weights(struct str name, bool *sure);

/* What points into the folder. */
struct checkpoint_pointers {
    struct arena *arena;
    struct checkpoint_pointer {
        struct str target, from; /* a path or a number; the checkpoint it is in, or empty */
        const char *why;
        struct checkpoint_pointer *next;
    } * first;
    size_t count;
};

/* Look at an entry of the folder: size, dates and, when `deep`, whether its content looks
 * complete and what its trainer state says. `c` has what its name says. `there` is false when
 * it is gone, or neither a file nor a folder. `pointers` may be NULL. */
struct checkpoint_look {
    int folder;
    dev_t device;
    struct str metric;
    bool deep;
    int64_t since_ns;    /* files written since then are fresh; 0: all */
    struct arena *arena; /* for what is needed while looking, and for pointers */
    struct checkpoint_pointers *pointers;
};
bool checkpoint_look(const struct checkpoint_look *look, struct checkpoint *c, bool *there,
                     struct error *err) MUST_USE;

/* Is the content of this file complete, as far as its format shows cheaply? Why not; NULL.
 * `proven`: the format shows it. */
const char *checkpoint_file_doubt(int folder, const char *name, const struct stat *st,
                                  const struct alloc *alloc, bool *proven);

/* Is all there that an index of shards names? Why not; NULL. */
const char *checkpoint_index_doubt(int folder, const char *name, const struct alloc *alloc);

/* What a trainer_state.json says. Half a document, or NaN as Python writes it: what was read
 * before it counts. `best_of`: the name of the checkpoint that it is in. */
struct checkpoint_trainer_state {
    double metric;        /* the last of the history, or the best where this is it; NaN */
    struct str best_name; /* best_model_checkpoint, in the look's arena; empty: none */
};
void checkpoint_state_read(int folder, const char *name, const struct checkpoint_look *look,
                           struct str best_of, struct checkpoint_trainer_state *out);

/* Open the folder; -1 with the error set (ERROR_ABSENT when there is none). */
int checkpoint_folder(const char *path, struct stat *st, struct error *err) MUST_USE;

/* A folder's entries, from an open one that stays open; NULL with errno. */
DIR *checkpoint_list(int folder);

/* Move it out of sight; then remove up to `*budget` files of what was. Both return false after
 * setting the error; checkpoint_clear() returns true with a budget of 0 when more is left. */
bool checkpoint_hide(int folder, struct str name, char hidden[static NAME_MAX + 1],
                     struct error *err) MUST_USE;
bool checkpoint_clear(int folder, const char *hidden, int64_t *budget,
                      struct error *err) MUST_USE;

/* Nanoseconds since 1970. */
static inline int64_t checkpoint_ns(struct timespec t)
{
    return (int64_t)t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

#endif
