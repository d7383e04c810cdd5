/* history.h - what a program printed lately, and when: the steps and epochs around the moment
 * at which a file was written, and the metric of each step.
 *
 * Moments are of the run's clock (clock_paid), and of each line the earliest at which it can
 * have been printed. They say where training was, never which metric a save has: a program
 * keeps its lines in a buffer, evaluates before or after it saves, and saves twice between two
 * lines. The metric is that of the step (step_values.h). Pure, and bounded: what is older than
 * HISTORY_MARKS marks becomes one. */
#ifndef RUN_OUTPUT_HISTORY_H
#define RUN_OUTPUT_HISTORY_H

#include "run/output/metric.h"
#include "run/output/step_values.h"

#define HISTORY_MARKS 4096
#define HISTORY_MERGE_NS INT64_C(10000000) /* marks nearer than this become one: 10 ms */

struct history_mark {
    instant at, read;               /* printed between these two */
    double step, epoch;             /* reached; NaN unknown */
    double first_step, first_epoch; /* of the first line of those that became one mark */
    bool advanced;                  /* a further step, epoch or training loss */
};

struct history {
    struct str metric; /* whose values are kept; empty: the validation loss */
    struct history_mark *marks;
    size_t first, count;
    struct history_mark floor;            /* what the marks that are gone came to */
    bool step_restarted, epoch_restarted; /* the counter went back: another training */
    struct step_values values;
};

/* `metric` must outlive it. */
bool history_start(struct history *history, struct str metric, struct arena *arena,
                   struct error *err) MUST_USE;

/* A line was understood: `progress` has seen it already. It was printed between `at` and
 * `read`. */
void history_see(struct history *history, const struct metric_update *update,
                 const struct progress_watch *progress, instant at, instant read);

/* Where training was when a file was written: NaN for what was not printed. */
struct history_place {
    double step, epoch;           /* printed last by then */
    double next_step, next_epoch; /* printed first afterwards */
    bool passed;                  /* training has gone on since */
};
void history_place(const struct history *history, instant written, struct history_place *out);

/* Was this number, or one less or more, printed as the step or epoch around the moment when a
 * file was written? Bits: 1 one less, 2 itself, 4 one more. Lines that came at once count from
 * the first to the last of them. */
unsigned history_near(const struct history *history, instant written, bool epoch,
                      double number);

/* Did training go on between the two? */
bool history_advanced(const struct history *history, instant from, instant to);

#endif
