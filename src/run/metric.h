/* metric.h - what a program says of its progress: in its output, or by a line of JSON.
 *
 * Known styles are read without regular expressions, in one pass over a line; the user's own
 * patterns are PCRE2 (the loadable part `regex`), with limits on steps and memory. Any line may
 * be hostile: it is bounded, and never costs more than its length.
 */
#ifndef RUN_METRIC_H
#define RUN_METRIC_H

#include "base/arena.h"
#include "base/clock.h"
#include "doc/field.h"

#define METRIC_LINE 4096 /* bytes of a line that are looked at */
#define METRIC_NAME 32
#define METRIC_USER 16 /* patterns of the user's */

/* What one line said: NaN for what it did not. */
struct metric_update {
    double step, steps;   /* reached, in all */
    double epoch, epochs; /* may be 1.37 */
    double loss;          /* of training */
    double eval_loss;     /* and any "eval_", "val_", "valid" metric: */
    double rate;          /* steps a second, as it says */
    double samples_rate, tokens_rate;
    double left_s;         /* as it says */
    int phase;             /* enum run_phase that it told; -1 */
    bool saved;            /* it told of a checkpoint written */
    struct str saved_path; /* of it, when it was told; part of the line */
    struct {
        char name[METRIC_NAME];
        double value;
    } named[METRIC_USER]; /* the user's patterns, and whatever numbers JSON has */
    int named_count;
    const char
        *style; /* "tqdm", "hugging-face", "lightning", "deepspeed", "kohya", "json", ... */
};

struct metric_reader;

/* `patterns`: "loss=([0-9.]+)" or "val_acc=/acc: ([0-9.]+)/": a name, and a pattern whose first
 * group is the value (--metrics). A pattern that does not compile is ERROR_USAGE that shows where.
 * The reader holds what it needs in `arena`. */
struct metric_reader *metric_open(struct strs patterns, struct arena *arena,
                                  struct error *err) MUST_USE;
void metric_close(struct metric_reader *reader); /* NULL is fine */

/* A line of output, without its end. True when it said anything. `out` refers to `line`. */
bool metric_line(struct metric_reader *reader, struct str line, struct metric_update *out);

/* A line of JSON that the program wrote to STINT_SOCKET or to its file:
 * {"step": 10, "steps": 100, "loss": 2.3, "val_acc": 0.7, "phase": "evaluate",
 *  "checkpoint": "out/ckpt-10", "samples": 512}. False, with why, when it is none. */
bool metric_json(struct metric_reader *reader, struct str line, struct metric_update *out,
                 struct error *err);

/* The value of this name in an update: a named one, or "loss", "eval_loss", "step", ...; NaN. */
double metric_value(const struct metric_update *update, struct str name);

/* Progress put together from updates: what step, how fast, how long still. Rates are our own
 * measurement of steps over time (the program's word until there are two), smoothed so that an
 * evaluation in between does not look like a slow step. */
struct progress_watch {
    double step, steps, epoch, epochs, loss, eval_loss, rate, samples_rate, tokens_rate;
    instant first_at, last_at;
    double first_step, said_rate, said_left_s;
    const char *style; /* of the last line that told the step */
};
void progress_start(struct progress_watch *watch);
void progress_see(struct progress_watch *watch, const struct metric_update *update,
                  instant now);
/* Seconds still to go, NaN when unknown; and done as a share of 1. */
double progress_left(const struct progress_watch *watch, instant now);
double progress_share(const struct progress_watch *watch);

#endif
