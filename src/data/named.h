/* named.h - a tree that a user names: a folder, or a manifest of one. */
#ifndef DATA_NAMED_H
#define DATA_NAMED_H

#include "data/manifest.h"
#include "data/task.h"

/* A folder is read as far as it has changed since the last time; a file must be a manifest.
 * `reread`: all of a folder, whatever is kept. */
bool data_tree_named(const struct data_task *task, struct str name, bool reread,
                     struct manifest *out, struct manifest_took *took,
                     struct error *err) MUST_USE;

/* Is it there, and a folder? The error says what to name instead. */
bool data_check_folder(const char *name, struct error *err) MUST_USE;

/* The folder's own name (what "." and "photos/.." are called elsewhere) with `end`:
 * "photos_optimized".
 * */
bool data_folder_beside(const char *folder, const char *end, struct arena *arena,
                        const char **out, struct error *err) MUST_USE;

/* Where the manifest that is kept of a folder is: "$XDG_CACHE_HOME/stint/manifests/3f9a...".
 * NULL without a home: then every file is read each time. */
bool data_kept_manifest(const struct data_task *task, const char *folder, const char **out,
                        struct error *err) MUST_USE;

/* What could not be read is a warning, and the answer is partial (exit status 1); what is
 * neither a file nor a folder is a note. */
void data_note_problems(const struct data_task *task, struct str name, const struct tree *tree);

#endif
