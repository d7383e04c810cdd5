/* job_change.h - a job with changed settings, compared with the job as it is.
 *
 * Both are estimated by the same model on the same machines, so that most of the error is
 * common to them and cancels: the range of a saving rests on how well ratios of two settings
 * are known (spread_setting, spread_method), and on the range of the job's own cost.
 */
#ifndef ADVISE_JOB_CHANGE_H
#define ADVISE_JOB_CHANGE_H

#include "advise/rules/rule.h"

#define JOB_CHANGE_KEYS 12

/* A key of the job, as job_set() takes it. */
struct job_setting {
    const char *key;
    char value[24];
};

struct job_change {
    struct job_setting set[JOB_CHANGE_KEYS];
    size_t keys;
    const struct estimate_place *place; /* where it is then; NULL: where it is */
    bool anew;                          /* settings that the job leaves open are chosen anew */
    bool possible;                      /* the machines hold it; the rest is unknown when not */
    struct estimate after;              /* of the changed job */
    struct saving saving;               /* dollars of one run; NaN: a cost is not known */
    double time;                        /* factor of the hours */
};

/* Add a setting to a change. */
void job_change_set(struct job_change *change, const char *key, const char *value);
void job_change_set_count(struct job_change *change, const char *key, int64_t value);

/* Estimate the job with the settings of `change`. The batch of an optimizer step stays as it
 * is, unless a setting says otherwise, and so does all of the setting that can; `spread` is the
 * deviation of the logarithm of the ratio of both times. False without memory only. */
bool job_change_estimate(const struct advise_job *job, double spread, struct arena *arena,
                         struct job_change *change, struct error *err) MUST_USE;

/* What is saved when `before` becomes `after`. `spread` is the deviation of the logarithm of
 * the ratio of times; what does not follow the time (set-up, storage, transfer) is sure. */
struct saving job_change_saving(const struct estimate *before, const struct estimate *after,
                                double spread);

/* Is it worth a change? Not below the 3 % that a simpler setting may take more. */
bool job_change_pays(const struct job_change *change, usd cost);

/* "--set precision=amp-bf16 --set micro_batch=8". */
void job_change_write(const struct job_change *change, struct buf *out);

#endif
