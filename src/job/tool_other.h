/* tool_other.h - files of other tools, which are known and not read: an error that names the
 * tool and what to type. For src/job only. */
#ifndef JOB_TOOL_OTHER_H
#define JOB_TOOL_OTHER_H

#include "job/job.h"

/* Is the document one of a tool that is known and not read? */
bool tool_is_other(const struct node *root);

/* True if it is none; else an error with the tool's name, and with the model where the file has
 * one. */
bool tool_refuse_other(const struct node *root, const char *name, struct error *err) MUST_USE;

/* True if the name is not that of a program ("train.py", "run.sh", "train.ipynb"). */
bool tool_refuse_program(struct str text, const char *name, struct arena *arena,
                         struct error *err) MUST_USE;

#endif
