/* join.h - runs of one endpoint that were made by turns with those of another, as one. */
#ifndef LOAD_JOIN_H
#define LOAD_JOIN_H

#include "load/drive.h"

/* Add `more`, which began `at_s` seconds after the first, to a run that is zero or was joined
 * before. Nothing of `more` is used afterwards. */
bool load_run_join(struct load_run *run, const struct load_run *more, double at_s,
                   struct arena *arena, struct error *err) MUST_USE;

/* Are the mean latencies of what was measured known to this share? Not before there are a
 * hundred. */
bool load_run_precise(const struct load_run *run, double precision, const struct alloc *alloc);

#endif
