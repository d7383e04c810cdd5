#include "truth/asked.h"

#include <math.h>

#define NODE 8 /* GPUs of a machine, where a row of serving does not say */

static bool asked_job(const struct measured_value *p, struct arena *arena, struct job *job,
                      struct error *err)
{
    const struct serving *s = &p->serve;
    const struct serving_row *row = &p->stated;

    if (!job_reset(job, arena, err))
        return false;
    job->kind = JOB_INFER;
    job->arch = *s->arch;
    job->arch_known = true;
    job->infer.weights = str_from(weights_names[s->weights]);
    job->infer.framework = str_from(engine_names[s->engine]);
    if (row->gpus <= s->tensor * s->pipeline) { /* else no key of a job says how */
        job->infer.tensor = row->tensor;
        job->infer.pipeline = row->pipeline;
    }
    if (row->rate > 0)
        job->infer.rate = row->rate;
    job->infer.concurrency = row->clients;
    job->infer.batch = row->clients > 0 ? -1 : row->batch;
    job->infer.input = row->has_input ? s->input : NAN;
    job->infer.output = row->has_output ? s->output : NAN;
    return true;
}

/* The same load, on what was chosen. */
static struct guess asked_guess(const struct measured_value *p, const struct serving *s,
                                double copies, const struct constants *c)
{
    struct measured_value as = *p;

    as.serve = *s;
    as.serve.spread = p->serve.spread;
    as.serve.measured = p->serve.measured * p->copies / copies;
    as.copies = copies;
    return point_predict(&as, c);
}

bool asked_predict(const struct measured_value *p, const struct constants *c,
                   struct arena *arena, struct guess *out, struct error *err)
{
    int64_t gpus = p->stated.gpus > 0 ? p->stated.gpus : p->serve.gpus;
    struct hardware hw = {.gpu = p->serve.gpu,
                          .gpus = gpus,
                          .per_node = gpus < NODE ? gpus : NODE,
                          .host_bytes = NAN};
    struct error why = {0};
    struct serving s;
    struct job job;

    *out = (struct guess){NAN, NAN, NAN};
    if (!metric_is_serving(p->metric))
        return true;
    if (!asked_job(p, arena, &job, err))
        return false;
    if (choose_serving(&job, &hw, c, &s, NULL, &why)) {
        int64_t copies = gpus / s.gpus;

        *out = asked_guess(p, &s, (double)copies, c);
    }
    return true;
}
