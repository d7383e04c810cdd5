/* checklist.h - the request and the result of checklist. */
#ifndef OP_ADVISE_CHECKLIST_H
#define OP_ADVISE_CHECKLIST_H

#include "advise/practice/checklist.h"
#include "op/options.h"

extern const struct op op_checklist;

struct checklist_request {
    struct str phase, job;
    struct days_asked days;
    struct str md;
};

struct checklist_result {
    struct str phase; /* empty: all */
    day since, until; /* the first and the last day */
    struct str ledger;
    bool none_yet;
    struct checklist list;
    struct str md; /* file that was written */
};

#endif
