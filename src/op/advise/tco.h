/* tco.h - what an owned machine costs, and when owning pays: the request of tco. */
#ifndef OP_ADVISE_TCO_H
#define OP_ADVISE_TCO_H

#include "advise/economics/tco_answer.h"
#include "unit/moment.h"

extern const struct op op_tco;

struct tco_request {
    struct str machine; /* of onprem.csv, or GPUs: "H100x8" */
    struct str gpu;
    int64_t count;
    struct tco_given given;
    struct str site;
    bool only_given;
    struct strs providers, regions;
    struct str load, burst;
    struct days_asked days;
    struct str svg;
};

#endif
