/* served.h - servers that were measured, as corrections are learned from them. */
#ifndef TRUTH_SERVED_H
#define TRUTH_SERVED_H

#include "truth/truth.h"

struct served_runs {
    struct correction_run *at;
    size_t count;
    int64_t left_out; /* rows that nothing is predicted for */
};

/* From rows of serving (share_row.h) with their header: the time from token to token of each,
 * with what is predicted for the setting. `constants` without corrections. The catalog is as
 * points_read() needs it. */
bool served_runs_read(struct str rows, const struct catalog *catalog,
                      const struct constants *constants, struct arena *arena,
                      struct served_runs *out, struct error *err) MUST_USE;

#endif
