/* constants_file.h - the estimator's constants as a file of the user's catalog. */
#ifndef TRUTH_CONSTANTS_FILE_H
#define TRUTH_CONSTANTS_FILE_H

#include "estimate/constants.h"

/* Write all constants with these values as constants.csv, which replaces the built-in ones when
 * it is put into the catalog folder. Values that differ from the catalog's are dated
 * `today`. */
bool constants_save(const struct catalog *catalog, const struct constants *values, day today,
                    struct str path, struct arena *arena, struct error *err) MUST_USE;

#endif
