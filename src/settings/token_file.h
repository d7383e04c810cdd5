/* token_file.h - the token for a server that runs are sent to. */
#ifndef SETTINGS_TOKEN_FILE_H
#define SETTINGS_TOKEN_FILE_H

#include "base/message.h"
#include "settings/settings.h"

/* STINT_TOKEN, unless a file is named; else that of the file, or of "token" beside the
 * configuration. A file that others can read is a warning. */
bool settings_token(struct str file, const struct messages *messages, struct arena *arena,
                    const char **out, struct error *err) MUST_USE;

#endif
