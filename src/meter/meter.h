/* meter.h - the meters of this machine, for one process tree or for all of it.
 *
 * Libc only, so that it can be tried on any machine with a compiler; vendors' libraries are
 * opened at run time. A meter that is not there, or may not be read, leaves its figures
 * unknown: opening never fails for that.
 */
#ifndef METER_METER_H
#define METER_METER_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"
#include "meter/cgroup.h"
#include "meter/sample.h"

struct meters;
struct tree; /* tree.h */

/* What it points to must outlive the meters. */
struct meter_options {
    pid_t tree;    /* whose processes count: this one's descendants; 0: the entire machine */
    bool with_top; /* `tree` runs already, and counts too: tree_include_top() */
    const struct cgroup *cgroup; /* where just the tree's processes are; NULL: nowhere */
    const char *root;            /* before "/proc" and "/sys": tests have their own; NULL: "" */
    const char *nvml; /* the library to open; NULL: the usual names. Likewise below */
    const char *rocm;
    const char *gaudi;   /* the program hl-smi */
    span (*work)(void);  /* processor time of this thread so far; NULL: clock_work */
    double watts_a_core; /* for the model of a processor without a counter; NaN: ours */
    bool gpus;           /* look at devices at all */
};

/* All that this machine has. The environment (CUDA_VISIBLE_DEVICES and its like) is read
 * here. */
struct meters *meters_open(const struct meter_options *options, const struct alloc *alloc,
                           struct error *err) MUST_USE;

/* Look at everything once. Called by the process that is the top of the tree, since what ended
 * is known from its getrusage(RUSAGE_CHILDREN). */
void meters_read(struct meters *meters, instant now, struct meter_sample *out);

/* The next look reads every counter. Some cost milliseconds, so that otherwise they are read
 * now and then, and power is added up between: call this before the looks whose difference
 * counts. */
void meters_exact(struct meters *meters);

void meters_close(struct meters *meters); /* NULL is fine */

/* The processes that are metered: NULL, which tree.h takes for an empty one, without /proc. */
struct tree *meters_tree(struct meters *meters);

/* What this machine offers, and what is missing and how to get it: for `stint meters`. */
struct meter_offer {
    struct str name;   /* "GPU energy", "processor energy" */
    struct str device; /* "NVIDIA H200 (0)" or empty */
    enum meter_method method;
    struct str source;  /* "nvidia: energy counter"; empty when there is none */
    double error;       /* as a fraction; NaN unknown */
    double value;       /* what it says now; NaN unknown */
    double total;       /* of how much; NaN: that does not apply, or is not known */
    struct str unit;    /* of both: "W", "cores" */
    struct str missing; /* why it is not better, or not there; empty when all is well */
    struct str remedy;  /* what to type to get it; empty when there is nothing to do */
};

/* All of them into `arena`. Looks twice, `apart` from each other, for rates: they are unknown
 * when `clock` does not move. */
bool meters_offers(struct meters *meters, span apart, const struct clock *clock,
                   struct arena *arena, const struct meter_offer **out, size_t *count,
                   struct error *err) MUST_USE;

#endif
