/* commitments_figure.h - a load by hours, and its cost by commitment, drawn as SVG. */
#ifndef OP_ADVISE_COMMITMENTS_FIGURE_H
#define OP_ADVISE_COMMITMENTS_FIGURE_H

#include "op/advise/commitments.h"

struct op_context; /* op/context.h */

/* Of the largest load. ERROR_ABSENT when there is none. */
bool commitments_figure_write(const struct op_context *ctx,
                              const struct commitments_result *res, struct str path,
                              struct error *err) MUST_USE;

#endif
