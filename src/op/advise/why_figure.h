/* why_figure.h - the difference as a waterfall, drawn as SVG, PNG and PDF. */
#ifndef OP_ADVISE_WHY_FIGURE_H
#define OP_ADVISE_WHY_FIGURE_H

#include "op/advise/why.h"

/* Write it to the files that the result names: all of them are drawn before the first is
 * written. `source`: where the numbers come from, in a line. */
bool why_figure_write(const struct why_result *res, struct str source, struct arena *arena,
                      struct error *err) MUST_USE;

#endif
