/* file.h - a plan that is saved in a file, and read back. */
#ifndef PLAN_FILE_H
#define PLAN_FILE_H

#include "plan/record.h"

#define PLAN_FILE_MAX ((size_t)4 << 20) /* bytes */

/* Write the result of a plan to a file, as --json prints it: all of it or nothing. */
bool plan_file_write(struct str path, const struct plan_result *plan, const struct alloc *alloc,
                     struct error *err) MUST_USE;

/* Read one. Another schema, a newer version of it and more than PLAN_FILE_MAX bytes are errors;
 * what is unknown in the file is unknown. Texts live in the arena. */
bool plan_file_read(struct str path, struct arena *arena, struct plan_result *out,
                    struct error *err) MUST_USE;

/* The same from memory; `name` is what errors call it. */
bool plan_file_parse(struct str text, const char *name, struct arena *arena,
                     struct plan_result *out, struct error *err) MUST_USE;

#endif
