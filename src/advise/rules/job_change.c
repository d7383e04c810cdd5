#include "advise/rules/job_change.h"

#include <math.h>
#include <stdio.h>

#define TENTH 1.2816 /* deviations from the middle to the 10th percentile */

void job_change_set(struct job_change *change, const char *key, const char *value)
{
    struct job_setting *s;

    if (change->keys == JOB_CHANGE_KEYS)
        return;
    s = &change->set[change->keys++];
    s->key = key;
    (void)snprintf(s->value, sizeof s->value, "%s", value);
}

void job_change_set_count(struct job_change *change, const char *key, int64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    job_change_set(change, key, text);
}

/* Lines of a cost that do not depend on how long the training takes. */
static double fixed_cost(const struct estimate *e)
{
    static const enum cost_line_id fixed[] = {COST_SETUP, COST_UPLOAD, COST_DOWNLOAD,
                                              COST_STORAGE, COST_EGRESS};
    const struct estimate_line *lines = e->cost.at;
    double sum = 0;

    for (size_t i = 0; i < e->cost.len; i++)
        for (size_t f = 0; f < ARRAY_LEN(fixed); f++)
            if (str_eq(lines[i].name, str_from(cost_line_names[fixed[f]])))
                sum += usd_double(lines[i].amount);
    return sum;
}

struct saving job_change_saving(const struct estimate *before, const struct estimate *after,
                                double spread)
{
    double was = usd_double(before->total), is = usd_double(after->total);
    double fixed = fmin(fixed_cost(after), is), factor = exp(TENTH * spread);
    double worst = was - fixed - (is - fixed) * factor;
    double best = was - fixed - (is - fixed) / factor;
    double below = log(was / usd_double(before->total_low));
    double above = log(usd_double(before->total_high) / was);
    struct saving s = {.low = worst, .mid = was - is, .high = best};

    if (!(s.mid > 0))
        return s;
    if (worst > 0 && below > 0)
        s.low = s.mid * exp(-hypot(log(s.mid / worst), below));
    if (above > 0)
        s.high = s.mid * exp(hypot(log(best / s.mid), above));
    return s;
}

/* The batch is a property of the training, not of how it is computed: a change of the
 * micro-batch changes the accumulation. */
static void hold_batch(const struct estimate *base, struct job *job)
{
    struct job_train *t = &job->train;

    if (!(base->global_batch >= 1 && base->global_batch < 1e15))
        return;
    t->global_batch = (int64_t)base->global_batch;
    t->accumulation = -1;
}

static bool apply_settings(const struct job_change *change, struct job *job,
                           struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < change->keys; i++)
        if (!job_set(job, str_from(change->set[i].key), str_from(change->set[i].value), arena,
                     err))
            return false;
    return true;
}

bool job_change_estimate(const struct advise_job *job, double spread, struct arena *arena,
                         struct job_change *change, struct error *err)
{
    struct job changed = *job->given;
    static const struct messages quiet = {0};
    struct estimate_input in = *job->input;
    struct error why = {0};

    change->possible = false;
    change->saving = (struct saving){NAN, NAN, NAN};
    change->time = NAN;
    in.job = &changed;
    in.messages = &quiet;
    if (change->place != NULL)
        in.place = change->place;
    in.explain = false;
    if (changed.kind == JOB_TRAIN)
        hold_batch(job->base, &changed);
    if (!apply_settings(change, &changed, arena, &why) ||
        !job_resolve(&changed, in.catalog, job->config, arena, &why) ||
        !(change->anew ? estimate_job(&in, arena, &change->after, &why)
                       : estimate_variant(&in, job->base, arena, &change->after, &why)))
        return why.kind != ERROR_MEMORY || error_memory(err);
    change->possible = change->after.fits;
    if (!change->possible)
        return true;
    change->saving = job_change_saving(job->base, &change->after, spread);
    change->time = change->after.hours.value / job->base->hours.value;
    return true;
}

bool job_change_pays(const struct job_change *change, usd cost)
{
    return change->possible && change->saving.mid >= SIMPLER_SHARE * usd_double(cost);
}

void job_change_write(const struct job_change *change, struct buf *out)
{
    for (size_t i = 0; i < change->keys; i++)
        buf_addf(out, "%s--set %s=%s", i > 0 ? " " : "", change->set[i].key,
                 change->set[i].value);
}
