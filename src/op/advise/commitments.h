/* commitments.h - what to commit to: the request of commitments. */
#ifndef OP_ADVISE_COMMITMENTS_H
#define OP_ADVISE_COMMITMENTS_H

#include "advise/economics/commitments_answer.h"
#include "unit/moment.h"

extern const struct op op_commitments;

struct commitments_request {
    struct days_asked days;
    struct str by, load, provider, family;
    usd_per_hour price; /* of a machine: it is sold by the machine */
    double discount;    /* NaN: those of the catalog */
    int64_t term;       /* months; -1: all */
    struct str svg;
};

#endif
