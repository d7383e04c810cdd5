/* early_stop.h - has the metric stopped getting better? Pure.
 *
 * --early-stop 'val_loss:min,patience=3,min=0.5%' and its relatives; the rules, and how they
 * compare on curves, are in docs/reference/run-metrics.md. A value that is not a number is a
 * divergence, reported at once.
 */
#ifndef RUN_OUTPUT_EARLY_STOP_H
#define RUN_OUTPUT_EARLY_STOP_H

#include "base/error.h"
#include "base/str.h"
#include "run/output/metric.h"

enum stop_rule {
    STOP_PATIENCE, /* no improvement of at least `min` over the best for `patience` values */
    STOP_PLATEAU,  /* ours: a robust trend over the last values says that `patience` more of
                    * them bring less than `min`, by more than the noise could hide; or that
                    * they make it worse. Twice in a row */
    STOP_VARIANCE, /* the cost guide's: variance of the last `patience` values below a limit,
                    * or the last better than the best of the others by less than `min`; but
                    * never while every value is better than the one before */
};

struct stop_options {
    char metric[METRIC_NAME];
    bool greater_is_better; /* ":max"; without either, as the name suggests */
    enum stop_rule rule;    /* STOP_PLATEAU */
    int patience;           /* values; 5, and 3 for STOP_VARIANCE as in the guide */
    double min; /* improvement that counts, relative (0.2 %; 0.5 % there) or absolute */
    bool relative;
    double variance; /* for STOP_VARIANCE: relative to the mean squared; 1e-3 */
    int warmup;      /* values before the first judgment; 2 x patience for STOP_PLATEAU */
};

/* "val_loss:min,patience=5,min=0.01,rule=plateau". ERROR_USAGE that says what is wrong. */
bool stop_parse(struct str text, struct stop_options *out, struct error *err) MUST_USE;

#define STOP_HISTORY 256 /* values that are remembered: the newest */

struct stop_watch {
    struct stop_options options;
    double value[STOP_HISTORY]; /* number i at i % STOP_HISTORY; less is better in here */
    int count;                  /* seen in all */
    double best;
    int best_at; /* its number, from 0 */
    int flat;    /* how often in a row the trend was judged flat */
};

enum stop_verdict {
    STOP_GO_ON,
    STOP_WARN, /* the next value may be the last */
    STOP_NOW,
};

void stop_start(struct stop_watch *watch, const struct stop_options *options);
/* One more value; `why` (STOP_WHY bytes) gets a sentence when it is not STOP_GO_ON. */
#define STOP_WHY 240
enum stop_verdict stop_see(struct stop_watch *watch, double value, char *why);

/* Divergence of a training loss. Not finite at two steps in a row (one bad batch is survived by
 * loss scaling) is a fact. Growth is a guess: the middle of the last DIVERGENCE_SPAN values
 * more than DIVERGENCE_FACTOR times their best and above where they began; the losses of
 * diffusion models, GANs and single samples do that in healthy runs. */
enum divergence {
    DIVERGENCE_NONE,
    DIVERGENCE_GROWN,
    DIVERGENCE_NOT_FINITE,
};
#define DIVERGENCE_TIMES 2
#define DIVERGENCE_SPAN 16
#define DIVERGENCE_FACTOR 10
struct divergence_watch {
    double recent[DIVERGENCE_SPAN];
    int count, bad;
    double bad_step; /* of the last value that was not finite; NaN: none was printed */
    double best_median, first_median; /* NaN: not enough values yet */
};
void divergence_start(struct divergence_watch *watch);
/* One more loss, at this step (NaN unknown): a progress bar prints that of one step many times.
 * `why` (STOP_WHY bytes) gets a sentence when it is not DIVERGENCE_NONE. */
enum divergence divergence_see(struct divergence_watch *watch, double loss, double step,
                               char *why);

#endif
