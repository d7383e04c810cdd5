/* job_facts.h - a job with its estimate and its plans, as facts for rules. */
#ifndef ADVISE_JOB_FACTS_H
#define ADVISE_JOB_FACTS_H

#include "advise/rules/rule.h"
#include "plan/record.h"

/* The lines of an estimate's cost as parts. */
void advise_job_money(const struct estimate *estimate, struct advise_money *out);

/* A month of machines that serve: a model that serves has them all the time. */
void advise_serving_month(const struct job_infer *infer, const struct estimate *estimate,
                          const struct estimate_place *place, struct advise_money *out);

/* A plan as another way to do the job. */
struct advise_option advise_option_of_plan(const struct plan_row *row);

#endif
