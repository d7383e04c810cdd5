/* plan_file.h - a plan that is kept in a file, and read back. */
#ifndef OP_PLAN_PLAN_FILE_H
#define OP_PLAN_PLAN_FILE_H

#include "op/plan/plan.h"

#define PLAN_FILE_MAX ((size_t)4 << 20) /* bytes */

/* Write the result of a plan where the user said, wholly or not at all: as --json has it. */
bool plan_file_write(const struct op_context *ctx, struct str path,
                     const struct plan_result *plan, struct error *err) MUST_USE;

/* Read one. Another schema, a newer version of it and more than PLAN_FILE_MAX bytes are refused
 * in one line; what is unknown in the file is unknown. Texts live in the context's arena. */
bool plan_file_read(const struct op_context *ctx, struct str path, struct plan_result *out,
                    struct error *err) MUST_USE;

/* The same from memory; `name` is what errors call it. */
bool plan_file_parse(struct str text, const char *name, struct arena *arena,
                     struct plan_result *out, struct error *err) MUST_USE;

#endif
