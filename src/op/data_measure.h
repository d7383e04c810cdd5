/* data_measure.h - how much smaller a folder would become, by a sample of its files: shared by
 * plan and advise. */
#ifndef OP_DATA_MEASURE_H
#define OP_DATA_MEASURE_H

#include "plan/data_ways.h"

struct op_context; /* op/context.h */
struct tree;       /* data/tree.h */

/* Fill in the folder's size and number of files, what images and a bundle would make of it, and
 * how often it was synced in the last 30 days. What cannot be measured is unknown, and says
 * why. */
bool op_data_measure(struct op_context *ctx, const char *folder, const struct tree *tree,
                     struct data_case *out, struct error *err) MUST_USE;

#endif
