/* error.h - why something failed, in words a person can act on.
 *
 * A function that can fail takes a `struct error *` last and returns false (or NULL) after
 * filling it in; success leaves it alone. The caller owns the struct, so that reporting "out
 * of memory" needs no memory.
 *
 *     if (count == 0)
 *         return error_fail(err, ERROR_INPUT, "'%s' holds no offers", path);
 *
 * Text: lower case, one line, no full stop, values quoted. Hint: what to type instead.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/attr.h"

/* Decides the exit status, and the HTTP status. */
enum error_kind {
    ERROR_NONE,
    ERROR_FAILED,  /* it did not work, for a reason other than the input */
    ERROR_SYSTEM,  /* the operating system refused */
    ERROR_MEMORY,  /* an allocation failed */
    ERROR_AWAY,    /* a ledger or a server is busy, full or not there: it may work later */
    ERROR_USAGE,   /* the command line is wrong */
    ERROR_INPUT,   /* a file or a value in one is wrong */
    ERROR_DAMAGED, /* what Stint keeps itself is; users see it as ERROR_INPUT */
    ERROR_ABSENT,  /* what was asked for does not exist */
    ERROR_GUARD,   /* stopped by a guard, such as a budget */
    ERROR_UNFIT,   /* it does not fit, or no plan exists */
    ERROR_STOPPED, /* by the user, in good order */
};

struct error {
    enum error_kind kind;
    char text[512];
    char hint[384]; /* empty when there is nothing to advise */
};

/* Say what went wrong, and forget any hint. A text that is too long is cut. */
void error_set(struct error *err, enum error_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* error_set() as an expression that is false. A macro, so that analyzers see the false. */
#define error_fail(...) (error_set(__VA_ARGS__), false)

/* Likewise, with a hint, which is a plain text. */
#define error_fail_hint(err, kind, hint, ...) \
    (error_set(err, kind, __VA_ARGS__), error_hint(err, "%s", hint), false)

/* ERROR_SYSTEM, with the text of `errnum` (an errno) after the message. */
void error_system(struct error *err, int errnum, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The one text for a failed allocation. Returns false. */
bool error_memory(struct error *err);

/* Say what the user can do about it. Call it after the text is set. */
void error_hint(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Put "fmt: " before the text: where, or doing what, it failed. */
void error_context(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Say in which file: the parsers' "line 3: x" and "line 3, column 7: x" become "NAME:3: x" and
 * "NAME:3:7: x"; any other text gets "NAME: " before it. */
void error_place(struct error *err, const char *name);

/* "stint: TEXT" and, on a second line, "  hint: HINT". Control bytes are shown as '?', since
 * the text may quote a hostile file. */
void error_print(const struct error *err, FILE *to);

int error_exit_status(enum error_kind kind);

/* "input", "absent", ...: for machines. */
const char *error_kind_name(enum error_kind kind);

/* Does it come from the machine (memory, disk, a server), and not from what was asked or from
 * the data? Then nothing can be said about either. */
bool error_is_of_machine(enum error_kind kind);

#endif
