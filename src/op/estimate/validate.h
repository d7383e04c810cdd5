/* validate.h - predictions compared with measured rows: request and result of validate. */
#ifndef OP_ESTIMATE_VALIDATE_H
#define OP_ESTIMATE_VALIDATE_H

#include "op/market.h"
#include "truth/validate.h"

extern const struct op op_validate;

struct validate_request {
    struct str kind;
    struct strs files;
    bool leave_one_source_out, fit, from_priors;
    int64_t calibrate;
    struct str group, per_row, save;
};

struct validate_result {
    struct validation validation;
    struct price_age prices; /* of choices */
};

#endif
