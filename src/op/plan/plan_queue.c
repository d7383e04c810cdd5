/* Several jobs: which first. */
#include <math.h>

#include "op/plan/plan_many.h"
#include "plan/queue.h"

/* By what they are worth, but none before those that it comes after. */
static bool put_in_order(const struct many *m, const struct queue_job *jobs,
                         struct queue_stage **stages, size_t *count, struct error *err)
{
    struct pack_job *named = many_jobs(m, err);
    struct queue_after *after = arena_array(m->ctx->arena, struct queue_after, m->count, err);
    double budget = usd_double(m->request->budget);
    double ceiling = isnan(budget) ? INFINITY : budget;

    if (named == NULL || after == NULL ||
        !pack_check_after(named, m->count, m->ctx->arena, err))
        return false;
    for (size_t i = 0; i < m->count; i++)
        after[i] = (struct queue_after){named[i].after, named[i].after_count};
    return queue_order(jobs, m->count, ceiling, m->ctx->arena, stages, count, err) &&
           queue_keep_after(*stages, *count, after, ceiling, m->ctx->arena, err);
}

static bool show_stages(struct many *m, const struct queue_stage *stages, size_t count,
                        struct plan_result *res, struct error *err)
{
    struct plan_stage *rows = arena_array(m->ctx->arena, struct plan_stage, count + 1, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t job = stages[i].job;

        rows[i] = (struct plan_stage){.job = many_name(m, job),
                                      .offer = many_where(&m->works[job], &m->bests[job], err),
                                      .order = (int64_t)i + 1,
                                      .share = stages[i].share,
                                      .chance = stages[i].chance,
                                      .worth = stages[i].worth,
                                      .cost = usd_about(stages[i].usd),
                                      .spent = usd_about(stages[i].spent),
                                      .affordable = stages[i].affordable};
        if (rows[i].offer.at == NULL)
            return false;
    }
    res->stages = (struct rows){rows, count};
    return true;
}

bool many_order(struct many *m, struct plan_result *res, struct error *err)
{
    struct queue_job *jobs = arena_array(m->ctx->arena, struct queue_job, m->count, err);
    struct queue_stage *stages;
    size_t count;

    if (jobs == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        const struct job_experiment *e = &m->works[i].job.job.experiment;

        jobs[i] = (struct queue_job){.usd = usd_double(m->bests[i].total.expected),
                                     .improvement = e->improvement,
                                     .chance = e->chance,
                                     .value = usd_double(e->value)};
    }
    if (!put_in_order(m, jobs, &stages, &count, err))
        return false;
    res->valued = queue_valued(jobs, m->count);
    if (!res->valued)
        op_say(m->ctx, VOICE_NOTE,
               "not every job says what its improvement is worth: they are ranked by "
               "improvement for a dollar");
    return show_stages(m, stages, count, res, err);
}
