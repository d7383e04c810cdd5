/* References of a configuration to its own keys, as OmegaConf has them (Hydra, torchtune,
 * NeMo): "${model.name}", "${.lr}" beside it, "org/${name}", "${oc.select:model.name,gpt2}". */
#ifndef STINT_JOB_TOOL_REFS_H
#define STINT_JOB_TOOL_REFS_H

#include "job/tool_value.h"

/* Replace each by the word, number or list of words that it refers to, through references of
 * references, within bounds. What refers to nothing in the file, to a section or to itself
 * stays as it is. */
bool tool_resolve_references(struct tool_reading *r, struct node *root,
                             struct error *err) MUST_USE;

/* Did a reference name this key of the document, or one in its section? */
bool tool_is_referred(const struct tool_reading *r, struct str key);

/* The value that "${oc.env:NAME,value}" has where the variable is not set. */
bool tool_default_of_variable(struct str text, struct str *out);

#endif
