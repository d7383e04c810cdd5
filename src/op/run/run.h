/* run.h - `stint run`: a command under a meter, inside its budget. */
#ifndef OP_RUN_RUN_H
#define OP_RUN_RUN_H

#include "doc/field.h"
#include "market/run_price.h"
#include "run/supervise/options.h"
#include "unit/money.h"

extern const struct op op_run_command;

struct run_result {
    struct supervise_result ended;
    struct run_price price;
    struct str name;
    usd_per_hour rate; /* of the machine, or of its electricity at the end */
    double share;      /* of the machine's price, on average */
    struct str verdict, verdict_text;
    usd checkpoint_month;      /* storing the kept checkpoints */
    struct strs removed_names; /* of the first checkpoints that --keep removed */
    struct str hint;           /* what would make more known */
    struct str extra_names;    /* of --extra, for the summary: "labels, storage" */
    bool quiet;
};

extern const struct field_set run_request_fields, run_result_fields;

#endif
