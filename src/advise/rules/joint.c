#include "advise/rules/joint.h"

#include <math.h>

#include "advise/rules/job_change.h"

/* What is changed so far. */
struct joint {
    const struct advise_job *job;
    struct arena *arena;
    struct job_change change;
    double cost; /* of the job then */
    double logs; /* of what each leaves alone, added up */
    bool pulled[ADVISE_LEVERS];
};

static bool is_setting(const struct finding *f)
{
    return f->change != NULL && f->state == FINDING_OPEN && f->acts_on > 0;
}

/* Its settings beside those that are there. False: one contradicts them, or there is no
 * room. */
static bool merge(const struct job_change *more, struct job_change *to)
{
    for (size_t i = 0; i < more->keys; i++) {
        size_t k = 0;

        while (k < to->keys && !str_eq(str_from(to->set[k].key), str_from(more->set[i].key)))
            k++;
        if (k == JOB_CHANGE_KEYS ||
            (k < to->keys && !str_eq(str_from(to->set[k].value), str_from(more->set[i].value))))
            return false;
        if (k == to->keys)
            to->set[to->keys++] = more->set[i];
    }
    to->anew = to->anew || more->anew;
    return true;
}

/* What the job costs with this finding, too; NaN: it cannot be. */
static bool try_finding(struct joint *j, const struct finding *f, struct job_change *change,
                        double *cost, struct error *err)
{
    *cost = NAN;
    *change = j->change;
    if (j->pulled[f->lever] || !merge(f->change, change))
        return true;
    if (!job_change_estimate(j->job, 0, j->arena, change, err))
        return false;
    if (change->possible)
        *cost = usd_double(change->after.total);
    return true;
}

/* The finding that saves most beside what is taken; NULL: none saves a hundredth. */
static bool take_next(struct joint *j, struct findings *list, struct finding **out,
                      struct error *err)
{
    double least = j->cost - FINDING_LEAST * usd_double(j->job->base->total);
    struct job_change *best = arena_array(j->arena, struct job_change, 2, err);

    *out = NULL;
    if (best == NULL)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        struct finding *f = &list->at[i];
        double cost;

        if (!is_setting(f) || f->overlap < 1)
            continue;
        if (!try_finding(j, f, &best[1], &cost, err))
            return false;
        if (cost <= least) {
            least = cost;
            best[0] = best[1];
            *out = f;
        }
    }
    if (*out != NULL) {
        j->change = best[0];
        j->cost = least;
        j->pulled[(*out)->lever] = true;
    }
    return true;
}

/* All that were taken save together what the last estimate says: none more than alone. */
static void set_overlap(const struct joint *j, struct findings *list, double acts_on)
{
    double left = 1 - (usd_double(j->job->base->total) - j->cost) / acts_on;
    double power = left > 0 && j->logs < 0 ? fmin(1, log(left) / j->logs) : 1;

    for (size_t i = 0; i < list->count; i++)
        if (is_setting(&list->at[i]) && list->at[i].overlap < 1)
            list->at[i].overlap = 1 - power;
}

bool findings_joint(const struct advise_facts *facts, struct findings *list, struct error *err)
{
    struct joint *j;
    struct finding *f;
    double acts_on = 0;
    size_t settings = 0;

    for (size_t i = 0; i < list->count; i++) {
        settings += is_setting(&list->at[i]);
        list->at[i].overlap = 0;
    }
    if (facts->job == NULL || settings < 2)
        return true;
    j = arena_array(list->arena, struct joint, 1, err);
    if (j == NULL)
        return false;
    *j = (struct joint){
        .job = facts->job, .arena = list->arena, .cost = usd_double(facts->job->base->total)};
    for (size_t i = 0; i < list->count; i++)
        list->at[i].overlap = is_setting(&list->at[i]) ? 1 : 0;
    do {
        if (!take_next(j, list, &f, err))
            return false;
        if (f != NULL) {
            acts_on = fmax(acts_on, f->acts_on);
            f->overlap = 0;
            j->logs += log1p(-fmin(0.999, usd_double(f->saving) / f->acts_on));
        }
    } while (f != NULL);
    set_overlap(j, list, acts_on);
    return true;
}
