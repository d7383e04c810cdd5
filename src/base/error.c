#include "base/error.h"

#include <stdarg.h>
#include <string.h>

#include "base/characters.h"
#include "base/term.h"

void error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
    va_list args;

    err->kind = kind;
    err->hint[0] = '\0';
    va_start(args, fmt);
    (void)vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
}

void error_system(struct error *err, int errnum, const char *fmt, ...)
{
    char room[128];
    const char *reason = strerror_r(errnum, room, sizeof room);
    va_list args;
    size_t used;

    err->kind = ERROR_SYSTEM;
    err->hint[0] = '\0';
    va_start(args, fmt);
    (void)vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);

    used = strlen(err->text);
    (void)snprintf(err->text + used, sizeof err->text - used, ": %s", reason);
}

bool error_memory(struct error *err)
{
    return error_fail(err, ERROR_MEMORY, "out of memory");
}

void error_hint(struct error *err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
}

void error_context(struct error *err, const char *fmt, ...)
{
    char inner[sizeof err->text];
    va_list args;
    size_t used;

    memcpy(inner, err->text, sizeof inner);
    va_start(args, fmt);
    (void)vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);

    used = strlen(err->text);
    (void)snprintf(err->text + used, sizeof err->text - used, ": %s", inner);
}

/* The number after `word` at `text`, and where it ends; NULL when the text does not go so. */
static const char *take_error_number(const char *text, const char *word, char *digits,
                                     size_t room)
{
    size_t len = strlen(word), used = 0;

    if (strncmp(text, word, len) != 0)
        return NULL;
    for (text += len; is_digit(*text) && used + 1 < room; text++)
        digits[used++] = *text;
    digits[used] = '\0';
    return used > 0 ? text : NULL;
}

void error_place(struct error *err, const char *name)
{
    char line[24], column[24];
    const char *rest = take_error_number(err->text, "line ", line, sizeof line);
    const char *after =
        rest != NULL ? take_error_number(rest, ", column ", column, sizeof column) : NULL;
    size_t gone;

    if (rest == NULL || strncmp(after != NULL ? after : rest, ": ", 2) != 0) {
        error_context(err, "%s", name);
        return;
    }
    gone = (size_t)((after != NULL ? after : rest) + 2 - err->text);
    memmove(err->text, err->text + gone, strlen(err->text + gone) + 1);
    if (after != NULL)
        error_context(err, "%s:%s:%s", name, line, column);
    else
        error_context(err, "%s:%s", name, line);
}

void error_print(const struct error *err, FILE *to)
{
    (void)fputs("stint: ", to);
    term_print(str_from(err->text), to);
    if (err->hint[0] != '\0') {
        (void)fputs("\n  hint: ", to);
        term_print(str_from(err->hint), to);
    }
    (void)fputc('\n', to);
}

int error_exit_status(enum error_kind kind)
{
    switch (kind) {
    case ERROR_NONE:
        return 0;
    case ERROR_USAGE:
        return 2;
    case ERROR_INPUT:
    case ERROR_DAMAGED:
        return 3;
    case ERROR_ABSENT:
        return 4;
    case ERROR_GUARD:
        return 5;
    case ERROR_UNFIT:
        return 6;
    case ERROR_STOPPED:
        return 130; /* as a shell reports Ctrl-C */
    case ERROR_FAILED:
    case ERROR_SYSTEM:
    case ERROR_MEMORY:
    case ERROR_AWAY:
        break;
    }
    return 1;
}

const char *error_kind_name(enum error_kind kind)
{
    static const char *const names[] = {
        [ERROR_NONE] = "none",     [ERROR_FAILED] = "failed", [ERROR_SYSTEM] = "system",
        [ERROR_MEMORY] = "memory", [ERROR_AWAY] = "away",     [ERROR_USAGE] = "usage",
        [ERROR_INPUT] = "input",   [ERROR_DAMAGED] = "input", [ERROR_ABSENT] = "absent",
        [ERROR_GUARD] = "guard",   [ERROR_UNFIT] = "unfit",   [ERROR_STOPPED] = "stopped",
    };

    return names[kind];
}

bool error_is_of_machine(enum error_kind kind)
{
    return kind == ERROR_MEMORY || kind == ERROR_SYSTEM || kind == ERROR_AWAY;
}
