/* roi_parts.h - the two questions of roi: of a job, and of past runs. */
#ifndef OP_ADVISE_ROI_PARTS_H
#define OP_ADVISE_ROI_PARTS_H

#include "op/advise/roi.h"

struct op_context; /* op/context.h */

#define ROI_NOTES 6

struct roi_call {
    struct op_context *ctx;
    const struct roi_request *req;
    struct roi_result *res;
    double hour; /* dollars that an hour of a run is worth: value of time x share waited */
    struct str *notes; /* those of the result */
};

bool roi_note(struct roi_call *c, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Ways to do a job, and what buying the machine would save. */
bool roi_of_job(struct roi_call *c, struct error *err) MUST_USE;

/* What was spent on past runs, and what they would have cost on the local machine. */
bool roi_of_past(struct roi_call *c, struct error *err) MUST_USE;

/* Draw the result to `res->svg`. */
bool roi_figure_write(const struct roi_call *c, struct error *err) MUST_USE;

extern const struct field_set roi_option_fields, roi_purchase_fields;

#endif
