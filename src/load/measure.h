/* measure.h - quantiles and means of latencies, with what is not sure about them.
 *
 * Latencies that follow each other resemble each other (a queue that is long stays long), so
 * that a thousand of them say less than a thousand independent ones. How much less is measured
 * by the means of batches. */
#ifndef LOAD_MEASURE_H
#define LOAD_MEASURE_H

#include "doc/field.h"

/* A value with its 95 % interval. Unknown (NaN): too few values bound it on that side. */
struct load_quantile {
    double value, low, high;
};

struct load_stat {
    int64_t count;
    int64_t beyond; /* that had no end: they count as later than all others */
    struct load_quantile mean, p50, p90, p95, p99, p999;
    double least, most;
};
extern const struct field_set load_quantile_fields, load_stat_fields;

/* Nothing is known. */
struct load_stat load_stat_unknown(void);

/* Of values in the order of time; INFINITY is one that had no end, NaN is left out. False only
 * when memory runs out. */
bool load_stat_of(const double *values, size_t count, struct arena *arena,
                  struct load_stat *out, struct error *err) MUST_USE;

/* The mean of the differences of pairs, likewise; pairs with an unknown or endless value are
 * left out. */
bool load_paired(const double *a, const double *b, size_t count, struct arena *arena,
                 struct load_quantile *out, struct error *err) MUST_USE;

/* A share with its 95 % interval (Wilson's). */
struct load_quantile load_share(int64_t part, int64_t all);

/* The last number in what a program printed, "accuracy: 0.813"; NaN: there is none. */
double load_number_printed(struct str text);

/* ---- gaps between tokens: millions, counted in steps of 0.1 % ---- */

#define GAP_STEPS 512 /* of each doubling */
#define GAP_DOUBLINGS 34
#define GAP_CELLS ((size_t)GAP_STEPS * (GAP_DOUBLINGS + 1))
#define GAP_SLICES 16

struct load_gaps {
    uint64_t *cells; /* GAP_SLICES times GAP_CELLS */
    double slice_s;  /* how long each takes */
    double sum;
    uint64_t count;
    int64_t longest;
};

bool load_gaps_new(struct arena *arena, struct load_gaps *out, struct error *err) MUST_USE;
void load_gaps_clear(struct load_gaps *gaps);

/* Those of `from`, which began so many seconds after the start. */
void load_gaps_join(struct load_gaps *gaps, const struct load_gaps *from, double at_s);

/* A gap of `ns` that ended so many seconds after the start. */
void load_gaps_add(struct load_gaps *gaps, double at_s, int64_t ns);

/* In seconds. The intervals are by how much slices of time differ. */
struct load_stat load_gaps_stat(const struct load_gaps *gaps);

#endif
