/* tune.h - which batch size costs least: sizes tried by running the user's own command.
 *
 * Deciding (tune_search, tune_judge) is pure; measuring one size (tune_measure) runs the
 * command for a while and reads what it prints. Sizes double from the lowest on until memory
 * runs out or more does not help; what failed is kept, with why.
 */
#ifndef RUN_TUNE_TUNE_H
#define RUN_TUNE_TUNE_H

#include <sys/types.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/str.h"
#include "doc/field.h"
#include "run/output/metric.h"
#include "unit/money.h"

enum tune_outcome {
    TUNE_MEASURED,
    TUNE_MEMORY,  /* out of memory, of a device or of the machine */
    TUNE_FAILED,  /* the command did, for another reason */
    TUNE_SILENT,  /* it ran, and printed nothing that a rate could be made of */
    TUNE_STOPPED, /* by the user */
};

struct tune_point {
    int64_t batch;
    enum tune_outcome outcome;
    double rate;          /* samples a second: the median of windows; NaN */
    double spread;        /* standard error of it, as a share; NaN from fewer than 3 windows */
    int windows;          /* that it is the median of */
    struct str method;    /* how: "its own samples/s", "steps x batch", ...; empty: not */
    double device_memory; /* the most that was in use on the fullest device, bytes; NaN */
    double memory;        /* likewise resident, of the largest process or the tree; NaN */
    double seconds;       /* that the trial took */
    usd million;          /* what a million samples cost; unknown without a price */
    bool best, recommended;
    char note[240]; /* why it failed, or what to know; empty */
};
extern const struct field_set tune_point_fields;

/* "812.50 samples/s, 5 GB on the device, 21.0 s": one size in a line, as soon as it is
 * known. */
void tune_point_note(const struct tune_point *point, const struct messages *to);

#define TUNE_POINTS 64

struct tune_sizes {
    int64_t low, high;
    bool fine;   /* refine around the best */
    double knee; /* two doublings in a row that gain less: no more are tried; 0.03 */
};

struct tune_table {
    struct tune_point point[TUNE_POINTS]; /* in the order of their sizes, once judged */
    size_t count;
    const char *ended; /* why no more were tried */
};

/* "8..512", "64". */
bool tune_sizes_parse(struct str text, struct tune_sizes *out, struct error *err) MUST_USE;

/* Is there a "{}" for the size in it? */
bool tune_command_check(struct strs command, struct error *err) MUST_USE;

/* Measure size after size. `measure` fills in a point whose batch is set; it returns false,
 * with the error set, only when no size can be measured at all. */
bool tune_search(const struct tune_sizes *sizes,
                 bool (*measure)(void *ctx, struct tune_point *point, struct error *err),
                 void *ctx, struct tune_table *out, struct error *err) MUST_USE;

/* Sort by size, price each, and mark the best (the lowest cost, which is the most samples a
 * second) and the smallest that is within the share `near` of it. */
void tune_judge(struct tune_table *table, usd_per_hour price, double near);

/* ---- measuring ---- */

struct tune_trial {
    struct strs command; /* every "{}" in it becomes the size */
    span warmup;         /* after the first sign of progress: does not count */
    span seconds;        /* that are measured then */
    span patience;       /* for the first sign */
    span grace;          /* between SIGTERM and SIGKILL */
    double samples;      /* of a run that ends by itself; NaN */
    struct metric_reader *reader;
    const struct clock *clock;
    const struct alloc *alloc;
    bool pattern;          /* the reader has the user's own pattern of samples a second */
    bool verbose;          /* pass on what it prints, to standard error */
    bool (*stopped)(void); /* NULL: never */
    /* Look at memory now and then while it runs: bytes in use; NaN unknown. NULL: not done. */
    void (*look)(void *ctx, pid_t pid, double *device, double *tree);
    void *look_ctx;
};

/* Set the reader; `pattern` is the user's own of samples a second, or empty. */
bool tune_reader_open(struct tune_trial *trial, struct str pattern, struct arena *arena,
                      struct error *err) MUST_USE;

bool tune_measure(const struct tune_trial *trial, struct tune_point *point,
                  struct error *err) MUST_USE;

/* Does this line of output mean that memory ran out? */
bool tune_line_out_of_memory(struct str line);

/* "812.5 images/sec", "samples_per_second: 64": samples a second; NaN when there are none. */
double tune_line_rate(struct str line);

/* ---- rates from lines: pure ---- */

#define TUNE_WINDOWS 512

struct tune_rates {
    double batch;
    int64_t warmup_ns, window_ns;
    int64_t first_ns; /* of the first sign of progress; -1: none yet */
    int method;       /* the best that was seen so far */
    bool warm;        /* the values are from after the warm-up */
    double value[TUNE_WINDOWS];
    int count;
    double mark, all_mark; /* steps or samples where the window, and all of it, began */
    int64_t mark_ns, all_ns;
    double last;
    int64_t last_ns;
};

void tune_rates_start(struct tune_rates *rates, int64_t batch, span warmup, span seconds);
void tune_rates_see(struct tune_rates *rates, const struct metric_update *update, bool pattern,
                    instant now);
/* The rate of what was seen into the point. False when there is none. */
bool tune_rates_end(const struct tune_rates *rates, struct tune_point *point);

#endif
