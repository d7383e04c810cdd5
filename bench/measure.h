/* measure.h - how long a piece of work takes and how much memory, in a process of its own. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

struct measured {
    double seconds; /* of CPU, the best run: other work on the machine only adds to the clock */
    double megabytes; /* of memory, at the peak of the process */
    bool ok;
};

/* Do `work` on `path`, `runs` times. `result`, of `size` bytes, starts as zeros for each run;
 * the last one's comes back. */
struct measured measure(bool (*work)(const char *path, void *result), const char *path,
                        int runs, void *result, size_t size);

#endif
