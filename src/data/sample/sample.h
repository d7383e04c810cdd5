/* sample.h - a part of a data set that stands for all of it.
 *
 * An example is the files that belong together: an image with its caption, its mask, its
 * labels. Each group of examples (a folder, or a label) gives the same fraction. The choice
 * depends on names alone, so it is the same everywhere, and a larger fraction contains each
 * smaller one. */
#ifndef DATA_SAMPLE_SAMPLE_H
#define DATA_SAMPLE_SAMPLE_H

#include "data/tree.h"

struct map;

struct sample_rules {
    uint64_t seed;            /* another one chooses other examples */
    size_t least;             /* examples of each group that are in every fraction above 0 */
    const struct map *labels; /* by name of a file: `value` is a struct str; NULL: by folder */
};

struct sample_example {
    struct str name; /* the path of its first file, without the extension */
    size_t group;
    double order; /* among those of its group */
    double from;  /* every fraction above contains it: 0 to 1 */
};

struct sample_group {
    struct str name; /* of the folder; empty: the set's own; or the label */
    size_t count;    /* of examples */
};

#define SAMPLE_NONE SIZE_MAX

struct sample_set {
    size_t
        *example_of; /* of each entry of the tree; SAMPLE_NONE: it is of the set as a whole */
    struct sample_example *examples;
    struct sample_group *groups; /* in the order of the tree */
    size_t count, group_count;
    size_t unlabeled; /* examples without a label, where labels were given: a group of theirs */
    bool rows; /* the examples are rows of tables (sample_divide_rows): there are no others */
};

/* Files that have a kind (an extension) of which there are few are of the set as a whole, as
 * are empty folders: every fraction has them. Sidecars (captions, labels, masks) are of the
 * example that has their name: in the same folder, or below a folder `images` beside theirs. */
bool sample_divide(const struct tree *tree, const struct sample_rules *rules,
                   struct arena *arena, struct sample_set *out, struct error *err) MUST_USE;

/* A number from 0 to 1 for a text, the same on every machine and in every version. */
double sample_place(uint64_t seed, struct str text);

/* Is the entry in that fraction (above 0, at most 1)? */
bool sample_has(const struct sample_set *set, size_t entry, double fraction);

/* The entry is a file or a link, and not hidden: what a sample may have. */
bool sample_counts(const struct tree_entry *e);

#endif
