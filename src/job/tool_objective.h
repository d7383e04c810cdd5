/* tool_objective.h - training on preferences and rewards in configurations of tools: which
 * objective it is, which models it takes, how answers are written. For src/job only. */
#ifndef JOB_TOOL_OBJECTIVE_H
#define JOB_TOOL_OBJECTIVE_H

#include "job/tool_value.h"

/* Is the key one that tool_settle_objective() reads? */
bool tool_is_objective_key(enum job_tool tool, struct str path);

/* The objective that the file names, or that its keys show; then what belongs to it. Comes
 * after all other keys. */
bool tool_settle_objective(struct tool_reading *r, const struct node *root, enum job_tool tool,
                           struct error *err) MUST_USE;

#endif
