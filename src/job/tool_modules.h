/* Lists of modules in the configurations of training tools: names, words for all, patterns. */
#ifndef STINT_JOB_TOOL_MODULES_H
#define STINT_JOB_TOOL_MODULES_H

#include "job/tool_value.h"

/* Set the key to the modules of the node; one that names none that `known` has is listed as not
 * used. */
bool tool_set_modules(struct tool_reading *r, const struct tool_key *k, const struct node *node,
                      bool (*known)(struct str, unsigned *), struct error *err) MUST_USE;

/* Add modules to the targets, beside those that are known already. */
bool tool_add_target(struct tool_reading *r, const struct node *node, const char *more,
                     struct error *err) MUST_USE;

#endif
