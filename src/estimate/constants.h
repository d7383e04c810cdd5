/* constants.h - the estimator's numbers: efficiencies, latencies, overheads.
 *
 * Their values live in one file, data/constants.csv, each with its unit, what it was fitted on
 * and what was known before (the prior, and how far a fit may go from it). The code knows only
 * their names.
 */
#ifndef ESTIMATE_CONSTANTS_H
#define ESTIMATE_CONSTANTS_H

#include "catalog/catalog.h"
#include "estimate/constant_names.h"
#include "estimate/correction.h"

enum constant_id {
#define CONSTANT(name) C_##name,
    CONSTANT_NAMES(CONSTANT)
#undef CONSTANT
        CONSTANT_COUNT,
};

struct constants {
    double at[CONSTANT_COUNT];
    /* What the user's own runs have taught; none: NULL and 0. */
    const struct correction *learned;
    size_t learned_count;
};

extern const char *const constant_names[CONSTANT_COUNT];

/* The values of the catalog (needs TABLE_CONSTANTS). One that is missing, or one that the code
 * does not know, is an error. */
bool constants_load(const struct catalog *catalog, struct constants *out,
                    struct error *err) MUST_USE;

#define CONSTANTS_VERSION 32

/* Which constants these are: the program's version and a checksum of the values. */
void constants_version(const struct constants *constants, char to[static CONSTANTS_VERSION]);

#endif
