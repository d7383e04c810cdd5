/* metric.h - what a program says of its progress: in its output, or by a line of JSON.
 *
 * Known styles are read without regular expressions, in one pass over a line; the user's own
 * patterns are PCRE2 (the loadable part `regex`), with limits on steps and memory. Any line may
 * be hostile: it is bounded, and never costs more than its length.
 * docs/reference/run-metrics.md lists the styles and what is made of them.
 */
#ifndef RUN_OUTPUT_METRIC_H
#define RUN_OUTPUT_METRIC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "doc/field.h"

#define METRIC_LINE 4096 /* bytes of a line that are looked at */
#define METRIC_NAME 64
#define METRIC_NAMES 32 /* of one line */
#define METRIC_USER 16  /* patterns of the user's */
#define METRIC_SEEN 16  /* names that are remembered for users who misspelled one */

#define METRIC_LOSS_ENTIRE 3 /* `loss_fit` of "loss", "total_loss", "lm_loss" */

/* What one line contained: NaN for what it did not. */
struct metric_update {
    double step, steps;   /* reached, in all */
    double epoch, epochs; /* may be 1.37 */
    bool in_epoch;        /* `step` and `steps` are of this epoch alone */
    bool epoch_done;      /* `epoch` counts epochs that are over */
    double loss;          /* of training */
    double eval_loss;     /* a value may be NaN too: */
    bool has_loss, has_eval_loss;
    double rate; /* steps a second, as it reports */
    double samples_rate, tokens_rate;
    double samples, tokens; /* so far */
    double left_s;          /* as it reports */
    int phase;              /* enum run_phase that it reported (JSON); -1 */
    bool evaluated;         /* the line is of an evaluation: its bar, or what came of it, and
                             * not one of training that repeats the last val_loss */
    bool saved;             /* it reported a checkpoint written */
    struct str saved_path;  /* of it, when it was printed; valid until the next line is read */
    int loss_fit, eval_loss_fit; /* how well the names fit, of those that the line had */
    bool own_loss;     /* `loss` is what training minimizes, as far as the lines so far show */
    const char *style; /* "tqdm", "hugging-face", "lightning", "deepspeed", "json", ... */
    int named_count;
    int unnamed; /* values with a name for which there was no room */
    struct {
        char name[METRIC_NAME];
        double value;
    } named[METRIC_NAMES]; /* the user's patterns first, then whatever else has a name */
};

struct metric_reader;

/* `patterns` (--metrics), each one of "val_acc=/acc: ([0-9.]+)/"  a name, and a pattern whose
 * first group is the value; "loss=([0-9.]+)"            the pattern alone, when it begins with
 * the name; "reward"                    a name alone: the number that follows it, in any line
 * (also "mean reward: 3"); it needs no PCRE2. One that does not compile is ERROR_USAGE that
 * shows where. The reader holds what it needs in `arena`; the names step, steps, epoch, epochs,
 * loss, eval_loss and rate are the update's own. */
struct metric_reader *metric_open(struct strs patterns, struct arena *arena,
                                  struct error *err) MUST_USE;
void metric_close(struct metric_reader *reader); /* NULL is fine */

/* May these bytes (any number of complete lines) say anything? For a flood of output: where
 * this is false metric_line() would be false for each of the lines, and it costs less than
 * splitting them. */
bool metric_glance(const struct metric_reader *reader, struct str bytes);

/* For a flood of lines that survive the glance: are we to read one more now? No more than
 * METRIC_A_SECOND lines a second, and as many at once. A watch of zeros is a new one. */
#define METRIC_A_SECOND 1000
struct metric_allowance {
    instant at;
    double lines;
    bool begun;
};
bool metric_allows(struct metric_allowance *allowance, instant now);

/* Says nothing. */
void metric_clear(struct metric_update *out);

/* A line of output, without its end. True when it had any metric; else `out` means nothing. */
bool metric_line(struct metric_reader *reader, struct str line, struct metric_update *out);

/* A line of JSON that the program wrote to STINT_SOCKET or to its file: {"step": 10, "steps":
 * 100, "loss": 2.3, "val_acc": 0.7, "phase": "evaluate", "checkpoint": "out/ckpt-10",
 * "samples": 512}. False, with why, when it is none. NaN and Infinity are taken, as Python
 * writes them. What counts as progress ("tokens") is a metric by its name, too, but for steps
 * and epochs. The phase "auto" takes back what was reported. Without a reader (NULL) it is a
 * line by itself. */
