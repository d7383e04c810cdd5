/* history.h - what a program printed lately, and when: which step and metric a file that was
 * written at some moment belongs to.
 *
 * Moments are of the run's clock (clock_paid), and of each line the earliest at which it can
 * have been printed: who reads a pipe is a little late, and a metric that was printed just
 * before a save must not look as if it came after it.
 *
 * A save belongs to the step before it. Its metric is the newest one printed by then, or one
 * printed afterwards and before the next step (programs evaluate before they save, or after).
 * Where nothing distinguishes steps, the value that is nearer in time counts. Pure, and
 * bounded: what is older than HISTORY_MARKS marks becomes one. */
#ifndef RUN_OUTPUT_HISTORY_H
#define RUN_OUTPUT_HISTORY_H

#include "run/output/metric.h"

#define HISTORY_MARKS 4096
#define HISTORY_MERGE_NS INT64_C(10000000) /* marks nearer than this become one: 10 ms */

struct history_mark {
    instant at;
    double step, epoch; /* reached; NaN unknown */
    double value;       /* of the metric, when it was printed */
    bool printed;
    bool advanced; /* a further step, epoch or training loss */
};

struct history {
    struct str metric; /* whose values are kept; empty: the validation loss */
    struct history_mark *marks;
    size_t first, count;
    struct history_mark floor; /* what the marks that are gone came to: `at` is of its value */
    bool floor_advanced;       /* since that value */
};

/* `metric` must outlive it. */
bool history_start(struct history *history, struct str metric, struct arena *arena,
                   struct error *err) MUST_USE;

/* A line was understood: `progress` has seen it already. */
void history_see(struct history *history, const struct metric_update *update,
                 const struct progress_watch *progress, instant at);

/* A save, from its first to its last write. */
struct history_save {
    instant begun, written;
    instant until;   /* the next save of its series began; MOMENT_NEVER: none yet */
    instant claimed; /* the save before has a metric that was printed after it, then; ns -1 */
};

struct history_label {
    double step;       /* NaN: none was printed by then */
    double metric;     /* NaN: none that belongs to it; a value that is NaN itself too */
    bool has_metric;   /* it was printed, even if it is not a number */
    bool after;        /* it was printed after the save */
    instant metric_at; /* when it was printed; ns -1: not known */
    bool final;        /* the next step was seen: nothing more can change it */
};
void history_label(const struct history *history, const struct history_save *save,
                   struct history_label *out);

/* Did training go on between the two? */
bool history_advanced(const struct history *history, instant from, instant to);

#endif
