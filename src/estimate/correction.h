/* correction.h - learned from runs: how measured steps, memory and power differ from estimates.
 *
 * Pure. A correction is a factor on one estimated quantity, for a GPU, for a framework on it,
 * for a model with that framework, or for one setting of that model. It starts at 1 and moves
 * towards the measured value with the number of runs. It is kept only if it lowers the error on
 * what it was not learned from: what holds for a GPU or a framework must help with models that
 * were left out, what holds for a model with settings that were, so that many runs of one
 * setting correct that setting alone.
 */
#ifndef ESTIMATE_CORRECTION_H
#define ESTIMATE_CORRECTION_H

#include "base/arena.h"
#include "base/str.h"
#include "doc/field.h"

enum correction_of {
    CORRECTION_STEP,                         /* seconds of a training step */
    CORRECTION_MEMORY,                       /* bytes of the fullest device */
    CORRECTION_POWER,                        /* watts of a board while it trains */
    CORRECTION_FACTORS,                      /* the number of those */
    CORRECTION_STARTUP = CORRECTION_FACTORS, /* seconds until the first step: no factor */
    CORRECTION_TRAINING,                     /* the number of those of training */
    CORRECTION_TOKEN = CORRECTION_TRAINING,  /* seconds of a decode step of a server */
    CORRECTION_COUNT,
};

extern const char *const correction_names[]; /* "step", "memory", ...; ends with NULL */

struct correction {
    enum correction_of of;
    struct str gpu;           /* as the catalog names it */
    struct str framework;     /* stack_names[]; empty: any */
    struct str model;         /* empty: any */
    struct str setting;       /* setup_setting(); empty: any */
    double factor, low, high; /* and the range that contains 80 % of what it may truly be; of
                                 the start-up: seconds, the least and the most of the runs */
    int64_t runs;
    double error_before, error_after; /* mean size of the error of runs that were left out,
                                         without and with it; NaN: not known */
};

extern const struct field_set correction_fields;

/* What is corrected: a setting of a model with a framework on a GPU. */
struct correction_key {
    struct str gpu, framework, model, setting;
};

/* A run that ended as planned. What was not predicted or not measured is NaN. */
struct correction_run {
    struct correction_key key;
    double predicted[CORRECTION_FACTORS], measured[CORRECTION_FACTORS];
    double startup_s;
};

/* A step further off than this was another job: it does not count, unless three runs of its
 * setting agree. */
#define CORRECTION_FAR 2.0

struct correction_result {
    const struct correction *at; /* sorted by what it applies to within each quantity */
    size_t len;
    size_t far;      /* runs that were too far off: left out */
    size_t rejected; /* corrections that did not lower the error of left-out runs */
    size_t single;   /* GPUs with one run: nothing to leave out */
};

bool correction_learn(const struct correction_run *runs, size_t count, struct arena *arena,
                      struct correction_result *out, struct error *err) MUST_USE;

/* Likewise from servers that were measured: `predicted` and `measured` of CORRECTION_STEP are
 * the seconds from token to token, and the framework is the engine. All that is learned is of
 * CORRECTION_TOKEN. */
bool correction_learn_tokens(const struct correction_run *runs, size_t count,
                             struct arena *arena, struct correction_result *out,
                             struct error *err) MUST_USE;

/* That of the setting, else of the model, the framework, the GPU; NULL when nothing was
 * learned. */
const struct correction *correction_find(const struct correction *at, size_t count,
                                         enum correction_of of,
                                         const struct correction_key *key);

/* The factor of correction_find(); 1 when nothing was learned. */
double correction_factor(const struct correction *at, size_t count, enum correction_of of,
                         const struct correction_key *key);

/* "steps take 1.12 times as long (1.04 to 1.21), learned from 6 runs on H100-SXM-80GB", and
 * what was learned of memory, power and start-up; empty when nothing was. */
bool correction_describe(const struct correction *at, size_t count,
                         const struct correction_key *key, struct arena *arena, struct str *out,
                         struct error *err) MUST_USE;

/* Likewise of serving: "tokens take 1.12 times as long ...". */
bool correction_describe_token(const struct correction *at, size_t count,
                               const struct correction_key *key, struct arena *arena,
                               struct str *out, struct error *err) MUST_USE;

#endif
