/* stopping.h - what early stopping would have saved, in hindsight. Pure.
 *
 * A run that evaluates now and then is stopped when so many values in a row are not better than
 * the best before. It would have lost nothing when the best of all values had been reached by
 * then.
 */
#ifndef ADVISE_STOPPING_H
#define ADVISE_STOPPING_H

#include <stdbool.h>
#include <stddef.h>

#define STOPPING_PATIENCE 3 /* values without a better one: what is advised */
#define STOPPING_LEAST 5    /* values, to judge by */

struct stopping {
    double share; /* of the time that is saved; 0: it would not have been stopped */
    bool loses;   /* a better value came after that */
};

/* `times` and `values` of `count` evaluations, the first first; `end` is when the run ended, in
 * the same seconds. False: too few values, or times that make no sense. */
bool stopping_judge(const double *times, const double *values, size_t count, bool greater,
                    double end, int patience, struct stopping *out);

#endif
