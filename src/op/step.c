#include "op/step.h"

#include <stdarg.h>

#include "op/context.h"

#define LINE_MAX_BYTES 768
#define NS_PER_MS 1e6

bool op_logs(const struct op_context *ctx)
{
    return ctx->messages.log != NULL && ctx->messages.log->level >= LOG_DEBUG;
}

struct op_step op_step_begin(const struct op_context *ctx)
{
    if (!op_logs(ctx))
        return (struct op_step){0};
    return (struct op_step){.log = ctx->messages.log, .began = clock_paid()};
}

void op_step_end(const struct op_step *step, const char *fmt, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;

    if (step->log == NULL)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    log_write(step->log, LOG_DEBUG, "%s (%.1f ms)", text,
              (double)span_between(step->began, clock_paid()).ns / NS_PER_MS);
}

void op_log(const struct op_context *ctx, const char *fmt, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;

    if (!op_logs(ctx))
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    log_write(ctx->messages.log, LOG_DEBUG, "%s", text);
}
