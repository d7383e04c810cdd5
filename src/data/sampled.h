/* sampled.h - a total after a change, estimated from items that were changed as a trial.
 *
 * Items are in strata, from each of which some were taken at random. What they became for each
 * byte that they had holds for the rest of their stratum. The range has the chance of 80 %: it
 * is as wide as the taken items differ from that, for as few as they are (Student's t), with a
 * doubt that there are others; and nothing where all were taken. Pure. */
#ifndef DATA_SAMPLED_H
#define DATA_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the items that are alike. */
struct sampled_stratum {
    uint64_t size; /* of all of its items */
    size_t count;  /* items; those that were taken are in the sums */
    size_t taken;
    double doubt; /* how far an item may be from the others, of which no such was taken: a share
                   * of its size. It counts as one more that was. */
    double before, after; /* sums of sizes; of their squares and products: */
    double before_before, before_after, after_after;
};

void sampled_add(struct sampled_stratum *stratum, uint64_t before, uint64_t after);

struct sampled {
    uint64_t size, low, high; /* of everything, after */
    size_t taken;             /* items */
    uint64_t taken_size;      /* before */
    bool known;               /* false: of some items nothing like them was taken */
    bool complete;            /* all were taken: low and high are the size */
};

struct sampled sampled_total(const struct sampled_stratum *strata, size_t count);

#endif
