/* redact_internal.h - what a secret looks like. */
#ifndef RUN_SUPERVISE_REDACT_INTERNAL_H
#define RUN_SUPERVISE_REDACT_INTERNAL_H

#include "base/str.h"

/* Does this name of an option, a variable or a header say that its value is a secret? Words of
 * it are parted by signs or by capitals: "HF_TOKEN", "wandbApiKey"; not "max_tokens". */
bool redact_name(struct str name);

/* Bytes of the known kind of key that `text` starts with, 0 when it starts with none. */
size_t redact_key(struct str text);

/* What the short options of a program mean, each a letter of the text. */
struct redact_program {
    const char *name;
    const char *secret;   /* the next word is a secret: 'p' of sshpass */
    const char *glued;    /* the rest of the word is one: 'p' of mysql */
    const char *harmless; /* no secret, whatever it looks like: 'p' of mkdir */
    bool launches;        /* another program, whose options follow its name */
};

/* The program of this name, with or without its folder; NULL: nothing is known of it. */
const struct redact_program *redact_program(struct str word);

/* Does the value of "-p", of a program that nothing is known of, look like a password? Ports,
 * paths, files and plain names do not. `user`: the command names a user as well, so that any
 * word is one. */
bool redact_value(struct str value, bool user);

/* "me:password", but not "1000:1000". */
bool redact_user_pass(struct str value);

#endif
