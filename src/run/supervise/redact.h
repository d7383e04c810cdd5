/* redact.h - a command line as it may be written down: without the secrets in it.
 *
 * Values of options and variables whose names say secret (token, key, password, secret, auth,
 * credential...), user names and passwords in addresses, words that look like known keys
 * (hf_..., sk-..., AKIA..., ghp_..., xox..., JWTs), and the values of short options that take a
 * secret, by program (mysql -p) or by their looks (-p hunter2), become "***".
 */
#ifndef RUN_SUPERVISE_REDACT_H
#define RUN_SUPERVISE_REDACT_H

#include "base/buf.h"
#include "base/str.h"

/* The words of a command, quoted for a shell where they need it, joined by blanks. */
void redact_command(const char *const *argv, struct buf *out);
/* Free text: a tag, a hook. */
void redact_text(struct str text, struct buf *out);

#endif
