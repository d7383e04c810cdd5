/* tool.h - configurations of training tools that are jobs as they are. For src/job only.
 *
 * axolotl, LLaMA-Factory, torchtune, accelerate, kohya's sd-scripts, LitGPT, NeMo, ultralytics,
 * and Hugging Face's TrainingArguments, Trainer state and PEFT adapters. What changes memory,
 * time or cost is read; what may and cannot be computed is named (job.tool_unused); the rest is
 * passed over, since these tools have hundreds of keys. A value that is a template ("${lr}",
 * "{{ model }}") is left open. */
#ifndef JOB_TOOL_H
#define JOB_TOOL_H

#include "job/job.h"

/* Whose configuration the document is; JOB_TOOL_NONE when it is none of these. */
enum job_tool job_tool_of(const struct node *root);

/* A TOML file with the keys of all its tables in one map, as sd-scripts reads it; NULL with the
 * error set if it is none of theirs. */
struct node *job_tool_toml(struct str text, const char *name, struct arena *arena,
                           struct error *err) MUST_USE;

/* Fill in the job. `name` is what errors call the document. */
bool job_from_tool(struct node *root, enum job_tool tool, const char *name, struct job *job,
                   struct arena *arena, struct error *err) MUST_USE;

#endif
