/* infer_load.h - one replica, asked for its latencies at many rates. */
#ifndef ESTIMATE_SERVING_INFER_LOAD_H
#define ESTIMATE_SERVING_INFER_LOAD_H

#include "estimate/serving/batching.h"
#include "estimate/serving/infer.h"

struct replica {
    struct serving s;
    const struct constants *c;
    struct batching_limits limits;
    double max_rate;  /* requests/s that saturate it */
    double full_step; /* s between tokens when it is saturated */
    struct batching_costs costs;
    bool filled;      /* `costs` are known */
    double last_rate; /* 0: none was asked for */
    struct serving_load last;
};

/* Computes what it takes at most. What its passes cost is computed when a load is asked for. */
void replica_open(const struct serving *s, const struct constants *c, struct replica *out);

/* Sequences in flight at a rate, on average, of what writes: without a simulation. */
double serving_in_flight(const struct serving *s, double rate, const struct constants *c);

/* estimate_load() */
struct serving_load replica_load(struct replica *replica, double rate);

/* The highest rate, up to this share of what saturates it, that is good enough; 0: none is. */
double replica_most_rate(struct replica *r, double share,
                         bool (*keeps)(void *ctx, const struct serving_load *load), void *ctx);

#endif
