#include "base/message.h"

#include <stdarg.h>

static void message_send(const struct messages *to, enum message_kind kind, const char *text)
{
    if (to->show != NULL)
        to->show(to->ctx, kind, text);
    if (to->show == NULL ||
        (to->log != NULL && to->log->to != stderr)) /* not twice to one place */
        log_write(to->log, kind == MESSAGE_WARNING ? LOG_WARN : LOG_INFO, "%s", text);
}

#define MESSAGE_MAX 512

void message_note(const struct messages *to, const char *fmt, ...)
{
    char text[MESSAGE_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    message_send(to, MESSAGE_NOTE, text);
}

void message_warn(const struct messages *to, const char *fmt, ...)
{
    char text[MESSAGE_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    message_send(to, MESSAGE_WARNING, text);
}

void message_add(const struct messages *to, enum message_kind kind, const char *fmt, ...)
{
    char text[MESSAGE_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    message_send(to, kind, text);
}
