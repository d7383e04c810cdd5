/* learning.h - what the user's own runs have taught the estimator. */
#ifndef OP_ESTIMATE_LEARNING_H
#define OP_ESTIMATE_LEARNING_H

#include "estimate/constants.h"
#include "ledger/runs/learning.h"
#include "op/op.h"

#define CONSTANTS_VERSION 32

/* Which constants these are: the program's version and a checksum of the values. */
void constants_version(const struct constants *constants, char to[static CONSTANTS_VERSION]);

/* Load the constants of the catalog and, unless `raw`, the corrections that the ledger has for
 * them. A ledger that is not there, or cannot be read, has none: that is said when it is more
 * than absence. */
bool op_constants(struct op_context *ctx, bool raw, struct constants *out,
                  struct error *err) MUST_USE;

/* "steps take 1.12 times as long as estimated (1.04 to 1.21), learnt from 6 of your runs": what
 * was learnt for this GPU and framework; empty when nothing was. Into the arena. */
bool learning_words(const struct constants *constants, struct str gpu, struct str framework,
                    struct arena *arena, struct str *out, struct error *err) MUST_USE;

#endif
