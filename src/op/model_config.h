/* model_config.h - what describes a model that the catalog does not have: a folder with its
 * config.json, or its name on the Hugging Face Hub. */
#ifndef OP_MODEL_CONFIG_H
#define OP_MODEL_CONFIG_H

#include "base/str.h"

struct op_context; /* op/context.h */

/* A folder that a user names instead of a file or a model, by what is in it. */
enum model_folder {
    FOLDER_NONE,    /* it is no folder */
    FOLDER_MODEL,   /* config.json */
    FOLDER_ADAPTER, /* adapter_config.json: what PEFT saved of a model */
    FOLDER_OTHER,
};

/* The path with "~/" replaced by the user's home. NULL with the error set. */
char *op_home_path(struct op_context *ctx, struct str path, struct error *err) MUST_USE;

/* What the path is, and the file in it that describes the model (NULL: none). Requests from
 * elsewhere name no folders. */
bool op_model_folder(struct op_context *ctx, const char *path, enum model_folder *kind,
                     char **file, struct error *err) MUST_USE;

/* The text of the config.json that is meant by a path: of the file, or of the one in the
 * folder. Looked for beside the job file (`beside`; NULL: there is none), then from here. */
bool op_model_file(struct op_context *ctx, struct str path, const char *beside,
                   struct str *text, struct error *err) MUST_USE;

/* The text of the model's config.json; empty when the catalog has the model, or nothing else
 * knows it. Asks the Hub only if `fetch`; a note says what was found. */
bool op_model_config(struct op_context *ctx, struct str model, const char *beside, bool fetch,
                     struct str *text, struct error *err) MUST_USE;

/* After "there is no such model": how a name of the Hub can be resolved. */
void op_model_hint(struct str model, bool fetch, struct error *err);

#endif
