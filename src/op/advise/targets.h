/* targets.h - requests and results of targets.*: goals, and how far they are reached. */
#ifndef OP_ADVISE_TARGETS_H
#define OP_ADVISE_TARGETS_H

#include "advise/practice/targets.h"
#include "op/options.h"

extern const struct op op_targets, op_targets_set, op_targets_remove;

struct targets_request {
    struct days_asked days;
    struct str svg;
};

struct targets_result {
    day since, until; /* the first and the last day */
    struct str ledger;
    bool none_yet;
    struct target_scores scores;
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
