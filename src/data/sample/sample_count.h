/* sample_count.h - how much each fraction of a data set has. */
#ifndef DATA_SAMPLE_SAMPLE_COUNT_H
#define DATA_SAMPLE_SAMPLE_COUNT_H

#include "data/sample/sample.h"

struct sample_sum {
    uint64_t examples, files, bytes;
};

struct sample_group_sum {
    struct str name; /* as that of struct sample_group; of tables, their path */
    uint64_t examples, taken;
};

struct sample_counts {
    struct sample_sum whole;
    struct sample_sum *fractions;    /* in the order in which they were asked for */
    struct sample_group_sum *groups; /* taken: in the smallest fraction */
    size_t group_count;
};

struct sample_count_work {
    const char *folder;
    const struct tree *tree;
    const struct sample_set *set;
    uint64_t seed;
    const double *fractions;
    size_t fraction_count; /* 1 to SAMPLE_FRACTIONS */
    const struct watch *watch;
};

/* Most of the data is in tables, so that their rows are the examples: whatever else there is
 * belongs to the set as a whole. False: the set is left as it is. */
bool sample_divide_rows(const struct tree *tree, struct sample_set *set);

/* Of links the size of what they point to counts. Tables are read where their rows are the
 * examples. */
bool sample_count(const struct sample_count_work *work, struct arena *arena,
                  struct sample_counts *out, struct error *err) MUST_USE;

#endif
