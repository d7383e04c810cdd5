#include "base/log.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "base/term.h"

static const char *const level_names[] = {"off", "warn", "info", "debug"};

void log_write(const struct log *log, enum log_level level, const char *fmt, ...)
{
    char line[1024], when[32] = "";
    struct tm utc;
    time_t now;
    va_list args;

    if (log == NULL || level > log->level)
        return;
    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    now = (time_t)log->clock->today(log->clock->ctx).s;
    if (gmtime_r(&now, &utc) != NULL)
        (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    (void)fprintf(log->to, "%s %s: ", when, level_names[level]);
    term_print(str_from(line), log->to); /* it may be a terminal, and a line is an entry */
    (void)fputc('\n', log->to);
    (void)fflush(log->to); /* a log that is lost in a crash is no log */
}

bool log_level_parse(const char *text, enum log_level *out)
{
    for (size_t i = 0; i < ARRAY_LEN(level_names); i++)
        if (strcmp(text, level_names[i]) == 0) {
            *out = (enum log_level)i;
            return true;
        }
    return false;
}
