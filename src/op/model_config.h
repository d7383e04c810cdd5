/* model_config.h - what describes a model that the catalog does not have: a folder with its
 * config.json, or its name on the Hugging Face Hub. */
#ifndef OP_MODEL_CONFIG_H
#define OP_MODEL_CONFIG_H

#include "base/str.h"

struct op_context; /* op/context.h */

/* The text of the model's config.json; empty when the catalog has the model, or nothing else
 * knows it. Asks the Hub only if `fetch`; a note says what was found. */
bool op_model_config(struct op_context *ctx, struct str model, bool fetch, struct str *text,
                     struct error *err) MUST_USE;

/* After "there is no such model": how a name of the Hub can be resolved. */
void op_model_hint(struct str model, bool fetch, struct error *err);

#endif
