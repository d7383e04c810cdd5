/* maturity.h - the request and the result of maturity. */
#ifndef OP_ADVISE_MATURITY_H
#define OP_ADVISE_MATURITY_H

#include "advise/practice/maturity.h"
#include "op/options.h"

extern const struct op op_maturity;

struct maturity_request {
    struct days_asked days;
    bool explain;
    struct str svg;
};

struct maturity_result {
    day since, until; /* the first and the last day */
    struct str ledger;
    bool none_yet; /* there is no ledger */
    struct maturity maturity;
    bool explain; /* thresholds and their sources are printed; not in the result */
    struct str svg;
};

#endif
