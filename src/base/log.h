/* log.h - what the program did, for when something goes wrong: STINT_LOG=debug or --log FILE.
 *
 * A NULL log is silent, so callers never ask whether there is one.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdio.h>

#include "base/clock.h"

enum log_level {
    LOG_OFF,
    LOG_WARN,
    LOG_INFO,
    LOG_DEBUG,
};

struct log {
    FILE *to;
    enum log_level level; /* the most talkative level that is written */
    const struct clock *clock;
};

/* One line, "2026-11-15T10:00:00Z debug: TEXT"; control bytes become '?'. */
void log_write(const struct log *log, enum log_level level, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* "off", "warn", "info", "debug". */
bool log_level_parse(const char *text, enum log_level *out) MUST_USE;

#endif
