/* validate_work.h - what the parts of validate share. */
#ifndef OP_ESTIMATE_VALIDATE_WORK_H
#define OP_ESTIMATE_VALIDATE_WORK_H

#include "op/estimate/validate.h"

struct op_context; /* op/context.h */

extern const struct field_set validate_request_fields, validate_result_fields;

/* Rows of one kind, and what is said of them. */
struct validate_work {
    struct op_context *ctx;
    enum truth_kind kind;
    struct points points;
    struct held *held; /* as many as points */
    struct constants constants;
};

/* Why points are not scored: a list with room for one reason of each point. */
struct validate_reasons {
    struct validate_reason *at;
    size_t len;
};

#endif
