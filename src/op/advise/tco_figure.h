/* tco_figure.h - the cost of owning as pictures, drawn as SVG. */
#ifndef OP_ADVISE_TCO_FIGURE_H
#define OP_ADVISE_TCO_FIGURE_H

#include "op/advise/tco.h"

/* Write them to `res->svg`. */
bool tco_figure_write(const struct tco_result *res, day today, struct arena *arena,
                      struct error *err) MUST_USE;

#endif
