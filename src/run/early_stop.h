/* early_stop.h - has the metric stopped getting better? Pure.
 *
 * --early-stop 'val_loss:min,patience=3,min=0.5%' and its relatives; the rules, and how they
 * compare on curves, are in docs/run.md. A value that is not a number is a divergence, told at
 * once when the metric is a loss.
 */
#ifndef RUN_EARLY_STOP_H
#define RUN_EARLY_STOP_H

#include "base/error.h"
#include "base/str.h"
#include "run/metric.h"

enum stop_rule {
    STOP_PATIENCE, /* no improvement of at least `min` over the best for `patience` values */
    STOP_PLATEAU,  /* ours: a robust trend over the last values says that waiting for one more
                    * improvement of `min` takes longer than `patience` values, noise counted */
    STOP_VARIANCE, /* the cost guide's: variance of the last values below a threshold, or the
                    * last better than the best of the others by less than `min`; but never
                    * while every value is better than the one before */
};

struct stop_options {
    char metric[METRIC_NAME];
    bool greater_is_better; /* ":max" */
    enum stop_rule rule;
    int patience; /* values; 3 */
    double min;   /* improvement that counts, relative (0.5 %) or absolute */
    bool relative;
    double variance; /* for STOP_VARIANCE: relative to the mean squared; 1e-3 */
    int warmup;      /* values before the first judgement; 2 x patience for STOP_PLATEAU */
};

/* "val_loss:min,patience=5,min=0.01,rule=plateau". ERROR_USAGE that says what is wrong. */
bool stop_parse(struct str text, struct stop_options *out, struct error *err) MUST_USE;

#define STOP_HISTORY 256 /* values that are remembered: the newest */

struct stop_watch {
    struct stop_options options;
    double value[STOP_HISTORY];
    int count; /* seen in all */
    double best;
    int best_at; /* its number, from 0 */
};

enum stop_verdict {
    STOP_GO_ON,
    STOP_WARN, /* the next value may be the last */
    STOP_NOW,
};

void stop_start(struct stop_watch *watch, const struct stop_options *options);
/* One more value; `why` (200 bytes) gets a sentence when it is not STOP_GO_ON. */
enum stop_verdict stop_see(struct stop_watch *watch, double value, char *why);

/* Divergence of a training loss: NaN or infinite for `times` in a row (1), or `factor` (10) times
 * above its best median of the last values for a while. */
struct divergence_watch {
    double recent[32];
    int count, bad;
    double best_median;
};
void divergence_start(struct divergence_watch *watch);
bool divergence_see(struct divergence_watch *watch, double loss, char *why);

#endif
