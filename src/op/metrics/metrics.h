/* metrics.h - what monitoring systems read: requests and results of metrics.*. */
#ifndef OP_METRICS_METRICS_H
#define OP_METRICS_METRICS_H

#include "generate/metrics.h"

struct op_context; /* op/context.h */

extern const struct op op_metrics, op_metrics_dashboard, op_metrics_list, op_metrics_rules;

struct metrics_request {
    struct str format; /* metric_format_names */
    struct str team;   /* only what has this tag; empty: everything */
};

struct metrics_result {
    struct rows samples; /* struct metric_sample */
    struct str text;     /* in the format that was asked for; not in JSON */
};

struct metrics_text_result {
    struct str text;
};

struct metrics_list_result {
    struct rows metrics; /* struct metric_row */
};

/* Add what the ledger knows; nothing where there is no ledger. `team`: empty is all. */
bool op_metrics_collect(struct op_context *ctx, struct str team, struct metric_samples *out,
                        struct error *err) MUST_USE;

/* Add what is known without a ledger: the version of the program. */
void op_metrics_build(struct metric_samples *out);

#endif