bool metric_json(struct metric_reader *reader, struct str line, struct metric_update *out,
                 struct error *err);

/* Once for each of the user's patterns that was given up on a line (too many steps, too much
 * memory): the name of the pattern; NULL when there is nothing (more) to report. */
const char *metric_trouble(struct metric_reader *reader);

/* For those who misspelled a name: how many lines had metrics so far; has this one (a name
 * alone of `patterns`) been in none; the names whose patterns matched none, and how many;
 * and the first METRIC_SEEN names that were seen, "loss, val_loss". */
long metric_updates(const struct metric_reader *reader);
bool metric_missing(const struct metric_reader *reader, struct str name);
size_t metric_unmatched(const struct metric_reader *reader,
                        const char *names[static METRIC_USER]);
void metric_seen(const struct metric_reader *reader, struct buf *out);

/* Is it the name of a loss, of training or of an evaluation, or of a term of one ("kl_loss")?
 */
bool metric_is_loss(const char *name);

/* The value of this name in an update: a named one, or "loss" ("train_loss"), "eval_loss"
 * ("val_loss", "valid_loss", ...), "step", ... False when the line did not have it: a value
 * that was printed may be NaN. */
bool metric_find(const struct metric_update *update, struct str name, double *value);
double metric_value(const struct metric_update *update, struct str name); /* NaN: none */

/* Progress put together from updates: what step, how fast, how long still.
 *
 * Steps and totals are of the entire run: counts within an epoch are added up when epochs are
 * printed. `rate` is the middle one of the last measurements, so that an evaluation in between
 * does not look like a slow step; the time left goes by what was done in all, evaluations and
 * all. */
#define PROGRESS_PACES 15
#define PROGRESS_STEADY 256
struct progress_watch {
    double step, steps, epoch, epochs, loss, eval_loss, rate, samples_rate, tokens_rate;
    instant first_at, last_at; /* of steps; ns -1: none yet */
    double first_step, printed_left_s;
    const char *style; /* of the last line that had the step */

    /* What it is put together from. */
    double pace[PROGRESS_PACES]; /* seconds a step, in a ring */
    int paces;
    double done, took; /* steps and seconds, older ones fading */
    double mark_step;  /* where the measurement under way began, and when */
    instant mark_at;
    double raw_step, per_epoch;    /* as the last line had it; steps of an epoch */
    double base;                   /* steps of the epochs that are over */
    double epochs_over, raw_epoch; /* as far as lines show; when the step was printed */
    bool counts_epoch;             /* the counter begins again with each epoch */
    bool from_zero, broken_epochs; /* the first epoch is called 0; epochs are printed as 1.37 */
    double first_share;            /* for programs that print only epochs */
    instant share_at, share_last;
    double samples, tokens;
    instant samples_at, tokens_at;

    /* Measurements for the steady step time: a random sample of all of the run, so that the
     * last hour counts as much as the first. */
    struct progress_pace {
        double done, took; /* steps, seconds */
    } steady[PROGRESS_STEADY];
    uint64_t steady_seen, steady_random;
    bool paused;     /* an evaluation or a save was reported since `mark_at` */
    double line_gap; /* steps between the first two lines that had one */
};
void progress_start(struct progress_watch *watch);
void progress_see(struct progress_watch *watch, const struct metric_update *update,
                  instant now);
/* Seconds still to go, NaN when unknown; and done as a share of 1. */
double progress_left(const struct progress_watch *watch, instant now);
double progress_share(const struct progress_watch *watch);

/* Seconds of a step once the program is warm: the first steps, evaluations and saves do not
 * count. NaN until PROGRESS_LEAST_STEPS steps were measured. */
#define PROGRESS_LEAST_STEPS 10
double progress_step_s(const struct progress_watch *watch);

/* Seconds from `began` until the first step began, NaN while the step time is not known. A
 * first line that reports several steps (step 10 of a program that prints every tenth) is
 * not taken for the first step. */
double progress_startup_s(const struct progress_watch *watch, instant began);

#endif
