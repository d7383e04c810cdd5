/* bench.h - what serves a model, measured: request and result of `stint bench`. */
#ifndef OP_BENCH_BENCH_H
#define OP_BENCH_BENCH_H

#include "load/result.h"
#include "load/search.h"

extern const struct op op_bench;

#define BENCH_ENDPOINTS 2
#define BENCH_POINTS 64 /* runs of one call */

struct bench_request {
    struct strs urls;
    struct str start, python, command;
    struct strs batch;
    /* the load */
    struct strs rate;
    struct str arrivals, trace, lengths, input, output;
    int64_t users, prefix, prefix_groups, requests, streams, seed;
    span think, ramp;
    double speed;
    /* the endpoint */
    struct str model, key_env, certificates;
    int32_t api, exact;
    bool plain;
    span timeout, start_timeout;
    /* the end */
    span warmup, max_time;
    double precision;
    usd budget;
    /* the target */
    struct strs slo;
    double attain;
    bool find_rate;
    struct str accuracy;
    /* money and what is written */
    usd_per_hour price;
    struct str offer, name, of_run, csv, svg, share_row;
    /* what serves, where neither the offer nor the server says so */
    struct str on, weights, engine, known_as;
    struct strs tag;
    bool no_record;
};

enum bench_exact { EXACT_AUTO, EXACT_YES, EXACT_NO, EXACT_COUNT };
extern const char *const bench_exact_names[EXACT_COUNT + 1];

/* A batch of a callable. */
struct bench_batch {
    int64_t batch, calls;
    struct load_stat time; /* of a call */
    double items_per_s;
    struct str precise;
    usd per_1000, per_million;
};

struct bench_result {
    struct rows runs;    /* struct load_result: by endpoint, then by rate */
    struct rows changes; /* struct load_difference, of two endpoints */
    struct rows batches; /* struct bench_batch */
    struct str measured; /* what: a URL, m:f, a command */
    double best_rate;    /* the highest that met the target; NaN: not searched, or none did */
    double too_high;     /* the lowest that did not; NaN: none was found */
    struct str target;   /* "first token 500 ms, 99 % of requests" */
    double words_per_token;
    struct str price_source, run, csv, svg, share_row;
    int64_t seed;
    bool stopped;
};

#endif
