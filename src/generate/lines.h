/* lines.h - which lines of two texts are not in both. For src/generate only. */
#ifndef GENERATE_LINES_H
#define GENERATE_LINES_H

#include "base/arena.h"
#include "base/str.h"

#define LINES_MAX 20000

/* One side. `changed` has a false before the first line and one after the last. */
struct lines {
    const struct str *at; /* each with its line end, which the last may lack */
    unsigned *class;      /* the same number for the same line */
    size_t len;
    bool *changed;
};

/* Mark the lines that are taken away from `a` and those that are put into `b`: as few as can be
 * found in a bounded time, and each run of them as far down as possible. */
bool lines_compare(struct lines *a, struct lines *b, struct arena *arena,
                   struct error *err) MUST_USE;

#endif
