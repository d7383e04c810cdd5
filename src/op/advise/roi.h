/* roi.h - is faster or rented hardware worth its price: the request of roi. */
#ifndef OP_ADVISE_ROI_H
#define OP_ADVISE_ROI_H

#include "advise/economics/roi_answer.h"
#include "job/source.h"
#include "unit/moment.h"

extern const struct op op_roi;

struct roi_request {
    struct job_source source; /* no job: past runs */
    struct str local;         /* of local.csv, or its GPU */
    usd_per_hour value_of_time;
    double waiting;
    struct strs ways; /* by the user's own figures */
    span local_time;
    struct str runs;
    usd price; /* of the local machine */
    usd_per_kwh electricity;
    struct strs providers, regions;
    struct str market;
    struct days_asked days;
    struct str svg;
};

#endif
