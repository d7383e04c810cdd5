/* move.h - a file moved to another folder, or removed, so that it is complete in at least one
 * place at every moment. */
#ifndef DATA_MOVE_H
#define DATA_MOVE_H

#include "data/tree.h"

struct move_work {
    const char *from, *to; /* folders */
    struct str path;       /* of the file, below both */
    struct tree_stat stat; /* as it was when it was chosen: what has changed stays */
    bool link;             /* leave a symbolic link at its old place */
    const struct watch *watch;
};

/* On the same disk it gets its new name at once; to another it is copied aside (with holes,
 * rights and time), flushed, compared with the original, put in its place, and only then is the
 * original removed. One that is there already is never replaced: when it has the same content,
 * it counts as moved, otherwise it is an error. The arena is for this one file. */
bool data_move_file(const struct move_work *work, struct arena *arena,
                    struct error *err) MUST_USE;

/* Delete a file that is as it was when it was chosen. */
bool data_remove_file(const char *folder, struct str path, const struct tree_stat *stat,
                      struct arena *arena, struct error *err) MUST_USE;

#endif
