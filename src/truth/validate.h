/* validate.h - how far predictions are from measured rows, and constants fitted to the rows.
 *
 * Files of one kind are scored: the error of predictions by source, GPU and kind of work. Files
 * of training and inference together are validated as choices (choices.h): is the GPU that is
 * predicted to be cheapest the cheapest as measured? Pure: texts, constants and machines come
 * from the caller, tables go to a buffer.
 */
#ifndef TRUTH_VALIDATE_H
#define TRUTH_VALIDATE_H

#include "catalog/machine.h"
#include "truth/choices.h"
#include "truth/learning.h"

#define VALIDATE_CHOICE TRUTH_KINDS /* the kind of choices, after those of rows */

extern const char *const validate_kinds[]; /* truth_kind_names and "choice"; ends with NULL */

struct validate_file {
    const char *name;
    struct str text;
};

struct validate_ask {
    int kind;                      /* of validate_kinds */
    const struct catalog *catalog; /* accelerators, names, models, image models, constants */
    bool leave_out;                /* predict each source by constants fitted without it */
    bool fit;                      /* fit the constants to the rows first */
    bool from_priors;  /* from what was known before any row, not from values in use */
    struct str group;  /* fit the constants of this group; empty: those of the kind */
    int64_t calibrate; /* learn from so many rows of each source; 0: do not */
    const struct machine *machines; /* of choices: what can be rented */
    size_t machine_count;
    const struct validate_file *files;
    size_t file_count;
};

/* Why rows are not scored, and how many. */
struct validate_reason {
    struct str reason;
    int64_t rows;
};

struct validate_constant {
    struct str name, unit;
    double before, after;
};

struct validation {
    enum truth_kind kind;                             /* of validate_kinds */
    struct score all;                                 /* its rows are those of the files */
    struct rows by_source, by_gpu, by_set, by_metric; /* struct score */
    struct rows as_asked;   /* struct score, by metric: serving, as a user asks for it */
    struct rows not_scored; /* struct validate_reason */
    struct rows constants;  /* struct validate_constant, after a fit */
    struct range_score ranges;
    struct fit_check fits; /* of memory */
    bool left_out;         /* each source was predicted by constants fitted without it */
    /* Of choices (struct choice_score): the same number of GPUs of each kind, and as many as
     * each kind was best with. */
    struct rows choices, choices_open;
    struct learning_scores learning; /* what learning from a few rows does to the others */
};

extern const struct field_set validation_fields;

/* Predict and score the rows of the files. `constants` are those in use; a fit changes them.
 * `rows` (or NULL) takes a CSV: each prediction, or each GPU of each choice. */
bool validate(const struct validate_ask *ask, struct constants *constants, struct arena *arena,
              struct validation *out, struct buf *rows, struct error *err) MUST_USE;

#endif
