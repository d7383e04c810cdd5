/* trace.h - which machines were available when: availability (and prices) tick by tick.
 *
 * A tick's value covers [t, t + gap). Files disagree on whether 1 means "there" or "taken
 * away": the readers know which, or refuse and ask.
 *
 * The .trc format, which is also written:
 *
 *     # comment
 *     trace ID gap=SECONDS n=TICKS nodes=MOST start=TIME|- od=USD_H|- spot=USD_H|series|-
 *     a CHARACTERS          one for each tick: available instances, base 36; '?': not observed
 *     p TICK:USD_H ...      with spot=series: a price holds until the next; '-': not known
 *
 * gap and n are needed; nodes is 1 and the others are unknown when they are left out. A trace
 * that was made from prices has from=prices besides.
 */
#ifndef SPOT_TRACE_H
#define SPOT_TRACE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "unit/time.h"

#define TRACE_TICKS_MAX ((size_t)10 * 1000 * 1000) /* of all traces of a file */

enum {
    TRACE_NODES_MAX = 35,            /* what one character can say */
    TRACE_GAP_MAX = 366 * 24 * 3600, /* seconds */
};

struct trace {
    struct str id;           /* "us-west-2a_v100_1": one word, no two of a file alike */
    int32_t gap;             /* seconds of a tick: 1 or more */
    int32_t nodes;           /* the most instances that were asked for: 1 or more */
    size_t ticks;            /* 1 or more */
    stamp start;             /* STAMP_UNKNOWN when not given */
    double on_demand;        /* USD an hour for one instance; NaN: not given */
    double spot;             /* likewise; NaN when not given, and when there is a series */
    const uint8_t *nodes_at; /* [ticks] available instances; 0 where unobserved */
    const bool *unseen;      /* [ticks] that were not observed; NULL: all were */
    const double *price; /* [ticks] spot USD an hour, NaN where not known; NULL: no series */
    bool from_prices;    /* not observed: a price is taken to mean that there were
                            machines. Warn users. */
};

struct traces {
    struct trace *at;
    size_t len; /* 1 or more */
};

/* What 1 means in a JSON trace whose metadata do not say. */
enum trace_polarity { POLARITY_ASK, POLARITY_AVAILABLE, POLARITY_PREEMPTED };

struct trace_options {
    enum trace_polarity polarity;
    const char *name; /* of the file, for errors and for the id of a trace without one */
    struct str only;  /* a glob on ids, such as "p5.48xlarge/us-east-1*"; empty: all */
};

/* Read a complete file: .trc, JSON of the published data sets (listed in trace_json.c), or a
 * price history (a CSV with a date or time and a spot price: trace_prices.c). Recognized by
 * content. The traces are in the arena and do not point into `text`. All or nothing; the error
 * names the line. ERROR_ABSENT when no id matches `only`. */
bool traces_read(struct str text, struct trace_options options, struct arena *arena,
                 struct traces *out, struct error *err) MUST_USE;

/* Write in the .trc format; reading it back gives the same trace. */
void trace_write(const struct trace *trace, struct buf *out);

/* Was it observed in that tick? */
static inline bool trace_seen(const struct trace *trace, size_t tick)
{
    return trace->unseen == NULL || !trace->unseen[tick];
}

/* Hours that were observed. */
double trace_seen_hours(const struct trace *trace);

/* Start ticks, one a line; '#' starts a comment. */
struct windows {
    const size_t *at;
    size_t len; /* 1 or more */
};

bool windows_read(struct str text, const char *name, struct arena *arena, struct windows *out,
                  struct error *err) MUST_USE;

#endif
