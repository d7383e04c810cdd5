/* validate.h - predictions against measured rows: request and result of validate. */
#ifndef OP_ESTIMATE_VALIDATE_H
#define OP_ESTIMATE_VALIDATE_H

#include "op/market.h"
#include "truth/choices.h"

extern const struct op op_validate;

struct validate_request {
    struct str kind;
    struct strs files;
    bool leave_one_source_out, fit, from_priors;
    struct str group, per_row, save;
};

struct validate_reason {
    struct str reason;
    int64_t rows;
};

struct validate_constant {
    struct str name, unit;
    double before, after;
};

struct validate_result {
    struct str kind;
    int64_t rows, scored;
    double median_ape, p90_ape, median_ratio, inside_range;
    struct rows by_source, by_gpu, by_set, by_metric; /* struct score */
    struct rows not_scored;                           /* struct validate_reason */
    struct rows constants; /* struct validate_constant, after a fit */
    int64_t oom_rows, oom_said_to_fit, ran_rows, ran_said_not_to_fit;
    bool left_out; /* each source was predicted by constants fitted without it */
    /* Of the kind "choice" (struct choice_score): the same number of GPUs of each kind, and as
     * many as each kind was best with. */
    struct rows choices, choices_open;
    struct price_age prices;
};

#endif
