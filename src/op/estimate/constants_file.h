/* constants_file.h - the estimator's constants as a file of the user's catalog. */
#ifndef OP_ESTIMATE_CONSTANTS_FILE_H
#define OP_ESTIMATE_CONSTANTS_FILE_H

#include "estimate/constants.h"
#include "op/op.h"

/* Write all constants with these values as constants.csv, which takes the place of the built-in
 * ones when it is put into the catalog folder. */
bool constants_save(struct op_context *ctx, const struct constants *values, struct str path,
                    struct error *err) MUST_USE;

#endif
