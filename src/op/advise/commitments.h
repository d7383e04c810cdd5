/* commitments.h - what to commit to: the request and the result of commitments. */
#ifndef OP_ADVISE_COMMITMENTS_H
#define OP_ADVISE_COMMITMENTS_H

#include "account/costs/hourly.h"
#include "advise/economics/commitments.h"
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

struct commitments_result {
    struct str source; /* "ledger", or the file */
    day since, until;  /* the first and the last day */
    int64_t hours;     /* between them */
    struct rows loads, options, held;
    double covered; /* share of the use of machines that commitments cover now */
    double spot, others;
    double idle, unused; /* of machines on bills: left out */
    double moved;        /* likewise: on spot, elsewhere or newer they cost less */
    struct strs notes;
    struct str svg;
    struct rows hourly; /* struct commitment_load, one for each load: for the figure */
};

#endif
