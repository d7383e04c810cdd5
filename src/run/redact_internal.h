/* redact_internal.h - what a secret looks like. */
#ifndef RUN_REDACT_INTERNAL_H
#define RUN_REDACT_INTERNAL_H

#include "base/str.h"

/* Does this name of an option, a variable or a header say that its value is a secret? Words of
 * it are parted by signs or by capitals: "HF_TOKEN", "wandbApiKey"; not "max_tokens". */
bool redact_name(struct str name);

/* Bytes of the known kind of key that `text` starts with, 0 when it starts with none. */
size_t redact_key(struct str text);

/* Which short option of this program takes a secret: 'p' of sshpass; 0: none. `glued`: the
 * value follows without a blank (mysql). */
char redact_option(struct str program, bool *glued);

#endif
