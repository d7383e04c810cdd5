/* timeline.h - one run of a sweep tick by tick, as stretches and as a picture. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "spot/sweep.h"

/* The first run under each policy of the request. */
bool sweep_timeline(const struct sweep *s, struct simulate_result *res,
                    struct error *err) MUST_USE;

#endif
