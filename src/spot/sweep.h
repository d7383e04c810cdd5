/* sweep.h - what policies would have paid on traces: many simulated runs and their statistics.
 *
 * A sweep is a list of runs, numbered zone by zone, then by synthetic copy, window, deadline
 * and delay. Each is simulated under every policy, on several threads. A sweep that is resumed
 * or split into shards keeps its outcomes in a journal.
 */
#ifndef SPOT_SWEEP_H
#define SPOT_SWEEP_H

#include "base/message.h"
#include "base/watch.h"
#include "catalog/catalog.h"
#include "spot/lifetimes.h"
#include "spot/policy.h"
#include "unit/size.h"

struct timeline; /* report/timeline.h */

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
    double saving;     /* share of what on-demand alone costs on average */
    double gap_closed; /* of the gap between uniform progress and the optimum */
    double p50_usd, max_usd;
    double spot_h, on_demand_h; /* machine hours paid on average */
    double lost_h;              /* repeated work */
    double egress_usd, starts, losses;
    bool uses_future; /* a yardstick: it knows the future */
    double below; /* share that an optimum which took too long to find is too low, at most */
};

/* A stretch of a run: what ran, and where. */
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
    bool saves;      /* with checkpoints the optimum is a bound */
    double work_h;
    struct str traces;        /* what was simulated on, in words */
    struct str prices, rules; /* likewise */
    struct rows timeline;     /* struct simulate_track */
    struct str svg, script, folder;
    struct str submitted;           /* to Slurm, and not waited for: there is no result yet */
    const struct timeline *drawing; /* of --timeline, for a terminal; NULL: none */
};

extern const struct field_set simulate_request_fields, simulate_result_fields;

#define SWEEP_POLICIES_MAX 64
#define SWEEP_SHARDS_MAX 10000
#define SWEEP_OUTCOMES_MAX ((size_t)8 * 1000 * 1000) /* runs x policies */

struct sweep_zone {
    struct trace trace;
    double spot, on_demand; /* USD an hour of one machine */
    const double *price;    /* [trace.ticks], or NULL: `spot` all the time */
    struct str region;      /* the zone's id when it is in none that is known */
    struct str provider;
    size_t region_number;
    struct lifetimes life; /* of the synthetic copies */
};

struct sweep {
    struct arena *arena;
    const struct messages *messages;
    const struct catalog *catalog; /* to roam: TABLE_REGIONS and TABLE_TRANSFER */
    struct watch watch;
    const struct simulate_request *request; /* completed from a job's file */
    const struct simulate_request *asked;   /* as it came */
    struct str settings; /* of this command, as options: parts of the sweep need them */
    bool modeled;        /* on `model`: there are no traces */
    struct sweep_zone model;
    struct sweep_zone *zones;
    size_t zone_count;
    size_t copies; /* synthetic traces of each zone; 0: the traces as they are */
    struct windows windows;
    double *deadlines, *delays; /* seconds */
    size_t deadline_count, delay_count;
    struct sim_job job; /* without its deadline and delay */
    /* Those that were asked for, then those that they are compared with. */
    struct policy policies[SWEEP_POLICIES_MAX];
    size_t policy_count, shown;
    size_t on_demand, up, optimal; /* where they are among the policies */
    const double *egress, *carry;  /* between regions; see struct sim_market */
    size_t regions;
    size_t runs;
    uint32_t sum;      /* of the traces: others give other results */
    int64_t seed;      /* of synthetic traces */
    struct str source; /* of the traces, in words */
};

/* One run of it. */
struct sweep_run {
    size_t zone, copy, window; /* zone: 0 when it roams over all of them */
    double deadline, delay;
};

/* What came out of it under one policy. No padding: it is written as it lies. */
struct sweep_outcome {
    double usd, egress_usd, spot_s, on_demand_s, lost_s;
    double above_usd; /* of an optimum that is a bound: the least may be so much above it */
    uint32_t end, starts, losses, late;
};

struct sweep_results {
    struct sweep_outcome *at; /* [run x policy_count + policy] */
    bool *known;              /* [run] */
};

/* Into what a journal is read. */
struct sweep_reading {
    const struct sweep *sweep;
    struct sweep_results *results;
};

/* Refuse options that contradict each other, or that would do nothing. */
bool sweep_check_options(const struct simulate_request *request, struct error *err) MUST_USE;

/* Without traces: draw them from these lifetimes, for an offer of that name. */
void sweep_use_model(struct sweep *s, struct str name, const struct lifetimes *life,
                     struct simulate_request *request);

/* From the request to the sweep, all checked. */
bool sweep_plan(struct sweep *s, struct error *err) MUST_USE;

/* The market of a run and its job. */
bool sweep_market(const struct sweep *s, const struct sweep_run *run, struct arena *arena,
                  struct sim_market *market, struct sim_job *job, struct error *err) MUST_USE;

struct sweep_run sweep_run_of(const struct sweep *s, size_t index);

/* [ticks of the zone] of a synthetic trace: 1 where the gang is available. */
bool sweep_made_up(const struct sweep *s, size_t zone, size_t copy, struct arena *arena,
                   const uint8_t **out, struct error *err) MUST_USE;

/* Simulate what the request wants of it: all, a shard, or nothing when it only gathers. */
bool sweep_simulate(struct sweep *s, struct sweep_results *out, struct error *err) MUST_USE;

/* What makes two sweeps the same, as the header of a journal. */
bool sweep_header(const struct sweep *s, struct str *out, struct error *err) MUST_USE;

/* Averages, percentiles and shares of the known outcomes, and what was simulated. */
bool sweep_sum_up(const struct sweep *s, const struct sweep_results *results,
                  struct simulate_result *res, struct error *err) MUST_USE;

/* Write every run as a line of a CSV file. */
bool sweep_write_runs(const struct sweep *s, const struct sweep_results *results,
                      struct str path, struct error *err) MUST_USE;

/* Write the traces of all runs, also synthetic ones, to a .trc file. */
bool sweep_save_traces(const struct sweep *s, struct str path, struct error *err) MUST_USE;

/* Run it as an array of Slurm jobs: each simulates every Nth run and keeps a journal in a
 * shared folder. True with `res->submitted` or `res->script` set when there is nothing to wait
 * for; else the parts are in `folder`. */
bool sweep_slurm(const struct sweep *s, struct simulate_result *res, const char **folder,
                 struct error *err) MUST_USE;

/* Remove the parts from a folder that the user did not name. */
void sweep_slurm_clean(const struct sweep *s, const char *folder);

/* A field as an option of a command line, quoted for a shell: " --delay '6min'". */
void sweep_write_option(const struct field *field, const void *record,
                        const struct alloc *alloc, struct buf *out);

#endif
