/* The fields of validate's request and result. */
#include "op/estimate/validate_work.h"

/* Those of truth_kind_names, and what is asked of rows of two kinds. */
static const char *const kinds[] = {"training", "memory", "inference",
                                    "energy",   "choice", NULL};

static const struct field request[] = {
    FIELD(CHOICE, validate_request, kind, .value = "KIND", .operand = true, .required = true,
          .choices = kinds, .help = "training, memory, inference, energy or choice"),
    FIELD(TEXTS, validate_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "measured rows, CSV with the columns of docs/accuracy.md"),
    FIELD(FLAG, validate_request, leave_one_source_out,
          .help = "predict each source by constants fitted without it"),
    FIELD(FLAG, validate_request, fit, .help = "fit the constants to these rows first"),
    FIELD(FLAG, validate_request, from_priors,
          .help = "fit from what was known before any row, not from the values in use"),
    FIELD(TEXT, validate_request, group, .value = "GROUP",
          .help = "fit the constants of this group (their fitted_on), not the kind's"),
    FIELD(TEXT, validate_request, per_row, .value = "OUT.csv",
          .help = "write every prediction to this file"),
    FIELD(TEXT, validate_request, save, .value = "OUT.csv",
          .help = "write the fitted constants to this file"),
};

static const struct field score_fields[] = {
    FIELD(TEXT, score, name, .help = "of the group"),
    FIELD(COUNT, score, rows, .help = "of the file"),
    FIELD(COUNT, score, scored, .help = "predictions held against a measurement"),
    FIELD(NUMBER, score, median_ape, .help = "|predicted/measured - 1|, the middle one"),
    FIELD(NUMBER, score, p90_ape, .help = "nine of ten are below"),
    FIELD(NUMBER, score, median_ratio, .help = "predicted/measured"),
    FIELD(NUMBER, score, inside_range, .help = "share between the 10th and 90th percentile"),
};

static const struct field_set score_set = FIELD_SET(struct score, score_fields);

static const struct field reason_fields[] = {
    FIELD(TEXT, validate_reason, reason, .help = "why not"),
    FIELD(COUNT, validate_reason, rows, .help = "how many"),
};

static const struct field_set reason_set = FIELD_SET(struct validate_reason, reason_fields);

static const struct field constant_fields[] = {
    FIELD(TEXT, validate_constant, name, .help = "of the constant"),
    FIELD(TEXT, validate_constant, unit, .help = "of its value"),
    FIELD(NUMBER, validate_constant, before, .help = "in use"),
    FIELD(NUMBER, validate_constant, after, .help = "fitted to these rows"),
};

static const struct field_set constant_set =
    FIELD_SET(struct validate_constant, constant_fields);

static const struct field choice_fields[] = {
    FIELD(TEXT, choice_score, set, .help = "kind of work; 'all' is every one"),
    FIELD(TEXT, choice_score, picker, .help = "what the GPU was picked by"),
    FIELD(COUNT, choice_score, cases, .help = "the same work on three kinds of GPU or more"),
    FIELD(COUNT, choice_score, models, .help = "of which the cases are"),
    FIELD(NUMBER, choice_score, within,
          .help = "share that cost at most 1.05 times the best, as measured"),
    FIELD(NUMBER, choice_score, within_models, .help = "mean of the shares of the models"),
    FIELD(NUMBER, choice_score, regret, .help = "measured cost over the best, less 1: mean"),
    FIELD(NUMBER, choice_score, worst, .help = "the largest of those"),
    FIELD(TEXT, choice_score, without,
          .help = "source of most cases, left out of the set 'less largest'"),
};

static const struct field_set choice_set = FIELD_SET(struct choice_score, choice_fields);

static const struct field result[] = {
    FIELD(TEXT, validate_result, kind, .help = "of the rows"),
    FIELD(COUNT, validate_result, rows, .help = "of the files"),
    FIELD(COUNT, validate_result, scored, .help = "predictions held against a measurement"),
    FIELD(NUMBER, validate_result, median_ape,
          .help = "|predicted/measured - 1|, the middle one"),
    FIELD(NUMBER, validate_result, p90_ape, .help = "nine of ten are below"),
    FIELD(NUMBER, validate_result, median_ratio, .help = "predicted/measured"),
    FIELD(NUMBER, validate_result, inside_range, .help = "share between the percentiles"),
    FIELD(LIST, validate_result, by_source, .row = &score_set, .help = "who measured"),
    FIELD(LIST, validate_result, by_gpu, .row = &score_set, .help = "on what"),
    FIELD(LIST, validate_result, by_set, .row = &score_set, .help = "kind of work"),
    FIELD(LIST, validate_result, by_metric, .row = &score_set, .help = "what was measured"),
    FIELD(LIST, validate_result, not_scored, .row = &reason_set, .help = "and why"),
    FIELD(COUNT, validate_result, oom_rows, .help = "that ran out of memory"),
    FIELD(COUNT, validate_result, oom_said_to_fit, .help = "of those"),
    FIELD(COUNT, validate_result, ran_rows, .help = "training rows that ran"),
    FIELD(COUNT, validate_result, ran_said_not_to_fit, .help = "of those"),
    FIELD(FLAG, validate_result, left_out, .help = "each source was predicted without it"),
    FIELD(LIST, validate_result, constants, .row = &constant_set, .help = "after a fit"),
    FIELD(LIST, validate_result, choices, .row = &choice_set,
          .help = "is the GPU picked the cheapest: with the same number of GPUs"),
    FIELD(LIST, validate_result, choices_open, .row = &choice_set,
          .help = "likewise, with as many of each kind as were best"),
    FIELD(RECORD, validate_result, prices, .row = &price_age_fields, .help = "of the choices"),
};

const struct field_set validate_request_fields = FIELD_SET(struct validate_request, request);
const struct field_set validate_result_fields = FIELD_SET(struct validate_result, result);
