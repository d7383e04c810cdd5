/* simulate_sweep.h - the parts of the operation `simulate`, for each other.
 *
 * A sweep is a list of runs, numbered zone by zone, then by made-up copy, window, deadline and
 * delay. Each is simulated under every policy.
 */
#ifndef OP_SPOT_SIMULATE_SWEEP_H
#define OP_SPOT_SIMULATE_SWEEP_H

#include "op/spot/simulate.h"
#include "spot/lifetimes.h"
#include "spot/policy.h"

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
    struct lifetimes life; /* of the made-up copies */
};

struct sweep {
    struct op_context *ctx;
    const struct simulate_request *request; /* with what a job's file says filled in */
    const struct simulate_request *asked;   /* as it came */
    bool modelled;                          /* on `model`: there are no traces */
    struct sweep_zone model;
    struct sweep_zone *zones;
    size_t zone_count;
    size_t copies; /* made-up traces of each zone; 0: the traces as they are */
    struct windows windows;
    double *deadlines, *delays; /* seconds */
    size_t deadline_count, delay_count;
    struct sim_job job; /* without its deadline and delay */
    /* Those that were asked for, then those that they are compared with. */
    struct policy policies[SWEEP_POLICIES_MAX];
    size_t policy_count, shown;
    size_t on_demand, up, optimal; /* where they are among the policies */
    bool may_lack_optimal;         /* nobody named it: it may be too much to find */
    const double *egress, *carry;  /* between regions; see struct sim_market */
    size_t regions;
    size_t runs;
    uint32_t sum;      /* of the traces: others give other results */
    int64_t seed;      /* of what is made up */
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

/* From the request to the sweep, all checked. */
bool sweep_plan(struct sweep *s, struct error *err) MUST_USE;

/* Fill in what the file of the request's job says: work, start, prices, deadline, checkpoints;
 * without traces, a model of them. */
bool sweep_job(struct sweep *s, struct simulate_request *request, struct error *err) MUST_USE;

struct sweep_run sweep_run_of(const struct sweep *s, size_t index);

/* [ticks of the zone] of a made-up trace: 1 where the whole gang can be had. */
bool sweep_made_up(const struct sweep *s, size_t zone, size_t copy, struct arena *arena,
                   const uint8_t **out, struct error *err) MUST_USE;

/* The market of a run and its job. */
bool sweep_market(const struct sweep *s, const struct sweep_run *run, struct arena *arena,
                  struct sim_market *market, struct sim_job *job, struct error *err) MUST_USE;

/* Simulate what the request wants of it: all, a shard, or nothing when it only gathers. */
bool sweep_simulate(struct sweep *s, struct sweep_results *out, struct error *err) MUST_USE;

/* "24h20min": as it can be typed. Rounded to a second; `at_least`: up. */
void sweep_write_time(double seconds, bool at_least, char *to, size_t room);

/* Fill in what was simulated, in words and numbers. */
bool sweep_describe(const struct sweep *s, struct simulate_result *res,
                    struct error *err) MUST_USE;

/* Means, percentiles and shares of what is known. */
bool sweep_sum_up(const struct sweep *s, const struct sweep_results *results,
                  struct simulate_result *res, struct error *err) MUST_USE;

/* Every run as a line of a CSV file. */
bool sweep_write_runs(const struct sweep *s, const struct sweep_results *results,
                      struct str path, struct error *err) MUST_USE;

/* The first run, tick by tick, under each policy that was asked for. */
bool sweep_timeline(const struct sweep *s, struct simulate_result *res,
                    struct error *err) MUST_USE;

/* Run it as an array of Slurm jobs. True with `res->submitted` or `res->script` set when there
 * is nothing to wait for; else the parts are in `folder`. */
bool sweep_slurm(const struct sweep *s, struct simulate_result *res, const char **folder,
                 struct error *err) MUST_USE;

/* Remove the parts of a folder that nobody named. */
void sweep_slurm_clean(const struct sweep *s, const char *folder);

/* What makes two sweeps the same, as the header of a journal. */
bool sweep_header(const struct sweep *s, struct str *out, struct error *err) MUST_USE;

#endif
