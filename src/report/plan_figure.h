/* plan_figure.h - the picture of a plan: cost over time, or cost alone where nothing ends. */
#ifndef REPORT_PLAN_FIGURE_H
#define REPORT_PLAN_FIGURE_H

#include "plan/record.h"

bool plan_figure_write(const struct plan_result *res, struct str path, struct arena *arena,
                       struct error *err) MUST_USE;

#endif
