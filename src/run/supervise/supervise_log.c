/* What the supervisor decides and sees, for STINT_LOG=debug: each change once, and no more
 * lines than anybody reads. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
#define LINES_MOST 2000
#define LIMIT_MOVED (2 * SECOND) /* a limit that moves by less is the same */

void sup_log(struct supervisor *s, const char *fmt, ...)
{
    char text[600];
    va_list arguments;

    if (s->options->log == NULL || s->logged.lines > LINES_MOST)
        return;
    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    log_write(s->options->log, LOG_DEBUG, "%s", text);
    if (++s->logged.lines > LINES_MOST)
        log_write(s->options->log, LOG_DEBUG, "run: %d lines are enough: no more is logged",
                  LINES_MOST);
}

static void log_limit(struct supervisor *s, instant now)
{
    int64_t moved = s->limit.ns - s->logged.limit.ns;
    struct buf left;

    if (s->limit_reason == s->logged.limit_reason &&
        (s->limit_reason == STOP_NONE || (moved < LIMIT_MOVED && moved > -LIMIT_MOVED)))
        return;
    s->logged.limit = s->limit;
    s->logged.limit_reason = s->limit_reason;
    if (s->limit_reason == STOP_NONE) {
        sup_log(s, "guard: no limit");
        return;
    }
    left = buf_new(s->options->alloc, 64);
    span_write(span_between(now, s->limit), &left);
    sup_log(s, "guard: %s ends the run in %.*s", stop_reason_name(s->limit_reason),
            (int)left.len, left.len > 0 ? left.at : "");
    buf_free(&left);
}

static void log_reserve(struct supervisor *s)
{
    struct buf why;

    if (s->reserve.basis == s->logged.reserve.basis &&
        !reserve_differs(&s->logged.reserve, &s->reserve))
        return;
    s->logged.reserve = s->reserve;
    why = buf_new(s->options->alloc, 300);
    reserve_explain(&s->reserve, &why);
    sup_log(s, "reserve: %.1f s: %.*s", (double)s->reserve.time.ns / 1e9, (int)why.len,
            why.len > 0 ? why.at : "");
    buf_free(&why);
}

static void log_program(struct supervisor *s)
{
    const struct guard_program *was = &s->logged.program, *now = &s->program;

    if (was->saves_on_ask != now->saves_on_ask || was->saves_on_term != now->saves_on_term)
        sup_log(s, "program: %s, %s",
                now->saves_on_ask ? "can be asked to save" : "cannot be asked to save",
                now->saves_on_term ? "catches SIGTERM" : "does not catch SIGTERM");
    if (was->saving != now->saving)
        sup_log(s, "save: %s", now->saving ? "under way" : "over");
    s->logged.program = s->program;
}

static void log_price(struct supervisor *s)
{
    double was = usd_per_hour_double(s->logged.rate), is = usd_per_hour_double(s->account.rate);
    struct buf text;

    if (s->logged.rate.nano == s->account.rate.nano || fabs(is - was) < 0.05 * fabs(was))
        return;
    s->logged.rate = s->account.rate;
    text = buf_new(s->options->alloc, 64);
    usd_per_hour_write(s->account.rate, &text);
    sup_log(s, "price: %.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

/* What cannot be measured, and when it can again. */
static void log_trouble(struct supervisor *s, const char *what, bool missing, bool *logged)
{
    if (missing == *logged)
        return;
    *logged = missing;
    sup_log(s, "meters: %s %s", what, missing ? "cannot be measured" : "is measured again");
}

void sup_log_changes(struct supervisor *s, instant now)
{
    bool idle = s->idle.since.ns != MOMENT_NEVER.ns;

    if (s->options->log == NULL || s->options->log->level < LOG_DEBUG)
        return;
    log_limit(s, now);
    log_reserve(s);
    log_program(s);
    log_price(s);
    if (s->phase != s->logged.phase)
        sup_log(s, "phase: %s after %s", phase_name(s->phase), phase_name(s->logged.phase));
    s->logged.phase = s->phase;
    if (idle != s->logged.idle && s->options->idle.after.ns >= 0)
        sup_log(s, "guard: %s", idle ? "idle from now on" : "idle no more");
    s->logged.idle = idle;
    if (!s->sampled)
        return;
    if (s->sample.gpus != s->logged.gpus)
        sup_log(s, "meters: %zu devices are seen", s->sample.gpus);
    s->logged.gpus = s->sample.gpus;
    log_trouble(s, "energy", isnan(s->previous_joules), &s->logged.no_energy);
    log_trouble(s, "memory", isnan(s->sample.tree.memory), &s->logged.no_memory);
}
