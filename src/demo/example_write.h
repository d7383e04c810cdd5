/* example_write.h - examples written to the user's folder. */
#ifndef DEMO_EXAMPLE_WRITE_H
#define DEMO_EXAMPLE_WRITE_H

#include "demo/example.h"

#define EXAMPLES_FOLDER "examples" /* for all of them */

struct example_row {
    struct str name, file, about, command;
    struct str path; /* where it was written; unknown: it is only listed */
};

extern const struct field_set example_row_fields;

struct example_row example_row_of(const struct example *example);

struct examples_writing {
    struct str output; /* a folder; empty: the current one, or EXAMPLES_FOLDER for all */
    bool all, force;   /* force: replace files with other content */
};

/* Write those that were chosen; the rows get their paths. Nothing is written before every place
 * is known to be free. */
bool examples_write(const struct examples_writing *how, const struct example *const *chosen,
                    struct example_row *rows, size_t count, struct arena *arena,
                    struct error *err) MUST_USE;

#endif
