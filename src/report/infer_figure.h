/* infer_figure.h - cost by volume, with the points where another way becomes the cheapest. */
#ifndef REPORT_INFER_FIGURE_H
#define REPORT_INFER_FIGURE_H

#include "advise/economics/infer_case.h"

bool infer_figure_write(const struct infer_ask *ask, const struct infer_result *res,
                        struct str source, struct str path, struct arena *arena,
                        struct error *err) MUST_USE;

#endif
