/* practices.h - how costs are handled: requests of maturity, checklist and targets.*. */
#ifndef OP_ADVISE_PRACTICES_H
#define OP_ADVISE_PRACTICES_H

#include "advise/practice/answer.h"
#include "op/options.h"

extern const struct op op_maturity, op_checklist, op_targets, op_targets_set, op_targets_remove;

struct maturity_request {
    struct days_asked days;
    bool explain;
    struct str svg;
};

struct checklist_request {
    struct str phase, job;
    struct days_asked days;
    struct str md;
};

struct targets_request {
    struct days_asked days;
    struct str svg;
};

struct targets_set_request {
    struct str name, value;
};

struct targets_set_result {
    struct str fact, label;
    enum practice_unit unit;
    double value, before; /* before: the goal that it replaces; NaN: none */
    bool less;
};

struct targets_remove_request {
    struct str name;
    bool all;
};

struct targets_remove_result {
    int64_t removed;
};

#endif
