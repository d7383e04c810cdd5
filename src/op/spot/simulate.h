/* simulate.h - what policies would have paid on traces: request and result of simulate. */
#ifndef OP_SPOT_SIMULATE_H
#define OP_SPOT_SIMULATE_H

#include "op/op.h"
#include "report/timeline.h"
#include "unit/size.h"

struct simulate_request {
    struct str job; /* a job file or a model, whose work is estimated; or nothing */
    struct strs traces, zones;
    struct str windows;
    int64_t window_ticks;
    span work;
    struct strs deadlines, delays; /* spans, as text */
    int64_t gang;
    usd_per_hour on_demand, spot; /* of one machine; unknown: the trace's */
    struct strs policies;
    bool roam, by_second;
    struct str ones;
    span checkpoint_every, checkpoint_time, notice;
    bytes checkpoint_size;
    usd_per_gb egress;
    int64_t synthetic, seed;
    /* of a job */
    struct str offer, on;
    struct strs set;
    /* how it is done, which changes no result */
    struct str per_run, resume, svg, save_traces;
    int64_t threads;
    bool timeline;
    bool slurm, slurm_script, no_wait;
    int64_t shards;
    struct str sbatch, shard, gather;
};

/* What a policy came to over all runs. */
struct simulate_policy {
    struct str name;
    int64_t runs;
    double mean_usd;
    int64_t late;
    double p10_usd, p90_usd;
    double saving;     /* share of what on-demand alone costs in the mean */
    double gap_closed; /* of the gap between uniform progress and the optimum */
    double p50_usd, max_usd;
    double spot_h, on_demand_h; /* machine hours that were paid, in the mean */
    double lost_h;              /* work done twice */
    double egress_usd, starts, losses;
    bool foresees; /* a yardstick: it knows what will come */
};

/* A stretch of a run, of what ran or of what was to be had. */
struct simulate_stretch {
    double from_h, to_h;
    struct str what, zone;
};

struct simulate_track {
    struct str policy;
    double usd, end_h;
    bool late;
    struct rows stretches; /* struct simulate_stretch */
};

struct simulate_result {
    struct rows policies; /* struct simulate_policy */
    int64_t runs, zones, windows, deadlines, delays;
    struct numbers deadlines_h, delays_h;
    struct str part; /* of all runs, with --shard */
    bool roam;       /* all zones are one place */
    double work_h;
    struct str traces;        /* what was simulated on, in words */
    struct str prices, rules; /* likewise */
    struct rows timeline;     /* struct simulate_track */
    struct str svg, script, folder;
    struct str submitted;           /* to Slurm, and not waited for: there is no result yet */
    const struct timeline *drawing; /* of --timeline, for a terminal; NULL: none */
};

#endif
