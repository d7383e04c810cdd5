/* storage_figure.h - the cost of a data set by provider, drawn as SVG. */
#ifndef OP_ADVISE_STORAGE_FIGURE_H
#define OP_ADVISE_STORAGE_FIGURE_H

#include "op/advise/storage.h"

bool storage_figure_write(const struct storage_result *res, struct str path,
                          struct arena *arena, struct error *err) MUST_USE;

#endif
