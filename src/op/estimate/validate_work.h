/* validate_work.h - what the parts of validate share. */
#ifndef OP_ESTIMATE_VALIDATE_WORK_H
#define OP_ESTIMATE_VALIDATE_WORK_H

#include "op/estimate/validate.h"

extern const struct field_set validate_request_fields, validate_result_fields;

/* Rows of one kind, and what is said of them. */
struct validate_work {
    struct op_context *ctx;
    enum truth_kind kind;
    struct points points;
    struct held *held; /* as many as points */
    struct constants constants;
};

/* The text of a file, unpacked; `path` is its name as C has it. */
bool validate_read(struct op_context *ctx, struct str file, char **path, struct str *text,
                   struct error *err) MUST_USE;

/* Add the points of a file. */
bool validate_add(struct validate_work *w, const char *path, struct str text,
                  struct error *err) MUST_USE;

/* Predict all points; when `left_out`, each source by constants fitted without it. */
bool validate_predict(struct validate_work *w, bool left_out, struct error *err) MUST_USE;

/* Why points are not scored: a list with room for one reason of each point. */
struct validate_reasons {
    struct validate_reason *at;
    size_t len;
};

void validate_reason_add(struct validate_reasons *reasons, struct str why, int64_t rows);
void validate_reasons_count(const struct validate_work *w, struct validate_reasons *reasons);

/* Validate of the kind "choice": the request's files are of training or of inference. */
bool validate_choice(struct op_context *ctx, const struct validate_request *req,
                     const struct constants *constants, struct validate_result *res,
                     struct error *err) MUST_USE;

#endif
