/* work_inference.h - what one prediction takes: given, or measured by `stint bench`. */
#ifndef REPORT_WORK_INFERENCE_H
#define REPORT_WORK_INFERENCE_H

#include "doc/field.h"
#include "ledger/ledger.h"

/* What was measured of the model that a run trained is recorded with the tag "run=ID". */
#define BENCH_ACTIVITY "activity=bench"
#define BENCH_OF_RUN "run="
#define BENCH_ROW_FACT "truth_row" /* what `stint calibrate` learns from (truth/share_row.h) */

struct work_inference {
    double seconds;      /* of one prediction, or one request; NaN: not known */
    double per_s;        /* of them */
    usd_per_hour rate;   /* of the machine that made them; unknown: that of the work */
    bool at_once;        /* several at a time */
    struct rows batches; /* struct work_batch */
    struct str method;
};

/* A function or command that was timed by the size of its batches. */
struct work_batch {
    int64_t batch;
    double avg_time_ms;    /* of a batch */
    double per_s;          /* predictions */
    double per_1k, per_1m; /* dollars */
};
extern const struct field_set work_batch_fields;

void work_inference_unknown(struct work_inference *out);
void work_inference_given(double seconds, struct work_inference *out);

/* From the facts of a run that `stint bench` has recorded; unknown where it has none. */
bool work_inference_measured(const struct ledger_run *bench, struct arena *arena,
                             struct work_inference *out, struct error *err) MUST_USE;

/* Dollars of one prediction on a machine that is always busy; `rate` where it has none of its
 * own. */
double work_inference_cost(const struct work_inference *inference, usd_per_hour rate);

/* The newest measurement of what this run trained: named so (--run), or of its name; of a
 * measurement its own. Unknown: there is none. */
bool work_inference_find(struct ledger *ledger, const struct ledger_run *run,
                         struct arena *arena, struct work_inference *out,
                         struct error *err) MUST_USE;

#endif
