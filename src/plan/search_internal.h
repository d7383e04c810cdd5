/* search_internal.h - what the parts of the search share. */
#ifndef PLAN_SEARCH_INTERNAL_H
#define PLAN_SEARCH_INTERNAL_H

#include "plan/search.h"
#include "plan/ways.h"

/* Machines with the same GPUs: what they can do is worked out once for all of them. */
struct class
{
    const struct accelerator *gpu;
    int64_t count;
    const uint32_t *places; /* indices */
    size_t place_count;
    struct bound bound;
};

/* So many machines of a class. */
struct entry {
    const struct class *class;
    /* Indices: all places of the class, or those with the same network when it is about several
     * machines. */
    const uint32_t *places;
    size_t place_count;
    struct hardware_key key;
    /* By enum ways_aim, once they are looked into. */
    const struct way *ways[WAYS_AIMS];
    size_t way_count[WAYS_AIMS];
    bool known[WAYS_AIMS];
};

struct search {
    const struct job *job;
    const struct constants *constants;
    const struct plan_place *places;
    const struct accelerator *measured;
    struct arena *arena;
    struct class *classes;
    size_t class_count;
    struct entry *entries;
    size_t entry_count;
    struct ways_scratch *scratch;
    struct candidate *order; /* as many as entries */
    /* Sets of machines that trials may be spread over, and the runs that go on one after the
     * other then: the one that counts, and trials before it. */
    int64_t *parallels;
    double *spans;
    size_t parallel_count;
    double runs;    /* that are paid for, trials among them */
    double soonest; /* the least of the spans */
    struct search_counts counts;
};

/* An entry and what the best plan there could be. */
struct candidate {
    const struct entry *entry;
    double hours; /* of one run */
    double score, usd, time;
};

#endif
