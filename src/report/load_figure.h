/* load_figure.h - latency over rate as a picture. */
#ifndef REPORT_LOAD_FIGURE_H
#define REPORT_LOAD_FIGURE_H

#include "base/arena.h"
#include "doc/field.h"

/* `runs`: struct load_result of one or two endpoints, one or more; those that are invalid are
 * left out. `source` is the footer. */
bool load_figure_write(const struct rows *runs, struct str source, struct str path,
                       struct arena *arena, struct error *err) MUST_USE;

#endif
