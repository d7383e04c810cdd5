/* learning.h - what was predicted and what came of it; corrections that were learned from
 * it. */
#ifndef LEDGER_RUNS_LEARNING_H
#define LEDGER_RUNS_LEARNING_H

#include "ledger/ledger.h"

/* What a run is expected to take, by the job that it has. */
struct ledger_estimate {
    usd cost;                            /* unknown: the price is */
    span time;                           /* unknown: how much there is to do is */
    struct str features, constants, job; /* as in struct ledger_start */
};

/* Add it to a run for which nothing was predicted; another one stays as it is. */
bool ledger_put_estimate(struct ledger *ledger, const char *id,
                         const struct ledger_estimate *estimate, struct error *err) MUST_USE;

/* A run that was predicted and ended well. What was not measured is NaN. */
struct ledger_outcome {
    struct str id, name;
    struct str gpu, other_gpu; /* as the meters saw them; they differ when attempts did */
    struct str features, constants;
    stamp started;
    usd predicted_cost, actual_cost; /* actual: of all attempts; unknown when one of them is */
    double step_s, startup_s;        /* of struct ledger_totals: mean of the attempts */
    double memory;                   /* bytes, the most that the run had on one device */
    double watts;                    /* of one board while steps were made */
};

/* Those begun since (-1: all), oldest first. */
bool ledger_outcomes(struct ledger *ledger, stamp since, struct arena *arena,
                     const struct ledger_outcome **out, size_t *count,
                     struct error *err) MUST_USE;

/* The job of a run, as it was given (`job` of struct ledger_start); empty: not known. */
bool ledger_job(struct ledger *ledger, const char *id, struct arena *arena, struct str *out,
                struct error *err) MUST_USE;

/* The newest job of each work (works.h) with runs that began from `since` to `until` (-1: any).
 */
struct ledger_work_job {
    struct str name, project, job;
};
bool ledger_jobs(struct ledger *ledger, stamp since, stamp until, struct arena *arena,
                 const struct ledger_work_job **out, size_t *count, struct error *err) MUST_USE;

/* What a run was predicted with (`features` of struct ledger_start); empty: nothing was. */
bool ledger_features(struct ledger *ledger, const char *id, struct arena *arena,
                     struct str *out, struct error *err) MUST_USE;

/* The fact of this name of each run that has it, the newest run first. */
bool ledger_fact_values(struct ledger *ledger, const struct ledger_query *query,
                        const char *name, struct arena *arena, struct strs *out,
                        struct error *err) MUST_USE;

struct ledger_correction {
    struct str what;                           /* "step", "memory", "power", "startup" */
    struct str gpu, framework, model, setting; /* all but the GPU: empty for any */
    double factor, low, high;                  /* of "startup": seconds */
    int64_t runs;
    struct str constants; /* that it corrects */
    stamp made;
};

/* In place of those that are there. */
bool ledger_corrections_put(struct ledger *ledger, const struct ledger_correction *rows,
                            size_t count, struct error *err) MUST_USE;
bool ledger_corrections(struct ledger *ledger, struct arena *arena,
                        const struct ledger_correction **out, size_t *count,
                        struct error *err) MUST_USE;

#endif
