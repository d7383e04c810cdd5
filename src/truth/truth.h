/* truth.h - predictions compared with measured rows: the error we state, the fit of constants.
 *
 * A file of measured rows (CSV, columns found by name) becomes points: one measured number
 * each, with the setting it was measured at. Points are predicted with any set of constants,
 * scored, and fitted. A row that cannot be predicted has a reason instead. Pure: it parses
 * memory.
 */
#ifndef TRUTH_TRUTH_H
#define TRUTH_TRUTH_H

#include "estimate/memory/memory.h"
#include "estimate/model/choose.h"
#include "estimate/model/setup.h"
#include "estimate/range.h"
#include "estimate/serving/infer.h"
#include "truth/energy_row.h"

enum truth_kind {
    TRUTH_TRAINING,
    TRUTH_MEMORY,
    TRUTH_INFERENCE,
    TRUTH_ENERGY,
    TRUTH_RUNS,
    TRUTH_KINDS,
};

extern const char *const truth_kind_names[]; /* ends with NULL */

enum metric {
    METRIC_TRAINING,    /* tokens or samples a second of one GPU */
    METRIC_MEMORY,      /* GB of one GPU */
    METRIC_PREFILL,     /* ms */
    METRIC_DECODE,      /* ms */
    METRIC_THROUGHPUT,  /* tokens a second, all GPUs */
    METRIC_LATENCY,     /* ms, of a complete batch */
    METRIC_NODE_POWER,  /* W */
    METRIC_BOARD_POWER, /* W, of one GPU */
    METRIC_GPU_HOURS,   /* of a complete run */
    METRIC_FIRST_P50,   /* ms to the first token, under load */
    METRIC_FIRST_P99,
    METRIC_TOKEN_P50, /* ms between tokens, means of requests, under load */
    METRIC_TOKEN_P99,
    METRIC_COUNT,
};

extern const char *const metric_names[], *const metric_units[];

/* Of rows of serving: times and rates. */
bool metric_is_serving(enum metric metric);

enum memory_view {
    VIEW_RESERVED, /* the usual one */
    VIEW_ALLOCATED,
    VIEW_DEVICE,
};

/* A complete training run: what is set is kept, the rest is chosen as for any job. */
struct run_row {
    const struct job *job;
    struct hardware hardware;
    bool steady; /* its hours are tokens over a rate: nothing failed or waited */
};

/* What a row of serving says of its setting; 0 or less where it says nothing. */
struct serving_row {
    int64_t gpus, tensor, pipeline, batch, clients;
    bool has_input, has_output;
    double rate;                     /* requests/s that come at random, to all GPUs */
    double first_limit, token_limit; /* s, that 99 of 100 requests had to keep */
};

struct measured_value {
    struct str id, source, gpu, set; /* as in the file; the source up to its @ */
    enum metric metric;
    double measured;    /* NaN when the row ran out of memory */
    const char *reason; /* why it is not scored; NULL when it is */
    bool first;         /* of its row: a row may have measured several things */
    bool out_of_memory;
    bool only_fits;    /* the row says whether it ran, and nothing else that is compared */
    double card_bytes; /* of a card whose memory was capped; NaN: all of it */
    bool samples;      /* a training rate in samples, not tokens */
    enum memory_view view;
    bool serving;              /* the memory is that of inference */
    double tokens_per_request; /* of a throughput: what its tokens count */
    struct serving_row stated; /* of serving */
    struct arch arch;
    struct setup setup;
    struct serving serve;
    double copies; /* of serving: how many of `serve` the row's GPUs are */
    struct energy_row energy;
    struct run_row run;
};

struct measured_values {
    struct measured_value *at;
    size_t len;
    size_t rows; /* of the file */
};

/* Read a file. Rows that make no sense are points with a reason; only a file without the
 * columns that the kind needs, or one that is no CSV, is an error. Needs the tables of
 * accelerators, names, models, image models. */
bool points_read(enum truth_kind kind, struct str text, const char *name,
                 const struct catalog *catalog, struct measured_values *out,
                 struct arena *arena, struct error *err) MUST_USE;

/* Each point holds its own architecture: call this after moving or copying them. */
void points_settle(struct measured_value *points, size_t count);

/* What we say of the point, with its range. */
struct guess point_predict(const struct measured_value *p, const struct constants *c);

/* The same, one point after the other with the same constants: those of one row share a
 * load. */
struct last_load {
    const struct measured_value *of; /* NULL at first */
    struct serving_load load;
};

struct guess point_predict_next(const struct measured_value *p, struct last_load *last,
                                const struct constants *c);

/* Statistics of a group of points. Fractions. */
struct score {
    struct str name;
    int64_t rows, scored;
    double median_ape, p90_ape, median_ratio, inside_range;
};

/* A point with its prediction. */
struct held {
    const struct measured_value *point;
    struct guess guess;
};

enum score_by {
    SCORE_ALL,
    SCORE_SOURCE,
    SCORE_GPU,
    SCORE_SET,
};

struct score_filter {
    enum score_by by;
    struct str name;  /* the source, GPU or set that counts */
    unsigned metrics; /* bits of those that count; 0 is all */
};

bool score_points(const struct held *held, size_t count, const struct score_filter *filter,
                  struct score *out, struct arena *arena, struct error *err) MUST_USE;

/* One struct score for each source, GPU or set, by name. */
bool score_groups(const struct held *held, size_t count, enum score_by by, unsigned metrics,
                  struct rows *out, struct arena *arena, struct error *err) MUST_USE;

/* Do the ranges mean what they say? Of all scored points, and of the third with the narrowest
 * ranges, the middle and the widest. Fractions; NaN where there are no points. */
struct range_score {
    int64_t scored;
    double inside, inside_narrow, inside_middle, inside_wide;
    double median_width; /* upper over lower end */
    double distance;     /* Kolmogorov-Smirnov: of the predicted quantiles from even ones */
};

bool score_ranges(const struct held *held, size_t count, unsigned metrics,
                  struct range_score *out, struct arena *arena, struct error *err) MUST_USE;

/* Training rows as a question of yes and no: does it fit the card? */
struct fit_check {
    int64_t out_of_memory, wrongly_fits;
    int64_t ran, wrongly_refused;
    int64_t sure, sure_failed; /* a chance of 95 % or more; of those, ran out of memory */
    int64_t sure_not, sure_not_failed; /* less than 5 %; of those, ran */
};

struct fit_check check_fits(const struct held *held, size_t count, const struct constants *c);

struct fit_options {
    const char *kind; /* the constants whose `fitted_on` is this take part */
    bool leave_out;   /* the source `without` does not count */
    struct str without;
    bool from_values; /* held near the values in use, which other rows taught, not priors */
};

/* Fit constants to the points that can be predicted. The others stay as they are. */
bool constants_fit(const struct catalog *catalog, const struct measured_values *points,
                   const struct fit_options *options, struct constants *constants,
                   struct arena *arena, struct error *err) MUST_USE;

#endif
