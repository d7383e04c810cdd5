/* practice.h - how a team handles its costs, as measured facts: the vocabulary of maturity,
 * checklists and targets.
 *
 * A fact is one number over a period ("share of cost that is tagged"), with the evidence it
 * comes from. Thresholds and goals are rows of the catalog or of the user, which name a fact by
 * its key. Callers measure facts in the ledger, the configuration and a job; what they do not
 * know is NaN, and no verdict follows from it.
 */
#ifndef ADVISE_PRACTICE_H
#define ADVISE_PRACTICE_H

#include "base/buf.h"
#include "unit/money.h"

enum practice_fact {
    PRACTICE_TAGGED,
    PRACTICE_PRICED,
    PRACTICE_MEASURED,
    PRACTICE_RECONCILED,
    PRACTICE_BUDGET_ALERTS,
    PRACTICE_GPU_BUSY,
    PRACTICE_SPOT,
    PRACTICE_COMMITTED,
    PRACTICE_DISCOUNTED,
    PRACTICE_FAILED,
    PRACTICE_REPEATED,
    PRACTICE_CHECKPOINTED,
    PRACTICE_ESTIMATED,
    PRACTICE_LIMITED,
    PRACTICE_BUDGET_KEPT,
    PRACTICE_BUDGET_USED,
    PRACTICE_ANOMALY_HOURS,
    PRACTICE_FORECAST_ERROR,
    PRACTICE_ESTIMATE_ERROR,
    PRACTICE_COST_PER_LORA,
    PRACTICE_COST_PER_RUN,
    PRACTICE_COST_PER_THOUSAND,
    PRACTICE_COST_PER_GPU_HOUR,
    PRACTICE_TIME_SAVED,
    PRACTICE_QUALITY_LOST,
    PRACTICE_SPEND,
    /* What is set up, as a number of them. */
    PRACTICE_GUARDED,
    PRACTICE_EARLY_STOPPED,
    PRACTICE_CHANNELS,
    PRACTICE_BUDGETS,
    PRACTICE_POLICY,
    PRACTICE_BILLS,
    PRACTICE_COUNTS,
    PRACTICE_CORRECTIONS,
    PRACTICE_PROVIDERS,
    /* Of a job file: 1 when it says so, 0 when it says otherwise. */
    PRACTICE_JOB_PRECISION,
    PRACTICE_JOB_ACCUMULATION,
    PRACTICE_JOB_RECOMPUTE,
    PRACTICE_JOB_RESUME,
    PRACTICE_JOB_KEEP,
    PRACTICE_JOB_BUDGET,
    PRACTICE_JOB_SPOT,
    PRACTICE_JOB_EARLY_STOP,
    PRACTICE_JOB_LORA,
    PRACTICE_JOB_COLOCATED,
    PRACTICE_JOB_QUANTIZED,
    PRACTICE_JOB_SCALE_TO_ZERO,
    PRACTICE_JOB_LATENCY,
    PRACTICE_COUNT,
};

enum practice_unit {
    PRACTICE_SHARE, /* 0 to 1 */
    PRACTICE_HOURS,
    PRACTICE_USD,
    PRACTICE_NUMBER,
    PRACTICE_YES, /* 1 or 0 */
};
extern const char *const practice_unit_names[]; /* "share", "hours", "USD", ... */

struct practice_info {
    const char *key;   /* "gpu_busy" */
    const char *label; /* "GPU utilization" */
    enum practice_unit unit;
    bool less;          /* less is better */
    const char *record; /* the command that makes it known */
};
extern const struct practice_info practice_infos[PRACTICE_COUNT];

/* A measured fact. */
struct practice {
    double value;        /* NaN: not known */
    struct str evidence; /* what it was measured on, or why it is not known */
    /* Of a share of money: the dollars a month that a share of 1 is of, where moving the share
     * saves that money; NaN: no saving follows. */
    double monthly;
};

struct practices {
    struct practice at[PRACTICE_COUNT];
};

/* Nothing is known. */
void practices_reset(struct practices *out);

/* By its key, with '-' for '_' as well; false when there is none. */
bool practice_find(struct str key, enum practice_fact *out) MUST_USE;

/* ERROR_USAGE "there is no NOUN 'gpu-bussy'", with what was probably meant. Returns false. */
bool practice_unknown(const char *noun, struct str key, struct error *err);

/* "62 %", "3.5 h", "$1.84", "yes"; "?" when unknown. */
void practice_write(enum practice_unit unit, double value, struct buf *out);

/* A goal as people type it: "70%" or 0.7, "4h", "2usd"; refused when it is not of the fact's
 * unit. */
bool practice_parse(enum practice_fact fact, struct str text, double *out,
                    struct error *err) MUST_USE;

#endif
