/* compare.h - two trees, and what makes them equal.
 *
 * A is here, B is there. Each may have changed since they were equal; the tree of that time
 * (the base) tells which did. Without it nothing is deleted, and what differs is a conflict. Of
 * what could not be read on a side nothing is known, and nothing is done with it.
 */
#ifndef DATA_COMPARE_H
#define DATA_COMPARE_H

#include "data/tree.h"
#include "doc/field.h"
#include "unit/size.h"

enum data_step {
    DATA_UPLOAD,
    DATA_DOWNLOAD,
    DATA_DELETE_LOCAL,
    DATA_DELETE_REMOTE,
    DATA_CONFLICT,  /* both changed, and not to the same */
    DATA_UNKNOWN,   /* could not be read on one side */
    DATA_UNCHANGED, /* equal on both */
    DATA_STEPS,
};

extern const char *const data_step_names[DATA_STEPS + 1];

/* One path. */
struct data_change {
    struct str path;
    int32_t step;   /* enum data_step */
    bytes size;     /* of the file that moves or goes; of a conflict, of both */
    bytes new_size; /* of these, in chunks that the other side does not have at that place */
    const struct tree_entry *here, *there; /* NULL: not on that side */
};

extern const struct field_set data_change_fields;

/* All changes of one step. */
struct data_sum {
    int32_t step;
    int64_t paths;
    bytes size, new_size;
};

extern const struct field_set data_sum_fields;

struct data_comparison {
    struct data_sum sums[DATA_STEPS];
    struct data_change *changes; /* but for DATA_UNCHANGED; in the order of paths */
    size_t change_count;
};

/* What differs on both sides without a base, or changed on both since. */
enum data_conflict {
    DATA_CONFLICT_KEEP,  /* is a conflict */
    DATA_CONFLICT_NEWER, /* the newer is taken; when both are of one time, a conflict */
};

struct data_compare_work {
    const struct tree *here, *there;
    const struct tree *base; /* NULL: none is known */
    enum data_conflict conflict;
};

bool data_compare(const struct data_compare_work *work, struct arena *arena,
                  struct data_comparison *out, struct error *err) MUST_USE;

#endif
