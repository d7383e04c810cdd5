/* example.h - the files of examples/, which are part of the program: `stint example`.
 *
 * Pure: texts and a table.
 */
#ifndef DEMO_EXAMPLE_H
#define DEMO_EXAMPLE_H

#include "doc/field.h"

struct example {
    const char *name;    /* "lora": what is typed */
    const char *path;    /* "tools/axolotl.yml": its place among the others */
    const char *about;   /* one line, no full stop */
    const char *command; /* to try it with, where the file is */
    const char *start, *end;
};

/* All of them, in the order in which they are listed. */
extern const struct example example_table[];
extern const size_t example_count;

struct str example_text(const struct example *example);

/* The name of its file alone: "axolotl.yml". */
const char *example_file(const struct example *example);

/* The one of this name, or of this file ("llama-7b-lora.yaml", with or without its ending).
 * NULL, with the error set, when there is none. */
const struct example *example_find(struct str name, struct error *err) MUST_USE;

/* Those of these names, once each; without names, all. `chosen` has room for names.len, or for
 * all. */
bool examples_choose(struct strs names, const struct example **chosen, size_t *count,
                     struct error *err) MUST_USE;

#endif
