/* What is wrong with what the program tells, or does not tell: said once, so that nobody relies
 * on a guard that sees nothing. */
#include <string.h>

#include "run/supervise/supervise_internal.h"

#define SECOND INT64_C(1000000000)
#define LINES_ENOUGH 30            /* that told something else */
#define TIME_ENOUGH (120 * SECOND) /* without what is waited for */

static const char *source(bool of_file)
{
    return of_file ? "--metrics-file" : "STINT_SOCKET";
}

void sup_refused(void *ctx, bool of_file, const char *why)
{
    struct supervisor *s = ctx;

    if (s->refused[of_file]++ == 0)
        sup_event(s, "not-understood", false, "warning: a line on %s was not understood: %s",
                  source(of_file), why);
}

void sup_stop_asked(void *ctx)
{
    struct supervisor *s = ctx;

    s->stop_asked = s->stop_asked || !s->ending;
    sup_end_now(s, STOP_USER, "asked to by 'stint stop' or 'stint top'");
}

/* "early stopping: 'nosuch' was never seen; seen: train_loss, val_loss". */
static void say_missing(struct supervisor *s, const char *who, struct str name, bool last)
{
    struct buf seen = buf_new(s->options->alloc, METRIC_SEEN * METRIC_NAME + 64);

    metric_seen(s->reader, &seen);
    sup_event(s, "metric-missing", last && s->options->quiet,
              "warning: %s: '%.*s' %s; seen: %.*s", who, STR_ARG(name),
              last ? "was never seen" : "has not been seen yet",
              seen.len > 0 ? (int)seen.len : 7, seen.len > 0 ? seen.at : "nothing");
    buf_free(&seen);
}

static void say_all_missing(struct supervisor *s, bool last)
{
    const struct supervise_options *o = s->options;
    struct str stops = o->stops_early ? str_from(o->early_stop.metric) : (struct str){0};
    const char *unmatched[METRIC_USER];
    size_t count = metric_unmatched(s->reader, unmatched);

    if (stops.len > 0 && metric_missing(s->reader, stops))
        say_missing(s, "early stopping", stops, last);
    if (o->checkpoint_rules.metric.len > 0 &&
        metric_missing(s->reader, o->checkpoint_rules.metric))
        say_missing(s, "the best checkpoint", o->checkpoint_rules.metric, last);
    for (size_t i = 0; i < o->metrics.len; i++)
        if (!str_eq(o->metrics.at[i], stops) && metric_missing(s->reader, o->metrics.at[i]))
            say_missing(s, "--metrics", o->metrics.at[i], last);
    for (size_t i = 0; i < count; i++)
        sup_event(s, "metric-missing", last && s->options->quiet,
                  "warning: --metrics %s: the pattern %s a line", unmatched[i],
                  last ? "never matched" : "has not matched");
    if (o->metrics_file != NULL && !inbox_has_file(s->inbox))
        sup_event(s, "metric-missing", last && s->options->quiet,
                  "warning: --metrics-file %s: %s", o->metrics_file,
                  last ? "there was no such file" : "there is no such file yet");
}

void sup_missing(struct supervisor *s, instant now)
{
    if (s->missing_said ||
        (metric_updates(s->reader) < LINES_ENOUGH && now.ns - s->began.ns < TIME_ENOUGH))
        return;
    s->missing_said = true;
    say_all_missing(s, false);
}

void sup_missing_at_end(struct supervisor *s)
{
    say_all_missing(s, true);
    for (int i = 0; i < 2; i++)
        if (s->refused[i] > 1 && !s->options->quiet)
            sup_say(s, "warning: %ld lines on %s were not understood", s->refused[i],
                    source(i == 1));
}
