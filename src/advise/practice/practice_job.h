/* practice_job.h - the facts that a job file proves. */
#ifndef ADVISE_PRACTICE_JOB_H
#define ADVISE_PRACTICE_JOB_H

#include "advise/practice/practice.h"
#include "job/job.h"

/* Set the facts of a job (PRACTICE_JOB_*) that it states; of the others, only what states
 * them is set, as evidence. */
void practices_of_job(const struct job *job, struct practices *out);

#endif
