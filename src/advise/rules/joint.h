/* joint.h - settings of a job that are changed together.
 *
 * Two settings that each save half do not save three quarters: a larger micro-batch gains less
 * once fewer parameters are trained. So the changes of a job are estimated together, before
 * findings_combine() chooses.
 */
#ifndef ADVISE_JOINT_H
#define ADVISE_JOINT_H

#include "advise/rules/rule.h"

/* Of the open findings that change settings of the job, take the one that saves most, then the
 * one that saves most beside it, and so on while a hundredth of the cost is saved; set
 * `overlap` of all so that together they save what the estimate of all says. Of each lever one
 * at most. Without a job nothing is done. */
bool findings_joint(const struct advise_facts *facts, struct findings *list,
                    struct error *err) MUST_USE;

#endif
