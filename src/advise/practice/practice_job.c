/* What a job file says about the practices of its phase. What it does not say stays unknown:
 * the planner chooses it. */
#include "advise/practice/practice_job.h"

#include <math.h>

static void set_practice_fact(struct practices *out, enum practice_fact fact, bool known,
                              bool yes, const char *evidence)
{
    if (known)
        out->at[fact] = (struct practice){
            .value = yes ? 1 : 0, .evidence = str_from(evidence), .monthly = NAN};
    else
        out->at[fact].evidence = STR("the job leaves it open");
}

/* A text of the job: unknown when it is not given, else whether it is any but `no`. */
static void set_practice_text(struct practices *out, enum practice_fact fact, struct str text,
                              const char *no, const char *evidence)
{
    set_practice_fact(out, fact, text.len > 0,
                      text.len > 0 && !str_eq_nocase(text, str_from(no)), evidence);
}

static void train_facts(const struct job_train *t, struct practices *out)
{
    bool narrow = t->precision.len > 0 && !str_eq(t->precision, STR("fp32")) &&
                  !str_eq(t->precision, STR("tf32"));

    set_practice_fact(out, PRACTICE_JOB_PRECISION, t->precision.len > 0, narrow,
                      "train.precision of the job");
    set_practice_fact(out, PRACTICE_JOB_ACCUMULATION, t->accumulation > 0, t->accumulation > 1,
                      "train.accumulation of the job");
    set_practice_text(out, PRACTICE_JOB_RECOMPUTE, t->recompute, "none",
                      "train.recompute of the job");
    set_practice_text(out, PRACTICE_JOB_RESUME, t->checkpoint.resume, "no",
                      "train.checkpoint.resume of the job");
    set_practice_fact(out, PRACTICE_JOB_KEEP, t->checkpoint.keep > 0, true,
                      "train.checkpoint.keep of the job");
    set_practice_text(out, PRACTICE_JOB_EARLY_STOP, t->search.scheme, "grid",
                      "train.search.scheme of the job");
    set_practice_text(out, PRACTICE_JOB_LORA, t->method, "full", "train.method of the job");
    set_practice_fact(out, PRACTICE_JOB_COLOCATED, t->data.at.len > 0, true,
                      "train.data.at of the job");
}

static void infer_facts(const struct job_infer *i, struct practices *out)
{
    bool full = str_eq(i->weights, STR("fp32")) || str_eq(i->weights, STR("bf16")) ||
                str_eq(i->weights, STR("fp16"));

    set_practice_fact(out, PRACTICE_JOB_QUANTIZED, i->weights.len > 0, !full,
                      "infer.weights of the job");
    set_practice_fact(out, PRACTICE_JOB_SCALE_TO_ZERO, i->idle_timeout.ns > 0, true,
                      "infer.idle_timeout of the job");
    set_practice_fact(out, PRACTICE_JOB_LATENCY,
                      i->slo.p95.ns > 0 || i->slo.p99.ns > 0 || i->slo.p50.ns > 0 ||
                          i->slo.first_token.ns > 0,
                      true, "infer.slo of the job");
}

void practices_of_job(const struct job *job, struct practices *out)
{
    const struct job_limits *l = &job->limits;

    if (job->kind == JOB_TRAIN)
        train_facts(&job->train, out);
    else
        infer_facts(&job->infer, out);
    set_practice_fact(out, PRACTICE_JOB_BUDGET, l->budget.nano != MONEY_UNKNOWN, true,
                      "limits.budget of the job");
    set_practice_text(out, PRACTICE_JOB_SPOT, l->market, "on-demand",
                      "limits.market of the job");
}
