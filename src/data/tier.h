/* tier.h - files of a tree by age: which stay, which go to slower and cheaper disks, and which
 * are deleted. Choosing changes nothing; move.h does. */
#ifndef DATA_TIER_H
#define DATA_TIER_H

#include "data/tree.h"
#include "unit/size.h"
#include "unit/time.h"

enum data_tier {
    TIER_HOT, /* stays where it is */
    TIER_WARM,
    TIER_COLD,
    TIER_DELETE,
    TIER_COUNT,
};

extern const char *const data_tier_names[TIER_COUNT + 1];

struct tier_rules {
    const char *folder;
    span after[TIER_COUNT]; /* since the last write, from which on files are of the tier, each
                             * longer than the one before; negative: there is no such tier */
    const char *to[TIER_COUNT]; /* folder of the tier; NULL: none is named */
    int64_t now_ns;             /* by the clock that files get their times from */
    bool by_use;                /* the age is that of the last write or read */
    struct strs only;           /* patterns of paths, or of names; none: all files */

    /* Why it must stay where it is, for somebody who knows what it is; NULL: it may go. */
    const char *(*belongs)(struct str path);
};

/* A file that is old enough for another tier. */
struct tier_file {
    struct str path;
    int32_t tier; /* enum data_tier */
    int64_t days; /* its age */
    bytes size;
    struct str kept; /* why it stays all the same; empty: it goes */
    bool done;       /* it has gone */
    bool failed;     /* it was to go, and could not */
    bool used;       /* it was read since it is old enough to be written no more */
    struct tree_stat stat;
};

extern const struct field_set tier_file_fields;

struct tier_sum {
    int64_t files, held;
    int64_t done, left; /* that have gone, and that could not go (tier_move()) */
    bytes size;         /* of the files, without those that are held */
};

struct tier_choice {
    struct tier_file *files; /* in the order of paths, without those that stay hot */
    size_t count;
    struct tier_sum sums[TIER_COUNT]; /* held files count as hot */
    struct tier_sum used;             /* of those that go */
    size_t hidden;                    /* files in or with a name that begins with a dot: they
                                       * are left out */
};

bool tier_choose(const struct tree *tree, const struct tier_rules *rules, struct arena *arena,
                 struct tier_choice *out, struct error *err) MUST_USE;

#endif
