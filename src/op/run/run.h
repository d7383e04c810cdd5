/* run.h - `stint run`: a command under a meter, inside its budget; `stint attach`: a process
 * that runs already. */
#ifndef OP_RUN_RUN_H
#define OP_RUN_RUN_H

#include "doc/field.h"
#include "market/run_price.h"
#include "plan/features.h"
#include "run/supervise/options.h"
#include "unit/money.h"

extern const struct op op_attach, op_run_command;

struct run_result {
    struct supervise_result ended;
    struct run_price price;
    struct plan_prediction predicted; /* by --plan */
    struct str name;
    usd_per_hour rate; /* of the machine, or of its electricity at the end */
    double share;      /* of the machine's price, on average */
    struct str verdict, verdict_text;
    usd checkpoint_month;      /* storing the kept checkpoints */
    struct strs removed_names; /* of the first checkpoints that --keep removed */
    struct str sent_to;        /* the server that has it; empty: the ledger does */
    struct str hint;           /* what would make more known */
    struct str extra_names;    /* of --extra, for the summary: "labels, storage" */
    int64_t attached_pid;      /* -1: the command was started */
    span ran_before;           /* SPAN_UNKNOWN likewise */
    bool quiet;
};

extern const struct field_set run_request_fields, run_result_fields, attach_request_fields;

struct op_context; /* op/context.h */

/* From a request to a supervised command, or process (`target`; NULL: a command), and from its
 * end to a result. */
bool run_supervised(struct op_context *ctx, const struct run_request *request,
                    struct attach_target *target, struct run_result *res,
                    struct error *err) MUST_USE;

#endif
