/* roi_ways.h - ways to do a run by figures of the user's own: what each costs and how long it
 * takes, whatever does it.
 */
#ifndef ADVISE_ROI_WAYS_H
#define ADVISE_ROI_WAYS_H

#include "advise/economics/roi_answer.h"

/* "500usd:40h" or "spot=800usd:10h" each, as options of the result: those without a name are A,
 * B, ... ERROR_USAGE with what to type. */
bool roi_take_ways(struct strs ways, struct roi_option *options, struct roi_result *res,
                   struct error *err) MUST_USE;

/* The user's own machine, on which the same takes so long: as the first option. */
void roi_take_local_time(span takes, struct roi_option *options, struct roi_result *res);

#endif
