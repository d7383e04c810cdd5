/* advise_figure.h - savings as a picture. */
#ifndef OP_ADVISE_ADVISE_FIGURE_H
#define OP_ADVISE_ADVISE_FIGURE_H

#include "op/advise/advise.h"

struct op_context; /* op/context.h */

/* Bars of the largest savings with their ranges, those of the best combination marked; to the
 * file that the result names. */
bool advise_figure_write(struct op_context *ctx, const struct advise_result *result,
                         struct error *err) MUST_USE;

#endif
