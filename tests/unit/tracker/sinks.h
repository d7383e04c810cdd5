/* sinks.h - runs that a reader of trackers gives, as a text of lines. */
#ifndef TESTS_TRACKER_SINKS_H
#define TESTS_TRACKER_SINKS_H

#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tracker/tracker.h"

struct text_source {
    struct str left;
    size_t piece;
};

static inline ptrdiff_t text_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct text_source *s = ctx;
    size_t n = s->left.len < s->piece ? s->left.len : s->piece;

    (void)err;
    n = n < room ? n : room;
    if (n > 0)
        memcpy(to, s->left.at, n);
    s->left = (struct str){s->left.at + n, s->left.len - n};
    return (ptrdiff_t)n;
}

static inline bool write_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    struct buf *out = ctx;

    (void)err;
    buf_addf(out, "%.*s|%.*s|%.*s|%d|%" PRId64 "-%" PRId64 "|%" PRId64 "|%.*s x%" PRId64 "\n",
             STR_ARG(run->id), STR_ARG(run->name), STR_ARG(run->user), (int)run->state,
             run->started_ms, run->ended_ms, run->runtime_ms, STR_ARG(run->gpu), run->gpus);
    for (size_t i = 0; i < run->param_count; i++)
        buf_addf(out, "  p %.*s\n", STR_ARG(run->params[i]));
    for (size_t i = 0; i < run->tag_count; i++)
        buf_addf(out, "  t %.*s\n", STR_ARG(run->tags[i]));
    for (size_t i = 0; i < run->metric_count; i++)
        buf_addf(out, "  m %.*s %g %g\n", STR_ARG(run->metrics[i].name), run->metrics[i].value,
                 run->metrics[i].step);
    return true;
}

static inline void write_point(void *ctx, const struct tracker_metric *p)
{
    buf_addf(ctx, "  . %.*s %g %g %" PRId64 "\n", STR_ARG(p->name), p->value, p->step,
             p->at_ms);
}

#endif
